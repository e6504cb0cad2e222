"""Pen and paper of the figures: marks, colours and how a figure is kept. Told apart by shape first, colour second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import StorageError
from sureshot.lab.study.rows import needs
from sureshot.viz import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["CIRCLE", "FAINT", "SQUARE", "STAR", "frame", "inked", "keep", "legend", "new_figure"]

INK, FAINT = "#1f2933", "#616e7c"

Mark = dict[str, Any]

#: The paper's three marks; hollow and nested, so that all three are seen when they fall on one alternative.
STAR: Mark = {"marker": "*", "s": 95, "facecolor": "white", "edgecolor": "black", "linewidth": 1.1}
SQUARE: Mark = {"marker": "s", "s": 130, "facecolor": "none", "edgecolor": "#d3212c", "linewidth": 2.0}
CIRCLE: Mark = {"marker": "o", "s": 330, "facecolor": "none", "edgecolor": "#f06ba8", "linewidth": 2.4}

WORDS = (
    (STAR, "true best alternative"),
    (SQUARE, "alternative to be tried: the largest KG value"),
    (CIRCLE, "implementation decision if the budget ends with this trial"),
)


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


def new_figure(width: float, height: float, title: str) -> Figure:
    """A white figure with nothing but a title, in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="white")
    figure.text(0.15 / width, 1 - 0.3 / height, title, ha="left", va="center", fontsize=12, fontweight="bold")
    return figure


def legend(figure: Figure, *, y: float, columns: int) -> None:
    """What the marks mean."""
    from matplotlib.lines import Line2D

    tried = {"facecolor": "black", "edgecolor": "white", "linewidth": 0.6, "s": 130}
    marks = [
        *WORDS,
        ({"marker": "P", **tried}, "tried before: success"),
        ({"marker": "X", **tried}, "tried before: failure"),
    ]
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
        for style, words in marks
    ]
    figure.legend(
        handles=handles, loc="center", bbox_to_anchor=(0.5, y), ncols=columns, frameon=False, handletextpad=0.4
    )


def frame(axes: Any, d: int, *, labelpad: float) -> None:
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


def keep(figure: Figure, folder: Path, name: str) -> tuple[Path, Path]:
    """The figure as ``name.png`` and ``name.svg``, without a date in them: the same figure is the same file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with inked():
            return save(figure, folder / f"{name}.png"), save(figure, folder / f"{name}.svg")
    except OSError as error:
        reason = error.strerror or error
        raise StorageError(f"{folder} can't be written ({reason}): choose another folder with --out.") from error
