from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from sureshot.storage import Storage, open_storage
from tests.storage.postgres import empty_schema, postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]  # fixtures


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def opened() -> Iterator[Callable[..., Storage]]:
    """`open_storage`, with everything closed after the test."""
    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(closing(open_storage(*args, **options)))


# Making the tables takes longer than most tests: an empty store is made once, then copied or emptied.


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Storage:
    """An empty store, once on SQLite and once on PostgreSQL."""
    made: Storage = request.getfixturevalue("sqlite_store" if request.param == "sqlite" else "postgres_store")
    return made


@pytest.fixture(scope="session")
def _empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "store.db"
    open_storage(path).close()
    return path


@pytest.fixture
def sqlite_store(_empty_file: Path, tmp_path: Path) -> Iterator[Storage]:
    with closing(open_storage(shutil.copy(_empty_file, tmp_path))) as made:
        yield made


@pytest.fixture(scope="session")
def _reused(postgres_server: str) -> Iterator[tuple[Storage, str]]:
    with empty_schema(postgres_server) as url, closing(open_storage(url)) as made:
        yield made, url


@pytest.fixture
def postgres_store(_reused: tuple[Storage, str]) -> Storage:
    made, url = _reused
    with psycopg.connect(url) as connection:
        connection.execute("TRUNCATE campaign, campaign_head, event, snapshot RESTART IDENTITY")
    return made
