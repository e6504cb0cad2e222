"""Damaged files: each is read as what it was, or refused in words. The long version is ``python -m soak damage``."""

from __future__ import annotations

import sqlite3
import struct
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from soak.damaging import NAMES, Stores, put, stores, taken
from soak.running import play
from sqlalchemy import text

from sureshot.errors import CorruptLog, StorageError
from sureshot.storage import CampaignRecord, asked, noted, open_storage, told
from sureshot.storage import sqlite as sqlite_module
from sureshot.storage.sql import SqlStorage
from sureshot.storage.sqlite_wal import _checksum

Opened = Callable[..., SqlStorage]


def test_nothing_is_read_wrongly_without_a_word() -> None:
    found = list(play("damage", seed=20261119, most=46))
    assert [case for case in found if case.verdict == "BROKEN"] == []
    verdicts = Counter(case.verdict for case in found)
    assert verdicts["held"] > 8
    assert verdicts["refused"] > 20
    assert all(case.told.rstrip().endswith(".") for case in found if case.told)


# --- the head of a campaign ----------------------------------------------------------------------------------------


@pytest.fixture
def campaign(store: SqlStorage) -> CampaignRecord:
    made = store.create_campaign("nanotubes", {"budget": 30}, seed=7)
    store.append(made.id, [asked(3), told(1, 1), asked(4), noted("!")])
    return made


def run_sql(store: SqlStorage, *statements: str) -> None:
    with store._backend.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


LOG_CUT = "DELETE FROM event WHERE number > 2"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (LOG_CUT, "must end with event 4, and events 3 to 4 are missing"),
        ("DELETE FROM event WHERE number = 4", "must end with event 4, and event 4 is missing"),
        ("DELETE FROM event", "must end with event 4, and events 1 to 4 are missing"),
        ("UPDATE campaign SET name = 'nanocubes'", "its name, its archiving or where its log ends"),
        ("UPDATE campaign SET archived_at = 'x'", "its name, its archiving or where its log ends"),
        ("UPDATE campaign_head SET number = 3", "its name, its archiving or where its log ends"),
        ("UPDATE campaign_head SET seal = 'x'", "its name, its archiving or where its log ends"),
        ("DELETE FROM campaign_head", "its name, its archiving or where its log ends"),
        ("UPDATE sureshot_store SET id = 'x'", "its name, its archiving or where its log ends"),
        ("UPDATE event SET digest = 'x' WHERE number = 4", "event 4 is not what was recorded"),
    ],
)
def test_what_no_chain_covers_is_found_by_all_that_read_or_write(
    store: SqlStorage, campaign: CampaignRecord, damage: str, words: str
) -> None:
    run_sql(store, damage)
    for look in (
        lambda: store.events(campaign.id),
        lambda: store.events(campaign.id, after=2),
        lambda: store.campaigns(),
        lambda: store.campaign("nanotubes"),
        lambda: store.append(campaign.id, [noted("more")]),
        lambda: store.rename_campaign(campaign.id, "other"),
        lambda: store.delete_campaign(campaign.id),
    ):
        with pytest.raises(CorruptLog, match=words) as refused:
            look()
        assert refused.value.fix is not None
    with pytest.raises(CorruptLog, match=words):
        store.events(campaign.id)  # and nothing was changed by any


def test_a_campaign_that_is_gone_is_missed(store: SqlStorage, campaign: CampaignRecord) -> None:
    store.create_campaign("other", {}, seed=0)
    off = "PRAGMA foreign_keys = OFF"
    if store._backend.engine.dialect.name == "postgresql":
        off = "ALTER TABLE campaign_head DROP CONSTRAINT campaign_head_campaign_id_fkey"
        run_sql(store, "ALTER TABLE event DROP CONSTRAINT event_campaign_id_fkey", off)
        run_sql(store, "DELETE FROM campaign WHERE name = 'nanotubes'")
    else:
        with closing(sqlite3.connect(store._backend.place)) as connection, connection:
            connection.execute(off)
            connection.execute("DELETE FROM campaign WHERE name = 'nanotubes'")
    for look in (
        lambda: store.campaigns(),
        lambda: store.campaign("nanotubes"),
        lambda: store.events(campaign.id),
    ):
        with pytest.raises(CorruptLog, match=f"the campaign of number {campaign.id} is missing"):
            look()
    if store._backend.engine.dialect.name == "postgresql":  # as it was, for the tests that follow
        run_sql(
            store,
            f"DELETE FROM campaign_head WHERE campaign_id = {campaign.id}",
            f"DELETE FROM event WHERE campaign_id = {campaign.id}",
            "ALTER TABLE campaign_head ADD FOREIGN KEY (campaign_id) REFERENCES campaign (id)",
            "ALTER TABLE event ADD FOREIGN KEY (campaign_id) REFERENCES campaign (id)",
        )


def test_the_head_follows_all_that_is_done(store: SqlStorage, campaign: CampaignRecord) -> None:
    assert store.append(campaign.id, []) == ()
    store.append(campaign.id, [told(2, 0), asked(1)])
    store.rename_campaign(campaign.id, "tubes")
    store.archive_campaign(campaign.id)
    assert [(one.name, one.last_number) for one in store.campaigns()] == [("tubes", 6)]
    store.archive_campaign(campaign.id, archived=False)
    assert store.campaign("tubes").archived_at is None
    assert [event.number for event in store.events(campaign.id, after=3)] == [4, 5, 6]
    store.delete_campaign(campaign.id)
    assert store.campaigns() == ()


