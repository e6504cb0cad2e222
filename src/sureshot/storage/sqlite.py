"""SQLite in a file: the default. Nothing to install, nothing to run, one file to keep.

- Write-ahead log (WAL): readers never wait for a writer, nor a writer for readers. Writers wait for each other,
  for the milliseconds that an append takes.
- ``synchronous=FULL``: an append is on the disk before it is acknowledged. WAL with ``NORMAL`` would survive a
  killed process as well, but a power cut could take back the last outcomes, and an outcome is expensive.
- A writer takes the write lock when its transaction begins (``BEGIN IMMEDIATE``): what it then reads stays true
  until it commits.
- What is in the log is taken over into the file itself soon (:data:`SETTLED`), so that a log that is lost or damaged
  afterwards takes nothing along.
- A file that was replaced or deleted while it was open is neither read nor written any more
  (:class:`~sureshot.storage.sqlite_file.Kept`).
- A file or folder that can't be written is opened to be read, and so is a read-only disk.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, NullPool, Table, create_engine
from sqlalchemy import event as hooks
from sqlalchemy.exc import DBAPIError

from sureshot.errors import StorageError
from sureshot.said import Text
from sureshot.storage import sqlite_file
from sureshot.storage.backend import POOL, WRITES, Backend, NotNow, Row
from sureshot.storage.chain import SEE_DOCTOR
from sureshot.storage.turns import turn_at

__all__ = ["explained", "meant", "sqlite_backend"]

PATIENCE = 30.0
"""Seconds that a writer waits for the others before it gives up."""

SETTLED = 0.2
"""Seconds between two times that the write-ahead log is taken over into the file, by whoever writes: less than a tenth
of the time goes into it."""


def sqlite_backend(path: str | os.PathLike[str], *, create: bool = True) -> Backend:
    """The database in a file, which is made if it is missing and ``create`` is true."""
    file = Path(path).expanduser().absolute()
    where = str(file)
    if file.is_dir():
        fix = f"name a file in it, such as {file / 'sureshot.db'}"
        raise StorageError(f"a store must be a file, and {where} is a folder", value=where, fix=fix)
    if not file.parent.is_dir():
        raise StorageError(f"there is no folder {file.parent} to keep {file.name} in", value=where, fix="make it first")
    if not create and not file.exists():
        fix = "create a campaign first, or name another store"
        raise StorageError(f"there is no store at {where}", value=where, fix=fix)
    if not create and not file.stat().st_size and not sqlite_file.beside(file, "-wal").exists():
        fix = "create a campaign first, or name another store"
        raise StorageError(f"there is no store at {where}, the file is empty", value=where, fix=fix)
    with explained(where):
        sqlite_file.looked_at(file)
    only_read = sqlite_file.only_readable(file)
    kept = sqlite_file.Kept(file)
    engine = _reader(file) if only_read else _writer(kept)
    return Backend(
        engine=engine,
        place=str(file),
        explain=_explain,
        lock_schema=_lock_schema,
        insert_many=_insert_many,
        ours_alone=True,
        unreached=lambda _: False,
        turn=partial(turn_at, file),
        only_read=only_read,
        settle=partial(_settle, file),
        still_there=partial(_still_there, kept),
        turns=threading.RLock(),  # SQLite only looks now and then whether it may write: of many, some would starve
    )


def _writer(kept: sqlite_file.Kept) -> Engine:
    engine = create_engine(_PLACE, creator=lambda: kept.connected(patience=PATIENCE), **POOL)
    hooks.listen(engine, "connect", partial(_prepare, kept))
    hooks.listen(engine, "begin", _begin)
    return engine


def _reader(file: Path) -> Engine:
    """Each time anew: somebody else may write to it from now on, and stop."""

    def connection() -> sqlite3.Connection:
        made = sqlite_file.connected(file, sqlite_file.read_query(file), patience=PATIENCE)
        made.isolation_level = None
        made.execute("PRAGMA cell_size_check = ON")
        return made

    engine = create_engine(_PLACE, creator=connection, poolclass=NullPool)
    hooks.listen(engine, "begin", _begin)
    return engine


ROOM = 100_000
"""Free bytes on the disk below which a failed call of the system is put down to that: a write-ahead log needs them."""

_PLACE = URL.create("sqlite+pysqlite", database="/store")  # of the driver; where the file is, says its creator


def _prepare(kept: sqlite_file.Kept, connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # Python's own BEGIN comes too late, and never before CREATE TABLE
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: without it, fsync does not reach the disk
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cell_size_check = ON")  # a damaged page is found when it is read
    connection.execute("PRAGMA schema_version").fetchone()  # something is read: now the log is there
    kept.begun(connection)


def _still_there(kept: sqlite_file.Kept, connection: Connection) -> None:
    kept.refuse_another(cast("sqlite3.Connection", connection.connection.driver_connection))


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL, once in a file's life. SQLite does not wait if two processes do so at once, so we do."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode != "wal":
        raise StorageError(
            f"this file system does not support SQLite's write-ahead log (journal mode {mode!r}): "
            "keep the store on a local disk, or use PostgreSQL."
        )


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _settle(file: Path, connection: Connection) -> None:
    """Take over what is in the write-ahead log into the file, unless somebody has just done so."""
    with suppress(sqlite3.Error, OSError):  # what was recorded is recorded
        if abs(time.time() - file.stat().st_mtime) >= SETTLED:
            driver = cast("sqlite3.Connection", connection.connection.driver_connection)
            driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _lock_schema(_connection: Connection) -> None:
    """Nothing to do: whoever writes has locked the whole file."""


def _insert_many(connection: Connection, table: Table, rows: list[Row]) -> None:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    marks = ", ".join("?" * len(table.c))
    connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", rows)


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Errors of SQLite and of the system within the block, in a person's words."""
    try:
        yield
    except StorageError:
        raise
    except (sqlite3.Error, UnicodeDecodeError, MemoryError, OSError) as error:
        raise meant(error, place) from error


