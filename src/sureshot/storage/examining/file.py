"""A SQLite store, looked over: the file and what is beside it, its structure, then what is in it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sureshot.errors import StorageError
from sureshot.said import Text
from sureshot.storage import sqlite_file
from sureshot.storage.examining.found import BACKUP, Deeper, Examined, Finding, caught, examined_campaigns, refused
from sureshot.storage.migrate import bring_up_to_date, schema_of
from sureshot.storage.opening import file_of
from sureshot.storage.sqlite import PATIENCE, explained, sqlite_backend
from sureshot.storage.tables import SCHEMA

__all__ = ["examined"]

ROOM = 100_000_000
"""Free bytes on the disk below which a person should make room."""

NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "gluster", "lustre", "sshfs", "fuse.rclone", "davfs", "ncpfs")
"""How file systems are called that other machines share."""


def examined(where: str, deeper: Deeper | None) -> Examined:
    """The store in a file."""
    file = file_of(where)
    if not file.is_file():
        raise StorageError(f"there is no store at {file}", value=str(file), fix="name another store")
    findings: list[Finding] = []
    facts = list(_facts(file))
    findings += _of_the_place(file)
    with caught(str(file), findings), explained(str(file)):
        sqlite_file.looked_at(file)
    try:
        with tempfile.TemporaryDirectory(prefix="sureshot-doctor-") as folder:
            copy = Path(folder) / "store.db"
            with explained(str(file)):
                _copied(file, copy)
                findings += _of_the_structure(file, copy)
            inside = _inside(file, copy, deeper)
    except StorageError as error:
        inside = refused(str(file), error)
    seen = {(one.about, str(one.says)) for one in findings}
    new = tuple(one for one in inside.findings if (one.about, str(one.says)) not in seen)
    return Examined(str(file), inside.schema, tuple(facts), inside.campaigns, (*findings, *new))


def _inside(file: Path, copy: Path, deeper: Deeper | None) -> Examined:
    """What the copy holds; in the words of the file that it was taken from."""
    schema = None
    findings: list[Finding] = []
    with caught(str(file), findings):
        try:
            backend = replace(sqlite_backend(copy, create=False), place=str(file))
            try:
                with backend.reading() as connection:
                    schema = schema_of(connection)
                bring_up_to_date(backend, create=False)
                campaigns, more = examined_campaigns(backend, deeper)
            finally:
                backend.engine.dispose()
        except StorageError as error:
            error.rule = Text(str(error.rule).replace(str(copy), str(file)))
            raise
        if schema is not None and schema < SCHEMA:
            says = f"it was made by an older sureshot (schema {schema} of {SCHEMA})"
            findings.append(Finding("caution", str(file), says, "nothing: it is brought up to date when it is opened"))
        return Examined(str(file), schema, (), campaigns, (*findings, *more))
    return Examined(str(file), schema, (), (), tuple(findings))


def _copied(file: Path, copy: Path) -> None:
    """A copy of what the file holds now. Where others have it open, SQLite makes it; where nobody has, it is made byte
    by byte, and whatever is damaged stays as it is.
    """
    if sqlite_file.in_use(file):
        opened = sqlite_file.connected(file, "mode=ro", patience=PATIENCE)
        with closing(opened) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        return
    shutil.copyfile(file, copy)
    for ending in ("-wal", "-journal"):
        if (beside := sqlite_file.beside(file, ending)).is_file():
            shutil.copyfile(beside, sqlite_file.beside(copy, ending))


def _of_the_structure(file: Path, copy: Path) -> Iterator[Finding]:
    """What SQLite itself finds: pages that are in two places, an index that lacks an entry."""
    with closing(sqlite3.connect(copy)) as connection:
        try:
            connection.execute("PRAGMA cell_size_check = ON")
            said = [str(line) for (line,) in connection.execute("PRAGMA integrity_check(5)")]
        except (sqlite3.Error, UnicodeDecodeError, MemoryError) as error:
            said = [str(error)]
    if said != ["ok"]:
        yield Finding("damage", str(file), f"SQLite finds its structure damaged ({'; '.join(said)})", BACKUP)


def _facts(file: Path) -> Iterator[str]:
    yield f"{file}, {file.stat().st_size:,} bytes"
    for ending, what in (("-wal", "write-ahead log"), ("-journal", "rollback journal")):
        beside = sqlite_file.beside(file, ending)
        if beside.is_file() and beside.stat().st_size:
            state = "in use" if sqlite_file.in_use(file) else "left by a process that was killed"
            yield f"{what} {beside.name}, {beside.stat().st_size:,} bytes, {state}"
    kind = _file_system(file)
    free = shutil.disk_usage(file.parent).free
    yield f"{free:,} bytes free" + (f" on {kind}" if kind else "")


def _of_the_place(file: Path) -> Iterator[Finding]:
    """The file and its folder, as the system sees them."""
    if why := sqlite_file.only_readable(file):
        says, _, fix = why.partition("; ")
        yield Finding("caution", str(file), f"nothing can be recorded: {says}", fix)
    if file.stat().st_mode & 0o002:
        yield Finding("caution", str(file), "everybody on this machine may write to it", f"chmod o-w {file}")
    if (free := shutil.disk_usage(file.parent).free) < ROOM:
        yield Finding("caution", str(file), f"its disk is nearly full: {free:,} bytes free", "make room")
    kind = _file_system(file)
    if any(kind.removeprefix("fuse.").startswith(one.removeprefix("fuse.")) for one in NETWORK):
        says = f"it is on a network drive ({kind}): its write-ahead log needs memory that machines do not share"
        yield Finding("caution", str(file), says, "keep it on a local disk, or use PostgreSQL for several machines")


def _file_system(file: Path) -> str:
    """How the system calls the kind of the file system; empty where it does not say."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    real = os.path.realpath(file)
    for line in mounts:
        before, _, after = line.partition(" - ")
        point = before.split()[4].replace("\\040", " ")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, after.split()[0]
    return kind
