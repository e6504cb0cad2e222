"""Pages that one comes to by pressing something, or at a server with settings of its own: no serious finding of axe in
light and dark, and nothing wider than the window at three widths.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sureshot import Actions, Campaign, Contexts, Space
from sureshot.storage import Storage
from sureshot.web.security.token_file import add_token
from tests.web.browser.conftest import SIZES
from tests.web.browser.looked_at import serious_findings, width_of
from tests.web.studies import part

Window = Callable[..., Page]
Serve = Callable[..., str]
Shots = Callable[[Page, str], None]


def log_in(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    add_token(folder / "tokens.json", "Ann", "admin", made="today")
    page.goto(f"{serve(tokens=folder / 'tokens.json')}/login?to=/new")


def wrong_token(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    log_in(page, serve, store, folder)
    page.get_by_label("token").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("This token is not known here")).to_be_visible()


def logged_in(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    token = add_token(folder / "tokens.json", "Ann", "admin", made="today")
    page.goto(f"{serve(tokens=folder / 'tokens.json')}/login")
    page.get_by_label("token").fill(token)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Logged in as Ann")).to_be_visible()


def study(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    for policy, cost in (("kg", 0.1), ("random", 0.3)):
        part(folder / "studies" / "first", policy, cost)
    page.goto(f"{serve(studies=folder / 'studies')}/lab")
    page.get_by_role("link", name="first").click()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)


def answered(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    """A case at the decision desk."""
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create("desk", Actions(["treat", "wait"]), context=cases, seed=1, storage=store)
    desk.tell_new("treat", 1, context={"age": 50, "ward": "A"})
    page.goto(f"{serve()}/c/1")
    page.get_by_role("textbox", name="age").fill("40")
    page.get_by_role("combobox", name="ward").select_option("B")
    page.get_by_role("button", name="What to do?").click()
    expect(page.get_by_role("heading", name="In this case")).to_be_visible()


def refused_form(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    page.goto(f"{serve()}/new")
    page.get_by_label("Name of parameter 1").fill("power")
    page.get_by_role("button", name="Make the campaign").click()
    expect(page.get_by_role("alert")).to_be_visible()


def preview(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    page.goto(f"{serve()}/new")
    page.get_by_label("What the campaign is called").fill("tubes")
    page.get_by_label("Name of parameter 1").fill("power")
    page.get_by_label("Levels of parameter 1").fill("8, 10, 12")
    page.get_by_role("button", name="Look at it first").last.click()
    expect(page.get_by_role("heading", name="3 settings")).to_be_visible()


def told_twice(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    """Somebody told another outcome meanwhile."""
    made = Campaign.create("tubes", Space.grid(power=[8, 10, 12]), seed=1, storage=store)
    trial = made.ask()
    page.goto(f"{serve()}/c/1")
    made.tell(trial, "failure")
    page.get_by_role("button", name="It worked").click()
    expect(page.get_by_role("alert")).to_contain_text("was told already")


def just_told(page: Page, serve: Serve, store: Storage, folder: Path) -> None:
    Campaign.create("tubes", Space.grid(power=[8, 10, 12]), seed=1, storage=store).ask()
    page.goto(f"{serve()}/c/1")
    page.get_by_role("button", name="It worked").click()
    expect(page.get_by_role("status")).to_contain_text("success")


REACHED = (log_in, wrong_token, logged_in, study, answered, refused_form, preview, told_twice, just_told)


@pytest.mark.parametrize("reach", REACHED, ids=[one.__name__ for one in REACHED])
def test_it_is_as_good_as_the_others(
    window: Window,
    serve: Serve,
    store: Storage,
    shots: Shots,
    tmp_path: Path,
    reach: Callable[[Page, Serve, Storage, Path], None],
) -> None:
    page = window("tablet")
    reach(page, serve, store, tmp_path)
    assert serious_findings(page) == []
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        shots(page, f"reached-{reach.__name__}-{width}")
        assert width_of(page) <= width, width
