"""A number over two parameters: the chance of success as cells, what a trial would teach as dots of its size.

On a grid both axes go from level to level, numbers and names alike, evenly spaced; a table of candidates is drawn where
its numbers lie. What was tried, what is running and what to choose are marked on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.viz.libraries import needs
from sureshot.viz.palette import GRID

__all__ = ["Axis", "Field", "Mark", "matplotlib", "plotly"]

#: Ticks with names on an axis, at most.
TICKS = 14
#: Marks from below to above: each is seen round the one on it where they fall on one setting.
ORDER = ("next", "best", "both", "failed", "worked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One of the two parameters."""

    name: str  # with its unit
    levels: tuple[str, ...] = ()  # at 0, 1, 2, ...; none: the positions are numbers themselves

    def ticks(self) -> tuple[list[int], list[str]]:
        """Where levels are written, and how; not all where there are very many."""
        step = -(-len(self.levels) // TICKS)
        at = list(range(0, len(self.levels), max(step, 1)))
        return at, [self.levels[i] for i in at]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A setting that is marked."""

    x: float
    y: float
    kind: Literal["best", "next", "worked", "failed", "both"]
    words: str  # of this setting, under the pointer
    faint: bool = False  # it was tried with other levels of the parameters that are not drawn


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Field:
    """What is drawn: a number for each of n settings."""

    title: str
    note: str  # what holds for all that is drawn
    x: Axis
    y: Axis
    at: Array  # (n, 2) positions on the axes
    number: Array  # (n,)
    words: tuple[str, ...]  # of each setting
    measure: Literal["chance", "value"]
    measure_words: str  # "chance of black"
    marks: tuple[Mark, ...]
    legend: dict[str, str]  # what each kind of mark means
    alternative: tuple[int, ...] = ()  # the row of each setting, by which a page knows it elsewhere

    @property
    def cells(self) -> bool:
        """Whether it is drawn as cells: chances on a grid."""
        return self.measure == "chance" and bool(self.x.levels) and bool(self.y.levels)

    def matrix(self) -> tuple[Array, NDArray[np.object_]]:
        """(rows, columns): the number of each cell, NaN where there is no such setting, and its words."""
        shape = len(self.y.levels), len(self.x.levels)
        numbers, words = np.full(shape, np.nan), np.full(shape, "", dtype=object)
        column, row = self.at.astype(np.intp).T
        numbers[row, column] = self.number
        words[row, column] = np.array(self.words, dtype=object)
        return numbers, words

    def sizes(self, low: float, high: float) -> Array:
        """Dots by their number, in pixels or points; all alike for chances."""
        top = float(self.number.max()) if len(self.number) else 0.0
        if self.measure == "chance" or top <= 0.0:
            return np.full(len(self.number), (low + high) / 2)
        return np.asarray(low + (high - low) * np.clip(self.number / top, 0.0, 1.0))


def plotly(field: Field) -> Any:
    """With Plotly."""
    from sureshot.viz import with_plotly as look

    graph = needs("plotly.graph_objects")
    figure = look.figure(field.title, field.note, height=520)
    figure.update_layout(margin={"r": 90})
    bar = {"title": {"text": ""}, "thickness": 14, "outlinewidth": 0}
    if field.measure == "chance":
        bar |= look.PERCENT
        ends = {"zmin": 0.0, "zmax": 1.0}
    else:
        top = max(float(field.number.max()), 1e-12)
        bar |= {"tickvals": [0.0, top / 2, top], "ticktext": [f"{100 * v:.2g}" for v in (0.0, top / 2, top)]}
        bar["title"] = {"text": "points"}
        ends = {"zmin": 0.0, "zmax": top}
    if field.cells:
        numbers, words = field.matrix()
        hover: Any = [[look.text(one) for one in row] for row in words]
        shown = graph.Heatmap(z=numbers, text=hover, hovertemplate="%{text}<extra></extra>", hoverongaps=False, **ends)
        figure.add_trace(shown.update(colorscale=look.scale(), colorbar=bar, xgap=1, ygap=1, showlegend=False))
        if field.alternative:
            which = [[None] * len(field.x.levels) for _ in field.y.levels]
            for (column, row), one in zip(field.at.astype(int).tolist(), field.alternative, strict=True):
                which[row][column] = one
            figure.update_traces(customdata=which)
    else:
        marker = {
            "color": field.number,
            "cmin": ends["zmin"],
            "cmax": ends["zmax"],
            "colorscale": look.scale(),
            "colorbar": bar,
            "size": field.sizes(5, 22),
            "line": {"color": "rgba(128, 128, 128, 0.6)", "width": 0.7},
        }
        dots = graph.Scatter(x=field.at[:, 0], y=field.at[:, 1], mode="markers", marker=marker, showlegend=False)
        hover, name = [look.text(one) for one in field.words], look.text(field.measure_words)
        figure.add_trace(dots.update(text=hover, hovertemplate="%{text}<extra></extra>", name=name))
        if field.alternative:
            figure.update_traces(customdata=field.alternative)
    for kind in ORDER:
        for faint in (True, False):
            own = [one for one in field.marks if one.kind == kind and one.faint == faint]
            if own:
                size = {"next": 24, "best": 23}.get(kind, 11) * (0.7 if faint else 1.0)
                figure.add_trace(
                    graph.Scatter(
                        x=[one.x for one in own],
                        y=[one.y for one in own],
                        mode="markers",
                        marker=look.mark(kind, size),
                        opacity=0.6 if faint else 1.0,
                        text=[look.text(one.words) for one in own],
                        hovertemplate="%{text}<extra></extra>",
                        name=look.text(field.legend[kind]),
                        showlegend=False,
                    )
                )
    figure.add_traces(look.marks_legend({one.kind for one in field.marks}, field.legend))
    for axis, update in ((field.x, figure.update_xaxes), (field.y, figure.update_yaxes)):
        update(title={"text": look.text(axis.name)}, showgrid=not field.cells)
        if axis.levels:
            at, names = axis.ticks()
            update(tickvals=at, ticktext=list(map(look.text, names)), range=[-0.6, len(axis.levels) - 0.4])
    return figure


def matplotlib(field: Field) -> Any:
    """With matplotlib."""
    needs("matplotlib")
    from sureshot.viz import with_matplotlib as look

    figure, (axis,) = look.panels([""], columns=1, size=(6.6, 4.6))
    top = 1.0 if field.measure == "chance" else max(float(field.number.max()), 1e-12)
    if field.cells:
        numbers, _ = field.matrix()
        shown: Any = axis.imshow(numbers, origin="lower", aspect="auto", cmap=look.COLOURS, vmin=0.0, vmax=top)
    else:
        x, y = field.at.T
        style: dict[str, Any] = {
            "cmap": look.COLOURS,
            "vmin": 0.0,
            "vmax": top,
            "edgecolor": "#9aa5b1",
            "linewidth": 0.5,
        }
        shown = axis.scatter(x, y, c=field.number, s=field.sizes(4, 18) ** 2, zorder=3, **style)
    if field.cells:
        axis.grid(False)
    else:
        axis.grid(True, axis="both", color=GRID, linewidth=0.8)
    bar = figure.colorbar(shown, ax=axis, fraction=0.045, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9.5)
    if field.measure == "chance":
        bar.set_ticks([0.0, 0.25, 0.5, 0.75, 1.0], labels=["0 %", "25 %", "50 %", "75 %", "100 %"])
    else:
        bar.set_ticks([0.0, top / 2, top], labels=[f"{100 * v:.2g}" for v in (0.0, top / 2, top)])
        bar.ax.set_title("points", fontsize=9)
    for one in sorted(field.marks, key=lambda one: (ORDER.index(one.kind), not one.faint)):
        size = {"next": 17.0, "best": 11.5}.get(one.kind, 8.0) * (0.7 if one.faint else 1.0)
        look.scatter(axis, one.x, one.y, one.kind, size, faint=one.faint)
    for given, put, name, limit in (
        (field.x, axis.set_xticks, axis.set_xlabel, axis.set_xlim),
        (field.y, axis.set_yticks, axis.set_ylabel, axis.set_ylim),
    ):
        name(look.plain(given.name), fontsize=10.5)
        if given.levels:
            at, names = given.ticks()
            put(at, list(map(look.plain, names)))
            limit(-0.6, len(given.levels) - 0.4)
    look.heading(figure, field.title, field.note, {one.kind for one in field.marks}, field.legend)
    return figure
