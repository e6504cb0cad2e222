"""How every matplotlib figure looks: dark ink on white paper, few lines, and a picture of itself in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from sureshot.viz.palette import FAILURE, FAINT, GRID, INK, PAPER, SCALE, SUCCESS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "Picture", "heading", "mark", "panels", "percents", "plain", "scatter"]

#: The colours from low to high.
COLOURS = LinearSegmentedColormap.from_list("sureshot", list(SCALE))
#: Inches of a panel when so many stand side by side.
SIZES = {1: (6.6, 4.0), 2: (4.8, 3.2)}
_MARKS: dict[str, dict[str, Any]] = {
    "best": {"marker": "*", "markerfacecolor": PAPER, "markeredgecolor": INK, "markeredgewidth": 1.4},
    "next": {"marker": "s", "markerfacecolor": PAPER, "markeredgecolor": INK, "markeredgewidth": 1.5},
    "worked": {"marker": "o", "markerfacecolor": SUCCESS, "markeredgecolor": PAPER, "markeredgewidth": 1.0},
    "failed": {"marker": "o", "markerfacecolor": PAPER, "markeredgecolor": FAILURE, "markeredgewidth": 1.9},
    "both": {"marker": "o", "markerfacecolor": SUCCESS, "markerfacecoloralt": PAPER, "markeredgecolor": FAILURE}
    | {"markeredgewidth": 1.4, "fillstyle": "left"},
}


class Picture(Figure):
    """A figure that a notebook shows without further ado."""

    def _repr_png_(self) -> bytes:
        kept = BytesIO()
        self.savefig(kept, format="png", dpi=110)
        return kept.getvalue()


def panels(
    names: Sequence[str], *, columns: int, size: tuple[float, float] | None = None
) -> tuple[Picture, list[Axes]]:
    """A figure with an empty panel for each name."""
    across = min(columns, len(names))
    down = ceil(len(names) / across)
    width, height = size or SIZES.get(across, (3.7, 2.7))
    figure = Picture(figsize=(width * across + 0.4, height * down + 0.9), facecolor=PAPER, layout="constrained")
    found = []
    for i, name in enumerate(names):
        axis = figure.add_subplot(down, across, i + 1)
        axis.set_title(plain(name), fontsize=11, color=INK, loc="left")
        axis.tick_params(labelsize=9.5, colors=FAINT)
        axis.set_axisbelow(True)
        axis.grid(axis="y", color=GRID, linewidth=0.8)
        for side, spine in axis.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color("#9aa5b1")
        found.append(axis)
    return figure, found


def heading(
    figure: Figure, words: str, note: str, kinds: Iterable[str] = (), names: Mapping[str, str] | None = None
) -> None:
    """A bold heading over all panels; below them a quiet note in lines that fit the width, and what each kind of mark
    means, in the order of the names.
    """
    width = figure.get_figwidth()
    head = "\n".join(map(plain, wrap(words, max(30, int(width * 9.5)))))
    if head:
        figure.suptitle(head, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK)
    lines = [line for part in note.split("\n") for line in wrap(part, max(40, int(width * 13.5)))]
    below, shown = "\n".join(map(plain, lines)), set(kinds)
    marks = [Line2D([], [], **mark(k, 8), label=plain(name)) for k, name in (names or {}).items() if k in shown]
    if marks:  # the note stands above them
        style: dict[str, Any] = {"loc": "outside lower left", "frameon": False, "fontsize": 9.5, "alignment": "left"}
        fitting = max(1, int(width / (0.6 + 0.085 * max(len(str(one.get_label())) for one in marks))))
        made = figure.legend(handles=marks, ncols=min(fitting, len(marks)), title=below, title_fontsize=9.5, **style)
        made.get_title().set_color(FAINT)
    elif below:
        figure.supxlabel(below, x=0.01, ha="left", fontsize=9.5, color=FAINT)


def percents(axis: Axes, words: str = "") -> None:
    """A vertical axis of chances."""
    axis.set_ylim(-0.06, 1.06)
    axis.set_yticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    if words:
        axis.set_ylabel(plain(words), fontsize=10, color=INK)


def mark(kind: str, size: float) -> dict[str, Any]:
    """How a mark of that kind is drawn."""
    return {**_MARKS[kind], "markersize": size * (1.6 if kind == "best" else 1.0), "linestyle": "none"}


def scatter(axis: Axes, x: float, y: float, kind: str, size: float, *, faint: bool = False) -> None:
    """One mark."""
    axis.plot([x], [y], **mark(kind, size), alpha=0.55 if faint else 1.0, zorder=5)


def plain(words: str) -> str:
    r"""Words that matplotlib shows as they are: a dollar sign begins no formula.

    >>> plain("5 $ to 7 $")
    '5 \\$ to 7 \\$'
    """
    return words.replace("$", r"\$")
