"""Figures 1 and 2: what the knowledge gradient sees and does, trial by trial, on alternatives in 2 and 3 dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.paper.ink import CIRCLE, FAINT, SQUARE, STAR, frame, inked, legend, new_figure
from sureshot.lab.paper.replay import Frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_snapshots"]

COLOURS = "viridis_r"  # dark is much; even in lightness, and readable for colour-blind eyes
SMALLEST, LARGEST = 4.0, 62.0  # areas of the points
SIDE, HEAD, FOOT, BAR = 2.9, 0.5, 0.72, 0.7  # inches: a panel, the title above all, the legend below, a colour bar


@inked()
def draw_snapshots(points: Array, best: int, frames: Sequence[Frame], *, title: str) -> Figure:
    """One panel for each trial: every alternative coloured and sized by its KG value, each panel on its own scale."""
    solid = points.shape[1] == 3
    across = min(len(frames), 5 if solid else 4)
    down = -(-len(frames) // across)
    gap, above = (0.12, 0.2) if solid else (0.5, 0.3)
    wide = across * (SIDE + gap) + 0.2
    tall = HEAD + FOOT + down * (above + SIDE + BAR + 0.15)
    figure = new_figure(wide, tall, title)
    legend(figure, y=0.36 / tall, columns=5 if solid else 3)
    for at, one in enumerate(frames):
        left = (gap + (SIDE + gap) * (at % across)) / wide
        base = tall - HEAD - (at // across) * (above + SIDE + BAR + 0.15) - above - SIDE
        axes = figure.add_axes((left, base / tall, SIDE / wide, SIDE / tall), projection="3d" if solid else None)
        cloud = _panel(axes, points, best, one, frames[:at])
        under = base - (0.2 if solid else 0.5)
        _bar(figure.add_axes((left + 0.2 * SIDE / wide, under / tall, 0.6 * SIDE / wide, 0.08 / tall)), cloud)
    return figure


def _panel(axes: Any, points: Array, best: int, now: Frame, before: Sequence[Frame]) -> Any:
    values, solid = now.values, points.shape[1] == 3
    more: dict[str, Any] = {"depthshade": False} if solid else {}
    share = (values - values.min()) / (float(np.ptp(values)) or 1.0)
    order = np.argsort(values)  # the largest on top
    cloud = axes.scatter(
        *points[order].T,
        c=100 * values[order],
        s=(SMALLEST + (LARGEST - SMALLEST) * share**2)[order],
        cmap=COLOURS,
        linewidth=0.3,
        edgecolor="#9aa5b1",
        zorder=2,
        rasterized=solid,  # thousands of points: the SVG stays small
        **more,
    )
    more |= {"clip_on": False}
    for one in before:
        drawn = {"s": 75, "facecolor": "black", "edgecolor": "white", "linewidth": 0.6}
        axes.scatter(*points[one.pick], marker="P" if one.outcome else "X", zorder=4, **drawn, **more)
    for style, row in ((CIRCLE, now.decision), (SQUARE, now.pick), (STAR, best)):
        axes.scatter(*points[row], **style, zorder=5, **more)
    axes.set_title(f"trial {now.n}", fontsize=10, pad=-2 if solid else 6)
    frame(axes, points.shape[1], labelpad=-9 if solid else 0)
    return cloud


def _bar(axes: Any, cloud: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    bar = axes.figure.colorbar(cloud, cax=axes, orientation="horizontal", ticks=MaxNLocator(4))
    bar.outline.set_visible(False)
    axes.tick_params(length=0, labelsize=7, colors=FAINT, pad=2)
    bar.set_label("KG value, points of probability", fontsize=7, labelpad=1)
