"""A SQLite file, looked at before it is opened: nothing is changed, neither in it nor beside it.

SQLite's locks belong to the process: whoever closes another handle of the same file lets go of them all. So a file is
looked at only while no connection of this process has it open. That is counted here, where connections are made.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sureshot.errors import StorageError
from sureshot.storage.backend import of_something_else
from sureshot.storage.sqlite_wal import locked, refuse_lost_commits
from sureshot.storage.tables import VERSION_COLUMN, VERSION_TABLE, metadata

__all__ = ["Kept", "beside", "connected", "in_use", "looked_at", "only_readable", "read_query"]

MAGIC = b"SQLite format 3\x00"
WAL_VERSIONS = b"\x02\x02"
"""In the header, from byte 18: the file is read and written with a write-ahead log."""

MARKS = ("schema_version", "application_id", "user_version")
"""What is not 0 in a file where something was made once, or that a program marked as its own."""

Key = tuple[int, int]
_gate = threading.Lock()
_open: Counter[Key] = Counter()


def beside(file: Path, ending: str) -> Path:
    """A file that SQLite keeps beside another: ``-wal``, ``-shm``, ``-journal``."""
    return file.with_name(file.name + ending)


class _Counted(sqlite3.Connection):
    key: Key | None = None
    log: Key | None = None  # of its write-ahead log; None: not known yet

    def close(self) -> None:
        super().close()
        with _gate:
            if self.key is not None:
                _open[self.key] -= 1
            self.key = None


def connected(file: Path, query: str, *, patience: float) -> _Counted:
    """A connection to the file, such as ``mode=rwc`` or ``mode=ro``."""
    with _gate:
        made = sqlite3.connect(
            f"{file.as_uri()}?{query}", uri=True, timeout=patience, check_same_thread=False, factory=_Counted
        )
        made.key = _key(file)
        if made.key is not None:
            _open[made.key] += 1
        return made


def _key(file: Path) -> Key | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Kept:
    """The file of a store that stays open. If another is put in its place, or it is deleted, SQLite goes on with the
    old one, which has no name any more: what is recorded there is lost when the process ends. So that is refused.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._key: Key | None = None

    def connected(self, *, patience: float) -> sqlite3.Connection:
        """A connection to write, to the same file as all before."""
        before = self._key or _key(self.file)
        if self._key is not None:
            self._refuse_another(self._key)
        made = connected(self.file, "mode=rwc", patience=patience)
        if made.key is None or (before is not None and made.key != before):  # in this very moment
            made.close()
            raise self._moved()
        self._key = made.key
        return made

    def begun(self, connection: sqlite3.Connection) -> None:
        """Remember the write-ahead log of a connection that has just read: it stays as long as the connection."""
        if isinstance(connection, _Counted):
            connection.log = _key(beside(self.file, "-wal"))

    def refuse_another(self, connection: sqlite3.Connection) -> None:
        """Raise if the connection's files are no longer those that stand there by their names."""
        if isinstance(connection, _Counted):
            if connection.key is not None:
                self._refuse_another(connection.key)
            if connection.log is not None and _key(beside(self.file, "-wal")) != connection.log:
                raise self._moved("-wal")

    def _refuse_another(self, key: Key) -> None:
        if _key(self.file) != key:
            raise self._moved()

    def _moved(self, ending: str = "") -> StorageError:
        file, name = beside(self.file, ending), self.file.name
        what = "was replaced by another file" if file.exists() else "was moved or deleted"
        return StorageError(
            f"{file} {what} while the store was open. Nothing was recorded",
            fix=f"stop all that uses the store, put the {name} that you want in its place, with {name}-wal and "
            f"{name}-shm beside it only if they were copied with it, and start again",
        )


def in_use(file: Path) -> bool:
    """Whether somebody has the database open: this process, or another, where the system can say so."""
    with _gate:
        key = _key(file)
        return (key is not None and _open[key] > 0) or locked(beside(file, "-shm"))


def looked_at(file: Path) -> None:
    """Refuse the database of something else, and one whose last commits are lost, before SQLite may change anything."""
    with _gate:
        key = _key(file)
        if key is None or _open[key] > 0:
            return
        with file.open("rb") as stream:
            header = stream.read(100)
        if not header:
            return
        if not header.startswith(MAGIC):
            raise StorageError(
                f"{file} is not a SQLite database", fix="name another file; if it was a store, restore it from a backup"
            )
        try:
            found = _inside(file)
        except (sqlite3.Error, UnicodeDecodeError):
            if header[18:20] != WAL_VERSIONS:
                raise
            found = None  # somebody writes to it, or it is damaged: it may be opened, and says so
        if found is not None and not found.ours and not (found.unused and header[18:20] == WAL_VERSIONS):
            raise of_something_else(str(file), found.names)
        refuse_lost_commits(beside(file, "-wal"), beside(file, "-shm"))


class _Inside(NamedTuple):
    """What a database holds."""

    names: set[str]  # of tables, views and all else
    ours: bool
    unused: bool  # nothing was ever made in it: with a write-ahead log, a store that somebody is about to make


def _inside(file: Path) -> _Inside:
    """What is in it. Where all are still in the write-ahead log, a copy is looked at."""
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as connection:
        found = _seen(connection)
    log = beside(file, "-wal")
    if found.names or not log.is_file() or not log.stat().st_size:
        return found
    with tempfile.TemporaryDirectory(prefix="sureshot-") as folder:
        copy = Path(folder) / "look.db"
        shutil.copyfile(file, copy)
        shutil.copyfile(log, beside(copy, "-wal"))
        with closing(sqlite3.connect(copy)) as connection:
            return _seen(connection)


def _seen(connection: sqlite3.Connection) -> _Inside:
    every = "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    names = {str(name) for (name,) in connection.execute(every)}
    columns = {str(column[1]) for column in connection.execute(f"PRAGMA table_info({VERSION_TABLE})")}
    marks = [connection.execute(f"PRAGMA {mark}").fetchone()[0] for mark in MARKS]
    return _Inside(
        names, VERSION_COLUMN in columns and bool(names & set(metadata.tables)), not names and not any(marks)
    )


def only_readable(file: Path) -> str:
    """Why the store in the file can only be read; empty if it can be written, or is still to be made."""
    if not file.exists():
        return ""
    fix = (  # whoever has it open goes on reading: another process may hold the file by now
        "check the permissions of the file and of its folder, then open it again (start a server again), or copy it to "
        "a folder of your own to go on there"
    )
    if not os.access(file, os.W_OK):
        return f"the file may only be read; {fix}"
    kept = [beside(file, ending) for ending in ("-wal", "-shm")]
    if not os.access(file.parent, os.W_OK) and not all(os.access(one, os.W_OK) for one in kept):
        return f"nothing can be made in its folder, where its write-ahead log must be; {fix}"
    return ""


def read_query(file: Path) -> str:
    """How a file that can only be read is opened: with its write-ahead log if there is one; if not, nobody writes, and
    it is read as it stands, so that nothing need be made beside it.
    """
    log, shared = beside(file, "-wal"), beside(file, "-shm")
    if beside(file, "-journal").exists() or shared.exists():
        return "mode=ro"
    if not log.exists() or not log.stat().st_size:
        return "mode=ro&immutable=1"
    raise StorageError(
        f"{file} can't be read without its write-ahead log {log.name}, and nothing can be made in that folder",
        fix="copy both files to a folder of your own and name the copy",
    )