def _explain(error: DBAPIError, place: str) -> StorageError:
    return meant(error.orig, place)


def _said(error: BaseException | None) -> str:
    """What SQLite said; of a call of the system that failed, also which one: a write is no sign of damage."""
    name = getattr(error, "sqlite_errorname", "")
    return f"{error}, {name}" if name.startswith("SQLITE_IOERR_") else str(error)


def meant(error: BaseException | None, place: str) -> StorageError:
    """What SQLite, or the system, said of a file, in a person's words."""
    said = _said(error)
    if _is_full(error, said, place):
        return NotNow(f"{place} ", _FULL, f" ({said}).")
    for sign, meaning in _MEANINGS.items():
        if sign in said:
            kind = NotNow if meaning in _PASSING else StorageError
            return kind(f"{place} ", meaning, f" ({said}).")
    return StorageError(f"{place} can't be used: {said}.")


def _is_full(error: BaseException | None, said: str, place: str) -> bool:
    """Whether there is no room on the disk: so says the error, or a call of the system failed and there is none."""
    if "disk is full" in said or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return True
    name = getattr(error, "sqlite_errorname", "")
    if not name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) or any(sign in said for sign in _TORN):
        return False
    with suppress(OSError):
        return shutil.disk_usage(Path(place).parent).free < ROOM
    return False


_DAMAGED = Text("is damaged: restore it from a backup, or rescue what is readable with sqlite3's .recover", SEE_DOCTOR)
_FULL = "can't be used, the disk is full: make room. That is no damage, and nothing was recorded"
_REFUSED = (
    "can't be used, the system refuses it: a quota or a limit on the size of files is reached, or the disk fails. Make "
    "room, or see the system's log"
)
_HELD = f"is held by another program for more than {PATIENCE:g} s: close that program, or use PostgreSQL"
_PASSING = (_REFUSED, _HELD)
_TORN = ("IOERR_SHORT_READ", "IOERR_CORRUPTFS", "IOERR_DATA")  # the file ends too early, or is not what was written
_MEANINGS: dict[str, str] = {
    "not a database": "is not a SQLite database: name another file; if it was a store, restore it from a backup",
    "readonly": "can't be written: check the permissions of the file and of its folder",
    "unable to open": "can't be opened: check the permissions of the file and of its folder",
    "ermission denied": "can't be opened: check the permissions of the file and of its folder",
    "is locked": _HELD,
    **dict.fromkeys(
        (*_TORN, "malformed", "decode", "no such", "too big", "out of memory", "unsupported", "corrupt", "syntax"),
        _DAMAGED,
    ),
    "disk I/O": _REFUSED,
}
