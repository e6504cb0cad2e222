"""What was expected against what came: on the diagonal, chances are what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sureshot.viz.libraries import needs
from sureshot.viz.palette import ACCENT, FAINT

__all__ = ["Bin", "Calibration", "matplotlib", "plotly"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Trials that were expected to succeed about as often."""

    expected: float  # the mean chance when they were asked
    came: float  # the share that succeeded
    low: float  # of the 95 % interval of that share
    high: float
    successes: int
    tries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What is drawn."""

    title: str
    note: str
    success: str
    bins: tuple[Bin, ...]  # none: the note says why


def plotly(calibration: Calibration) -> Any:
    """With Plotly."""
    from sureshot.viz import with_plotly as look

    graph, bins = needs("plotly.graph_objects"), calibration.bins
    figure = look.figure(calibration.title, calibration.note, height=500)
    diagonal = {"x": [0.0, 1.0], "y": [0.0, 1.0], "mode": "lines", "name": "as expected"}
    figure.add_trace(
        graph.Scatter(**diagonal, line={"dash": "dash", "color": "rgba(128, 128, 128, 0.8)"}, hoverinfo="skip")
    )
    if bins:
        bars = {
            "type": "data",
            "symmetric": False,
            "array": [one.high - one.came for one in bins],
            "arrayminus": [one.came - one.low for one in bins],
            "color": ACCENT,
            "thickness": 1.5,
        }
        dots = graph.Scatter(x=[one.expected for one in bins], y=[one.came for one in bins], mode="markers")
        figure.add_trace(
            dots.update(
                error_y=bars,
                marker={"symbol": "circle", "size": 10, "color": ACCENT},
                text=[look.text(_said(one, calibration.success)) for one in bins],
                hovertemplate="%{text}<extra></extra>",
                name="what came, with 95 % intervals",
            )
        )
    figure.update_xaxes(title={"text": "chance when it was asked"}, range=[-0.04, 1.04], showgrid=True, **look.PERCENT)
    came = {"text": look.text(f"share that came out {calibration.success}")}
    figure.update_yaxes(title=came, range=[-0.04, 1.04], **look.PERCENT)
    return figure


def matplotlib(calibration: Calibration) -> Any:
    """With matplotlib."""
    needs("matplotlib")
    from sureshot.viz import with_matplotlib as look

    figure, (axis,) = look.panels([""], columns=1, size=(5.4, 4.6))
    axis.plot([0.0, 1.0], [0.0, 1.0], linestyle="--", color=FAINT, linewidth=1.0)
    bins = calibration.bins
    if bins:
        ends = [[one.came - one.low for one in bins], [one.high - one.came for one in bins]]
        x, y = [one.expected for one in bins], [one.came for one in bins]
        axis.errorbar(x, y, yerr=ends, fmt="o", color=ACCENT, markersize=6, linewidth=1.5)
        for one in bins:
            axis.annotate(
                f"{one.successes} of {one.tries}",
                (one.expected, one.came),
                xytext=(7, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
                color=FAINT,
            )
    look.percents(axis, f"share that came out {calibration.success}")
    axis.set_xlim(-0.06, 1.12)
    axis.set_xticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axis.set_xlabel("chance when it was asked", fontsize=10.5)
    look.heading(figure, calibration.title, calibration.note)
    return figure


def _said(one: Bin, success: str) -> str:
    return (
        f"expected {100 * one.expected:.0f} %: {one.successes} of {one.tries} {success}, "
        f"{100 * one.came:.0f} % ({100 * one.low:.0f}-{100 * one.high:.0f} %)"
    )
