"""What a browser is told with every answer."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize("path", ["/", "/static/style.css", "/nothing", "/api/v1/nothing", "/failing"])
def test_every_answer_forbids_what_is_not_ours(browser: TestClient, path: str) -> None:
    def failing() -> None:
        raise RuntimeError("a fault")

    browser.app.add_api_route("/failing", failing)  # type: ignore[attr-defined]
    answer = browser.get(path)
    assert (answer.status_code == 500) == (path == "/failing")
    found = answer.headers
    policy = found["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert (found["x-frame-options"], found["x-content-type-options"]) == ("DENY", "nosniff")


def test_what_is_refused_at_the_door_is_told_so_too(browser: TestClient) -> None:
    assert "default-src 'none'" in browser.get("/", headers={"host": "evil.example"}).headers["content-security-policy"]


def test_pages_are_kept_by_nobody_and_files_may_be(browser: TestClient) -> None:
    assert browser.get("/").headers["cache-control"] == "no-store"
    assert "no-store" not in browser.get("/static/style.css").headers.get("cache-control", "")
