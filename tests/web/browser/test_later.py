"""What takes long to work out comes by itself, beside what somebody is typing; and pictures fit on a sheet of paper."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sureshot import Campaign, Space
from sureshot.campaign.view import View
from sureshot.storage import Storage


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """What one would choose is not found before the event is set, neither for a page nor for the list."""
    release = threading.Event()

    def waiting(found: Callable[..., Any]) -> Callable[..., Any]:
        def answer(*args: Any, **more: Any) -> Any:
            assert release.wait(60)
            return found(*args, **more)

        return answer

    for name in ("best", "in_brief"):
        monkeypatch.setattr(View, name, waiting(getattr(View, name)))
    yield release
    release.set()


def told(campaign: Campaign) -> None:
    for outcome in ("single", "double", "single"):
        campaign.tell(campaign.ask(), outcome)


def test_the_bench_keeps_what_is_typed_while_the_choice_comes(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, slow: threading.Event
) -> None:
    told(tubes)
    tubes.ask()
    page = window("tablet")
    page.goto(f"{serve(patience=0.01)}/c/1")
    expect(page.get_by_text("This is being worked out")).to_be_visible()
    page.get_by_label("Note", exact=False).first.fill("half typed")
    slow.set()
    expect(page.locator("#stop + p")).to_contain_text("Choose ")
    expect(page.get_by_text("This is being worked out")).to_have_count(0)
    expect(page.get_by_label("Note", exact=False).first).to_have_value("half typed")
    expect(page.get_by_label("Note", exact=False).first).to_be_focused()


def test_the_bench_says_that_enough_is_known_once_that_is_worked_out(
    window: Callable[..., Page], serve: Callable[..., str], store: Storage, slow: threading.Event
) -> None:
    space = Space.grid(gas=["Ar", "N2"])
    made = Campaign.create("known", space, stopping="worked times=1", seed=1, storage=store)
    made.tell_new({"gas": "Ar"}, "success")
    page = window("tablet")
    page.goto(f"{serve(patience=0.01)}/c/1")
    expect(page.get_by_text("Whether enough is known is being worked out.")).to_be_visible()
    slow.set()
    expect(page.get_by_role("heading", name="Enough is known")).to_be_visible()
    expect(page.get_by_role("button", name="Ask for a trial")).to_have_count(0)


def test_what_is_typed_stays_when_there_is_nothing_more_to_wait_for(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, slow: threading.Event
) -> None:
    told(tubes)
    page = window("tablet")
    page.goto(serve(patience=0.01))
    expect(page.get_by_text("is not worked out yet")).to_be_visible()
    page.get_by_text("Rename or archive").click()
    page.get_by_label("name", exact=False).first.fill("half typed")
    tubes.archive()  # by somebody else
    expect(page.locator("[data-later]")).to_have_count(0)
    expect(page.get_by_label("name", exact=False).first).to_have_value("half typed")
    slow.set()


def test_results_that_will_never_come_are_not_waited_for(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, slow: threading.Event
) -> None:
    told(tubes)
    page = window("tablet")
    page.goto(f"{serve(patience=0.01)}/c/1/results")
    expect(page.get_by_text("The results are being worked out.")).to_be_visible()
    tubes.delete()
    slow.set()
    expect(page.get_by_text("The results are being worked out.")).to_have_count(0)


def test_results_and_the_list_come_by_themselves(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, slow: threading.Event
) -> None:
    told(tubes)
    base = serve(patience=0.01)
    results, campaigns = window(), window()
    results.goto(f"{base}/c/1/results?by=tries")
    campaigns.goto(base)
    expect(results.get_by_text("The results are being worked out.")).to_be_visible()
    expect(campaigns.get_by_text("is not worked out yet")).to_be_visible()
    slow.set()
    expect(results.get_by_role("heading", name="The alternatives")).to_be_visible()
    assert results.url.endswith("?by=tries")
    expect(campaigns.get_by_text("is not worked out yet")).to_have_count(0)


def test_pictures_are_as_wide_as_a_sheet_on_paper_and_as_the_window_again_afterwards(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign
) -> None:
    told(tubes)
    page = window("desk")
    page.goto(f"{serve()}/c/1/results")
    expect(page.locator(".drawn.js-plotly-plot")).to_have_count(page.locator("[data-chart]").count())
    widths = "() => [...document.querySelectorAll('.drawn .main-svg')].map((one) => one.getBoundingClientRect().width)"
    before = page.evaluate(widths)
    assert min(before) > 800
    page.evaluate(f"window.addEventListener('beforeprint', () => {{ window.printed = ({widths})(); }})")
    page.pdf(format="A4")
    assert max(page.evaluate("window.printed")) <= 670
    page.wait_for_function(f"() => ({widths})().every((one) => one > 800)")
