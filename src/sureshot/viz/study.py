"""Curves of a study: a panel for each world, a line with its band for each contender.

Lines differ by colour, by dashes and by marks, each of which has a look of its own in every picture of the study.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sureshot.viz.libraries import needs
from sureshot.viz.palette import COLOURS, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MARKS", "Curves", "Line", "World", "log_scale", "matplotlib", "plotly"]

DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<")
_PLOTLY_DASHES = ("solid", "dash", "dot", "dashdot")
_PLOTLY_MARKS = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x", "triangle-left")
#: Of a log axis: bands are followed down to this share of the smallest mean, and reach the edge below it.
BELOW = 0.1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Line:
    """One contender in one world, after each number of trials."""

    label: str
    n: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class World:
    """One panel."""

    name: str
    lines: tuple[Line, ...]

    def ends(self) -> tuple[float, float]:
        """Of the axis of trials, with room for the marks on the first and the last."""
        every = [n for line in self.lines for n in line.n]
        room = 0.3 + 0.015 * (max(every) - min(every))
        return min(every) - room, max(every) + room

    def log_ends(self) -> tuple[float, float] | None:
        """Of a log axis that holds every mean above 0 and, as far as they go, the bands; None: there is none."""
        means = [one for line in self.lines for one in line.mean if one > 0.0]
        if not means:
            return None
        lows = [one for line in self.lines for one in line.low if one > BELOW * min(means)]
        highs = [one for line in self.lines for one in line.high]
        return 0.7 * min([*means, *lows]), 1.2 * max(highs)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Curves:
    """What is drawn."""

    labels: tuple[str, ...]  # of all contenders, drawn or not: each keeps its look
    worlds: tuple[World, ...]
    y_words: str
    x_words: str
    hint: str = ""  # below them
    log: bool = False
    zero: bool = False  # a line at 0, and both sides of it

    def drawn(self) -> Iterator[tuple[int, str]]:
        """The contenders that are drawn, each with its place among all."""
        shown = {line.label for world in self.worlds for line in world.lines}
        return ((i, label) for i, label in enumerate(self.labels) if label in shown)


def matplotlib(curves: Curves) -> Any:
    """With matplotlib."""
    needs("matplotlib")
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    from sureshot.viz import with_matplotlib as look

    figure, axes = look.panels([world.name for world in curves.worlds], columns=3)
    styles = {label: _style(i) for i, label in curves.drawn()}
    for world, axis in zip(curves.worlds, axes, strict=True):
        axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        ends = world.log_ends() if curves.log else None
        if curves.zero:
            axis.axhline(0.0, color=INK, linewidth=1.0, zorder=2)
        for i, line in enumerate(world.lines):
            style = styles[line.label]
            every = max(1, len(line.n) // 6)
            floor = -np.inf if ends is None else ends[0]  # a band that goes below the axis reaches its edge
            axis.fill_between(
                line.n,
                np.maximum(line.low, floor),
                np.maximum(line.high, floor),
                color=style["color"],
                alpha=0.13,
                linewidth=0,
            )
            marks = (i * every // max(len(world.lines), 1), every)  # lines are marked at different places
            shape: dict[str, Any] = {"linewidth": 1.7, "markersize": 4.5, "markevery": marks}
            axis.plot(line.n, line.mean, **style, **shape, label=look.plain(line.label), zorder=3)
        axis.set_xlim(*world.ends())
        if curves.log:
            log_scale(axis, ends)
        elif not curves.zero:
            axis.set_ylim(bottom=min(0.0, *(one for line in world.lines for one in line.low)))
    figure.supylabel(look.plain(curves.y_words), fontsize=11, color=INK)
    hint = f"\n{curves.hint}" if curves.hint else ""
    figure.supxlabel(look.plain(f"{curves.x_words}{hint}"), fontsize=11, color=INK)
    handles = [
        Line2D([], [], **one, linewidth=1.7, markersize=5.5, label=look.plain(label)) for label, one in styles.items()
    ]
    fitting = max(1, int(figure.get_figwidth() / (0.75 + 0.085 * max(map(len, styles)))))
    columns = min(fitting, len(handles))
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, frameon=False, fontsize=10)
    return figure


def plotly(curves: Curves) -> Any:
    """With Plotly."""
    from sureshot.viz import with_plotly as look

    graph = needs("plotly.graph_objects")
    columns = min(3, len(curves.worlds))
    rows = -(-len(curves.worlds) // columns)
    words = curves.y_words[:1].upper() + curves.y_words[1:]
    note = f"{curves.x_words}. {curves.hint[:1].upper()}{curves.hint[1:]}" if curves.hint else curves.x_words
    names = [world.name for world in curves.worlds]
    figure = look.figure(words, note, panels=names, columns=columns, height=150 + 300 * rows)
    places = {label: i for i, label in curves.drawn()}
    for k, world in enumerate(curves.worlds):
        place = {"row": k // columns + 1, "col": k % columns + 1}
        ends = world.log_ends() if curves.log else None
        floor = -np.inf if ends is None else ends[0]
        for line in world.lines:
            i = places[line.label]
            colour = COLOURS[i % len(COLOURS)]
            low, high = (np.maximum(one, floor).tolist() for one in (line.low, line.high))
            group = {"legendgroup": line.label, "name": look.text(line.label)}
            band = {"x": [*line.n, *reversed(line.n)], "y": [*high, *reversed(low)], "fillcolor": _clear(colour)}
            figure.add_trace(
                graph.Scatter(**band, **group, fill="toself", mode="none", hoverinfo="skip", showlegend=False), **place
            )
            curve = graph.Scatter(x=list(line.n), y=list(line.mean), **group, showlegend=k == 0)
            figure.add_trace(
                curve.update(
                    mode="lines+markers",
                    line={"color": colour, "width": 2, "dash": _PLOTLY_DASHES[(i // len(COLOURS)) % 4]},
                    marker={"symbol": _PLOTLY_MARKS[i % len(_PLOTLY_MARKS)], "size": 5, "color": colour},
                    customdata=np.column_stack([line.low, line.high]),
                    hovertemplate="n = %{x}: %{y:.4g} (%{customdata[0]:.4g} to %{customdata[1]:.4g})",
                ),
                **place,
            )
        figure.update_xaxes(range=list(world.ends()), **place)
        if curves.log:
            span = None if ends is None else [float(np.log10(end)) for end in ends]
            at = _ticks(ends) if ends is not None else None
            written = None if at is None else [f"{one:g}" for one in at]
            figure.update_yaxes(type="log", range=span, tickvals=at, ticktext=written, **place)
        elif not curves.zero:
            figure.update_yaxes(rangemode="tozero", **place)
        else:
            figure.update_yaxes(zeroline=True, zerolinecolor=FAINT, zerolinewidth=1.2, **place)
    return figure


def _style(i: int) -> dict[str, Any]:
    """Up to 7 colours, then the same colours with other dashes, and a mark of its own."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "linestyle": DASHES[(i // len(COLOURS)) % len(DASHES)],
        "marker": MARKS[i % len(MARKS)],
    }


def _clear(colour: str) -> str:
    """A colour to see through.

    >>> _clear("#0072B2")
    'rgba(0, 114, 178, 0.13)'
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.13)"


def _ticks(ends: tuple[float, float]) -> list[float]:
    """Ticks 1, 2, 5, 10, ... of a log axis; of many, whole decades only.

    >>> _ticks((0.03, 0.6))
    [0.05, 0.1, 0.2, 0.5]
    """
    low, high = (int(np.floor(np.log10(end))) for end in ends)
    leads = (1, 2, 5) if high - low < 4 else (1,)
    every = [float(f"{lead}e{k}") for k in range(low, high + 1) for lead in leads]
    return [one for one in every if ends[0] <= one <= ends[1]]


def log_scale(axis: Axes, ends: tuple[float | None, float | None] | None) -> None:
    """A log scale with plain numbers on it; a mean of 0 has no place there and falls off the lower edge."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_yscale("log")
    if ends is not None:
        axis.set_ylim(*ends)
    axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_locator(NullLocator())
