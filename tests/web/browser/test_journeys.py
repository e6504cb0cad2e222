"""What people do, in a real browser: a campaign from nothing to a recommendation, at a desk, by keyboard alone, and on
a phone without scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sureshot import Campaign
from sureshot.storage import Storage

Window = Callable[..., Page]
Serve = Callable[..., str]
Shots = Callable[[Page, str], None]

#: In this lab a setting works from 12 W on, with iron.
WORKS = re.compile(r"power\s+(12|14).*catalyst\s+Fe", re.S)


def make(page: Page, base: str) -> None:
    """A new campaign, filled in as a person does."""
    page.goto(base)
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("What the campaign is called").fill("tubes")
    for place, (name, levels) in enumerate((("power", "8, 10, 12, 14 W"), ("catalyst", "Fe, Co"))):
        page.locator('[data-rows="parameters"] input').nth(2 * place).fill(name)
        page.locator('[data-rows="parameters"] input').nth(2 * place + 1).fill(levels)
    page.get_by_label("What a success is called").fill("single-walled")
    page.get_by_label("What a failure is called").fill("double-walled")
    page.get_by_label("How many trials may be asked").fill("10")


def run_one(page: Page, number: int) -> None:
    """Ask, look what it is, press how it went."""
    ask = page.get_by_role("button", name="Ask for a trial")
    if ask.is_visible():
        ask.click()
    expect(page.get_by_text(f"Trial {number} of 10", exact=True)).to_be_visible()
    works = WORKS.search(page.locator("#settings").inner_text())
    page.get_by_role("button", name="It worked: single-walled" if works else "It did not: double-walled").first.click()
    said = f"trial {number} came out {'single' if works else 'double'}-walled"
    expect(page.get_by_role("status")).to_contain_text(said)


@pytest.mark.parametrize(
    ("size", "options"),
    [("desk", {}), ("phone", {"java_script_enabled": False})],
    ids=["at a desk", "on a phone without scripts"],
)
def test_a_new_user_runs_ten_experiments_corrects_one_and_reads_what_to_choose(
    window: Window, serve: Serve, store: Storage, shots: Shots, size: str, options: dict[str, bool]
) -> None:
    page = window(size, **options)
    make(page, serve())
    page.get_by_role("button", name="Make the campaign").click()
    page.wait_for_url("**/c/1*")
    for number in range(1, 11):
        run_one(page, number)
        if number == 4:  # a slip of the finger
            shots(page, f"journey-{size}-told")
            for _ in range(2):  # to the other, and back: the log keeps both
                undo = page.get_by_role("button", name=re.compile("^Undo: it was "))
                other = undo.inner_text().removeprefix("Undo: it was ")
                undo.click()
                expect(page.get_by_role("status")).to_contain_text(f"trial 4 was corrected to {other}")
    expect(page.get_by_role("heading", name="The budget is used")).to_be_visible()
    page.get_by_role("link", name="See the results").first.click()
    kept = Campaign.open("tubes", store)
    best = kept.best()
    expect(page.locator("main")).to_contain_text(best.choice)
    assert [row.corrections for row in kept.history()] == [0, 0, 0, 2, *[0] * 6]
    assert kept.status().told == 10
    for row in kept.history():  # what was pressed is what was recorded
        assert (row.outcome == "single-walled") == bool(WORKS.search(row.label))
    shots(page, f"journey-{size}-results")
    page.get_by_role("link", name="History").click()
    expect(page.locator("main")).to_contain_text("corrected")


def test_by_keyboard_alone(window: Window, serve: Serve, store: Storage) -> None:
    """Nothing but Tab, Enter, Space and letters, from the first page to a correction."""
    page = window("tablet")
    page.goto(serve())

    def reach(words: str) -> None:
        """Press Tab until what is focused says this."""
        for _ in range(120):
            page.keyboard.press("Tab")
            here = page.evaluate(
                "() => { const e = document.activeElement, words = (e.labels && e.labels[0] || e).innerText;"
                " return e === document.body ? '' : e.getAttribute('aria-label') || words || e.name || ''; }"
            )
            if words in here:
                return
        raise AssertionError(f"no Tab leads to {words!r}")

    reach("New campaign")
    page.keyboard.press("Enter")
    page.wait_for_url("**/new")
    reach("What the campaign is called")
    page.keyboard.type("tubes")
    page.keyboard.press("Tab")
    page.keyboard.type("power")
    page.keyboard.press("Tab")
    page.keyboard.type("8, 10, 12, 14")
    reach("Make the campaign")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/1*")
    reach("Ask for a trial")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="It worked")).to_be_visible()
    reach("It worked")
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_contain_text("success")
    reach("Undo: it was failure")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("failure")
    kept = Campaign.open("tubes", store)
    assert [(row.outcome, row.corrections) for row in kept.history()] == [("failure", 1)]


def test_a_double_click_tells_once(window: Window, serve: Serve, tubes: Campaign) -> None:
    tubes.ask()
    page = window()
    page.goto(f"{serve()}/c/1")
    page.get_by_role("button", name="It worked: single").dblclick()
    expect(page.get_by_role("status")).to_contain_text("single")
    assert len(tubes.export()["events"]) == 2


def test_a_double_click_asks_once(window: Window, serve: Serve, tubes: Campaign) -> None:
    page = window()
    page.goto(f"{serve()}/c/1")
    page.get_by_role("button", name="Ask for a trial").dblclick()
    expect(page.get_by_role("button", name="It worked: single")).to_be_visible()
    assert tubes.status().used == 1


def test_two_browsers_on_one_campaign(window: Window, serve: Serve, tubes: Campaign) -> None:
    """Both have the trial before them; the second to press is told who was first, and nothing is told twice."""
    tubes.ask()
    base = serve()
    first, second = window("tablet"), window("phone")
    for page in (first, second):
        page.goto(f"{base}/c/1")
    first.get_by_role("button", name="It worked: single").click()
    expect(first.get_by_role("status")).to_contain_text("single")
    second.get_by_role("button", name="It did not: double").click()
    expect(second.get_by_role("alert")).to_contain_text("Trial 1 was told already: single")
    assert [(row.outcome, row.corrections) for row in tubes.history()] == [("single", 0)]


def test_names_are_shown_as_text(window: Window, serve: Serve, store: Storage) -> None:
    from sureshot import Space

    name = "<script>document.title='taken'</script>"
    made = Campaign.create(name, Space.grid(power=[8, 10]), success="<b>yes", failure="no'\"", seed=1, storage=store)
    made.ask()
    page, base = window(), serve()
    for path in ("/", "/c/1", "/c/1/results", "/c/1/history", "/new"):
        page.goto(base + path)
        assert page.title() != "taken"
    page.goto(base)
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
