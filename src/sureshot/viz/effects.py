"""Chances over one parameter, or over several side by side, each a small curve with its band.

What was tried stands at the edges, at the level where it was tried: what worked at the top, what failed at the bottom,
larger where there were more tries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from textwrap import wrap
from typing import Any

import numpy as np

from sureshot.viz.libraries import needs
from sureshot.viz.palette import ACCENT

__all__ = ["Effects", "Panel", "matplotlib", "plotly"]

#: Panels side by side.
ACROSS = 3
#: Positive numbers whose last is so many times the first, and whose ratios are more even than their steps, are drawn
#: on a log scale.
WIDE = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One parameter."""

    name: str  # with its unit
    levels: tuple[float | str, ...]  # in order; names have places 0, 1, 2, ...
    chance: tuple[float, ...]
    low: tuple[float, ...]  # of the 95 % interval of each
    high: tuple[float, ...]
    tries: tuple[int, ...]  # at each level
    successes: tuple[int, ...]
    best: int | None = None  # which level is to be chosen
    words: str = ""  # what it says, below its name

    @property
    def numbers(self) -> bool:
        """Whether the levels are numbers."""
        return not any(isinstance(one, str) for one in self.levels)

    @property
    def at(self) -> list[float]:
        """Where each level stands."""
        return [one if self.numbers and not isinstance(one, str) else float(i) for i, one in enumerate(self.levels)]

    @property
    def log(self) -> bool:
        """Whether the levels stand on a log scale.

        >>> Panel(name="c", levels=(1.0, 10.0, 100.0), chance=(), low=(), high=(), tries=(), successes=()).log
        True
        """
        at = np.array(self.at)
        if not self.numbers or len(at) < 3 or at.min() <= 0.0 or at.max() < WIDE * at.min():
            return False
        steps, ratios = np.diff(at), np.diff(np.log(at))
        return bool(ratios.std() / ratios.mean() < steps.std() / steps.mean())

    def tried(self, won: bool) -> list[tuple[float, int, int]]:
        """Where something worked (or failed), how often, and of how many tries."""
        listed = zip(self.at, self.successes, self.tries, strict=True)
        found = [(at, one if won else tries - one, tries) for at, one, tries in listed]
        return [one for one in found if one[1]]

    def ends(self) -> tuple[float, float]:
        """Of the axis, with some room for marks on the first and last level."""
        low, high = min(self.at), max(self.at)
        if self.log:
            room = (high / low) ** 0.06
            return low / room, high * room
        room = 0.06 * (high - low) or 0.5
        return (low - 0.5, high + 0.5) if not self.numbers else (low - room, high + room)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What is drawn."""

    title: str
    note: str
    measure_words: str  # "chance of black"
    panels: tuple[Panel, ...]
    legend: dict[str, str]  # what each kind of mark means

    def wordless(self) -> Effects:
        """The same without the sentence of each panel, where these stand beside it."""
        return replace(self, panels=tuple(replace(one, words="") for one in self.panels))


def plotly(effects: Effects) -> Any:
    """With Plotly."""
    from sureshot.viz import with_plotly as look

    panels = effects.panels
    if not panels:
        return (
            look.figure(effects.title, effects.note, height=160).update_xaxes(visible=False).update_yaxes(visible=False)
        )
    columns = min(ACROSS, len(panels))
    rows = -(-len(panels) // columns)
    names = [one.name for one in panels] if len(panels) > 1 else []
    height = 480 if len(panels) < 2 else 200 + 280 * rows
    figure = look.figure(effects.title, effects.note, panels=names, columns=columns, height=height)
    figure.update_yaxes(range=[-0.08, 1.08], **look.PERCENT)
    for i, one in enumerate(panels):
        place: dict[str, int] = {} if len(panels) == 1 else {"row": i // columns + 1, "col": i % columns + 1}
        for trace in _traces(effects, one):
            figure.add_trace(trace, **place)
        low, high = one.ends()
        ends = [float(np.log10(low)), float(np.log10(high))] if one.log else [low, high]
        figure.update_xaxes(type="log" if one.log else "linear", range=ends, **place)
        if not one.numbers or len(one.levels) <= 6:
            shown = [look.text(_level(level)) for level in one.levels]
            figure.update_xaxes(tickvals=one.at, ticktext=shown, **place)
        if len(panels) == 1:
            figure.update_xaxes(title={"text": look.text(one.name)})
    if len(panels) > 1:
        for annotation, one in zip(figure.layout.annotations, panels, strict=True):
            below = "".join(f'<br><span style="font-size: 11px">{look.text(part)}</span>' for part in _lines(one))
            annotation.update(text=f"<b>{look.text(one.name)}</b>{below}", yanchor="bottom")
        figure.update_layout(margin={"t": figure.layout.margin.t + 30})
    for column in range(
        2, columns + 1
    ):  # the first has the scale of all, and in a narrow window there is no room for more
        figure.update_yaxes(showticklabels=False, col=column)
    figure.update_yaxes(title={"text": look.text(effects.measure_words)}, col=1 if len(panels) > 1 else None)
    figure.add_traces(look.marks_legend(_kinds(effects), effects.legend))
    return figure


def _traces(effects: Effects, one: Panel) -> list[Any]:
    from sureshot.viz import with_plotly as look

    graph = needs("plotly.graph_objects")
    at, band = one.at, "rgba(0, 114, 178, 0.2)"
    hover = [look.text(_said(one, i)) for i in range(len(at))]
    style = {"color": ACCENT, "width": 2}
    found = []
    if one.numbers:
        around = {"x": [*at, *reversed(at)], "y": [*one.high, *reversed(one.low)]}
        found.append(
            graph.Scatter(**around, fill="toself", fillcolor=band, mode="none", hoverinfo="skip", showlegend=False)
        )
        bars = None
    else:
        bars = {
            "type": "data",
            "symmetric": False,
            "array": [high - p for high, p in zip(one.high, one.chance, strict=True)],
            "arrayminus": [p - low for low, p in zip(one.low, one.chance, strict=True)],
            "color": ACCENT,
            "thickness": 1.5,
        }
    curve = graph.Scatter(x=at, y=list(one.chance), mode="lines+markers" if one.numbers else "markers", error_y=bars)
    marker = {"symbol": "diamond", "size": 6 if one.numbers else 9, "color": ACCENT}
    found.append(
        curve.update(
            line=style,
            marker=marker,
            text=hover,
            hovertemplate="%{text}<extra></extra>",
            name=look.text(effects.measure_words),
            showlegend=False,
        )
    )
    for kind, edge in (("worked", 1.0), ("failed", 0.0)):
        tried = one.tried(kind == "worked")
        if tried:
            sizes = [_size(times) for _, times, _ in tried]
            said = [f"{times} of {of} {look.text(effects.legend[kind])}" for _, times, of in tried]
            marks = graph.Scatter(x=[x for x, _, _ in tried], y=[edge] * len(tried), mode="markers", text=said)
            found.append(
                marks.update(
                    marker=look.mark(kind, sizes),
                    hovertemplate="%{text}<extra></extra>",
                    name=look.text(effects.legend[kind]),
                    showlegend=False,
                )
            )
    if one.best is not None:
        star = graph.Scatter(x=[at[one.best]], y=[one.chance[one.best]], mode="markers", text=[hover[one.best]])
        found.append(
            star.update(
                marker=look.mark("best", 16),
                hovertemplate="%{text}<extra></extra>",
                name=look.text(effects.legend["best"]),
                showlegend=False,
            )
        )
    return found


def matplotlib(effects: Effects) -> Any:
    """With matplotlib."""
    needs("matplotlib")
    from sureshot.viz import with_matplotlib as look

    panels = effects.panels
    alone = len(panels) < 2
    names = [""] if alone else ["\n".join((one.name, *_lines(one))) for one in panels]
    figure, axes = look.panels(names, columns=ACROSS, size=(6.6, 4.2) if alone else (3.7, 2.9))
    if not panels:
        axes[0].set_axis_off()
        axes = []
    for i, (axis, one) in enumerate(zip(axes, panels, strict=True)):
        at, chance = one.at, list(one.chance)
        if one.log:
            axis.set_xscale("log")
        if one.numbers:
            axis.fill_between(at, one.low, one.high, color=ACCENT, alpha=0.16, linewidth=0)
            axis.plot(at, chance, color=ACCENT, linewidth=1.7, marker="D", markersize=3.5, zorder=3)
        else:
            below = [p - low for p, low in zip(chance, one.low, strict=True)]
            above = [high - p for p, high in zip(chance, one.high, strict=True)]
            axis.errorbar(at, chance, yerr=[below, above], fmt="D", color=ACCENT, markersize=5, linewidth=1.5)
        if not one.numbers or len(one.levels) <= 6:
            axis.set_xticks(at, [look.plain(_level(level)) for level in one.levels])
            axis.minorticks_off()
        axis.set_xlim(*one.ends())
        look.percents(axis, effects.measure_words if i % ACROSS == 0 else "")
        for kind, edge in (("worked", 1.0), ("failed", 0.0)):
            for x, times, _ in one.tried(kind == "worked"):
                look.scatter(axis, x, edge, kind, 0.7 * _size(times))
        if one.best is not None:
            look.scatter(axis, at[one.best], chance[one.best], "best", 8.0)
        if alone:
            axis.set_xlabel(look.plain(one.name), fontsize=10.5)
        else:
            axis.set_title(axis.get_title(loc="left"), loc="left", fontsize=9.5)
    look.heading(figure, effects.title, effects.note, _kinds(effects), effects.legend)
    return figure


def _kinds(effects: Effects) -> set[str]:
    """The kinds of marks that are drawn."""
    found = {kind for one in effects.panels for kind in ("worked", "failed") if one.tried(kind == "worked")}
    return found | ({"best"} if any(one.best is not None for one in effects.panels) else set())


def _size(times: int) -> float:
    """Of a mark for so many tries: its area grows with them."""
    return min(7.0 + 3.0 * sqrt(times), 26.0)


def _lines(one: Panel) -> list[str]:
    """What a panel says, in lines that fit above it."""
    return wrap(one.words, 46)


def _level(level: float | str) -> str:
    from sureshot.space.tables.column import show

    return show(level)


def _said(one: Panel, i: int) -> str:
    percent = f"{100 * one.chance[i]:.0f} % ({100 * one.low[i]:.0f}-{100 * one.high[i]:.0f} %)"
    return f"{one.name} {_level(one.levels[i])}: {percent}"
