"""Other people's files are left as they are; what can't be written is read."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sureshot.errors import StorageError
from sureshot.storage import Storage, asked, backup, doctor, noted, open_storage, told
from sureshot.storage import sqlite_file as module

ASSETS = Path(__file__).parent / "assets"
Opened = Callable[..., Storage]


def contents(folder: Path) -> dict[str, bytes]:
    """By another process: to close a file would let go of SQLite's locks on it."""
    names = sorted(one.name for one in folder.iterdir())
    return {name: subprocess.run(["cat", folder / name], capture_output=True, check=True).stdout for name in names}


# --- the database of something else --------------------------------------------------------------------------------


def photos(folder: Path, state: str) -> Path:
    """A database of photos: closed, or as a process left it that was killed."""
    made = folder / "photos.db"
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA journal_mode = {'delete' if state == 'delete' else 'wal'}")
        connection.execute("CREATE TABLE photo (id)")
        connection.execute("INSERT INTO photo VALUES (1)")
        if state == "killed":
            connection.execute("PRAGMA wal_checkpoint")
        if state in ("killed", "all in the log"):
            connection.execute("INSERT INTO photo VALUES (2)")
            left = contents(folder)
    if state in ("killed", "all in the log"):
        for name, content in left.items():
            (folder / name).write_bytes(content)
    return made


@pytest.mark.parametrize("state", ["delete", "wal", "killed", "all in the log"])
@pytest.mark.parametrize("create", [True, False])
def test_the_database_of_something_else_is_not_touched(tmp_path: Path, state: str, create: bool) -> None:
    path = photos(tmp_path, state)
    before = contents(tmp_path)
    with pytest.raises(
        StorageError, match=r"photos\.db is the database of something else: it holds photo: name another"
    ):
        open_storage(path, create=create)
    assert contents(tmp_path) == before


STRANGE = {
    "only a view": ["CREATE VIEW v AS SELECT 1"],
    "nothing any more": ["CREATE TABLE photo (id)", "DROP TABLE photo"],
    "the mark of another program": ["PRAGMA application_id = 77"],
    "the version of another program": ["PRAGMA user_version = 5"],
    "nothing, and no write-ahead log": ["VACUUM"],
    "a table with the name of ours": ["CREATE TABLE sureshot_schema (a)"],
    "tables with names of ours": ["CREATE TABLE sureshot_schema (a)", "CREATE TABLE event (id)"],
    "the version of a schema, and no tables of ours": ["CREATE TABLE sureshot_schema (version_num)"],
}


@pytest.mark.parametrize("holds", STRANGE)
@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_not_ours_is_not_touched_whatever_it_holds(
    tmp_path: Path, holds: str, mode: str, create: bool
) -> None:
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in STRANGE[holds]:
            connection.execute(statement)
        if "no write-ahead log" not in holds:
            connection.execute(f"PRAGMA journal_mode = {mode}")
    assert path.stat().st_size
    before = contents(tmp_path)
    with pytest.raises(StorageError, match="is the database of something else: it holds "):
        open_storage(path, create=create)
    assert not doctor(path).sound
    assert contents(tmp_path) == before


