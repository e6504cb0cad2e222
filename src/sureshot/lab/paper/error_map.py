"""Figure 3: how far the predicted success probability of each alternative is from the true one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sureshot.core.numerics.stable import Array
from sureshot.lab.paper.ink import FAINT, STAR, frame, inked, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ErrorMap", "draw_error_maps"]

COLOURS = "magma_r"  # dark is a large error
SIDE, HEAD, FOOT, GAP = 3.9, 1.0, 0.65, 0.85  # inches


@dataclass(frozen=True, eq=False)
class ErrorMap:
    """One map: the alternatives, the absolute error at each, and which is the true best."""

    title: str
    points: Array  # (M, d)
    error: Array  # (M,)
    best: int


@inked()
def draw_error_maps(maps: Sequence[ErrorMap], *, title: str) -> Figure:
    """The maps side by side, on one scale of colour and size."""
    wide, tall = len(maps) * (SIDE + GAP) + 0.9, HEAD + SIDE + FOOT
    figure = new_figure(wide, tall, title)
    top = 100 * max(float(one.error.max()) for one in maps)
    cloud: Any = None
    for at, one in enumerate(maps):
        solid = one.points.shape[1] == 3
        place = ((0.6 + at * (SIDE + GAP)) / wide, FOOT / tall, SIDE / wide, SIDE / tall)
        axes = figure.add_axes(place, projection="3d" if solid else None)
        cloud = _map(axes, one, top)
    bar = figure.colorbar(cloud, cax=figure.add_axes((1 - 0.95 / wide, FOOT / tall, 0.12 / wide, SIDE / tall)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, colors=FAINT)
    bar.set_label("|predicted - true|, points of probability")
    return figure


def _map(axes: Any, one: ErrorMap, top: float) -> Any:
    solid = one.points.shape[1] == 3
    more: dict[str, Any] = {"depthshade": False} if solid else {}
    order = one.error.argsort()
    error = 100 * one.error[order]
    cloud = axes.scatter(
        *one.points[order].T,
        c=error,
        s=12 + 70 * error / top,
        cmap=COLOURS,
        vmin=0,
        vmax=top,
        linewidth=0.4,
        edgecolor="#9aa5b1",
        zorder=2,
        **more,
    )
    axes.scatter(*one.points[one.best], **(STAR | {"s": 190}), zorder=5, clip_on=False, **more)
    axes.set_title(one.title, fontsize=10, pad=0 if solid else 8)
    frame(axes, one.points.shape[1], labelpad=-8 if solid else 0)
    words = f"at the true best (star): {100 * one.error[one.best]:.1f}; mean of all: {100 * one.error.mean():.1f}"
    place = axes.get_position()
    axes.figure.text(place.x0 + place.width / 2, 0.16 / axes.figure.get_figheight(), words, ha="center", color=FAINT)
    return cloud
