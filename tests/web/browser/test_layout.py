"""Where things stand on a page: in the columns they belong to, in sight, and still there when a tablet is turned."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sureshot import Campaign, Space
from sureshot.storage import Storage

Window = Callable[..., Page]
Serve = Callable[..., str]

LEFTS = "row => [...row.children].map(cell => Math.round(cell.getBoundingClientRect().left))"


@pytest.fixture
def told(store: Storage) -> Campaign:
    units = {"power": "W", "ethylene": "sccm", "hydrogen": "sccm", "pressure": "Torr"}
    space = Space.grid(power=[8, 10], ethylene=[10, 20], hydrogen=[0, 20], pressure=[200, 400], units=units)
    made = Campaign.create("tubes", space, success="single-walled", seed=1, storage=store)
    for worked in (True, False, True):
        made.tell(made.ask(), worked)
    return made


def test_cells_of_the_history_stand_below_their_heads(window: Window, serve: Serve, told: Campaign) -> None:
    page = window("tablet")
    page.goto(serve() + "/c/1/history")
    heads = page.locator(".events thead tr").evaluate(LEFTS)
    for row in page.locator(".events tbody tr").all():
        assert row.evaluate(LEFTS) == heads


def test_on_a_phone_the_history_needs_no_scrolling_sideways(window: Window, serve: Serve, told: Campaign) -> None:
    told.withdraw(
        told.tell_new({"power": 8, "ethylene": 10, "hydrogen": 0, "pressure": 200}, 1).trial, author="Ann Lee"
    )
    page = window("phone")
    page.goto(serve() + "/c/1/history")
    page.get_by_text("Correct trial 2").first.click()
    table = page.locator(".wide:has(.events)")
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    expect(page.locator("#event-8")).to_contain_text("Ann Lee")
    assert page.locator("#event-8").get_by_text("Ann Lee").first.is_visible()


@pytest.mark.parametrize("size", ["tablet", "desk"])
def test_what_was_tried_is_in_sight(window: Window, serve: Serve, told: Campaign, size: str) -> None:
    page = window(size)
    page.goto(serve() + "/c/1/results")
    place = page.locator(".wide:has(.ranked)")
    assert place.evaluate("place => place.scrollWidth <= place.clientWidth")
    assert page.get_by_role("columnheader", name="tried").is_visible()


def test_pictures_keep_their_height_when_a_tablet_is_turned(window: Window, serve: Serve, told: Campaign) -> None:
    page = window("tablet")
    page.goto(serve() + "/c/1/results")
    drawn = page.locator(".drawn.js-plotly-plot")
    expect(drawn).to_have_count(page.locator("[data-chart]").count())
    heights = "all => all.map(one => one._fullLayout.height)"
    before = drawn.evaluate_all(heights)
    assert before
    last = drawn.last.locator(".main-svg").first
    upright = last.get_attribute("width") or ""
    page.set_viewport_size({"width": 1180, "height": 820})
    expect(last).not_to_have_attribute("width", upright)
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(last).to_have_attribute("width", upright)
    assert drawn.evaluate_all(heights) == before


#: Numbers of which the unit stands on another line.
TORN = r"""() => {
  const torn = [], texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (const found of node.data.matchAll(/\d\s(?:%|points|W|sccm|Torr)(?!\w)/g)) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const lines = new Set([...range.getClientRects()].map(place => Math.round(place.top)));
      if (lines.size > 1) torn.push(node.data);
    }
  return torn;
}"""


@pytest.mark.parametrize("path", ["/", "/c/1", "/c/1/results", "/c/1/history", "/c/1/plate"])
def test_numbers_and_their_units_stay_on_one_line(window: Window, serve: Serve, told: Campaign, path: str) -> None:
    told.ask_batch(2)
    page = window("phone")
    page.goto(serve() + path)
    assert page.locator("main").evaluate(r"main => /\d\s(%|W)/.test(main.textContent)")
    for width in range(250, 420, 6):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(TORN) == [], width


def test_the_words_above_a_wide_table_are_in_sight_on_a_phone(window: Window, serve: Serve, told: Campaign) -> None:
    told.ask_batch(2)
    page = window("phone")
    page.goto(serve() + "/c/1/plate")
    assert page.locator(".wide").first.evaluate(
        "one => one.scrollWidth > one.clientWidth"
    )  # or there is nothing to see
    words = (
        "one => { const all = document.createRange(); all.selectNodeContents(one); return all.getBoundingClientRect() }"
    )
    assert page.locator(".plate caption").evaluate(words)["right"] <= 360
