"""A connection to the server that is lost while something is recorded: it is recorded once, or the error says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from sureshot.campaign import Campaign
from sureshot.errors import NotKnown, Recorded, StorageError
from sureshot.space import Space
from sureshot.storage import CampaignRecord, asked, noted, told
from sureshot.storage.sql import SqlStorage

SPACE = Space.grid(power=[8, 10, 12])
RECORD: dict[str, Callable[[SqlStorage, CampaignRecord], Any]] = {
    "append": lambda store, campaign: store.append(campaign.id, [noted("warm"), asked(1)]),
    "create": lambda store, _: store.create_campaign("other", {}, seed=1, events=[asked(0)]),
    "rename": lambda store, campaign: store.rename_campaign(campaign.id, "other"),
    "archive": lambda store, campaign: store.archive_campaign(campaign.id),
    "delete": lambda store, campaign: store.delete_campaign(campaign.id, expected_last=2),
}


@pytest.fixture
def campaign(postgres_store: SqlStorage) -> CampaignRecord:
    made = postgres_store.create_campaign("tubes", {}, seed=7)
    postgres_store.append(made.id, [asked(0), told(1, 1)])
    return made


def lose(store: SqlStorage, monkeypatch: pytest.MonkeyPatch, *, after: bool, often: int = 1) -> list[bool]:
    """Have the connection lost when something is committed, ``after`` or before the server did it."""
    dialect, lost = store._backend.engine.dialect, list[bool]()
    commit = dialect.do_commit

    def do_commit(connection: Any) -> None:
        if len(lost) < often:
            lost.append(after)
            if after:
                commit(connection)
            connection.driver_connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        commit(connection)

    monkeypatch.setattr(dialect, "do_commit", do_commit)
    return lost


def state(store: SqlStorage) -> Any:
    """All that is stored, without moments and the digests over them."""
    return [
        (one.name, one.archived_at is None, [(e.number, e.kind, e.trial, e.text) for e in store.events(one.id)])
        for one in store.campaigns()
    ]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("what", RECORD)
def test_what_is_recorded_is_recorded_once(
    postgres_store: SqlStorage, campaign: CampaignRecord, monkeypatch: pytest.MonkeyPatch, what: str, after: bool
) -> None:
    lost = lose(postgres_store, monkeypatch, after=after)
    RECORD[what](postgres_store, campaign)
    assert lost == [after]
    events = [(1, "asked", 1, None), (2, "told", 1, None)]
    more = [*events, (3, "noted", None, "warm"), (4, "asked", 2, None)]
    assert (
        state(postgres_store)
        == {
            "append": [("tubes", True, more)],
            "create": [("tubes", True, events), ("other", True, [(1, "asked", 1, None)])],
            "rename": [("other", True, events)],
            "archive": [("tubes", False, events)],
            "delete": [],
        }[what]
    )


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_server_that_stays_away_is_not_known_and_the_same_key_finds_out(
    postgres_store: SqlStorage, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    campaign = Campaign.create("bench", SPACE, seed=1, storage=postgres_store)
    lost = lose(postgres_store, monkeypatch, after=after, often=1_000)
    monkeypatch.setattr("sureshot.storage.backend.PATIENCE", 0.0)
    monkeypatch.setattr("sureshot.storage.backend.PAUSE", 0.0)
    with pytest.raises(NotKnown, match=r"Whether this was recorded is not known.*repeat it with key='k'"):
        campaign.tell_new(1, "success", key="k")
    lost += [after] * 1_000
    campaign.tell_new(1, "success", key="k")
    assert [one.kind for one in postgres_store.events(campaign.number)] == ["told"]


def test_a_random_key_is_told_where_it_is_not_known(
    postgres_store: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = Campaign.create("bench", SPACE, seed=1, storage=postgres_store)
    lost = lose(postgres_store, monkeypatch, after=True, often=1_000)
    monkeypatch.setattr("sureshot.storage.backend.PATIENCE", 0.0)
    monkeypatch.setattr("sureshot.storage.backend.PAUSE", 0.0)
    with pytest.raises(NotKnown) as found:
        campaign.note("warm")
    lost += [True] * 1_000
    campaign.note("warm", key=str(found.value).split("key='")[1].split("'")[0])
    assert campaign.status().notes == ("warm",)


def test_what_fails_after_the_record_says_that_it_is_recorded(
    postgres_store: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = Campaign.create("bench", SPACE, seed=1, storage=postgres_store)
    Campaign.open("bench", postgres_store).note("of somebody else")  # so that this process must read on

    def gone(*_: Any, **__: Any) -> Any:
        raise StorageError("the server is gone")

    monkeypatch.setattr(postgres_store, "events", gone)
    with pytest.raises(Recorded, match=r"this is recorded \(event 2\), but what came after failed: the server is gone"):
        campaign.note("warm")
    monkeypatch.undo()
    assert campaign.status().notes == ("of somebody else", "warm")


def test_a_server_that_was_never_there_has_nothing_recorded(
    postgres_store: SqlStorage, campaign: CampaignRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise psycopg.OperationalError("connection refused")

    postgres_store.close()
    monkeypatch.setattr(postgres_store._backend.engine.dialect, "connect", refused)
    with pytest.raises(StorageError, match="can't be reached") as found:
        postgres_store.append(campaign.id, [asked(1)])
    assert not isinstance(found.value, NotKnown)


def test_a_lock_that_somebody_else_holds_is_waited_for_so_long_and_no_longer(
    postgres_store: SqlStorage, postgres_server: str, campaign: CampaignRecord
) -> None:
    backend = postgres_store._backend
    with backend.reading() as connection:
        schema = connection.scalar(text("SELECT current_schema()"))
        assert connection.scalar(text("SHOW lock_timeout")) == "30s"

    def wait(milliseconds: int) -> None:
        with backend.writing() as connection:
            connection.execute(text(f"SET LOCAL lock_timeout = {milliseconds}"))
            connection.execute(text("SELECT * FROM campaign FOR UPDATE"))

    with psycopg.connect(postgres_server) as other:
        other.execute(f"SELECT * FROM {schema}.campaign FOR UPDATE")
        with pytest.raises(StorageError, match=r"another transaction for more than 30 s: end it .* Nothing was rec"):
            wait(10)
    assert len(postgres_store.events(campaign.id)) == 2
