"""How every Plotly figure looks: calm, readable on a light and on a dark page, and never in touch with any server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from textwrap import wrap
from typing import Any

from sureshot.viz.libraries import needs
from sureshot.viz.palette import FAILURE, GREY, INK, PAPER, SCALE, SUCCESS

__all__ = ["PERCENT", "figure", "mark", "marks_legend", "scale", "text", "title"]

#: Ticks of an axis of chances.
PERCENT = {
    "tickvals": [0.0, 0.25, 0.5, 0.75, 1.0],
    "ticktext": ["0 %", "25 %", "50 %", "75 %", "100 %"],
}
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_LINE = "rgba(128, 128, 128, 0.28)"
#: How each mark is drawn, beside its size: a shape of its own, whatever the colour.
_MARKS: dict[str, dict[str, Any]] = {
    "best": {"symbol": "star", "color": PAPER, "line": {"color": INK, "width": 2}},
    "next": {"symbol": "square", "color": PAPER, "line": {"color": INK, "width": 2}},
    "worked": {"symbol": "circle", "color": SUCCESS, "line": {"color": PAPER, "width": 1.5}},
    "failed": {"symbol": "circle", "color": PAPER, "line": {"color": FAILURE, "width": 2.5}},
    "both": {"symbol": "circle-dot", "color": PAPER, "line": {"color": SUCCESS, "width": 2.5}},
}


def figure(heading: str, note: str = "", *, panels: Sequence[str] = (), columns: int = 1, height: int = 480) -> Any:
    """An empty figure with its title, or with a panel for each of several names."""
    graph, subplots = needs("plotly.graph_objects"), needs("plotly.subplots")
    if panels:
        rows = -(-len(panels) // columns)
        found = subplots.make_subplots(
            rows=rows,
            cols=columns,
            subplot_titles=[text(one) for one in panels],
            horizontal_spacing=0.16 / columns,
            vertical_spacing=min(0.5 / rows, 100 / (height - 120)),
        )
    else:
        found = graph.Figure()
    words, lines = title(heading, note)
    found.update_layout(
        template="none",
        title={
            "text": words,
            "font": {"size": 16},
            "x": 0.0,
            "xref": "paper",
            "xanchor": "left",
            "y": 1.0,
            "yanchor": "top",
            "pad": {"t": 22},
        },
        font={"family": _FONT, "size": 13, "color": GREY},
        paper_bgcolor="rgba(0, 0, 0, 0)",
        plot_bgcolor="rgba(0, 0, 0, 0)",
        height=height,
        margin={"l": 70, "r": 24, "t": 24 + (16 if lines else 0) + 20 * lines + (30 if panels else 0), "b": 96},
        hoverlabel={"font": {"family": _FONT, "size": 13, "color": INK}, "bgcolor": PAPER, "bordercolor": "#9aa5b1"},
        legend={"orientation": "h", "x": 0.0, "xanchor": "left", "yref": "container", "y": 0.0, "yanchor": "bottom"},
    )
    ruled = {
        "gridcolor": _LINE,
        "zeroline": False,
        "linecolor": _LINE,
        "automargin": True,
        "title": {"font": {"size": 13}},
    }
    found.update_xaxes(**ruled, showgrid=False)
    found.update_yaxes(**ruled)
    for annotation, axis in zip(found.layout.annotations, found.select_xaxes(), strict=False):  # names of panels
        annotation.update(x=axis.domain[0], xanchor="left", font={"size": 13}, align="left")
    return found


def title(heading: str, note: str) -> tuple[str, int]:
    """A bold heading and a quiet note below it, in lines that fit; and how many lines these are."""
    lines = [f"<b>{text(one)}</b>" for one in wrap(heading, 78)]
    lines += [f'<span style="font-size: 12px">{text(one)}</span>' for one in wrap(note, 104)]
    return "<br>".join(lines), len(lines)


def text(words: str) -> str:
    """Words that Plotly shows as they are: what looks like a tag is not one.

    >>> text("<b> & co")
    '&lt;b&gt; &amp; co'
    """
    return escape(words, quote=False)


def scale() -> list[list[Any]]:
    """The colours from low to high."""
    return [[i / (len(SCALE) - 1), colour] for i, colour in enumerate(SCALE)]


def mark(kind: str, size: float | Sequence[float]) -> dict[str, Any]:
    """A mark of that kind."""
    return {**_MARKS[kind], "size": size, "opacity": 1.0}


def marks_legend(kinds: Iterable[str], names: dict[str, str]) -> list[Any]:
    """An entry of the legend for each kind of mark, in the order of the names, with nothing drawn."""
    graph, shown = needs("plotly.graph_objects"), set(kinds)
    return [
        graph.Scatter(
            x=[None], y=[None], mode="markers", marker=mark(kind, 15 if kind == "best" else 11), name=text(words)
        )
        for kind, words in names.items()
        if kind in shown
    ]
