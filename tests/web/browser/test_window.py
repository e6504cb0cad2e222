"""The first page in a real browser: it comes, it is styled, it asks nobody else."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page


def test_the_first_page_is_shown(window: Callable[..., Page], serve: Callable[..., str]) -> None:
    page = window()
    answer = page.goto(serve())
    assert answer is not None
    assert answer.status == 200
    assert page.get_by_role("heading", name="Campaigns").is_visible()
