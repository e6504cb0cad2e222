"""Rules that every address of the app keeps, whoever added it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.storage import Storage
from sureshot.web.security.token_file import add_token
from tests.web.conftest import BASE, secret_of
from tests.web.routes import Way, every_way

#: What anybody may see: the form to log in, how the API is described, and a library that draws.
OPEN = ("/login", "/api/v1/openapi.json", "/docs", "/static-plotly/")
#: What records nothing, and must work on a display too.
RECORDS_NOTHING = ("/login", "/logout")
#: What is posted to be looked at only, as a case is nothing for an address: who may look may do that too.
LOOKS = ("/c/1/case", "/c/1/cases", "/c/1/cases.csv")
NASTY = "<script>alert(1)</script>\"'&"


def recorded(store: Storage) -> list[tuple[Any, ...]]:
    """All that a request could have changed."""
    return [tuple(one) for one in store.campaigns()]


def ways(browser: TestClient) -> list[Way]:
    return every_way(browser.app)  # type: ignore[arg-type]


@pytest.mark.parametrize("secret", [None, "0" * 64], ids=["none", "another browser's"])
def test_no_form_is_taken_without_its_secret(
    browser: TestClient, tubes: Campaign, store: Storage, secret: str | None
) -> None:
    tubes.ask()
    browser.get("/")
    before = recorded(store)
    for way in ways(browser):
        if way.is_safe or way.is_api:
            continue
        data = {"outcome": "single", "name": "other", "note": "x", "q": "1", "text": "x", "back": "bench"}
        answer = browser.request(way.method, way.path, data=data | ({} if secret is None else {"form": secret}))
        assert answer.status_code == 403, way
        assert "nothing was recorded" in answer.text, way
    assert recorded(store) == before


def test_the_secret_of_another_browser_is_refused(browser_of: Callable[..., TestClient], tubes: Campaign) -> None:
    one = browser_of()
    secret = secret_of(one.get("/").text)
    other = TestClient(one.app, base_url=BASE)
    other.get("/")
    assert other.post("/who", data={"form": secret, "who": "Eve"}).status_code == 403
    assert one.post("/who", data={"form": secret, "who": "Ann"}, follow_redirects=False).status_code == 303


def test_every_address_forbids_what_is_not_ours_and_needs_nothing_else(browser: TestClient, tubes: Campaign) -> None:
    """No page has a script or style that stands in it, nor an outside address."""
    tubes.tell(tubes.ask(), "single")
    for way in ways(browser):
        answer = browser.request(way.method, way.path)
        assert answer.status_code < 500, (way, answer.text)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy, way
        assert "unsafe" not in policy, way
        assert answer.headers["x-content-type-options"] == "nosniff", way
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        if "attachment" in answer.headers.get("content-disposition", ""):
            continue  # a file that is kept and opened elsewhere
        assert not re.search(r"<script(?![^>]*\bsrc=\"/)[^>]*>", answer.text), way
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"", answer.text), way
        assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", answer.text), way


def test_every_page_can_be_asked_about_without_getting_it(browser: TestClient, tubes: Campaign) -> None:
    tubes.tell(tubes.ask(), "single")
    asked = 0
    for way in ways(browser):
        if way.method == "GET" and not way.is_api:
            got, head = browser.get(way.path, follow_redirects=False), browser.head(way.path, follow_redirects=False)
            assert head.status_code == got.status_code, way
            assert head.headers.get("content-type") == got.headers.get("content-type"), way
            asked += got.status_code == 200
    assert asked > 4


def test_nothing_changes_on_a_display(browser_of: Callable[..., TestClient], tubes: Campaign, store: Storage) -> None:
    tubes.ask()
    display = browser_of(read_only=True)
    before = recorded(store)
    for way in ways(display):
        if not way.is_safe and way.path not in RECORDS_NOTHING:
            answer = display.request(way.method, way.path)
            assert answer.status_code == 403, way
            assert "only shows" in answer.text, way
    assert recorded(store) == before


def test_nobody_is_let_in_without_a_token(
    browser_of: Callable[..., TestClient], tubes: Campaign, store: Storage, tmp_path: Path
) -> None:
    file = tmp_path / "tokens.json"
    add_token(file, "Ann", "bench", made="today")
    stranger = browser_of(tokens=file)
    before = recorded(store)
    for way in ways(stranger):
        if way.path.startswith(OPEN):
            continue
        answer = stranger.request(way.method, way.path, follow_redirects=False)
        led = answer.status_code == 303 and answer.headers["location"].startswith("/login?to=")
        assert led or answer.status_code in (401, 403), way
        assert "tubes" not in answer.text, way
    assert recorded(store) == before


def test_who_may_only_look_changes_nothing(
    browser_of: Callable[..., TestClient], tubes: Campaign, store: Storage, tmp_path: Path
) -> None:
    tubes.ask()
    file = tmp_path / "tokens.json"
    header = {"authorization": f"Bearer {add_token(file, 'Wall', 'read', made='today')}"}
    looker = browser_of(tokens=file)
    secret = secret_of(looker.get("/", headers=header).text)
    before = recorded(store)
    for way in ways(looker):
        if not way.is_safe and way.path not in RECORDS_NOTHING:
            answer = looker.request(way.method, way.path, headers=header, data={"form": secret})
            refused = (403, 422) if way.is_api else (403,)
            assert way.path in LOOKS or answer.status_code in refused, (way, answer.text)
    assert recorded(store) == before


def test_every_text_is_shown_as_text(browser: TestClient, store: Storage) -> None:
    space = Space.grid(power=[8, 10, 12], catalyst=[NASTY, "b"])  # a parameter's name is a plain word, always
    campaign = Campaign.create(NASTY, space, success=NASTY, failure=f"no {NASTY}", seed=1, budget=6, storage=store)
    trials = campaign.ask_batch(3, author=NASTY)
    campaign.tell(trials[0], NASTY, author=NASTY, note=NASTY)
    campaign.note(NASTY, author=NASTY)
    browser.post("/who", data={"form": secret_of(browser.get("/").text), "who": NASTY})
    shown = 0
    for way in ways(browser):
        if not way.is_safe:
            continue
        for query in ("", f"?done={NASTY}&to=/{NASTY}&page={NASTY}"):
            answer = browser.get(way.path + query)
            assert answer.status_code < 500, (way, answer.text)
            if "text/html" in answer.headers.get("content-type", ""):
                assert "<script>alert" not in answer.text, way
                shown += "&lt;script&gt;alert(1)" in answer.text
    assert shown >= 1
    assert "<script>alert" not in browser.get(f"/{NASTY}").text
