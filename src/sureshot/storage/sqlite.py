"""SQLite in a file: the default. Nothing to install, nothing to run, one file to keep.

- Write-ahead log (WAL): readers never wait for a writer, nor a writer for readers. Writers wait for each other,
  for the milliseconds that an append takes.
- ``synchronous=FULL``: an append is on the disk before it is acknowledged. WAL with ``NORMAL`` would survive a
  killed process as well, but a power cut could take back the last outcomes, and an outcome is expensive.
- A writer takes the write lock when its transaction begins (``BEGIN IMMEDIATE``): what it then reads stays true
  until it commits.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Table, create_engine
from sqlalchemy import event as hooks
from sqlalchemy.exc import DBAPIError

from sureshot.errors import StorageError
from sureshot.storage.backend import POOL, WRITES, Backend, Row

__all__ = ["sqlite_backend"]

PATIENCE = 30.0
"""Seconds that a writer waits for the others before it gives up."""


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
    place = URL.create("sqlite+pysqlite", database=str(file))
    engine = create_engine(place, connect_args={"timeout": PATIENCE}, **POOL)
    hooks.listen(engine, "connect", _prepare)
    hooks.listen(engine, "begin", _begin)
    return Backend(
        engine=engine,
        place=str(file),
        explain=_explain,
        lock_schema=_lock_schema,
        insert_many=_insert_many,
        ours_alone=True,
        turns=threading.RLock(),  # SQLite only looks now and then whether it may write: of many, some would starve
    )


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # Python's own BEGIN comes too late, and never before CREATE TABLE
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: without it, fsync does not reach the disk
    connection.execute("PRAGMA foreign_keys = ON")


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


def _lock_schema(_connection: Connection) -> None:
    """Nothing to do: whoever writes has locked the whole file."""


def _insert_many(connection: Connection, table: Table, rows: list[Row]) -> None:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    marks = ", ".join("?" * len(table.c))
    connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", rows)


def _explain(error: DBAPIError, place: str) -> str:
    said = str(error.orig)
    for sign, meaning in _MEANINGS.items():
        if sign in said:
            return f"{place} {meaning} ({said})."
    return f"{place} can't be used: {said}."


_MEANINGS = {
    "not a database": "is not a SQLite database: name another file",
    "malformed": "is a damaged SQLite database: restore it from a backup, or rescue it with sqlite3's .recover",
    "readonly": "can't be written: check the permissions of the file and of its folder",
    "unable to open": "can't be opened: check the permissions of the file and of its folder",
    "is locked": f"is held by another program for more than {PATIENCE:g} s: close that program, or use PostgreSQL",
    "full": "can't be written, the disk is full: make room. Nothing was recorded",
}
