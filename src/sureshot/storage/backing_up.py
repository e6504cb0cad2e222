"""A copy of a whole store in one file, while others write: of one moment, proved, there in full or not at all."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sureshot.errors import Conflict, CorruptLog, InvalidInput, StorageError, about
from sureshot.files import free_path
from sureshot.said import Call, Text
from sureshot.storage.opening import open_storage
from sureshot.storage.protocol import Storage

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

    from sureshot.storage.backend import Backend, Row
    from sureshot.storage.sql import SqlStorage

__all__ = ["Backup", "backup"]

ROWS = 5_000
"""Rows that are copied at once from a server."""


class Backup(NamedTuple):
    """What was copied."""

    file: str
    campaigns: int
    events: int
    size: int  # bytes


@about("file")
def backup(
    storage: Storage | str | os.PathLike[str] | None, file: str | os.PathLike[str], *, force: bool = False
) -> Backup:
    """A copy of the store in a SQLite file, which is a store itself; of PostgreSQL too.

    All of it is of one moment, whatever others write meanwhile; nobody waits. The copy is read and proved before it
    gets its name: a damaged store is a :class:`~sureshot.errors.CorruptLog`. A file that is there is written over only
    with ``force``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = open_storage(f"{folder}/lab.db")
    ...     _ = store.create_campaign("tubes", {}, seed=1)
    ...     done = backup(store, f"{folder}/copy.db")
    ...     store.close()
    >>> done.campaigns, done.events
    (1, 0)
    """
    if storage is None or isinstance(storage, str | os.PathLike):
        with closing(open_storage(storage, create=False)) as opened:
            return backup(opened, file, force=force)
    store = cast("SqlStorage", storage)
    backend: Backend | None = getattr(store, "_backend", None)
    if backend is None:
        raise InvalidInput("a store that is copied must be a file or a server; copy its campaigns with `copy_campaign`")
    target = free_path(file, force=force).absolute()
    _refuse_open(target, backend)
    with _begun(target) as made:
        if backend.engine.dialect.name == "sqlite":
            _copy_file(backend, made)
        else:
            _copy_rows(backend, made)
        campaigns, events = _proved(made, backend.place)
        _sealed(made)
        size = made.stat().st_size
        _named(made, target, force=force)
    return Backup(str(file), campaigns, events, size)


def _refuse_open(target: Path, backend: Backend) -> None:
    """Refuse the store itself, and a file beside which a write-ahead log would be taken for that of the copy."""
    same = Path(backend.place)
    if same.exists() and target.exists() and target.samefile(same):
        raise InvalidInput(f"a copy must be another file than the store, got {str(target)!r}", fix="name another file")
    log = target.with_name(f"{target.name}-wal")
    if log.exists():
        raise Conflict(
            f"{target} is the store of somebody who has it open, or was killed: {log.name} is beside it",
            fix="name another file",
        )


@contextmanager
def _begun(target: Path) -> Iterator[Path]:
    """An empty file in the same folder, that those may read whom the system's settings allow; gone in the end."""
    made = target.with_name(f".{target.name}-{os.urandom(4).hex()}")
    try:
        os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))
        yield made
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(
            f"{target} can't be written ({error}): nothing was changed. Choose another place."
        ) from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            made.with_name(made.name + ending).unlink(missing_ok=True)


def _copy_file(backend: Backend, made: Path) -> None:
    """By SQLite itself, in one step: it reads one state, as every reader does."""
    with backend.reading() as connection, closing(sqlite3.connect(made)) as copy:
        source = cast("sqlite3.Connection", connection.connection.driver_connection)
        source.backup(copy)


def _copy_rows(backend: Backend, made: Path) -> None:
    """Table by table, in one transaction that sees one state."""
    from sqlalchemy import delete, select

    from sureshot.storage.tables import campaign, event, head, snapshot, store

    with (
        closing(cast("SqlStorage", open_storage(made))) as copy,
        backend.reading() as source,
        copy._backend.writing() as target,
    ):
        target.execute(delete(store))  # of the number that the new file got: the copy has that of the server
        for table in (campaign, head, event, snapshot, store):
            for some in _rows(backend, source.execution_options(yield_per=ROWS), select(table)):
                copy._backend.insert_many(target, table, some)


def _rows(backend: Backend, source: Connection, query: Select[Any]) -> Iterator[list[Row]]:
    """So many at once; errors are those of the store that is copied, and not of the copy."""
    with backend.explained():
        for some in source.execute(query).partitions():
            yield [tuple(row) for row in some]


def _proved(made: Path, place: str) -> tuple[int, int]:
    """How many campaigns and events it holds, once all are read and proved."""
    try:
        with closing(open_storage(made, create=False)) as copy:
            every = copy.campaigns()
            for one in every:
                copy.events(copy.campaign(one.name).id)
    except StorageError as error:
        fix = Text(Call("doctor"), " says what is damaged")
        raise CorruptLog(f"{place} is damaged, and no copy was kept", fix=fix) from error
    return len(every), sum(one.last_number for one in every)


def _sealed(made: Path) -> None:
    """One file, with nothing beside it, sound as SQLite sees it, and on the disk."""
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        [(said,), *_] = connection.execute("PRAGMA integrity_check(1)").fetchall()
    if said != "ok":
        fix = Text(Call("doctor"), " says what is damaged")
        raise CorruptLog(f"the store is not sound, and no copy was kept ({said})", fix=fix)
    with made.open("rb") as stream:
        os.fsync(stream.fileno())


def _named(made: Path, target: Path, *, force: bool) -> None:
    """Give the copy its name: over another file only if that is meant."""
    if force:
        os.replace(made, target)
    else:
        try:
            os.link(made, target)  # fails if somebody was faster
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            free_path(target, force=False)
            os.replace(made, target)
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
