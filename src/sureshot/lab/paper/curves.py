"""Figure 4: mean opportunity cost over the number of trials, a panel for each world, a curve for each policy."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from sureshot.lab.paper.setting import POLICIES
from sureshot.lab.report.plots import cost_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_curves", "in_the_papers_order"]


def draw_curves(rows: Any, titles: Mapping[str, str], *, value: str = "oc_plugin", seed: int = 0) -> Figure:
    """The panels in the order of ``titles`` (world to title), with a band of 95 % intervals round each mean."""
    return cost_figure(in_the_papers_order(rows, titles), value, seed=seed)


def in_the_papers_order(rows: Any, titles: Mapping[str, str]) -> Any:
    """Worlds by the letters and titles of their panels, policies as the paper lists them."""
    letters = {
        world: f"({letter}) {title}" for letter, (world, title) in zip(ascii_lowercase, titles.items(), strict=False)
    }
    places = {name: at for at, name in enumerate(POLICIES)}
    ordered = rows.assign(world=rows["world"].map(letters), place=rows["policy"].map(places))
    return ordered.sort_values(["world", "place", "run", "n"], ignore_index=True).drop(columns="place")
