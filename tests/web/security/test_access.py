"""Who may do what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sureshot.web.security.access import Admin, Bencher, Reader
from sureshot.web.security.attempts import FROM_ONE
from sureshot.web.security.token_file import add_token


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def with_routes(browser: TestClient) -> TestClient:
    """Three addresses, one for each role, which say who asks."""

    def read(person: Reader) -> str:
        return f"{person.name} {person.role}"

    def bench(person: Bencher) -> str:
        return f"{person.name} {person.role}"

    def admin(person: Admin) -> str:
        return f"{person.name} {person.role}"

    for one in (read, bench, admin):
        browser.app.add_api_route(f"/api/v1/{one.__name__}", one)  # type: ignore[attr-defined]
    return browser


@pytest.mark.parametrize(
    ("role", "statuses"), [("read", "200 403 403"), ("bench", "200 200 403"), ("admin", "200 200 200")]
)
def test_a_role_may_what_those_below_it_may(
    browser_of: Callable[..., TestClient], file: Path, role: str, statuses: str
) -> None:
    header = {"authorization": f"Bearer {add_token(file, 'Ann', role, made='today')}"}
    browser = with_routes(browser_of(tokens=file))
    answers = [browser.get(f"/api/v1/{one}", headers=header) for one in ("read", "bench", "admin")]
    assert " ".join(str(one.status_code) for one in answers) == statuses
    assert answers[0].json() == f"Ann {role}"


def test_without_tokens_whoever_is_on_this_machine_may_all(browser: TestClient) -> None:
    assert with_routes(browser).get("/api/v1/admin").json() == "None admin"


def test_on_a_display_everybody_looks(browser_of: Callable[..., TestClient], file: Path) -> None:
    header = {"authorization": f"Bearer {add_token(file, 'Ann', 'admin', made='today')}"}
    browser = with_routes(browser_of(tokens=file, read_only=True))
    assert browser.get("/api/v1/read", headers=header).json() == "Ann read"
    assert browser.get("/api/v1/bench", headers=header).status_code == 403


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", "Basic QW5uOnNlY3JldA==", "Bearer é"])
def test_what_is_no_token_is_refused_without_being_said_again(
    browser_of: Callable[..., TestClient], file: Path, header: str
) -> None:
    add_token(file, "Ann", "admin", made="today")
    browser = with_routes(browser_of(tokens=file))
    answer = browser.get("/api/v1/read", headers={"authorization": header.encode()})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"]["kind"] == "Unauthorised"
    assert "wrong" not in answer.text


def test_a_token_in_the_address_is_worth_nothing(browser_of: Callable[..., TestClient], file: Path) -> None:
    text = add_token(file, "Ann", "admin", made="today")
    browser = with_routes(browser_of(tokens=file))
    assert browser.get(f"/api/v1/read?token={text}&access_token={text}").status_code == 401


def test_wrong_tokens_are_limited_and_a_right_one_is_not(browser_of: Callable[..., TestClient], file: Path) -> None:
    text = add_token(file, "Ann", "admin", made="today")
    browser = with_routes(browser_of(tokens=file))

    def status(token: str) -> int:
        return browser.get("/api/v1/read", headers={"authorization": f"Bearer {token}"}).status_code

    assert [status("wrong") for _ in range(FROM_ONE + 2)] == [401] * FROM_ONE + [429] * 2
    assert status(text) == 200
    late = browser.get("/api/v1/read", headers={"authorization": "Bearer wrong"})
    assert 0 < int(late.headers["retry-after"]) <= 300
    assert late.json()["error"]["kind"] == "TooManyAttempts"
