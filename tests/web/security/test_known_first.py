"""Strangers are refused before a byte of what they send is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign
from sureshot.web.security.known_first import KnownFirst
from sureshot.web.security.token_file import add_token
from tests.web.routes import every_way

BROKEN = b"[" * 1_000
JSON = {"content-type": "application/json"}


def test_every_route_of_the_api_that_brings_something_is_such_a_route(browser: TestClient) -> None:
    from sureshot.web.api import campaigns, records, results, tables, trials

    routes = [one for part in (campaigns, records, results, tables, trials) for one in part.router.routes]
    assert routes
    assert all(isinstance(one, KnownFirst) for one in routes)


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("wrong", 401), ("read", 403)])
def test_who_may_not_is_told_so_and_not_that_the_body_is_wrong(
    browser_of: Callable[..., TestClient], tubes: Campaign, tmp_path: Path, role: str | None, status: int
) -> None:
    file = tmp_path / "tokens.json"
    read = add_token(file, "Wall", "read", made="today")
    add_token(file, "Ann", "admin", made="today")
    browser, asked = browser_of(tokens=file), 0
    given = {"wrong": {"authorization": "Bearer wrong"}, "read": {"authorization": f"Bearer {read}"}}.get(
        role or "", {}
    )
    for way in every_way(browser.app):  # type: ignore[arg-type]
        looks = way.path.endswith(("/choices", "/predictions"))  # which a reader may do
        if way.is_api and way.method in ("POST", "PUT", "PATCH") and not (role == "read" and looks):
            answer = browser.request(way.method, way.path, content=BROKEN, headers=JSON | given)
            assert answer.status_code in (status, 429 if role == "wrong" else status), way
            asked += 1
    assert asked > 8
