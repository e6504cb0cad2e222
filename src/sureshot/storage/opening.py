"""Open a store by a path or a URL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sureshot.errors import InvalidInput, StorageError, about
from sureshot.storage.memory import MemoryStorage

if TYPE_CHECKING:
    from sureshot.storage.backend import Backend
    from sureshot.storage.protocol import Storage

__all__ = ["DEFAULT", "VARIABLE", "backend_of", "file_of", "open_storage", "store_at"]

DEFAULT = "sureshot.db"
"""The store when none is named: a file in the working folder."""

VARIABLE = "SURESHOT_STORAGE"
"""The environment variable that names another."""


@about("storage")
def open_storage(url: str | os.PathLike[str] | None = None, *, create: bool = True) -> Storage:
    """The store at a path or URL; None: the one that ``SURESHOT_STORAGE`` names, else ``sureshot.db`` here.

    A store that is missing is made, unless ``create`` is false; one with an older schema is migrated. Raises
    :class:`~sureshot.errors.StorageError` where it can't be used, with what to do about it.

    >>> store = open_storage(":memory:")
    >>> store.create_campaign("nanotubes", {"budget": 30}, seed=1).spec
    {'budget': 30}
    """
    where = store_at(url)
    if where == ":memory:":
        return MemoryStorage()

    from sureshot.storage.migrate import bring_up_to_date  # SQLAlchemy is loaded when a database is opened
    from sureshot.storage.sql import SqlStorage

    backend = backend_of(where, create=create)
    try:
        bring_up_to_date(backend, create=create)
    except BaseException:
        backend.engine.dispose()
        raise
    return SqlStorage(backend)


def store_at(url: str | os.PathLike[str] | None) -> str:
    """The path or URL that is meant."""
    return os.fspath(url) if url is not None else os.environ.get(VARIABLE) or DEFAULT


def backend_of(where: str, *, create: bool) -> Backend:
    """The database at a path or URL, not yet brought up to date."""
    from sureshot.storage.address import FIX, FORMS, POSTGRESQL, SQLITE, read_url, refuse_mistyped
    from sureshot.storage.postgresql import postgresql_backend
    from sureshot.storage.sqlite import sqlite_backend

    if not where.strip():
        raise InvalidInput(f"a store must be {FORMS}, got {where!r}", fix=FIX)
    if "://" not in where:
        refuse_mistyped(where)
        return sqlite_backend(file_of(where), create=create)
    parsed = read_url(where)
    scheme = parsed.drivername
    if scheme in SQLITE:
        return sqlite_backend(file_of(where), create=create)
    if scheme in POSTGRESQL:
        return postgresql_backend(parsed)
    raise InvalidInput(f"a store must be {FORMS}, got a URL that begins with '{scheme}://'", fix=FIX)


def file_of(where: str) -> Path:
    """The file of a SQLite store, named by its path or by its URL."""
    if "://" in where:
        from sureshot.storage.address import FIX, read_url

        parsed = read_url(where)
        if not parsed.database or parsed.database == ":memory:" or parsed.query or parsed.host:
            raise InvalidInput(f"a SQLite store is 'sqlite:///path', nothing after the path, got {where!r}", fix=FIX)
        where = parsed.database
    try:
        return Path(where).expanduser().absolute()
    except FileNotFoundError:  # nobody can say where the working folder is
        fix = "go to another one, or write the whole path of the store"
        raise StorageError("the folder that you work in is gone", fix=fix) from None
