"""A doctor finds each kind of damage, says what to do, and changes nothing."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from sureshot.errors import InvalidInput, StorageError
from sureshot.storage import Finding, Storage, asked, doctor, noted, open_storage, postgresql, told
from sureshot.storage.examining import file as module
from sureshot.storage.sql import SqlStorage
from tests.storage.test_sqlite_file import ASSETS, contents, photos

Opened = Callable[..., Storage]


@pytest.fixture
def url(database_url: str) -> str:
    """A store with two campaigns, closed."""
    with closing(open_storage(database_url)) as store:
        for name in ("tubes", "oven"):
            made = store.create_campaign(name, {"budget": 30}, seed=7)
            [*_, last] = store.append(made.id, [asked(3), told(1, 1), asked(4), noted("!", trial=2)])
            store.put_snapshot(made.id, last.number, last.digest, {"mean": [0.5]})
    return database_url


def damage(url: str, *statements: str) -> None:
    with closing(open_storage(url)) as store:
        assert isinstance(store, SqlStorage)
        with store._backend.writing() as connection:
            for statement in statements:
                connection.execute(text(statement))


def kinds(found: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(one.kind, one.about) for one in found]


def test_a_sound_store(url: str) -> None:
    found = doctor(url)
    assert found.sound
    assert [(one.name, one.events, one.sound, one.pending) for one in found.campaigns] == [
        ("tubes", 4, True, 1),
        ("oven", 4, True, 1),
    ]
    assert [one for one in found.findings if "fsync is off" not in one.says] == []
    assert found.schema == 3
    assert found.facts


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE event SET author = 'Bob' WHERE number = 2 AND campaign_id = 1", "event 2 is not what was recorded"),
        ("DELETE FROM event WHERE number > 2 AND campaign_id = 1", "events 3 to 4 are missing"),
        ("UPDATE campaign_head SET number = 9 WHERE campaign_id = 1", "where its log ends is not what was recorded"),
        ("UPDATE campaign SET spec = '{}' WHERE id = 1", "its specification is not the one it was created with"),
        ("UPDATE campaign SET archived_at = 'x' WHERE id = 1", "its archiving"),
    ],
)
def test_damage_of_one_campaign(url: str, statement: str, words: str) -> None:
    damage(url, statement)
    found = doctor(url)
    assert not found.sound
    [one] = [one for one in found.findings if one.kind == "damage"]
    assert one.about == "campaign 'tubes'"
    assert words in one.says
    assert "restore the store from a backup" in str(one.fix)
    assert [(each.name, each.sound) for each in found.campaigns] == [("tubes", False), ("oven", True)]


def test_a_snapshot_that_is_passed_over(url: str) -> None:
    damage(url, "UPDATE snapshot SET payload = '{}' WHERE campaign_id = 2")
    found = doctor(url)
    assert found.sound
    [one] = [one for one in found.findings if "snapshot" in one.says]
    assert (one.kind, one.about) == ("caution", "campaign 'oven'")


def test_a_name_for_which_there_is_no_campaign_is_missed(url: str) -> None:
    damage(url, "UPDATE campaign SET name = 'ovem' WHERE id = 2")
    assert kinds(tuple(one for one in doctor(url).findings if one.kind == "damage")) == [("damage", "campaign 'ovem'")]


def test_what_floors_above_find_is_reported(url: str) -> None:
    def deeper(store: Storage, record: object) -> Iterator[Finding]:
        yield Finding("damage", "campaign 'tubes'", "no belief", "none")
        raise ZeroDivisionError("a surprise")

    said = [one.says for one in doctor(url, deeper=deeper).findings if one.kind == "damage"]
    assert said == ["no belief", "it can't be read (ZeroDivisionError: a surprise)"] * 2


# --- files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with closing(open_storage(path)) as store:
        made = store.create_campaign("tubes", {}, seed=7)
        store.append(made.id, [asked(i, text="x" * 300) for i in range(60)])
    return path


def test_a_damaged_file_stays_as_it_is(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-3 * 4096 : -2 * 4096] = bytes(4096)
    file.write_bytes(content)
    before = contents(file.parent)
    found = doctor(file)
    assert not found.sound
    assert any("SQLite finds its structure damaged" in one.says for one in found.findings)
    assert all(one.fix for one in found.findings)
    assert not any("sureshot-doctor-" in f"{one.about}{one.says}" for one in found.findings)
    assert contents(file.parent) == before


@pytest.mark.parametrize("length", [0, 50, 4096, 20_000])
def test_a_file_that_was_cut(file: Path, length: int) -> None:
    os.truncate(file, length)
    before = contents(file.parent)
    found = doctor(file)
    assert not found.sound
    assert contents(file.parent) == before


def test_one_that_is_open_and_written_to(file: Path, opened: Opened) -> None:
    store = opened(file)
    store.append(1, [noted("!")])
    found = doctor(file)
    assert found.sound
    assert found.campaigns[0].events == 61
    assert any("in use" in fact for fact in found.facts)
    store.append(1, [noted("!")])
    assert doctor(file).campaigns[0].events == 62


def test_a_log_that_a_killed_process_left(file: Path, tmp_path: Path, opened: Opened) -> None:
    store = opened(file)
    store.append(1, [noted("!")])
    left = contents(file.parent)
    (tmp_path / "left").mkdir()
    for name, content in left.items():
        if name.startswith("store"):
            (tmp_path / "left" / name).write_bytes(content)
    before = contents(tmp_path / "left")
    found = doctor(tmp_path / "left" / "store.db")
    assert found.sound
    assert found.campaigns[0].events == 61
    assert any("left by a process that was killed" in fact for fact in found.facts)
    assert contents(tmp_path / "left") == before


def test_the_database_of_something_else(tmp_path: Path) -> None:
    path = photos(tmp_path, "delete")
    before = contents(tmp_path)
    [one] = doctor(path).findings
    assert "is the database of something else: it holds photo" in one.says
    assert "name another one" in str(one.fix)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_store_is_looked_over_and_not_migrated(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    path.write_bytes((ASSETS / f"v{version}.db").read_bytes())
    before = contents(tmp_path)
    found = doctor(path)
    assert found.sound
    assert found.schema == version
    assert [one.events for one in found.campaigns] == [10]
    assert any("made by an older sureshot" in one.says for one in found.findings)
    assert contents(tmp_path) == before


def test_what_is_unwise_about_the_place(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.chmod(0o666)
    monkeypatch.setattr(module, "ROOM", 1 << 62)
    monkeypatch.setattr(module, "_file_system", lambda _: "nfs4")
    said = " ".join(one.says for one in doctor(file).findings)
    assert "everybody on this machine may write" in said
    assert "nearly full" in said
    assert "network drive (nfs4)" in said
    assert doctor(file).sound


def test_the_kind_of_file_system_is_that_of_the_nearest_mount() -> None:
    assert module._file_system(Path("/proc/self/status")) in ("proc", "")


def test_what_can_not_be_looked_over(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no store at"):
        doctor(tmp_path / "missing.db")
    with pytest.raises(InvalidInput, match="must be a file or a server"):
        doctor(":memory:")


def test_a_server_without_a_store_and_an_older_one(postgres_url: str) -> None:
    with pytest.raises(StorageError, match="there is no store at"):
        doctor(postgres_url)
    open_storage(postgres_url).close()
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE sureshot_schema SET version_num = '2'")
    found = doctor(postgres_url)
    assert found.sound
    assert any("it has schema 2, and this sureshot writes schema 3" in one.says for one in found.findings)


def test_what_is_locked_is_neither_damaged_nor_sound(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "LOCKED", 1)
    with closing(open_storage(postgres_url)) as store:
        store.create_campaign("oven", {}, seed=7)
    words = "^campaign 'oven' could not be looked at: postgresql://.* is held by another transaction"
    with psycopg.connect(postgres_url) as holder:
        holder.execute("LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StorageError, match=words):
            doctor(postgres_url)
        holder.rollback()
        holder.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StorageError, match=r"could not be looked at: postgresql://.* is held by another"):
            doctor(postgres_url)
    assert doctor(postgres_url).sound


def test_a_full_disk_for_the_copy_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_storage(tmp_path / "store.db").close()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "_copied", full)
    with pytest.raises(StorageError, match=r"could not be looked at: .* the disk is full: make room"):
        doctor(tmp_path / "store.db")
