"""The page of the API in a real browser: drawn by files of our own under a strict policy, usable, readable by all."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from sureshot import Campaign


def test_a_request_can_be_tried_on_the_page(
    window: Callable[..., Page], serve: Callable[..., str], tubes: Campaign, shots: Callable[[Page, str], None]
) -> None:
    """The fixture fails where another machine is asked, or the policy is broken."""
    page = window()
    answer = page.goto(f"{serve()}/docs")
    assert answer is not None
    assert "unsafe" not in answer.headers["content-security-policy"]
    page.click('[data-path="/api/v1/campaigns/{c}"] >> nth=0')
    page.click("button.try-out__btn")
    page.fill("tr[data-param-name=c] input", "1")
    page.click("button.execute")
    page.wait_for_selector(".live-responses-table tbody td.response-col_status")
    assert "200" in page.inner_text(".live-responses-table tbody td.response-col_status")
    assert "tubes" in page.inner_text(".live-responses-table")
    shots(page, "docs")


def test_nothing_serious_keeps_anybody_from_reading_it(window: Callable[..., Page], serve: Callable[..., str]) -> None:
    page = window("phone", bypass_csp=True)
    page.goto(f"{serve()}/docs")
    page.click('[data-path="/api/v1/campaigns/{c}/best"]')
    page.wait_for_selector(".opblock-body")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], scheme


def test_without_scripts_it_says_where_the_description_is(
    window: Callable[..., Page], serve: Callable[..., str]
) -> None:
    page = window(java_script_enabled=False)
    page.goto(f"{serve()}/docs")
    assert page.get_by_text("This list needs JavaScript").is_visible()
    assert page.get_by_role("link", name="/api/v1/openapi.json").is_visible()
