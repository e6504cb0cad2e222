"""What a database adds: constraints of its own, damage that is found, a view for people."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from sureshot.errors import Conflict, CorruptLog, StorageError
from sureshot.storage import (
    CampaignRecord,
    Storage,
    asked,
    copy_campaign,
    corrected,
    noted,
    open_storage,
    told,
    withdrawn,
)
from sureshot.storage.backend import CONNECTIONS
from sureshot.storage.sql import SqlStorage
from tests.storage.postgres import empty_schema

Opened = Callable[..., SqlStorage]


@pytest.fixture
def campaign(store: SqlStorage) -> CampaignRecord:
    made = store.create_campaign("nanotubes", {"budget": 30}, seed=7)
    store.append(made.id, [asked(3, context={"age": 61}), told(1, 1), asked(4), told(None, 2, of=3, alternative=5)])
    return made


def run(store: SqlStorage, statement: str, **values: object) -> None:
    with store._backend.writing() as connection:
        connection.execute(text(statement), values) if values else connection.exec_driver_sql(statement)


INSERT = 'INSERT INTO event (campaign_id, number, at, kind, trial, successes, "of", digest) VALUES (:c, 9, :at, {}, :d)'


@pytest.mark.parametrize(
    ("row", "broken"),
    [
        ("'told', 1, 1, 1", "second outcome"),
        ("'asked', 2, NULL, NULL", "second asking"),
        ("'asked', NULL, NULL, NULL", "no trial"),
        ("'told', 2, 2, 1", "more successes than tries"),
        ("'told', 2, -1, 1", "negative"),
        ("'told', 2, 0, 0", "of nothing"),
        ("'told', 2, NULL, NULL", "no outcome"),
        ("'asked', 9, 1, 1", "an outcome where none belongs"),
        ("'tolled', 2, NULL, NULL", "unknown kind"),
    ],
)
def test_the_database_itself_refuses(store: SqlStorage, campaign: CampaignRecord, row: str, broken: str) -> None:
    before = store.events(campaign.id)
    with pytest.raises(IntegrityError):
        run(store, INSERT.format(row), c=campaign.id, at="", d="")
    assert store.events(campaign.id) == before
    with pytest.raises(IntegrityError):  # no such campaign
        run(store, INSERT.format("'noted', NULL, NULL, NULL"), c=campaign.id + 1, at="", d="")


def test_a_second_outcome_that_slips_past_the_rules_is_a_conflict(
    store: SqlStorage, campaign: CampaignRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules are blinded: the unique index alone holds, and what the caller sees is the same kind of error."""
    from sureshot.storage import rules

    before = store.events(campaign.id)
    monkeypatch.setattr(rules, "states_of", lambda trials, _: {trial: rules.TrialState() for trial in trials})
    with pytest.raises(Conflict, match="nothing was recorded"):
        store.append(campaign.id, [noted("first"), told(1, 0)])
    assert store.events(campaign.id) == before


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE event SET successes = 0 WHERE number = 2", "event 2 is not what was recorded"),
        ("UPDATE event SET alternative = 9 WHERE number = 1", "event 1 is not what was recorded"),
        ("UPDATE event SET context = '{\"age\":16}' WHERE number = 1", "event 1 is not what was recorded"),
        ("UPDATE event SET at = '2020-01-01T00:00:00.000000Z' WHERE number = 3", "event 3 is not what was recorded"),
        ("UPDATE event SET author = 'Bob' WHERE number = 4", "event 4 is not what was recorded"),
        ("DELETE FROM event WHERE number = 3", "event 3 is missing"),
        ("DELETE FROM event WHERE number = 1", "event 1 is missing"),
        ("UPDATE event SET digest = digest || 'x' WHERE number = 2", "event 2 is not what was recorded"),
        ("UPDATE campaign SET genesis = 'x'", "its name, its archiving or where its log ends"),
    ],
)
def test_damage_is_found_and_named(store: SqlStorage, campaign: CampaignRecord, damage: str, words: str) -> None:
    run(store, damage)
    with pytest.raises(CorruptLog, match=f"campaign 'nanotubes': {words}"):
        store.events(campaign.id)


@pytest.mark.parametrize("damage", ["spec = '{}'", "seed = 8", "created_at = ''", "spec_sha256 = ''", "genesis = ''"])
def test_a_changed_campaign_is_found(store: SqlStorage, campaign: CampaignRecord, damage: str) -> None:
    run(store, f"UPDATE campaign SET {damage}")
    with pytest.raises(CorruptLog, match="not the one it was created with"):
        store.campaign("nanotubes")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE snapshot SET payload = '{\"mean\":[1.0]}'",
        "UPDATE snapshot SET number = 3",
        "UPDATE snapshot SET digest = ''",
        "UPDATE event SET digest = '' WHERE number = 4",
        "DELETE FROM event WHERE number = 4",
    ],
)
def test_a_snapshot_is_never_trusted_blindly(store: SqlStorage, campaign: CampaignRecord, damage: str) -> None:
    last = store.events(campaign.id)[-1]
    store.put_snapshot(campaign.id, last.number, last.digest, {"mean": [0.5]})
    assert store.get_snapshot(campaign.id) is not None
    run(store, damage)
    assert store.get_snapshot(campaign.id) is None


def test_the_view_of_trials(store: SqlStorage, campaign: CampaignRecord) -> None:
    store.append(campaign.id, [corrected(1, 0, author="Ann"), withdrawn(3), asked(8), noted("!", trial=4)])
    store.create_campaign("empty", {}, seed=0)
    query = text('SELECT trial, alternative, context, state, successes, "of", told_by FROM trial ORDER BY trial')
    with store._backend.reading() as connection:
        rows = [tuple(row) for row in connection.execute(query)]
    assert rows == [
        (1, 3, '{"age":61}', "told", 0, 1, "Ann"),
        (2, 4, None, "pending", None, None, None),
        (3, 5, None, "withdrawn", 2, 3, None),
        (4, 8, None, "pending", None, None, None),
    ]


def test_a_large_append_is_one_append(store: SqlStorage, campaign: CampaignRecord) -> None:
    new = [told(None, i % 2, alternative=i, text="50 % \t\\N\n'\"") for i in range(3_000)]
    recorded = store.append(campaign.id, new)
    assert store.events(campaign.id, after=4) == recorded
    corrections = [corrected(i, 1) for i in range(1, 3_000) if i != 2]
    assert len(store.append(campaign.id, corrections)) == 2_998
    with pytest.raises(Conflict, match="trial 2 of campaign 'nanotubes' has no outcome"):
        store.append(campaign.id, [*corrections, corrected(2, 1)])
    assert len(store.events(campaign.id)) == 4 + 3_000 + 2_998


def test_a_campaign_moves_from_a_file_to_a_server(postgres_url: str, tmp_path, opened: Opened) -> None:
    file, server = opened(tmp_path / "store.db"), opened(postgres_url)
    made = file.create_campaign("nanotubes", {"p": 0.1}, seed=7, created_at=datetime(2026, 3, 1, tzinfo=UTC))
    file.append(made.id, [asked(0, context={"t": 1e-320}), told(1, 1), told(None, 0, alternative=3), noted("é")])
    copied = copy_campaign(file, "nanotubes", server)
    assert server.events(copied.id) == file.events(made.id)
    assert server.campaign("nanotubes").digest == made.digest


# --- what goes in comes out ------------------------------------------------------------------------------------

characters = st.characters(exclude_categories=["Cs"])
plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(characters, max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(characters, max_size=5), inner, max_size=3),
    max_leaves=8,
)
documents = st.none() | st.dictionaries(st.text(characters, max_size=5), values, max_size=3)
moments = st.none() | st.datetimes(timezones=st.just(UTC))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def lasting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """One store for all examples."""
    if request.param == "sqlite":
        store: Storage = open_storage(tmp_path_factory.mktemp("lasting") / "store.db")
        yield store, store.create_campaign("round trips", {}, seed=0)
        store.close()
        return
    with empty_schema(request.getfixturevalue("postgres_server")) as url:
        store = open_storage(url)
        yield store, store.create_campaign("round trips", {}, seed=0)
        store.close()


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(context=documents, payload=documents, words=st.none() | plain, author=st.none() | plain, at=moments)
def test_contents_round_trip(lasting, context, payload, words, author, at) -> None:
    store, campaign = lasting
    [recorded] = store.append(campaign.id, [asked(context=context, payload=payload, text=words, author=author, at=at)])
    [read] = store.events(campaign.id, after=recorded.number - 1)
    assert read == recorded
    assert repr(read.context) == repr(context)  # repr tells -0.0 from 0.0, True from 1, and every last bit
    assert repr(read.payload) == repr(payload)
    assert (read.text, read.author) == (words, author)
    if at is not None:
        assert datetime.fromisoformat(read.at) == at


def test_a_lost_connection_is_a_storage_error_and_heals(store: SqlStorage, campaign: CampaignRecord) -> None:
    if store._backend.engine.dialect.name == "postgresql":
        with store._backend.writing() as connection:
            mine = connection.scalar(text("SELECT pg_backend_pid()"))
        with pytest.raises(StorageError, match=r"can't be (reached|used)"), store._backend.writing() as connection:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        assert mine is not None
    else:
        store.close()
    assert len(store.events(campaign.id)) == 4


def test_as_many_connections_as_threads_of_a_server_and_a_word_where_there_are_no_more(tmp_path):
    store = open_storage(tmp_path / "busy.db")
    backend = store._backend
    backend.engine.pool._timeout = 0.05
    with ExitStack() as held:
        for _ in range(CONNECTIONS):
            held.enter_context(backend.reading())
        with pytest.raises(StorageError, match="all 50 connections are in use"):
            store.campaigns()
    assert store.campaigns() == ()
    store.close()
