"""What strangers, logs and caches are not told."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign
from sureshot.web.security import tokens
from sureshot.web.security.token_file import add_token, remove_token
from sureshot.web.security.tokens import new_tokens, with_token
from tests.web.conftest import post
from tests.web.routes import every_way


@pytest.mark.parametrize("path", ["/failing", "/api/v1/failing"])
def test_a_fault_tells_its_cause_to_the_log_alone_and_the_log_no_secrets(
    browser: TestClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def failing() -> None:
        raise RuntimeError(f"cause in {__file__}")

    browser.app.add_api_route(path, failing)  # type: ignore[attr-defined]
    browser.get("/")  # for its cookie
    cookie = next(iter(browser.cookies.jar)).value or ""
    answer = browser.get(f"{path}?password=in-the-query", headers={"authorization": "Bearer sureshot_secret"})
    assert answer.status_code == 500
    for inner in ("cause", "Traceback", "RuntimeError", __file__, "site-packages", "failing()"):
        assert inner not in answer.text
    assert "cause in" in caplog.text
    for secret in ("in-the-query", "sureshot_secret", cookie):
        assert secret not in caplog.text


def test_no_refusal_tells_paths_or_what_runs_here(browser: TestClient, tubes: Campaign) -> None:
    for way in every_way(browser.app):  # type: ignore[arg-type]
        for path in (way.path, way.path.replace("/1", "/999"), way.path.replace("/1", "/x")):
            answer = browser.request(way.method, path, content=b"{")
            assert "server" not in answer.headers
            assert "x-powered-by" not in answer.headers
            if answer.status_code >= 400:
                for inner in ("Traceback", "site-packages", "src/sureshot", ".py", "sqlalchemy", "pydantic"):
                    assert inner not in answer.text, (way, answer.text)


def test_what_is_private_is_kept_by_nobody_between(
    browser_of: Callable[..., TestClient], tubes: Campaign, tmp_path: Path
) -> None:
    tubes.tell(tubes.ask(), "single")
    token = add_token(tmp_path / "tokens.json", "Ann", "admin", made="today")
    browser = browser_of(tokens=tmp_path / "tokens.json")
    seen = 0
    for way in every_way(browser.app):  # type: ignore[arg-type]
        if way.method == "GET" and not way.path.startswith("/static"):
            answer = browser.get(way.path, headers={"authorization": f"Bearer {token}"}, follow_redirects=False)
            assert answer.headers["cache-control"] in ("no-store", "private, no-cache"), way
            seen += answer.status_code == 200
    assert seen > 20


def test_every_token_is_compared_whichever_is_right_and_in_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, texts = new_tokens(), []
    for name in ("Ann", "Bob", "Cleo"):
        kept, text = with_token(kept, name, "read", made="today")
        texts.append(text)
    compared: list[tuple[Any, Any]] = []

    def watched(a: Any, b: Any) -> bool:
        compared.append((a, b))
        return hmac.compare_digest(a, b)

    monkeypatch.setattr(tokens, "hmac", type("Watched", (), {"compare_digest": staticmethod(watched)}))
    for text in (*texts, "sureshot_wrong", ""):
        compared.clear()
        kept.find(text)
        assert len(compared) == 3
        assert {len(one) for pair in compared for one in pair} == {64}  # of hashes, which nobody can steer


def test_no_word_says_how_a_token_is_wrong(browser_of: Callable[..., TestClient], tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    add_token(file, "Ann", "admin", made="today")
    was = add_token(file, "Bob", "admin", made="today")
    remove_token(file, "Bob")
    browser = browser_of(tokens=file)
    tries = (was, was[:-1], was[:-1] + "é", "x", "sureshot_", "x" * 5_000)
    headers: list[dict[str, Any]] = [{}, *({"authorization": f"Bearer {one}".encode()} for one in tries)]
    answers = [browser.get("/api/v1/campaigns", headers=one) for one in headers]
    assert {(one.status_code, one.text) for one in answers} == {(401, answers[0].text)}
    browser = browser_of(tokens=file)
    pages = [post(browser, "/login", "/login", token=one) for one in tries[:4]]
    assert {one.status_code for one in pages} == {422}
    assert len({one.text for one in pages}) == 1


def test_what_a_user_did_wrong_is_not_logged(browser: TestClient, tubes: Campaign, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG, logger="sureshot")
    for way in every_way(browser.app):  # type: ignore[arg-type]
        browser.request(way.method, way.path, params={"q": "secret"}, content=b'{"note": "secret"}')
    assert caplog.records == [one for one in caplog.records if not one.name.startswith("sureshot")]
