"""A server in this process, over a store in memory, and what a browser or a program says to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.storage import Storage, open_storage
from sureshot.web import Settings
from tests.web.app import app_over

BASE = "http://localhost:8000"
#: Seconds: so that no test depends on how busy the machine is.
PATIENCE = 120.0


@pytest.fixture
def store() -> Iterator[Storage]:
    found = open_storage(":memory:")
    yield found
    found.close()


@pytest.fixture
def browser_of(store: Storage) -> Iterator[Callable[..., TestClient]]:
    """A browser before a server with these settings, whose pages wait for all that is to be on them."""
    opened: list[TestClient] = []

    def made(**settings: Any) -> TestClient:
        settings = {"patience": PATIENCE, **settings}
        client = TestClient(app_over(Settings(**settings), store), base_url=BASE, raise_server_exceptions=False)
        opened.append(client.__enter__())
        return client

    yield made
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def browser(browser_of: Callable[..., TestClient]) -> TestClient:
    """A browser before a server as it is started without anything."""
    return browser_of()


@pytest.fixture
def tubes(store: Storage) -> Campaign:
    """The first campaign of the store: number 1."""
    space = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])
    return Campaign.create("tubes", space, success="single", failure="double", budget=10, seed=1, storage=store)


def secret_of(page: str) -> str:
    """The secret of a page's forms."""
    found = re.search(r'name="form" value="([0-9a-f]+)"', page)
    assert found, "the page has no form"
    return found[1]


def post(browser: TestClient, page: str, path: str, **fields: Any) -> Any:
    """Fill in a form of a page and send it: what the server answers, before the browser is led on."""
    secret = secret_of(browser.get(page).text)
    return browser.post(path, data={"form": secret, **fields}, follow_redirects=False)
