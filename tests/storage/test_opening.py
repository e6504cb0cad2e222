"""Opening a store: by path, URL or environment; and what is said when it can't be opened."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from sureshot.errors import InvalidInput, StorageError
from sureshot.storage import MemoryStorage, Storage, asked, open_storage
from sureshot.storage import sqlite as sqlite_module
from sureshot.storage.backend import NotNow
from sureshot.storage.sql import SqlStorage

Opened = Callable[..., Storage]


def test_the_default_is_a_file_here(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SURESHOT_STORAGE", raising=False)
    opened().create_campaign("here", {}, seed=0)
    assert (tmp_path / "sureshot.db").exists()
    assert opened("sureshot.db").campaign("here").seed == 0
    assert opened(f"sqlite:///{tmp_path}/sureshot.db").campaign("here").seed == 0


def test_the_environment_names_another(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESHOT_STORAGE", str(tmp_path / "elsewhere.db"))
    opened().create_campaign("there", {}, seed=0)
    assert (tmp_path / "elsewhere.db").exists()
    monkeypatch.setenv("SURESHOT_STORAGE", ":memory:")
    assert isinstance(opened(), MemoryStorage)


def test_each_memory_is_its_own(opened: Opened) -> None:
    opened(":memory:").create_campaign("mine", {}, seed=0)
    assert opened(":memory:").campaigns() == ()


@pytest.mark.parametrize(
    "url", ["", " ", "mysql://u:secret@h/d", "sqlite://", "sqlite:///:memory:", "sqlite:///a?mode=ro"]
)
def test_what_is_no_store_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="store") as refused:
        open_storage(url)
    assert "secret" not in str(refused.value)


def test_files_that_can_not_be_opened(tmp_path: Path, opened: Opened) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("These are my notes, and long enough to be taken for a header of something. " * 20)
    with pytest.raises(StorageError, match=r"notes\.txt is not a SQLite database"):
        open_storage(notes)
    assert notes.read_text().startswith("These are")
    with pytest.raises(StorageError, match="is a folder"):
        open_storage(tmp_path)
    with pytest.raises(StorageError, match="no folder"):
        open_storage(tmp_path / "missing" / "store.db")
    with pytest.raises(StorageError, match="no store at"):
        open_storage(tmp_path / "missing.db", create=False)
    assert not (tmp_path / "missing.db").exists()
    opened(tmp_path / "store.db")
    opened(tmp_path / "store.db", create=False)


def test_the_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photo (id)")
    connection.close()
    with pytest.raises(StorageError, match=r"photos\.db is the database of something else: it holds photo"):
        open_storage(path)


def test_an_empty_file_becomes_a_store(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "store.db").touch()
    assert opened(tmp_path / "store.db").campaigns() == ()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = open_storage(path)
    campaign = store.create_campaign("nanotubes", {}, seed=0)
    store.append(campaign.id, [asked(i, text="x" * 500) for i in range(200)])
    store.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    with pytest.raises(StorageError, match=r"damaged|can't be used"):
        open_storage(path).events(campaign.id)


AS_NOBODY = """
import os, sys
from sureshot.errors import StorageError
import sureshot.storage.sql, sureshot.storage.migrate, sureshot.storage.sqlite, sureshot.storage.postgresql
from sureshot.storage import open_storage
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)      # to whom permissions mean something
try:
    open_storage(sys.argv[1]).create_campaign("mine", {}, seed=0)
except StorageError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("folder", "file", "words"), [(0o755, 0o444, "can't be written"), (0o755, 0o000, "can't be opened")]
)
def test_permissions(folder: int, file: int, words: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "store.db"
        open_storage(path).close()
        path.chmod(file)
        Path(name).chmod(folder)
        said = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(path)], capture_output=True, text=True, check=True, timeout=60
        )
    assert words in said.stdout
    assert "permissions" in said.stdout


WITH_A_QUOTA = """
import resource, sys
from sureshot.errors import StorageError
from sureshot.storage import noted, open_storage
store = open_storage(sys.argv[1])
made = store.create_campaign("mine", {}, seed=0)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
try:
    store.append(made.id, [noted("warm")])
except StorageError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print([one.text for one in store.append(made.id, [noted("warm")])], len(store.events(made.id)))
"""


