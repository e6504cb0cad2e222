"""The pictures of figures 1 to 3. Marks are told apart by shape first, colour second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.paper.scenes import Frame, SceneResult
from sureshot.lab.study.rows import needs
from sureshot.viz import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_errors", "draw_scene", "keep"]

INK, FAINT = "#1f2933", "#616e7c"

Mark = dict[str, Any]

#: The paper's three marks; hollow and nested, so that all three are seen when they fall on one alternative.
STAR: Mark = {"marker": "*", "s": 95, "facecolor": "white", "edgecolor": "black", "linewidth": 1.1}
SQUARE: Mark = {"marker": "s", "s": 130, "facecolor": "none", "edgecolor": "#d3212c", "linewidth": 2.0}
CIRCLE: Mark = {"marker": "o", "s": 330, "facecolor": "none", "edgecolor": "#f06ba8", "linewidth": 2.4}
#: Tried before, with a success and with a failure.
TRIED: Mark = {"s": 75, "facecolor": "black", "edgecolor": "white", "linewidth": 0.6}
WON, LOST = TRIED | {"marker": "P"}, TRIED | {"marker": "X"}

#: matplotlib's settings while a figure is drawn or kept; nobody else's figures are changed.
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": FAINT,
    "axes.edgecolor": "#cbd2d9",
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "svg.hashsalt": "sureshot",  # the same figure, the same file
}


@contextmanager
def inked() -> Iterator[None]:
    """Draw in the house's letters and colours; ``@inked()`` on a function that draws."""
    with needs("matplotlib").rc_context(STYLE):
        yield


