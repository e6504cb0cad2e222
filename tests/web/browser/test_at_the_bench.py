"""The bench in a real browser: presses, the server away, the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sureshot import Campaign


def kinds(campaign: Campaign) -> list[str]:
    return [one["kind"] for one in campaign.export()["events"]]


def test_ask_tell_and_undo(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, shots: Callable[[Page, str], None]
) -> None:
    page = window("tablet")
    page.goto(f"{serve()}/c/1")
    page.get_by_role("button", name="Ask for a trial").click()
    expect(page.get_by_role("heading", name="Try next")).to_be_focused()
    page.get_by_label("Note", exact=False).first.fill("a bit dark")
    page.get_by_role("button", name="It worked: single").dblclick()
    expect(page.get_by_role("status")).to_contain_text("came out single (")
    expect(page.get_by_role("button", name="Ask for a trial")).to_be_focused()
    shots(page, "bench-told")
    assert kinds(tubes) == ["asked", "told"]
    page.get_by_role("button", name="Undo: it was double").click()
    expect(page.get_by_role("status")).to_contain_text("was corrected to double (")
    assert tubes.row(1).notes == ("a bit dark",)


def test_the_settings_are_copied(window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign) -> None:
    trial = tubes.ask()
    page = window("tablet", permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{serve()}/c/1")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = " ".join(page.evaluate("navigator.clipboard.readText()").split())
    assert copied == " ".join(f"{name} {level}" for name, level in trial.pairs)


def test_the_server_is_away_and_comes_back(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, shots: Callable[[Page, str], None]
) -> None:
    tubes.ask()
    page = window()
    page.goto(f"{serve()}/c/1")
    page.get_by_label("Note", exact=False).first.fill("kept")
    page.context.set_offline(True)
    page.get_by_role("button", name="It worked: single").click()
    expect(page.get_by_role("status")).to_contain_text("The server can't be reached. What you typed is kept")
    expect(page.get_by_label("Note", exact=False).first).to_have_value("kept")
    shots(page, "bench-away")
    assert kinds(tubes) == ["asked"]
    page.context.set_offline(False)
    page.get_by_role("button", name="It worked: single").click()
    expect(page.get_by_role("status")).to_contain_text("Recorded: trial 1")
    assert kinds(tubes) == ["asked", "told"]


def test_an_answer_that_was_lost_is_recorded_once_and_said(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign
) -> None:
    tubes.ask()
    page = window()
    page.goto(f"{serve()}/c/1")

    def lost(route: object) -> None:
        route.fetch(max_redirects=0)  # type: ignore[attr-defined]  # it reaches the server ...
        route.abort()  # type: ignore[attr-defined]  # ... and its answer never comes

    page.route("**/tell", lost)
    page.get_by_role("button", name="It worked: single").click()
    expect(page.get_by_role("status")).to_contain_text("The server can't be reached")
    assert kinds(tubes) == ["asked", "told"]
    page.unroute("**/tell")
    page.get_by_role("button", name="It worked: single").click()
    expect(page.get_by_role("status")).to_contain_text("This was recorded already, and not once more.")
    assert kinds(tubes) == ["asked", "told"]


def test_somebody_else_told_it(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, shots: Callable[[Page, str], None]
) -> None:
    tubes.ask()
    page = window("phone")
    page.goto(f"{serve()}/c/1")
    tubes.tell(1, "single", author="Ann")
    page.get_by_label("Note", exact=False).first.fill("mine")
    page.get_by_role("button", name="It did not: double").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody else told trial 1 meanwhile: single, by Ann")
    expect(page.get_by_label("Note")).to_have_value("mine")
    shots(page, "bench-told-meanwhile")
    page.get_by_role("button", name="Correct: it was double").click()
    expect(page.get_by_role("status")).to_contain_text("was corrected to double (")


@pytest.mark.parametrize("size", ["phone", "tablet", "desk"])
def test_nothing_is_wider_than_the_window_and_buttons_are_large(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, size: str
) -> None:
    tubes.ask_batch(2)
    page = window(size)
    page.goto(f"{serve()}/c/1")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    worked = page.get_by_role("button", name="It worked: single", exact=True).bounding_box()
    failed = page.get_by_role("button", name="It did not: double", exact=True).bounding_box()
    assert worked is not None
    assert failed is not None
    assert min(worked["height"], failed["height"]) >= 56
    apart = max(failed["x"] - worked["x"] - worked["width"], failed["y"] - worked["y"] - worked["height"])
    assert apart >= 20


def test_by_keyboard_alone_and_without_scripts(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign
) -> None:
    page = window(java_script_enabled=False)
    page.goto(f"{serve()}/c/1")
    page.get_by_role("button", name="Ask for a trial").press("Enter")
    page.get_by_label("Note", exact=False).first.fill("typed")
    page.get_by_label("Note", exact=False).first.press("Enter")  # tells nothing
    assert kinds(tubes) == ["asked"]
    page.get_by_role("button", name="It did not: double").press("Space")
    expect(page.get_by_role("status")).to_contain_text("came out double (")
    assert tubes.row(1).notes == ("typed",)