def test_a_write_that_the_system_refuses_is_no_damage(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITH_A_QUOTA, str(tmp_path / "store.db")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said, after = done.stdout.splitlines()
    assert "the system refuses it: a quota or a limit" in said
    assert "damaged" not in said
    assert after == "['warm'] 1"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("53100", r"the server's disk is full: make room there\. Nothing was recorded \(server says.*\)\.$"),
        ("25006", r"may only be read: name the server that is written to .* Nothing was recorded \(server says.*\)\.$"),
        ("XX001", r"is damaged: restore the store from a backup .* \(server says.*\)\.$"),
        ("58000", r"can't be used: look into the server's log, and try again \(server says.*\)\.$"),
    ],
)
def test_what_a_server_says_is_said_with_what_to_do(postgres_store: SqlStorage, state: str, words: str) -> None:
    statement = text(f"DO $$ BEGIN RAISE EXCEPTION 'server says' USING ERRCODE = '{state}'; END $$")
    with pytest.raises(StorageError, match=words), postgres_store._backend.writing() as connection:
        connection.execute(statement)


def sqlite_error(code: str, said: str = "disk I/O error") -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(said)
    error.sqlite_errorname = code
    return error


@pytest.mark.parametrize(
    ("error", "free", "words", "passes"),
    [
        (sqlite_error("SQLITE_IOERR_SHMSIZE"), 0, "the disk is full: make room. That is no damage", True),
        (sqlite_error("SQLITE_IOERR_SHMOPEN"), 0, "the disk is full: make room. That is no damage", True),
        (sqlite_error("SQLITE_CANTOPEN", "unable to open"), 0, "the disk is full: make room", True),
        (sqlite_error("SQLITE_FULL", "database or disk is full"), 10**9, "the disk is full: make room", True),
        (OSError(errno.ENOSPC, "No space left on device"), 10**9, "the disk is full: make room", True),
        (sqlite_error("SQLITE_IOERR_SHMSIZE"), 10**9, "the system refuses it: a quota or a limit", True),
        (sqlite_error("SQLITE_IOERR_READ"), 10**9, "the system refuses it: .* or the disk fails", True),
        (sqlite_error("SQLITE_CANTOPEN", "unable to open"), 10**9, "can't be opened: check the permissions", False),
        (sqlite_error("SQLITE_IOERR_SHORT_READ"), 0, "is damaged: restore it from a backup", False),
        (sqlite_error("SQLITE_CORRUPT", "database disk image is malformed"), 0, "is damaged: restore it", False),
    ],
)
def test_a_full_disk_is_told_from_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, free: int, words: str, passes: bool
) -> None:
    """By what SQLite calls the error, and by the room on the disk."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    meant = sqlite_module.meant(error, str(tmp_path / "store.db"))
    assert re.search(words, str(meant))
    assert isinstance(meant, NotNow) is passes
    assert ("restore it" in str(meant)) is ("restore it" in words)


def test_a_file_that_somebody_holds_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"
    monkeypatch.setattr(sqlite_module, "PATIENCE", 0.1)
    store = open_storage(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="held by another program"):
        store.create_campaign("mine", {}, seed=0)
    holder.execute("ROLLBACK")
    holder.close()
    store.create_campaign("mine", {}, seed=0)
    store.close()


def test_sqlite_keeps_its_promises(tmp_path: Path, opened: Opened) -> None:
    store = opened(tmp_path / "store.db")
    with store._backend.reading() as connection:
        pragmas = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in PROMISES}
    assert pragmas == PROMISES


PROMISES = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    url = f"postgresql://ann:secret@/db?host={tmp_path}"
    with pytest.raises(StorageError, match="can't be reached: check that the server runs") as refused:
        open_storage(url)
    assert "secret" not in str(refused.value)
    assert "ann" in str(refused.value)


def test_a_database_that_is_not_there(postgres_server: str) -> None:
    with pytest.raises(StorageError, match='database "nowhere" does not exist'):
        open_storage(postgres_server.replace("/postgres?", "/nowhere?"))


def test_an_empty_server_is_not_filled_unless_meant(postgres_url: str, opened: Opened) -> None:
    with pytest.raises(StorageError, match="no store at"):
        open_storage(postgres_url, create=False)
    opened(postgres_url)
    opened(postgres_url, create=False)


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from sureshot.storage import postgresql

    monkeypatch.setattr(postgresql, "find_spec", lambda _: None)
    with pytest.raises(StorageError, match=r"pip install 'sureshot\[postgres\]'"):
        open_storage("postgresql://localhost/db")


def loaded(library: str, store: str) -> str:
    """Whether a new process that opens the store has loaded the library."""
    code = f"import sys; from sureshot.storage import *; open_storage({store!r}); print({library!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


def test_a_process_loads_only_what_it_needs(tmp_path: Path) -> None:
    assert loaded("sqlalchemy", ":memory:") == "False"
    store = str(tmp_path / "store.db")
    assert loaded("alembic", store) == "True"  # it makes the tables
    assert loaded("alembic", store) == "False"