@inked()
def draw_scene(result: SceneResult) -> Figure:
    """Figure 1 or 2: a panel for each trial, every alternative coloured and sized by its KG value on its own scale."""
    scene, frames, solid = result.scene, result.frames, result.scene.d == 3
    side, head, foot, under = 2.9, 0.5, 0.72, 0.7  # inches: a panel, the title above all, the legend, a colour bar
    gap, above = (0.12, 0.2) if solid else (0.5, 0.3)
    across = min(len(frames), 5 if solid else 4)
    step = above + side + under + 0.15
    wide, tall = across * (side + gap) + 0.2, head + foot + -(-len(frames) // across) * step
    title = f"Figure {scene.figure}: the knowledge gradient at trials 1 to {scene.trials} ({scene.title})"
    figure = _figure(wide, tall, title)
    _legend(figure, y=0.36 / tall, columns=5 if solid else 3)
    for at, one in enumerate(frames):
        left = (gap + (side + gap) * (at % across)) / wide
        base = tall - head - (at // across) * step - above - side
        axes = figure.add_axes((left, base / tall, side / wide, side / tall), projection="3d" if solid else None)
        cloud = _snapshot(axes, result, one, frames[:at])
        low = base - (0.2 if solid else 0.5)
        _bar(figure.add_axes((left + 0.2 * side / wide, low / tall, 0.6 * side / wide, 0.08 / tall)), cloud)
    return figure


@inked()
def draw_errors(results: Sequence[SceneResult]) -> Figure:
    """Figure 3: how far the predicted probability of each alternative is from the true one, on one scale."""
    side, head, foot, gap = 3.9, 1.0, 0.65, 0.85  # inches
    wide, tall = len(results) * (side + gap) + 0.9, head + side + foot
    figure = _figure(wide, tall, "Figure 3: absolute error of the predicted success probability")
    top = 100 * max(float(one.error.max()) for one in results)
    for at, one in enumerate(results):
        solid, left = one.scene.d == 3, (0.6 + at * (side + gap)) / wide
        axes = figure.add_axes((left, foot / tall, side / wide, side / tall), projection="3d" if solid else None)
        sizes = 12 + 70 * (100 * one.error) / top
        cloud = _cloud(axes, one.points, one.error, sizes, cmap="magma_r", vmin=0, vmax=top, linewidth=0.4)
        _mark(axes, one.points[one.best], STAR | {"s": 190})
        axes.set_title(f"{one.scene.title}, after {one.scene.error_after} trials", fontsize=10, pad=0 if solid else 8)
        _frame(axes, one.scene.d, labelpad=-8 if solid else 0)
        words = f"at the true best (star): {100 * one.error[one.best]:.1f}; mean of all: {100 * one.error.mean():.1f}"
        middle = axes.get_position()
        figure.text(middle.x0 + middle.width / 2, 0.16 / tall, words, ha="center", color=FAINT)
    bar = figure.colorbar(cloud, cax=figure.add_axes((1 - 0.95 / wide, foot / tall, 0.12 / wide, side / tall)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, colors=FAINT)
    bar.set_label("|predicted - true|, points of probability")
    return figure


def keep(figure: Figure, folder: Path, name: str) -> tuple[Path, Path]:
    """The figure as ``name.png`` and ``name.svg``, without a date in them: the same figure is the same file."""
    with inked():
        return save(figure, folder / f"{name}.png"), save(figure, folder / f"{name}.svg")


def _figure(width: float, height: float, title: str) -> Figure:
    """A white figure with nothing but a title, in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="white")
    figure.text(0.15 / width, 1 - 0.3 / height, title, ha="left", va="center", fontsize=12, fontweight="bold")
    return figure


def _legend(figure: Figure, *, y: float, columns: int) -> None:
    """What the marks mean."""
    from matplotlib.lines import Line2D

    marks = {
        "true best alternative": STAR,
        "alternative to be tried: the largest KG value": SQUARE,
        "implementation decision if the budget ends with this trial": CIRCLE,
        "tried before: success": WON | {"s": 130},
        "tried before: failure": LOST | {"s": 130},
    }
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=style["marker"],
            markersize=0.72 * style["s"] ** 0.5,
            markerfacecolor=style["facecolor"],
            markeredgecolor=style["edgecolor"],
            markeredgewidth=style["linewidth"],
            label=words,
        )
        for words, style in marks.items()
    ]
    figure.legend(
        handles=handles, loc="center", bbox_to_anchor=(0.5, y), ncols=columns, frameon=False, handletextpad=0.4
    )


def _snapshot(axes: Any, result: SceneResult, now: Frame, before: Sequence[Frame]) -> Any:
    values, points, solid = now.values, result.points, result.scene.d == 3
    share = (values - values.min()) / (float(np.ptp(values)) or 1.0)
    # thousands of points in space: the SVG stays small
    cloud = _cloud(axes, points, values, 4 + 58 * share**2, cmap="viridis_r", linewidth=0.3, rasterized=solid)
    for one in before:
        _mark(axes, points[one.pick], WON if one.outcome else LOST, zorder=4)
    for style, row in ((CIRCLE, now.decision), (SQUARE, now.pick), (STAR, result.best)):
        _mark(axes, points[row], style)
    axes.set_title(f"trial {now.n}", fontsize=10, pad=-2 if solid else 6)
    _frame(axes, result.scene.d, labelpad=-9 if solid else 0)
    return cloud


def _cloud(axes: Any, points: Array, values: Array, sizes: Array, **more: Any) -> Any:
    """Every alternative, the largest value on top. In both maps of colours dark is much, for colour-blind eyes too."""
    order = np.argsort(values)
    if points.shape[1] == 3:
        more |= {"depthshade": False}
    return axes.scatter(*points[order].T, c=100 * values[order], s=sizes[order], edgecolor="#9aa5b1", zorder=2, **more)


def _mark(axes: Any, point: Array, style: Mark, zorder: int = 5) -> None:
    flat = {"depthshade": False} if len(point) == 3 else {}
    axes.scatter(*point, **style, zorder=zorder, clip_on=False, **flat)


def _frame(axes: Any, d: int, *, labelpad: float) -> None:
    """Axes round the region of the alternatives, [-3, 3] in each of two or three coordinates."""
    for at, name in enumerate("xyz"[:d], start=1):
        getattr(axes, f"set_{name}lim")(-3.15, 3.15)
        getattr(axes, f"set_{name}ticks")([-3, 0, 3])
        getattr(axes, f"set_{name}label")(f"$x_{at}$", labelpad=labelpad)
    axes.tick_params(length=0)
    if d == 2:
        return
    axes.computed_zorder = False  # marks stay on top of points that lie in front of them
    axes.tick_params(pad=-3, labelsize=7)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.pane.set_facecolor("#f5f7fa")
        axis.pane.set_edgecolor("#cbd2d9")
    axes.grid(False)
    axes.view_init(elev=22, azim=-58)
    axes.set_box_aspect((1, 1, 1), zoom=1.02)
    axes.patch.set_alpha(0.0)  # neighbours hide none of its labels


def _bar(axes: Any, cloud: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    bar = axes.figure.colorbar(cloud, cax=axes, orientation="horizontal", ticks=MaxNLocator(4))
    bar.outline.set_visible(False)
    axes.tick_params(length=0, labelsize=7, colors=FAINT, pad=2)
    bar.set_label("KG value, points of probability", fontsize=7, labelpad=1)
