"""The list of campaigns: what each line says, who may change what, and that a long list stays quick."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Contexts, Space
from sureshot.storage import Storage
from sureshot.web import briefs
from sureshot.web.pages import campaigns as module
from sureshot.web.security.token_file import add_token
from tests.web.conftest import post

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no reason for another answer."""
    monkeypatch.setattr(briefs, "SECONDS", 1e6)


def made(store: Storage, name: str, **options: object) -> Campaign:
    return Campaign.create(name, Space.grid(power=[8, 10, 12]), seed=1, storage=store, **options)


def text(browser: TestClient, path: str = "/") -> str:
    answer = browser.get(path)
    assert answer.status_code == 200
    return unescape(answer.text)


# -- nothing yet


def test_an_empty_list_offers_a_new_campaign_and_a_demo(browser: TestClient) -> None:
    page = text(browser)
    assert "No campaign yet." in page
    assert "Try it with a demo campaign" in page
    assert 'href="/new"' in page


def test_the_demo_is_a_simulated_campaign_with_its_first_trials_made(browser: TestClient, store: Storage) -> None:
    answer = post(browser, "/", "/demo")
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/1")
    made = Campaign.open("nanotubes", store)
    assert made.simulated == {"world": "nanotubes", "seed": 54}
    assert made.status().told == 8
    page = text(browser)
    assert ">simulated<" in page
    assert "8 of 25 trials asked" in page
    assert post(browser, "/", "/demo").headers["location"] == "/c/2"
    assert [one.name for one in store.campaigns()] == ["nanotubes", "nanotubes 2"]


# -- what a line says


def test_a_line_says_how_far_it_is_what_we_would_choose_and_what_waits(browser: TestClient, tubes: Campaign) -> None:
    assert "Nothing is known yet: no trial has an outcome. Begin with “Ask for a trial”." in text(browser)
    trial = tubes.ask()
    assert "Nothing is known yet: trial 1 is waiting for its outcome." in text(browser)
    assert "Trial 1 waits for its outcome." in text(browser)
    tubes.tell(trial, "single")
    tubes.ask_batch(2)
    page, best = text(browser), tubes.best()
    assert f"{best.choice}: " in page
    assert "Trials 2 and 3 wait for their outcomes." in page
    assert "3 of 10 trials asked, 2 pending; single in 1 of 1 try." in page
    assert "Last event today" in page


def test_what_would_be_chosen_is_what_the_campaign_says(tubes: Campaign) -> None:
    for row, won in enumerate([0, 1, 1, 0, 1, 1, 0, 0]):
        tubes.tell_new(row, won)
    best, brief = tubes.best(), tubes.in_brief()
    assert brief.known
    assert brief.choice.startswith(best.choice)
    assert best.sureness.startswith(brief.choice.partition(f"{best.choice}: ")[2].rstrip("."))


def test_a_used_budget_says_so_and_only_failures_too(browser: TestClient, store: Storage) -> None:
    made(store, "short", budget=1)
    short = Campaign.open("short", store)
    short.tell(short.ask(), "failure")
    page = text(browser)
    assert "The budget is used." in page
    assert "Nothing has worked yet. The likeliest to work is power " in page


def test_a_campaign_with_cases_says_that_it_depends_on_the_case(browser: TestClient, store: Storage) -> None:
    Campaign.create("desk", Space.grid(act=["treat", "wait"]), context=Contexts(age=(18, 90)), seed=1, storage=store)
    assert "Which is best depends on the case." in text(browser)


def test_a_caution_is_shown_in_the_words_of_the_page(browser: TestClient, store: Storage) -> None:
    made = Campaign.create(
        "rows", Space.from_frame({"sample": list("abcd"), "power": [8, 9, 8, 9]}), seed=1, storage=store
    )
    assert made.status().cautions
    page = text(browser)
    assert "Careful:" in page
    assert (
        "leave it out with a new campaign from the file, with “left out” for sample, or have the rows called by it "
        "with a new campaign from the file, with “names the rows” for sample." in re.sub("<[^>]+>", "", page)
    )


def test_every_name_is_shown_as_text(browser: TestClient, store: Storage) -> None:
    made(store, SCRIPT)
    made(store, "n" * 200)
    page = browser.get("/").text
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "n" * 200 in page


