"""The page to log in, and the name of whoever records where nobody does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign
from sureshot.web.security.attempts import FROM_ONE
from sureshot.web.security.token_file import add_token, remove_token
from tests.web.conftest import BASE, post, secret_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def ann(file: Path) -> str:
    return add_token(file, "Ann", "bench", made="today")


@pytest.fixture
def guarded(browser_of: Callable[..., TestClient], file: Path, ann: str) -> TestClient:
    return browser_of(tokens=file)


def log_in(browser: TestClient, token: str, to: str = "/") -> Any:
    return post(browser, "/login", "/login", token=token, to=to)


def test_whoever_logs_in_is_led_to_where_they_wanted(guarded: TestClient, ann: str, tubes: Campaign) -> None:
    first = guarded.get("/?x=1")
    assert first.status_code == 401
    assert 'url=/login?to=/%3Fx%3D1"' in first.text
    assert "set-cookie" not in first.headers  # perhaps they are logged in, and come from another site
    page = guarded.get("/login?to=/%3Fx%3D1")
    assert 'name="to" value="/?x=1"' in page.text
    answer = log_in(guarded, ann, "/?x=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?x=1")
    shown = guarded.get("/")
    assert "tubes" in shown.text
    assert "Logged in as Ann (bench)" in shown.text
    assert guarded.get("/login?to=/c/1", follow_redirects=False).headers["location"] == "/c/1"


def test_a_session_is_new_once_somebody_logged_in(guarded: TestClient, ann: str) -> None:
    before = secret_of(guarded.get("/login").text)
    log_in(guarded, ann)
    after = secret_of(guarded.get("/").text)
    assert before != after
    assert guarded.post("/logout", data={"form": before}).status_code == 403


@pytest.mark.parametrize(
    "to", ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example", "javascript:alert(1)", "",
           "/login?to=/login", "evil.example", "/é", "\\\\evil.example", "/" + "x" * 3_000]
)  # fmt: skip
def test_nobody_is_led_elsewhere(guarded: TestClient, ann: str, to: str) -> None:
    assert 'name="to" value="/"' in guarded.get(f"/login?to={quote(to)}").text
    assert log_in(guarded, ann, to).headers["location"] == "/"
    assert guarded.get(f"/login?to={quote(to)}", follow_redirects=False).headers["location"] == "/"


def test_a_wrong_token_is_said_at_its_field_and_not_again(guarded: TestClient) -> None:
    answer = log_in(guarded, "sureshot_wrong", "/c/1")
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert "not known here" in answer.text
    assert 'value="/c/1"' in answer.text
    assert "sureshot_wrong" not in answer.text


def test_after_many_wrong_ones_one_waits(guarded: TestClient, ann: str) -> None:
    answers = [log_in(guarded, "wrong") for _ in range(FROM_ONE + 1)]
    assert [one.status_code for one in answers] == [422] * FROM_ONE + [429]
    assert 0 < int(answers[-1].headers["retry-after"]) <= 300
    assert "try again in" in answers[-1].text
    assert log_in(guarded, ann).status_code == 429  # also with the right one: guessing is what is limited here
    assert guarded.get("/", headers={"authorization": f"Bearer {ann}"}).status_code == 200


def test_whoever_logs_out_is_out(guarded: TestClient, ann: str) -> None:
    log_in(guarded, ann)
    assert post(guarded, "/", "/logout").headers["location"] == "/login"
    assert guarded.get("/", follow_redirects=False).headers["location"] == "/login?to=/"


def test_a_copy_of_the_cookie_is_worth_nothing_after_logging_out(guarded: TestClient, ann: str) -> None:
    log_in(guarded, ann)
    guarded.get("/")  # the cookie is written anew with every page
    copied = {one.name: one.value or "" for one in guarded.cookies.jar}
    thief = TestClient(guarded.app, base_url=BASE, cookies=copied)
    assert thief.get("/").status_code == 200
    post(guarded, "/", "/logout")
    thief.cookies.update(copied)
    assert thief.get("/", follow_redirects=False).headers["location"] == "/login?to=/"
    assert thief.get("/api/v1/campaigns").status_code == 401
    log_in(guarded, ann)
    assert guarded.get("/").status_code == 200


def test_a_token_that_is_taken_back_logs_out_at_once(guarded: TestClient, ann: str, file: Path) -> None:
    log_in(guarded, ann)
    assert guarded.get("/").status_code == 200
    remove_token(file, "Ann")
    assert guarded.get("/", follow_redirects=False).status_code == 303


def test_on_a_display_one_can_log_in(browser_of: Callable[..., TestClient], file: Path, ann: str) -> None:
    display = browser_of(tokens=file, read_only=True)
    assert log_in(display, ann).status_code == 303
    assert "only shows" in display.get("/").text


def test_where_nobody_logs_in_one_may_say_a_name(browser: TestClient) -> None:
    assert browser.get("/login", follow_redirects=False).headers["location"] == "/"
    answer = post(browser, "/", "/who", who="  Ann ", to="/?x=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?x=1")
    assert 'value="Ann"' in browser.get("/").text
    assert post(browser, "/", "/who", who="", to="//evil.example").headers["location"] == "/"
    assert 'value="Ann"' not in browser.get("/").text
    for name in ("x" * 101, "a\x00b"):
        assert post(browser, "/", "/who", who=name).status_code == 422


def test_saying_a_name_leaves_other_pages_that_are_open_usable(browser: TestClient) -> None:
    open_elsewhere = secret_of(browser.get("/").text)
    post(browser, "/", "/who", who="Ann")
    assert browser.post("/who", data={"form": open_elsewhere, "who": "Bob"}).status_code == 200


def test_where_one_logs_in_the_token_says_the_name(guarded: TestClient, ann: str) -> None:
    log_in(guarded, ann)
    assert post(guarded, "/", "/who", who="Eve").status_code == 403
