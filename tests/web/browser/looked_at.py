"""What is looked for on every page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

__all__ = ["serious_findings", "width_of"]


def serious_findings(page: Page) -> list[tuple[str, str, list[str]]]:
    """What axe calls serious or worse, in light and in dark: the scheme, the rule, and where."""
    serious = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found: list[dict[str, Any]] = Axe().run(page).response["violations"]
        serious += [
            (scheme, one["id"], [node["html"][:200] for node in one["nodes"]][:3])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
    return serious


def width_of(page: Page) -> int:
    """How many pixels wide it is: more than its window where something has to be pushed aside to be read."""
    return int(page.evaluate("() => document.documentElement.scrollWidth"))