def test_an_older_sureshot_that_still_runs_can_not_append_past_the_head(
    store: SqlStorage, campaign: CampaignRecord
) -> None:
    """Every statement of schema 2 names a column that is no longer there."""
    with pytest.raises(StorageError, match="digest"):
        run_sql(store, "SELECT campaign.name, campaign.digest FROM campaign")
    assert len(store.events(campaign.id)) == 4


@pytest.mark.parametrize("column", ["name", "created_at", "spec", "genesis", "seed", "archived_at"])
@pytest.mark.parametrize("value", ["x'ff00'", "12", "'\x01'", "CAST(x'ff41' AS TEXT)", "zeroblob(9)"])
def test_values_of_another_kind_in_a_campaign(sqlite_store: SqlStorage, column: str, value: str) -> None:
    sqlite_store.create_campaign("nanotubes", {"budget": 30}, seed=7)
    run_sql(sqlite_store, f"UPDATE campaign SET {column} = {value}")
    with pytest.raises(StorageError):
        sqlite_store.campaign("nanotubes")
    if column != "spec":  # which is not read for a list
        with pytest.raises(StorageError):
            sqlite_store.campaigns()


@pytest.mark.parametrize("column", ["at", "kind", "alternative", "context", "text", "digest", "number", "trial"])
@pytest.mark.parametrize("value", ["x'ff00'", "'x'", "CAST(x'ff41' AS TEXT)", "3.5"])
def test_values_of_another_kind_in_an_event(sqlite_store: SqlStorage, column: str, value: str) -> None:
    made = sqlite_store.create_campaign("nanotubes", {"budget": 30}, seed=7)
    sqlite_store.append(made.id, [asked(3), told(1, 1), asked(4)])
    run_sql(sqlite_store, "PRAGMA ignore_check_constraints = ON")
    run_sql(sqlite_store, f"UPDATE event SET {column} = {value} WHERE number = 2")
    with pytest.raises(StorageError):
        sqlite_store.events(made.id)


# --- the write-ahead log -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    return stores(tmp_path_factory.mktemp("stores"))


def test_commits_that_only_the_log_held_are_missed(known: Stores, tmp_path: Path) -> None:
    for log in (None, known.killed[NAMES[1]][:-10], known.other[NAMES[1]]):
        put(tmp_path, {**known.killed, NAMES[1]: log or b""})
        if log is None:
            (tmp_path / NAMES[1]).unlink()
        before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
        with pytest.raises(CorruptLog, match=r"the last commits of store\.db are lost: store\.db-wal is") as refused:
            open_storage(tmp_path / NAMES[0])
        assert "delete store.db-shm" in str(refused.value)
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    put(tmp_path, {NAMES[0]: known.killed[NAMES[0]]})  # as it says: go on without
    with closing(open_storage(tmp_path / NAMES[0])) as store:
        assert len(store.campaigns()) == 3


def test_a_log_of_a_later_round_than_the_index_is_no_damage(known: Stores, tmp_path: Path) -> None:
    """After a power cut the index may be older than the log."""
    put(tmp_path, {**known.killed, NAMES[2]: known.killed[NAMES[2]]})
    index = bytearray(known.killed[NAMES[2]])
    round_ = int.from_bytes(index[32:36], "big") - 5
    for at in (0, 48):
        index[at + 32 : at + 36] = (round_ % (1 << 32)).to_bytes(4, "big")
        index[at + 40 : at + 48] = struct.pack("=II", *_checksum(bytes(index[at : at + 40]), "="))
    (tmp_path / NAMES[2]).write_bytes(index)
    with closing(open_storage(tmp_path / NAMES[0])) as store:
        assert store.campaigns() == known.holds["killed"]["list"]


def test_what_is_recorded_is_soon_in_the_file_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_module, "SETTLED", -1.0)
    with closing(open_storage(tmp_path / "store.db")) as store:
        made = store.create_campaign("nanotubes", {}, seed=0)
        events = store.append(made.id, [asked(1), told(1, 1)])
        (tmp_path / "copy.db").write_bytes(_read_apart(tmp_path / "store.db"))
        with closing(open_storage(tmp_path / "copy.db")) as copy:
            assert copy.events(made.id) == events


def _read_apart(path: Path) -> bytes:
    """Read by another process: to close a file would let go of SQLite's locks on it."""
    return subprocess.run(["cat", str(path)], capture_output=True, check=True).stdout


def test_what_is_left_of_a_log_that_the_file_holds_does_not_hide_what_came_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several commits are all in the file, the process is killed, and the log is cut after one of them."""
    monkeypatch.setattr(sqlite_module, "SETTLED", float("inf"))
    path = tmp_path / NAMES[0]
    with closing(open_storage(path)) as store:
        campaign = store.create_campaign("tubes", {}, seed=1)
        for _ in range(4):
            recorded = (*store.events(campaign.id), *store.append(campaign.id, [noted("x" * 3_000)]))
        with store._backend.reading() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            connection.rollback()
            busy, frames, settled = driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        assert (busy, frames) == (0, settled)
        killed = taken(tmp_path)
    (tmp_path / "cut").mkdir()
    refused = list[str]()
    for whole in range(frames + 1):
        put(tmp_path / "cut", {**killed, NAMES[1]: killed[NAMES[1]][: 32 + whole * 4_120 + 7]})
        try:
            open_storage(tmp_path / "cut" / NAMES[0]).close()
        except CorruptLog as error:
            refused.append(str(error))
            for name in NAMES[1:]:  # as it says
                (tmp_path / "cut" / name).unlink()
        with closing(open_storage(tmp_path / "cut" / NAMES[0])) as store:
            assert store.events(campaign.id) == recorded
    assert 0 < len(refused) < frames
    assert {one.rpartition(", ")[2] for one in refused} == {
        "or delete store.db-wal and store.db-shm: nothing is lost by that."
    }
