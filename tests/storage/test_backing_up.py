"""A copy of a whole store: of one moment while others write, proved, never over another unasked."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from sureshot.errors import Conflict, CorruptLog, InvalidInput, StorageError
from sureshot.storage import MemoryStorage, Storage, asked, backup, noted, open_storage, postgresql, told
from sureshot.storage import backing_up as module
from sureshot.storage.sql import SqlStorage
from tests.storage.test_processes import start

Opened = Callable[..., Storage]


def filled(store: Storage) -> Storage:
    for name in ("tubes", "oven", "gone"):
        made = store.create_campaign(name, {"budget": 30, "note": "é"}, seed=7)
        [*_, last] = store.append(
            made.id, [asked(3, context={"age": 61}), told(1, 1), asked(4), noted("'\n\t", trial=2)]
        )
    store.delete_campaign(made.id)
    [one, two] = store.campaigns()
    store.put_snapshot(two.id, last.number, store.events(two.id)[-1].digest, {"mean": [0.5]})
    store.archive_campaign(one.id)
    return store


def same(one: Storage, other: Storage) -> bool:
    listed = one.campaigns()
    return listed == other.campaigns() and all(
        (one.campaign(each.name), one.events(each.id), one.get_snapshot(each.id))
        == (other.campaign(each.name), other.events(each.id), other.get_snapshot(each.id))
        for each in listed
    )


def test_a_copy_is_the_same_store_in_one_file(store: SqlStorage, tmp_path: Path, opened: Opened) -> None:
    filled(store)
    (tmp_path / "copies").mkdir()
    done = backup(store, tmp_path / "copies" / "copy.db")
    assert (done.campaigns, done.events) == (2, 8)
    assert [one.name for one in (tmp_path / "copies").iterdir()] == ["copy.db"]
    assert done.size == (tmp_path / "copies" / "copy.db").stat().st_size
    with closing(sqlite3.connect(tmp_path / "copies" / "copy.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    copy = opened(tmp_path / "copies" / "copy.db")
    assert same(store, copy)
    assert copy.append(1, [noted("on")])[0].number == 5  # and it goes on
    assert copy.create_campaign("new", {}, seed=1).id not in (1, 2)


def test_by_the_name_of_the_store(tmp_path: Path) -> None:
    filled(open_storage(tmp_path / "store.db")).close()
    assert backup(tmp_path / "store.db", tmp_path / "copy.db").events == 8
    with pytest.raises(StorageError, match="no store at"):
        backup(tmp_path / "none.db", tmp_path / "other.db")
    with pytest.raises(InvalidInput, match="must be a file or a server"):
        backup(MemoryStorage(), tmp_path / "other.db")
    assert not (tmp_path / "other.db").exists()


def test_while_others_write_it_is_of_one_moment(database_url: str, tmp_path: Path, opened: Opened) -> None:
    store = opened(database_url)
    made = store.create_campaign("shared", {}, seed=0)
    running = [start("write_for_ever", database_url, f"writer {i}") for i in range(2)]
    heard = [threading.Thread(target=process.communicate) for process in running]  # or they stop at a full pipe
    try:
        for process in running:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("go\n")
            process.stdin.flush()
            process.stdout.readline()
        for one in heard:
            one.start()
        for number in range(3):
            before = store.campaigns()[0].last_number
            done = backup(store, tmp_path / f"copy-{number}.db")
            after = store.campaigns()[0].last_number
            assert before <= done.events <= after
            assert done.events % 2 == 0  # both events of an append, or neither
            copied = opened(tmp_path / f"copy-{number}.db").events(made.id)
            assert copied == store.events(made.id)[: done.events]
            while store.campaigns()[0].last_number <= after:  # nobody was held up
                pass
    finally:
        for process in running:
            process.kill()
        for one in heard:
            one.join()


def test_no_file_is_lost(tmp_path: Path, opened: Opened) -> None:
    store = filled(opened(tmp_path / "store.db"))
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(Conflict, match="is there already"):
        backup(store, tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert backup(store, tmp_path / "notes.txt", force=True).events == 8
    with pytest.raises(InvalidInput, match="another file than the store"):
        backup(store, tmp_path / "store.db", force=True)
    other = filled(opened(tmp_path / "other.db"))
    with pytest.raises(Conflict, match=r"other\.db-wal is beside it"):
        backup(store, tmp_path / "other.db", force=True)
    assert len(other.campaigns()) == 2
    with pytest.raises(InvalidInput, match="no folder"):
        backup(store, tmp_path / "nowhere" / "copy.db")


def test_one_who_is_faster_is_not_written_over(tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(opened(tmp_path / "store.db"))
    seal = module._sealed

    def meanwhile(made: Path) -> None:
        seal(made)
        (tmp_path / "copy.db").write_text("mine")

    monkeypatch.setattr(module, "_sealed", meanwhile)
    with pytest.raises(StorageError, match="nothing was changed"):
        backup(store, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"
    assert not list(tmp_path.glob(".copy*"))


def test_a_damaged_store_is_not_copied(store: SqlStorage, tmp_path: Path) -> None:
    filled(store)
    with store._backend.writing() as connection:
        connection.execute(text("UPDATE event SET author = 'Bob' WHERE number = 2 AND campaign_id = 1"))
    (tmp_path / "copies").mkdir()
    with pytest.raises(CorruptLog, match="is damaged, and no copy was kept"):
        backup(store, tmp_path / "copies" / "copy.db")
    assert list((tmp_path / "copies").iterdir()) == []


def test_those_may_read_it_whom_the_system_lets(tmp_path: Path, opened: Opened) -> None:
    store = filled(opened(tmp_path / "store.db"))
    for mask, mode in ((0o022, 0o644), (0o077, 0o600)):
        before = os.umask(mask)
        try:
            backup(store, tmp_path / f"{mode:o}.db")
        finally:
            os.umask(before)
        assert (tmp_path / f"{mode:o}.db").stat().st_mode & 0o777 == mode


def test_what_a_server_says_is_not_said_of_the_copy(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "LOCKED", 1)
    with closing(open_storage(postgres_url)) as store, psycopg.connect(postgres_url) as holder:
        filled(store)
        holder.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StorageError, match=r"^postgresql://.* is held by another transaction for more than 1 s"):
            backup(postgres_url, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []
