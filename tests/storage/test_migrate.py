"""Every schema that a user may have opens and migrates; a newer one is refused; a step is taken whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import psycopg
import pytest
from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import make_url

from sureshot.errors import CorruptLog, StorageError
from sureshot.storage import asked, migrate, open_storage
from sureshot.storage.backend import Backend
from sureshot.storage.migrate import VERSIONS, bring_up_to_date, schema_of, scripts
from sureshot.storage.postgresql import postgresql_backend
from sureshot.storage.sql import SqlStorage
from sureshot.storage.sqlite import sqlite_backend
from sureshot.storage.tables import SCHEMA, VERSION_TABLE, metadata
from tests.storage.assets import story
from tests.storage.postgres import empty_schema

HERE = Path(__file__).parent
ASSETS = HERE / "assets"
NEXT, BROKEN = (VERSIONS, HERE / "next_version"), (VERSIONS, HERE / "broken_version")

Opened = Callable[..., SqlStorage]


@pytest.fixture
def backend(database_url: str) -> Iterator[Backend]:
    url = make_url(database_url)
    made = sqlite_backend(url.database or "") if url.drivername == "sqlite" else postgresql_backend(url)
    yield made
    made.engine.dispose()


def schema(backend: Backend) -> int | None:
    with backend.reading() as connection:
        return schema_of(connection)


# --- what users have ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(1, SCHEMA + 1))
def test_every_schema_has_its_assets(version: int) -> None:
    """A new version without its assets fails here: run ``python -m tests.storage.assets``."""
    for name in (f"v{version}.db", f"v{version}.sql"):
        assert (ASSETS / name).is_file(), f"{name} is missing: run python -m tests.storage.assets"


@pytest.fixture(params=[f"v{version}.{kind}" for version in range(1, SCHEMA + 1) for kind in ("db", "sql")])
def old_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a store as an older sureshot left it."""
    asset = ASSETS / request.param
    if asset.suffix == ".db":
        yield str(shutil.copy(asset, tmp_path))
        return
    server = request.getfixturevalue("postgres_server")
    name = f"old_{tmp_path.name.lower().replace('-', '_')[-20:].strip('_')}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
        connection.execute(f'CREATE DATABASE "{name}"')
    url = server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(asset.read_text())
    yield url
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_an_old_store_opens_and_holds_the_same(old_store: str, opened: Opened) -> None:
    store = opened(old_store)
    campaign = store.campaign(story.NAME)
    assert repr(campaign.spec) == repr(story.SPEC)
    assert campaign.seed == story.SEED
    events = store.events(campaign.id)
    assert events[-1].digest == story.LAST_DIGEST  # the whole history, to the last bit
    fresh = open_storage(":memory:")
    assert events == fresh.events(story.tell(fresh).id)
    snapshot = store.get_snapshot(campaign.id)
    assert snapshot is not None
    assert snapshot.payload == {"mean": [0.25, -0.5]}
    with store._backend.reading() as connection:
        assert schema_of(connection) == SCHEMA
        assert connection.scalar(text("SELECT count(*) FROM trial WHERE state = 'pending'")) == 1
    assert store.append(campaign.id, [asked(1)])[0].trial == 6  # and life goes on
    assert store.create_campaign("another", {}, seed=0).id == 2


# --- the machinery -----------------------------------------------------------------------------------------------


def test_the_code_and_the_last_migration_say_the_same(backend: Backend) -> None:
    assert scripts().get_current_head() == str(SCHEMA)
    assert [s.revision for s in scripts().walk_revisions()] == [str(v) for v in range(SCHEMA, 0, -1)]
    bring_up_to_date(backend)
    with backend.reading() as connection:
        made = inspect(connection)
        assert set(made.get_table_names()) == {*metadata.tables, VERSION_TABLE}
        for table in metadata.tables.values():
            columns = [(one["name"], one["type"]._type_affinity) for one in made.get_columns(table.name)]
            assert columns == [(one.name, one.type._type_affinity) for one in table.c]


def test_the_next_version_is_applied_with_its_record(backend: Backend) -> None:
    bring_up_to_date(backend)
    store = SqlStorage(backend)
    campaign = story.tell(store)
    before = store.events(campaign.id)
    bring_up_to_date(backend, target=SCHEMA + 1, versions=NEXT)
    assert schema(backend) == SCHEMA + 1
    with backend.reading() as connection:
        assert "instrument" in {column["name"] for column in inspect(connection).get_columns("event")}
    assert store.events(campaign.id) == before
    bring_up_to_date(backend, target=SCHEMA + 1, versions=NEXT)  # again: nothing to do


