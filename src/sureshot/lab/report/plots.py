"""Pictures of a study: opportunity cost against trials, a panel for each world; differences to a reference.

Colours are those that colour-blind eyes tell apart (Okabe & Ito 2008), and lines differ by dashes and marks too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import InvalidInput
from sureshot.lab.report.comparisons import difference_intervals
from sureshot.lab.report.panels import MEASURES, ContenderName, find_contender, labels, who_played
from sureshot.lab.report.statistics import means, runs_of
from sureshot.lab.study.rows import needs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["cost_figure", "difference_figure", "save"]

#: Okabe and Ito's colours without yellow, which is too light for a line.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<")
INK, FAINT = "#1f2933", "#52606d"
RESAMPLES = 1999  # a band is read by eye: fewer resamples than for a table will do
SIZES = {1: (6.6, 4.0), 2: (4.8, 3.2)}  # inches of a panel when there are so many side by side
KEPT = (".pdf", ".png", ".svg")


def cost_figure(rows: Any, value: str = "oc", *, log: bool = False, seed: int = 0) -> Figure:
    """Mean curves with 95 % bands, a panel for each world, as in the paper's Figure 4."""
    table = means(rows, value, resamples=RESAMPLES, seed=seed)
    styles = _styles(who_played(rows))
    figure, axes = _grid(list(dict.fromkeys(table["world"])))
    for world, axis in axes.items():
        own = table[table["world"] == world]
        _draw(axis, own, "mean", styles)
        if log:
            _log_scale(axis, own)
        else:
            axis.set_ylim(bottom=min(0.0, own["low"].min()))
    words = MEASURES[value].words
    return _finish(figure, styles, words if value == "found_best" else f"mean {words}", table)


def difference_figure(rows: Any, reference: str, value: str = "oc", *, seed: int = 0) -> Figure:
    """Paired differences to the reference with 95 % bands, a panel for each world. Bands are not Holm-corrected."""
    everyone = who_played(rows)
    base = find_contender(reference, everyone)
    table = difference_intervals(rows, base, value, resamples=RESAMPLES, seed=seed)
    styles = _styles(everyone)
    name = styles.pop(base)["label"]
    figure, axes = _grid(list(dict.fromkeys(table["world"])))
    for world, axis in axes.items():
        axis.axhline(0.0, color=INK, linewidth=1.0, zorder=2)
        _draw(axis, table[table["world"] == world], "difference", styles)
    side = "above" if MEASURES[value].more_is_better else "below"
    hint = f"\n{side} 0: better than {name}"
    return _finish(figure, styles, f"{MEASURES[value].words}, minus that of {name}", table, hint)


def picture_path(path: str | Path) -> Path:
    """Where a picture is to go; refused if it can't."""
    to = Path(path)
    if to.suffix.lower() not in KEPT:
        raise InvalidInput(f"a picture must end in {', '.join(KEPT)}, got {to.name!r}.")
    if not to.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(to.parent)!r} to put {to.name!r} in: make it first.")
    return to


def save(figure: Figure, path: str | Path) -> Path:
    """Keep a figure as PNG, SVG or PDF, by the ending of its name."""
    to = picture_path(path)
    dated = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    figure.savefig(to, dpi=150, metadata=dated[to.suffix.lower()])  # the same figure, the same file
    return to


def _styles(everyone: Sequence[ContenderName]) -> dict[ContenderName, dict[str, Any]]:
    """How each contender is drawn: up to 7 colours, then the same colours with other dashes, and a mark of its own."""
    return {
        one: {
            "label": label,
            "color": COLOURS[i % len(COLOURS)],
            "linestyle": DASHES[(i // len(COLOURS)) % len(DASHES)],
            "marker": MARKS[i % len(MARKS)],
        }
        for i, (one, label) in enumerate(labels(everyone).items())
    }


def _grid(worlds: Sequence[str]) -> tuple[Figure, dict[str, Axes]]:
    """An empty panel for each world, with its name."""
    needs("matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    across = min(3, len(worlds))
    down = ceil(len(worlds) / across)
    width, height = SIZES.get(across, (3.7, 2.7))
    figure = Figure(figsize=(width * across + 0.4, height * down + 0.9), facecolor="white", layout="constrained")
    axes = {}
    for i, world in enumerate(worlds):
        axis = figure.add_subplot(down, across, i + 1)
        axis.set_title(world, fontsize=11, color=INK, loc="left")
        axis.tick_params(labelsize=9.5, colors=FAINT)
        axis.set_axisbelow(True)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        axis.grid(axis="y", color="#e4e7eb", linewidth=0.8)
        for name, spine in axis.spines.items():
            spine.set_visible(name in ("left", "bottom"))
            spine.set_color("#9aa5b1")
        axes[world] = axis
    return figure, axes


def _draw(axis: Axes, table: Any, number: str, styles: Mapping[ContenderName, Mapping[str, Any]]) -> None:
    for i, (one, style) in enumerate(styles.items()):
        own = table[(table["policy"] == one.policy) & (table["belief"] == one.belief)]
        if not len(own):
            continue
        n = own["n"].to_numpy(dtype=float)
        every = max(1, len(n) // 6)
        axis.fill_between(n, own["low"], own["high"], color=style["color"], alpha=0.13, linewidth=0)
        marks = (i * every // max(len(styles), 1), every)  # lines are marked at different places
        axis.plot(n, own[number], **style, linewidth=1.7, markersize=4.5, markevery=marks, zorder=3)
    axis.set_xlim(table["n"].min(), table["n"].max() + 0.4)


def _finish(
    figure: Figure,
    styles: Mapping[ContenderName, Mapping[str, Any]],
    words: str,
    table: Any,
    hint: str = "",
) -> Figure:
    from matplotlib.lines import Line2D

    figure.supylabel(words, fontsize=11, color=INK)
    figure.supxlabel(f"trials n   ({runs_of(table)} runs, bands: 95 % intervals){hint}", fontsize=11, color=INK)
    lines = [Line2D([], [], **style, linewidth=1.7, markersize=5.5) for style in styles.values()]
    fitting = max(1, int(figure.get_figwidth() / (0.75 + 0.085 * max(len(one["label"]) for one in styles.values()))))
    figure.legend(handles=lines, loc="outside upper center", ncols=min(fitting, len(lines)), frameon=False, fontsize=10)
    return figure


def _log_scale(axis: Axes, table: Any) -> None:
    """A log scale with plain numbers on it; a mean of 0 has no place there and falls off the lower edge."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_yscale("log")
    positive = table[table["mean"] > 0]
    if len(positive):
        axis.set_ylim(0.7 * float(positive["mean"].min()), 1.2 * float(positive["high"].max()))
    axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_locator(NullLocator())
