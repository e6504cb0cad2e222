"""Open a store by a path or a URL."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sureshot.errors import InvalidInput, about
from sureshot.storage.memory import MemoryStorage

if TYPE_CHECKING:
    from sureshot.storage.backend import Backend
    from sureshot.storage.protocol import Storage

__all__ = ["DEFAULT", "VARIABLE", "open_storage"]

DEFAULT = "sureshot.db"
"""The store when none is named: a file in the working folder."""

VARIABLE = "SURESHOT_STORAGE"
"""The environment variable that names another."""

_FORMS = "a path such as 'sureshot.db', 'sqlite:///path', 'postgresql://user@host/database' or ':memory:'"
_FIX = "name a file, or leave `storage` out for 'sureshot.db' in the working folder"


@about("storage")
def open_storage(url: str | os.PathLike[str] | None = None, *, create: bool = True) -> Storage:
    """The store at a path or URL; None: the one that ``SURESHOT_STORAGE`` names, else ``sureshot.db`` here.

    A store that is missing is made, unless ``create`` is false; one with an older schema is migrated. Raises
    :class:`~sureshot.errors.StorageError` where it can't be used, with what to do about it.

    >>> store = open_storage(":memory:")
    >>> store.create_campaign("nanotubes", {"budget": 30}, seed=1).spec
    {'budget': 30}
    """
    where = os.fspath(url) if url is not None else os.environ.get(VARIABLE) or DEFAULT
    if where == ":memory:":
        return MemoryStorage()

    from sureshot.storage.migrate import bring_up_to_date  # SQLAlchemy is loaded when a database is opened
    from sureshot.storage.sql import SqlStorage

    backend = _backend(where, create=create)
    try:
        bring_up_to_date(backend, create=create)
    except BaseException:
        backend.engine.dispose()
        raise
    return SqlStorage(backend)


def _backend(where: str, *, create: bool) -> Backend:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from sureshot.storage.postgresql import postgresql_backend
    from sureshot.storage.sqlite import sqlite_backend

    if not where.strip():
        raise InvalidInput(f"a store must be {_FORMS}, got {where!r}", fix=_FIX)
    if "://" not in where:
        return sqlite_backend(where, create=create)
    scheme = where.split("://", 1)[0]
    try:
        parsed = make_url(where)
    except (ArgumentError, ValueError):
        raise InvalidInput(f"a store must be {_FORMS}; this {scheme!r} URL can't be read", fix=_FIX) from None
    if scheme in ("sqlite", "sqlite+pysqlite"):
        if not parsed.database or parsed.database == ":memory:" or parsed.query:
            raise InvalidInput(f"a SQLite store is 'sqlite:///path', nothing after the path, got {where!r}", fix=_FIX)
        return sqlite_backend(parsed.database, create=create)
    if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        return postgresql_backend(parsed)
    raise InvalidInput(f"a store must be {_FORMS}, got a URL that begins with '{scheme}://'", fix=_FIX)
