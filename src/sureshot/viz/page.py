"""A page that stands by itself: words, tables and pictures in one HTML file that opens offline and prints well.

All text is escaped; Plotly's JavaScript is in it once; and the page itself forbids the browser to ask any server for
anything (its Content-Security-Policy).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from sureshot.viz.libraries import needs

__all__ = ["Interval", "Page", "Part", "Table", "page_html", "picture_page"]

#: What a browser may load for the page: nothing that is not in it.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)
#: Of each picture: no logo that leads elsewhere, and as wide as the page.
_CONFIG = {"displaylogo": False, "responsive": True, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A cell that shows a chance with its interval as a thin bar from 0 to 100 %."""

    chance: float
    low: float
    high: float
    words: str  # the same for who can't see it

    @property
    def left(self) -> float:
        """Where the bar begins, in percent."""
        return round(100.0 * self.low, 2)

    @property
    def width(self) -> float:
        """How wide it is, in percent."""
        return round(100.0 * (self.high - self.low), 2)

    @property
    def middle(self) -> float:
        """Where the dot stands, in percent."""
        return round(100.0 * self.chance, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells below the names of columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | Interval, ...], ...]
    numbers: tuple[int, ...] = ()  # columns that are written to the right


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a page, in the order of what it may hold."""

    heading: str = ""
    text: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()  # what matters less
    facts: tuple[tuple[str, str], ...] = ()
    table: Table | None = None
    figures: tuple[Any, ...] = ()  # Plotly's


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole page: cautions first, then the one sentence that counts, then all else."""

    title: str  # of the window
    heading: str = ""
    cautions: tuple[str, ...] = ()
    lead: str = ""
    parts: Sequence[Part] = ()


def page_html(page: Page) -> str:
    """The page as HTML."""
    jinja2 = needs("jinja2")
    template = files("sureshot.viz").joinpath("page.html").read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    number, parts = 0, []
    for part in page.parts:
        drawn = []
        for figure in part.figures:
            number += 1
            drawn.append(
                figure.to_html(full_html=False, include_plotlyjs=False, config=_CONFIG, div_id=f"picture-{number}")
            )
        shown = {key: getattr(part, key) for key in ("heading", "text", "quiet", "facts", "table")}
        parts.append({**shown, "drawn": drawn})
    scripts = needs("plotly.offline").get_plotlyjs() if number else ""
    found: str = environment.from_string(template).render(page=page, parts=parts, scripts=scripts, policy=POLICY)
    return found


def picture_page(figure: Any) -> str:
    """A page with nothing but one picture."""
    words = (figure.layout.title.text or "").partition("<br>")[0]
    plain = needs("markupsafe").Markup(words).striptags() or "sureshot"
    return page_html(Page(title=plain, parts=(Part(figures=(figure,)),)))
