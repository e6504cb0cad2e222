"""The page of the API: whom it tells how to send a token."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi.testclient import TestClient

from sureshot.web.security.token_file import add_token


def test_it_says_how_to_send_a_token_where_one_is_needed(browser_of: Callable[..., TestClient], tmp_path: Path) -> None:
    assert "needs no token" in browser_of().get("/docs").text
    add_token(tmp_path / "tokens.json", "Ann", "bench", made="now")
    page = browser_of(tokens=tmp_path / "tokens.json").get("/docs")
    assert page.status_code == 200, "who has no token yet must be able to read how to get one"
    assert "Authorization: Bearer TOKEN" in page.text


def test_its_files_are_our_own(browser: TestClient) -> None:
    page = browser.get("/docs").text
    assert "//" not in page.replace("<!--", ""), "no address of another machine"
    for path in ("swagger/swagger-ui.css", "swagger/swagger-ui-bundle.js", "docs.js", "docs.css"):
        assert f"/static/{path}" in page
        assert browser.get(f"/static/{path}").status_code == 200
    assert browser.get("/api/v1/openapi.json").json()["openapi"].startswith("3.1")
