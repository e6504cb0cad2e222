"""The public suite, on every storage that sureshot has."""

from __future__ import annotations

import pytest

from sureshot.storage import MemoryStorage, Storage
from sureshot.testing.storage import StorageConformance


class TestMemory(StorageConformance):
    @pytest.fixture
    def storage(self) -> Storage:
        return MemoryStorage()


class TestSqlite(StorageConformance):
    @pytest.fixture
    def storage(self, sqlite_store: Storage) -> Storage:
        return sqlite_store


class TestPostgresql(StorageConformance):
    @pytest.fixture
    def storage(self, postgres_store: Storage) -> Storage:
        return postgres_store