def test_a_store_whose_making_was_cut_short_is_made(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = wal")  # and then the process was killed
    assert path.stat().st_size
    assert opened(path).campaigns() == ()


def test_the_command_does_not_touch_it_either(tmp_path: Path) -> None:
    path = photos(tmp_path, "delete")
    before = contents(tmp_path)
    command = [sys.executable, "-m", "sureshot", "status", "--storage", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is the database of something else: it holds photo" in done.stderr
    assert contents(tmp_path) == before


@pytest.mark.parametrize("content", [b"", b"These are my notes.", b"SQLite format 3\x00" + b"x" * 500])
def test_what_is_no_store_is_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"no store|not a SQLite database|damaged|can't be used"):
        open_storage(path, create=False)
    assert contents(tmp_path) == {"notes.txt": content}


def test_a_file_that_this_process_has_open_is_not_looked_at(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To close another handle of it would let go of the locks on it."""
    looks: list[Path] = []
    monkeypatch.setattr(module, "_inside", lambda file: looks.append(file))
    first = opened(tmp_path / "store.db")
    first.create_campaign("here", {}, seed=0)
    opened(tmp_path / "store.db").campaigns()
    assert looks == []
    for store in (first, opened(tmp_path / "store.db")):
        store.close()
    other = opened(tmp_path / "copy.db")
    other.close()
    with closing(open_storage(tmp_path / "copy.db")):
        assert looks == [tmp_path / "copy.db"]


# --- what can only be read -----------------------------------------------------------------------------------------

AS_NOBODY = """
import json, os, sys
import sureshot.storage.sql, sureshot.storage.migrate, sureshot.storage.sqlite, sureshot.storage.postgresql, alembic
import alembic.util, alembic.config, alembic.runtime.environment
from sureshot.errors import SureshotError
from sureshot.storage import noted, open_storage
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)      # to whom permissions mean something
said = []
def tried(what):
    try:
        said.append(what())
    except SureshotError as error:
        said.append(f"{type(error).__name__}: {error}")
stores = []
tried(lambda: stores.append(open_storage(sys.argv[1], create=False)))
for line in sys.stdin:
    store = stores[0]
    tried(lambda: [(one.name, one.last_number, len(store.events(one.id))) for one in store.campaigns()])
    tried(lambda: store.append(1, [noted("mine")]) and "appended")
    tried(lambda: store.create_campaign("mine", {}, seed=0) and "made")
    print(json.dumps(said), flush=True)
    said.clear()
print(json.dumps(said), flush=True)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter, which those of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)
        Path(name).chmod(0o755)


class Nobody:
    """A process of somebody who may only read."""

    def __init__(self, folder: Path, *, folder_mode: int = 0o555, file_mode: int = 0o444) -> None:
        for one in folder.iterdir():
            one.chmod(file_mode)
        folder.chmod(folder_mode)
        command = [sys.executable, "-c", AS_NOBODY, str(folder / "store.db")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def says(self) -> list[object]:
        """What came of looking and writing; first, of opening it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found: list[object] = json.loads(self._process.stdout.readline())
        return found

    def ends(self) -> list[object]:
        return json.loads(self._process.communicate(timeout=60)[0])  # type: ignore[no-any-return]


def filled(path: Path) -> Storage:
    store = open_storage(path)
    made = store.create_campaign("nanotubes", {}, seed=0)
    store.append(made.id, [asked(1), told(1, 1)])
    return store


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o444), (0o777, 0o444), (0o555, 0o666)])
def test_what_can_not_be_written_is_read(folder: Path, folder_mode: int, file_mode: int) -> None:
    filled(folder / "store.db").close()
    before = contents(folder)
    reader = Nobody(folder, folder_mode=folder_mode, file_mode=file_mode)
    opening, listed, appended, made = reader.says()
    assert reader.ends() == []
    assert opening is None
    assert listed == [["nanotubes", 2, 2]]
    assert appended == made
    assert str(made).startswith(f"StorageError: {folder / 'store.db'} can't be written: ")
    assert "copy it to a folder of your own to go on there" in str(made)
    assert contents(folder) == before


def test_what_somebody_else_writes_meanwhile_is_read(folder: Path) -> None:
    filled(folder / "store.db").close()
    reader = Nobody(folder)
    assert reader.says()[1] == [["nanotubes", 2, 2]]
    folder.chmod(0o755)
    (folder / "store.db").chmod(0o644)
    with closing(open_storage(folder / "store.db")) as store:
        store.append(1, [noted("more")])
        for one in folder.iterdir():
            one.chmod(0o644)
        assert reader.says()[0] == [["nanotubes", 3, 3]]
        store.append(1, [noted("and more")])
        assert reader.says()[0] == [["nanotubes", 4, 4]]
    assert reader.says()[0] == [["nanotubes", 4, 4]]
    reader.ends()


def test_a_log_that_nothing_can_be_made_beside_is_named(folder: Path, tmp_path: Path) -> None:
    with closing(filled(tmp_path / "store.db")):
        left = contents(tmp_path)
    for name in ("store.db", "store.db-wal"):
        (folder / name).write_bytes(left[name])
    [said] = Nobody(folder).ends()
    assert "can't be read without its write-ahead log store.db-wal" in str(said)
    assert "copy both files to a folder of your own" in str(said)


def test_an_older_store_that_can_not_be_brought_up_to_date(folder: Path) -> None:
    shutil.copy(ASSETS / "v2.db", folder / "store.db")
    before = contents(folder)
    [said] = Nobody(folder).ends()
    assert "was made by an older sureshot and must be brought up to date" in str(said)
    assert "copy it to a folder of your own" in str(said)
    assert contents(folder) == before


def test_a_disk_that_can_only_be_read(folder: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the system says it of a disk that is mounted to be read: to root too."""
    filled(folder / "store.db").close()
    before = contents(folder)
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and may(path, mode))
    store = opened(folder / "store.db", create=False)
    assert len(store.events(1)) == 2
    with pytest.raises(StorageError, match="can't be written: the file may only be read"):
        store.append(1, [noted("more")])
    assert contents(folder) == before
    monkeypatch.undo()
    with pytest.raises(StorageError, match=r"then open it again \(start a server again\)"):  # who has it open reads on
        store.append(1, [noted("more")])
    assert len(opened(folder / "store.db").append(1, [noted("more")])) == 1


