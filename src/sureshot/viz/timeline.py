"""What would have been chosen after each outcome: its chance with the interval, and where the choice changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sureshot.viz.libraries import needs
from sureshot.viz.palette import ACCENT, INK

__all__ = ["Choice", "Timeline", "matplotlib", "plotly"]

#: Changes that have a number and are written out, at most: those that lasted longest. All are marked.
WRITTEN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What would have been chosen after so many outcomes."""

    outcomes: int
    label: str
    chance: float
    low: float
    high: float
    changed: bool  # since the choice before


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """What is drawn."""

    title: str
    note: str
    measure_words: str
    x_words: str
    choices: tuple[Choice, ...]

    def written(self) -> list[Choice]:
        """The changes that are written out, in order: of many, those that lasted longest."""
        if not self.choices:
            return []
        changes = [one for one in self.choices if one.changed]
        ends = [one.outcomes for one in changes[1:]] + [self.choices[-1].outcomes + 1]
        lasted = {one.outcomes: end - one.outcomes for one, end in zip(changes, ends, strict=True)}
        most = sorted(changes, key=lambda one: -lasted[one.outcomes])[:WRITTEN]
        return [one for one in changes if one in most]

    def listed(self) -> list[str]:
        """What each number in the picture stands for, a line each."""
        written = self.written()
        found = [f"{i}: {one.label} (after {one.outcomes})" for i, one in enumerate(written, start=1)]
        more = sum(one.changed for one in self.choices) - len(written)
        return found + ([f"Stars without a number: {more} more that did not last as long."] if more else [])


def plotly(timeline: Timeline) -> Any:
    """With Plotly."""
    from sureshot.viz import with_plotly as look

    graph, every = needs("plotly.graph_objects"), timeline.choices
    figure = look.figure(timeline.title, timeline.note)
    x = [one.outcomes for one in every]
    around = {"x": [*x, *reversed(x)], "y": [*(one.high for one in every), *(one.low for one in reversed(every))]}
    figure.add_trace(
        graph.Scatter(
            **around,
            fill="toself",
            fillcolor="rgba(0, 114, 178, 0.2)",
            mode="none",
            hoverinfo="skip",
            name="95 % interval",
        )
    )
    for name, own, marker in (
        ("the same choice", every, {"symbol": "circle", "size": 5, "color": ACCENT}),
        ("another choice", [one for one in every if one.changed], look.mark("best", 14)),
    ):
        line = graph.Scatter(x=[one.outcomes for one in own], y=[one.chance for one in own], marker=marker, name=name)
        figure.add_trace(
            line.update(
                mode="lines+markers" if own is every else "markers",
                line={"color": ACCENT, "width": 2},
                text=[look.text(_said(one)) for one in own],
                hovertemplate="%{text}<extra></extra>",
            )
        )
    for i, one in enumerate(timeline.written(), start=1):
        figure.add_annotation(
            x=one.outcomes, y=one.chance, text=f"<b>{i}</b>", showarrow=False, yshift=17, font={"size": 13}
        )
    listed = timeline.listed()
    if listed:
        low = 64 + 19 * len(listed)
        figure.add_annotation(
            xref="paper",
            x=0.0,
            xanchor="left",
            yref="paper",
            y=0.0,
            yanchor="top",
            yshift=-52,
            align="left",
            showarrow=False,
            text="<br>".join(map(look.text, listed)),
            font={"size": 12},
        )
        figure.update_layout(margin={"b": low + 40}, height=figure.layout.height + low - 40)
    figure.update_xaxes(title={"text": look.text(timeline.x_words)}, rangemode="nonnegative")
    figure.update_yaxes(title={"text": look.text(timeline.measure_words)}, range=[-0.04, 1.04], **look.PERCENT)
    return figure


def matplotlib(timeline: Timeline) -> Any:
    """With matplotlib."""
    needs("matplotlib")
    from matplotlib.ticker import MaxNLocator

    from sureshot.viz import with_matplotlib as look

    every = timeline.choices
    figure, (axis,) = look.panels([""], columns=1, size=(6.6, 4.0 + 0.17 * len(timeline.listed())))
    x = [one.outcomes for one in every]
    axis.fill_between(x, [o.low for o in every], [o.high for o in every], color=ACCENT, alpha=0.16, linewidth=0)
    axis.plot(x, [one.chance for one in every], color=ACCENT, linewidth=1.7, marker="o", markersize=3, zorder=3)
    for one in every:
        if one.changed:
            look.scatter(axis, one.outcomes, one.chance, "best", 7.0)
    for i, one in enumerate(timeline.written(), start=1):
        axis.annotate(
            str(i),
            (one.outcomes, one.chance),
            xytext=(0, 11),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=9.5,
            fontweight="bold",
            color=INK,
            zorder=6,
        )
    look.percents(axis, timeline.measure_words)
    axis.margins(x=0.06)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axis.set_xlabel(look.plain(timeline.x_words), fontsize=10.5)
    look.heading(figure, timeline.title, "\n".join([timeline.note, *timeline.listed()]))
    return figure


def _said(one: Choice) -> str:
    percent = f"{100 * one.chance:.0f} % ({100 * one.low:.0f}-{100 * one.high:.0f} %)"
    return f"after {one.outcomes}: {one.label}, {percent}"
