"""Every page, in a real browser: no serious finding of axe in light and dark, nothing wider than the window at three
widths, and a picture of each to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from sureshot import Actions, Campaign, Contexts, Space
from sureshot.storage import open_storage
from tests.web.browser.conftest import SIZES, served
from tests.web.browser.looked_at import serious_findings, width_of

Window = Callable[..., Page]
Shots = Callable[[Page, str], None]

PAGES = {
    "campaigns": "/",
    "new": "/new",
    "new-like": "/new/like",
    "new-import": "/new/import",
    "bench": "/c/1",
    "results": "/c/1/results",
    "history": "/c/1/history",
    "plate": "/c/1/plate",
    "nothing-known": "/c/2",
    "desk": "/c/3",
    "desk-results": "/c/3/results",
    "lab": "/lab",
    "api": "/docs",
    "not-there": "/nothing",
}
#: Whose pictures and lists are made by scripts.
DRAWN = ("results", "desk-results", "api")


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """A server with a campaign under way, one that was just made, and a decision desk. Here they are only looked at."""
    store = open_storage(":memory:")
    space = Space.grid(temperature=[100, 140, 180], solvent=["DMSO", "GBL"], time=[5, 10, 20], units={"time": "min"})
    made = Campaign.create(
        "perovskite", space, success="black phase", failure="yellow", budget=25, seed=1, storage=store
    )
    for _ in range(8):
        trial = made.ask(author="Ann")
        works = trial.levels["solvent"] == "DMSO" and float(str(trial.levels["temperature"])) < 180
        made.tell(trial, "black phase" if works else "yellow", author="Ben", note="as seen" if works else None)
    made.ask_batch(3)
    Campaign.create("just made", Space.grid(power=[8, 10, 12]), seed=1, storage=store)
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create("desk", Actions(["treat", "wait"]), context=cases, seed=1, storage=store)
    for age in (30, 50, 70):
        desk.tell_new("treat", age < 60, context={"age": age, "ward": "A"})
    desk.ask({"age": 40, "ward": "B"})
    with served(store) as address:
        yield address
    store.close()


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_in_light_and_dark(window: Window, base: str, name: str) -> None:
    page = window("tablet")
    page.goto(base + PAGES[name])
    page.wait_for_load_state("networkidle")
    assert serious_findings(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_a_phone_a_tablet_and_a_desk(window: Window, base: str, shots: Shots, name: str) -> None:
    page = window("phone")
    for size in SIZES:
        page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
        page.goto(base + PAGES[name])
        if name in DRAWN:
            page.wait_for_load_state("networkidle")
        shots(page, f"{name}-{SIZES[size][0]}")
        assert width_of(page) <= SIZES[size][0], (name, size)


def test_pages_are_whole_without_scripts(window: Window, base: str) -> None:
    page = window("tablet", java_script_enabled=False)
    for name, path in PAGES.items():
        page.goto(base + path)
        assert page.locator("h1").count() == 1, name
        assert page.locator("main").inner_text().strip(), name


def test_pictures_are_drawn_by_the_server_without_scripts(window: Window, base: str) -> None:
    page = window("desk", java_script_enabled=False)
    page.goto(f"{base}/c/1/results")
    pictures = page.locator("main img")
    assert pictures.count() == 3  # none of calibration after so few outcomes
    for i in range(3):
        pictures.nth(i).scroll_into_view_if_needed()
        expect(pictures.nth(i)).to_have_js_property("complete", True)
        assert (pictures.nth(i).bounding_box() or {"height": 0})["height"] > 100