# --- replaced while it is open -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["replaced", "replaced, without its log", "deleted", "moved away", "log deleted"])
def test_a_store_that_is_no_longer_there_is_neither_read_nor_written(tmp_path: Path, opened: Opened, how: str) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    store = opened(path)
    made = store.create_campaign("oven", {}, seed=1)
    backup(store, copy)
    store.append(made.id, [asked(0)])
    log = path.with_name("store.db-wal")
    if how in ("replaced, without its log", "deleted", "log deleted"):
        log.unlink()
        log.with_name("store.db-shm").unlink()
    if how.startswith("replaced"):
        copy.replace(path)
    elif how == "deleted":
        path.unlink()
    elif how == "moved away":
        path.rename(tmp_path / "old.db")
    words = r"store\.db(-wal)? was (replaced by another file|moved or deleted) while the store was open\. Nothing was"
    for do in (
        lambda: store.append(made.id, [noted("lost?")]),
        lambda: store.create_campaign("another", {}, seed=1),
        lambda: store.events(made.id),
        store.campaigns,
    ):
        with pytest.raises(StorageError, match=words):
            do()
    if how.startswith("replaced"):
        store.close()
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        assert opened(path).events(made.id) == ()


def test_a_store_that_is_replaced_during_a_transaction_records_nothing(tmp_path: Path, opened: Opened) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    store = opened(path)
    store.create_campaign("oven", {}, seed=1)
    backup(store, copy)

    def rename() -> None:
        with store._backend.writing() as connection:  # type: ignore[attr-defined]
            connection.exec_driver_sql("UPDATE campaign SET name = 'other'")
            copy.replace(path)

    with pytest.raises(StorageError, match="was replaced"):
        rename()
    store.close()
    assert [one.name for one in opened(path).campaigns()] == ["oven"]


def test_other_connections_come_and_go_and_the_log_is_the_same(tmp_path: Path, opened: Opened) -> None:
    first = opened(tmp_path / "store.db")
    made = first.create_campaign("oven", {}, seed=1)
    for number in range(3):
        with closing(open_storage(tmp_path / "store.db")) as second:
            second.append(made.id, [asked(number)])
        first._backend.engine.dispose()  # type: ignore[attr-defined]  # and the log goes with its last connection
        first.append(made.id, [noted("here")])
    assert len(first.events(made.id)) == 6