def test_one_that_is_broken_does_not_hide_the_others(
    browser: TestClient, store: Storage, tubes: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sureshot.errors import CorruptLog

    other = made(store, "other")

    whole = Campaign.in_brief

    def partly(one: Campaign) -> object:
        if one.name == "tubes":
            raise CorruptLog("event 3 is not what was recorded")
        return whole(one)

    monkeypatch.setattr(Campaign, "in_brief", partly)
    page = text(browser)
    assert "event 3 is not what was recorded" in page
    assert other.name in page
    assert "0 trials asked; no outcome yet." in page


# -- renamed, archived


def test_a_campaign_is_renamed_in_place(browser: TestClient, store: Storage, tubes: Campaign) -> None:
    answer = post(browser, "/", "/c/1/rename", name=" nanotubes ")
    assert answer.status_code == 303
    assert store.campaigns()[0].name == "nanotubes"
    page = text(browser, answer.headers["location"])
    assert "nanotubes has this name now." in page


@pytest.mark.parametrize(
    ("name", "says"), [("other", "already is a campaign 'other'"), ("x" * 201, "printable"), ("", "printable")]
)
def test_a_name_that_can_not_be_is_said_at_its_field(
    name: str, says: str, browser: TestClient, store: Storage, tubes: Campaign
) -> None:
    made(store, "other")
    answer = post(browser, "/", "/c/1/rename", name=name)
    assert answer.status_code in (409, 422)
    page = unescape(answer.text)
    assert says in page.partition('id="wrong-1">')[2].partition("</p>")[0]
    assert f'value="{name}" aria-invalid="true" aria-describedby="wrong-1"' in page
    assert store.campaigns()[0].name == "tubes"


def test_an_archived_campaign_is_under_a_fold_and_comes_back(
    browser: TestClient, store: Storage, tubes: Campaign
) -> None:
    answer = post(browser, "/", "/c/1/archive")
    page = text(browser, answer.headers["location"])
    assert "tubes is archived" in page
    assert "Undo" in page
    assert "All campaigns are archived." in page
    assert "Archived (1)" in page
    answer = post(browser, "/", "/c/1/archive", undo="yes")
    assert "tubes is in the list again." in text(browser, answer.headers["location"])
    assert store.campaigns()[0].archived_at is None


def test_a_campaign_that_is_not_there_is_an_error(browser: TestClient, tubes: Campaign) -> None:
    assert post(browser, "/", "/c/7/archive").status_code == 404
    assert post(browser, "/", "/c/7/rename", name="x").status_code == 404
    assert browser.get("/?done=nonsense").status_code == 422
    assert "is archived" not in text(browser, "/?done=archived&campaign=99")


# -- who may


@pytest.mark.parametrize("path", ["/demo", "/c/1/rename", "/c/1/archive"])
def test_a_form_from_elsewhere_changes_nothing(path: str, browser: TestClient, store: Storage, tubes: Campaign) -> None:
    before = store.campaigns()
    assert browser.post(path, data={"name": "x"}).status_code == 403
    assert browser.post(path, data={"name": "x", "form": "0" * 64}).status_code == 403
    assert store.campaigns() == before


@pytest.mark.parametrize("path", ["/demo", "/c/1/rename", "/c/1/archive"])
def test_a_display_on_the_wall_changes_nothing(
    path: str, browser_of: Callable[..., TestClient], store: Storage, tubes: Campaign
) -> None:
    wall = browser_of(read_only=True)
    page = text(wall)
    for words in ("Archive it", "Rename", "demo campaign", 'href="/new"'):
        assert words not in page
    before = store.campaigns()
    assert wall.post(path, data={"name": "x"}).status_code == 403
    assert store.campaigns() == before


def test_who_can_only_look_is_not_asked_to_tell(
    browser: TestClient, browser_of: Callable[..., TestClient], tubes: Campaign
) -> None:
    tubes.ask()
    assert "Tell how it went" in text(browser)
    page = text(browser_of(read_only=True))
    assert "Look at it" in page
    assert "Tell how it went" not in page


def test_at_the_bench_one_looks_and_does_not_rename(
    browser_of: Callable[..., TestClient], store: Storage, tubes: Campaign, tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    keys = {role: add_token(tokens, role, role, made="2026-11-18") for role in ("bench", "admin")}
    browser = browser_of(tokens=tokens)
    pages = {role: browser.get("/", headers={"Authorization": f"Bearer {key}"}).text for role, key in keys.items()}
    for words in ("Rename or archive", "Archive it", 'href="/new"', "demo campaign"):
        assert words in pages["admin"]
        assert words not in pages["bench"]
    for path in ("/new", "/new/like", "/new/import"):
        assert browser.get(path, headers={"Authorization": f"Bearer {keys['bench']}"}).status_code == 403
        assert browser.get(path, headers={"Authorization": f"Bearer {keys['admin']}"}).status_code == 200


# -- many


def test_a_thousand_campaigns_are_paged_and_only_those_shown_are_opened(
    browser: TestClient, store: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = made(store, "first").spec.to_dict()
    for number in range(2, 1_001):
        store.create_campaign(f"campaign {number}", spec, seed=number)
    opened = []
    brief = Campaign.in_brief
    monkeypatch.setattr(Campaign, "in_brief", lambda one: opened.append(one.name) or brief(one))
    page = text(browser)
    assert len(opened) == module.PAGE == 20
    assert "campaign 1000" in page
    assert "campaign 980<" not in page
    assert "Page 1 of 50" in page
    text(browser)
    assert len(opened) == 20, "what is known is not computed again"
    assert "first</a>" in text(browser, "/?page=50")
    assert "first</a>" in text(browser, "/?page=51"), "after the last page there is the last page"
    assert "Page 1 of 50" in text(browser, "/?page=-3")


def test_a_list_that_would_take_long_says_so_and_goes_on_at_the_next_look(
    browser: TestClient, store: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store, "first")
    monkeypatch.setattr(briefs, "SECONDS", -1.0)
    page = text(browser)
    assert "What we would choose is not worked out yet" in page
    assert "first</a>" in page
    monkeypatch.setattr(briefs, "SECONDS", 1e6)
    assert "Nothing is known yet" in text(browser)
