"""A new campaign in a real browser: typed, from a file, by keyboard, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sureshot import Campaign
from sureshot.storage import Storage

CSV = b"sample,power (W),catalyst\na,8,Fe\nb,10,Co\nc,12,Fe\nd,14,Co\n"


def test_rows_are_added_and_counted_while_one_types(serve: Callable[..., str], window: Callable[..., Page]) -> None:
    page = window("tablet")
    page.goto(f"{serve()}/new")
    for i, (name, levels) in enumerate([("power", "8,10,12"), ("gas", "Ar,N2"), ("time", "1,2"), ("flow", "5,6")]):
        if i == 3:
            page.get_by_role("button", name="One more parameter").click()
            expect(page.get_by_label("Name of parameter 4")).to_be_focused()
        page.get_by_label(f"Name of parameter {i + 1}").fill(name)
        page.get_by_label(f"Levels of parameter {i + 1}").fill(levels)
    expect(page.locator("#count")).to_have_text("24 settings")
    page.get_by_label("Levels of parameter 4").fill("5,,6")
    expect(page.locator("#count")).to_have_text("")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_campaign_is_made_of_a_file_looked_at_first(
    scripts: bool,
    serve: Callable[..., str],
    window: Callable[..., Page],
    store: Storage,
    shots: Callable[[Page, str], None],
) -> None:
    page = window("phone", java_script_enabled=scripts)
    page.goto(f"{serve()}/new")
    page.get_by_label("What the campaign is called").fill("march")
    page.get_by_text("Or a file", exact=True).click()
    page.locator("#candidates").set_input_files({"name": "march.csv", "mimeType": "text/csv", "buffer": CSV})
    if not scripts:
        page.locator(".ways").get_by_role("button", name="Look at it first").click()
    expect(page.get_by_role("heading", name="4 settings")).to_be_visible()
    page.get_by_label("What sample is").select_option("id")
    page.locator(".ways").get_by_role("button", name="Look at it first").click()
    expect(page.get_by_text("names the rows").first).to_be_visible()
    shots(page, f"new-file-{'scripts' if scripts else 'plain'}")
    page.get_by_role("button", name="Make the campaign").click()
    page.wait_for_url("**/c/1")
    assert Campaign.open("march", store).spec.pool.tried_names == ("sample", "power", "catalyst")


def test_a_form_that_is_refused_leads_to_what_is_wrong_by_keyboard(
    serve: Callable[..., str], window: Callable[..., Page]
) -> None:
    page = window("desk")
    page.goto(f"{serve()}/new")
    page.get_by_label("Name of parameter 1").fill("power")
    page.get_by_role("button", name="Make the campaign").press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("What the campaign is called")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Name of parameter 1")).to_have_value("power")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#field-name")
