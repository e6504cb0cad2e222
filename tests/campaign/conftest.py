from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sureshot.space import Space
from sureshot.storage import Storage, open_storage
from tests.storage.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]  # fixtures


@pytest.fixture
def space() -> Space:
    return Space.grid(power=[8, 10, 12, 14], ethylene="10:40:10 sccm", catalyst=["Fe", "Co"])


@pytest.fixture
def memory() -> Storage:
    return open_storage(":memory:")


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    where = {"memory": ":memory:", "sqlite": f"sqlite:///{tmp_path}/store.db"}.get(request.param)
    with closing(open_storage(where or request.getfixturevalue("postgres_url"))) as made:
        yield made