def test_an_empty_database_gets_all_versions_at_once(backend: Backend) -> None:
    assert schema(backend) is None
    bring_up_to_date(backend, target=SCHEMA + 1, versions=NEXT)
    assert schema(backend) == SCHEMA + 1


def test_a_newer_schema_is_refused_and_left_alone(backend: Backend, database_url: str) -> None:
    bring_up_to_date(backend, target=SCHEMA + 1, versions=NEXT)
    words = f"has schema {SCHEMA + 1}, made by a newer sureshot; this one knows schemas up to {SCHEMA}"
    with pytest.raises(StorageError, match=words):
        open_storage(database_url)
    assert schema(backend) == SCHEMA + 1


@pytest.mark.parametrize("begin_with", [None, SCHEMA])
def test_a_migration_that_fails_leaves_nothing(backend: Backend, begin_with: int | None) -> None:
    if begin_with is not None:
        bring_up_to_date(backend)
    with pytest.raises(Exception, match=r"(?i)unique"):
        bring_up_to_date(backend, target=SCHEMA + 1, versions=BROKEN)
    assert schema(backend) == begin_with
    with backend.reading() as connection:
        tables = inspect(connection).get_table_names()
        assert "instrument" not in tables
        if begin_with is None:
            assert tables == []
        else:
            assert "instrument" not in {column["name"] for column in inspect(connection).get_columns("event")}
    bring_up_to_date(backend)  # and it can be opened as before
    assert schema(backend) == SCHEMA


def test_beside_the_tables_of_others_on_a_server(postgres_url: str, opened: Opened) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num text)")
        connection.execute("CREATE TABLE customer (id integer)")
    assert opened(postgres_url).campaigns() == ()


def test_a_table_of_others_with_our_name_on_a_server(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE event (id integer)")
    with pytest.raises(StorageError, match="something else: it holds event"):
        open_storage(postgres_url)


def test_a_store_that_another_process_makes_meanwhile_is_ours(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look, without a lock, finds tables of ours and no version: another process was between the two."""
    bring_up_to_date(backend)
    looks = iter([None])
    monkeypatch.setattr(migrate, "schema_of", lambda connection: next(looks, schema_of(connection)))
    bring_up_to_date(backend)
    with backend.reading() as connection:
        assert schema_of(connection) == SCHEMA


def test_whose_database_it_is_is_judged_under_the_lock_only(
    postgres_url: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bool] = []
    refuse = migrate._refuse_others

    def under_the_lock(connection: Connection, backend: Backend, found: int | None) -> None:
        held = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        looked.append(connection.scalar(held) == 1)
        refuse(connection, backend, found)

    monkeypatch.setattr(migrate, "_refuse_others", under_the_lock)
    opened(postgres_url)
    opened(postgres_url)
    assert looked == [True]  # the second time there is nothing to judge


def test_twenty_at_once_open_what_is_not_made_yet(postgres_server: str) -> None:
    for _ in range(3):
        with empty_schema(postgres_server) as url, ThreadPoolExecutor(20) as pool:
            together = Barrier(20)

            def open_it(_: int, url: str = url, together: Barrier = together) -> int:
                together.wait(30)
                with closing(open_storage(url)) as store:
                    return len(store.campaigns())

            assert list(pool.map(open_it, range(20))) == [0] * 20


@pytest.mark.parametrize("version", ["", "x", "-3", "3.0"])
def test_a_version_that_nobody_wrote(backend: Backend, database_url: str, version: str) -> None:
    bring_up_to_date(backend)
    with backend.writing() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{version}'"))
    with pytest.raises(CorruptLog, match="which no sureshot writes"):
        open_storage(database_url)


def test_a_version_that_is_not_that_of_the_tables(backend: Backend, database_url: str) -> None:
    """One bit makes 2 of 3: the migration fails, in words, and changes nothing."""
    bring_up_to_date(backend)
    with backend.writing() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '2'"))
    with pytest.raises(StorageError, match=r"can't be brought up to date .*; nothing was changed: restore"):
        open_storage(database_url)
    assert schema(backend) == 2
