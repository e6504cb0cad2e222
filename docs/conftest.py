"""What the examples of a page take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def taken_for_granted(request: pytest.FixtureRequest, doctest_namespace: dict[str, Any]) -> Iterator[None]:
    """A server in this process for the page about the API, as ``http``."""
    if Path(str(request.path)).name != "http-api.md":
        yield
        return
    from fastapi.testclient import TestClient

    from sureshot.storage import open_storage
    from sureshot.web import Settings, create_app

    store = open_storage(":memory:")
    with TestClient(create_app(Settings(), store), base_url="http://127.0.0.1:8000/api/v1") as http:
        doctest_namespace["http"] = http
        yield
    store.close()
