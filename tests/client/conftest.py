"""A server in this process and a client of it, with a local store beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from sureshot import Client
from sureshot.storage import Storage, open_storage
from sureshot.web import Settings
from tests.web.app import app_over

BASE = "http://localhost:8000"


@pytest.fixture
def store() -> Iterator[Storage]:
    """Where the server keeps its campaigns."""
    found = open_storage(":memory:")
    yield found
    found.close()


@pytest.fixture
def http(store: Storage) -> Iterator[TestClient]:
    with TestClient(app_over(Settings(), store), base_url=BASE) as found:
        yield found


@pytest.fixture
def client(http: TestClient) -> Client:
    return Client(BASE, http=http)
