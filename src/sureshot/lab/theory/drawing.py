"""The pictures of the page: curves with bands, dots with intervals, quantiles, in the looks of a study."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.report.verdicts import Estimate
from sureshot.lab.study.rows import needs
from sureshot.viz.palette import COLOURS, FAINT, GRID, INK
from sureshot.viz.saving import png
from sureshot.viz.study import MARKS, log_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Curve", "Panel", "curves", "dots", "kept", "quantiles"]


@dataclass(frozen=True, eq=False)
class Curve:
    """A mean with its band over the number of trials."""

    label: str
    n: Sequence[float]
    mean: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]

    @classmethod
    def of(cls, label: str, n: Sequence[float], found: Sequence[Estimate], *, scale: float = 1.0) -> Curve:
        """From one estimate for each number of trials."""
        each = [[scale * getattr(one, key) for one in found] for key in ("value", "low", "high")]
        return cls(label, list(n), *each)


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the panels of :func:`curves`."""

    title: str
    curves: Sequence[Curve]
    log: bool = False
    band: tuple[float, float] | None = None  # between these all is well
    floor: float | None = None  # of a log axis: what is smaller lies on it
    ceiling: float | None = None  # ... and its other end


def curves(panels: Sequence[Panel], *, x: str, y: str = "", log_x: bool = False) -> Figure:
    """Panels side by side, one legend for all."""
    figure, axes = _panels([one.title for one in panels])
    names = list(dict.fromkeys(curve.label for one in panels for curve in one.curves))
    for one, axis in zip(panels, axes, strict=True):
        if one.band is not None:
            axis.axhspan(*one.band, color=GRID, zorder=0)
            axis.axhline(0.0, color=INK, linewidth=0.8)
        for curve in one.curves:
            look = _look(names.index(curve.label))
            low = np.asarray(curve.low) if one.floor is None else np.maximum(curve.low, one.floor)
            mean, high = (np.maximum(part, low) for part in (curve.mean, curve.high))
            axis.fill_between(curve.n, low, high, color=look["color"], alpha=0.15, linewidth=0)
            axis.plot(curve.n, mean, **look, linewidth=1.7, markersize=4.5, label=curve.label)
        if one.log:
            log_scale(axis, (one.floor, one.ceiling))
        _trials(axis, sorted({n for curve in one.curves for n in curve.n}), log=log_x)
    if y:
        figure.supylabel(y, fontsize=10, color=INK)
    figure.supxlabel(x, fontsize=10, color=INK)
    _legend(figure, axes, names)
    return figure


def dots(
    found: Mapping[str, Mapping[str, Estimate]],
    *,
    x: Sequence[str],
    log: Sequence[bool] = (False, False),
    right: float | None = None,
) -> Figure:
    """A row for each name, a panel for each column: a dot, its interval, and a line where it should be."""
    columns = list(next(iter(found.values())))
    figure, axes = _panels(columns, size=(4.6, 0.3 * len(found) + 0.7))
    rows = np.arange(len(found))[::-1]
    for axis, column, words, scaled in zip(axes, columns, x, log, strict=True):
        for at, one in zip(rows, found.values(), strict=True):
            value = one[column]
            axis.plot([value.low, value.high], [at, at], color=COLOURS[0], linewidth=2.2, solid_capstyle="butt")
            axis.plot([value.value], [at], "o", color=COLOURS[0], markersize=6, clip_on=False, zorder=4)
        if right is not None:
            axis.axvline(right, color=INK, linewidth=1.0)
        axis.set_yticks(rows, list(found) if axis is axes[0] else [""] * len(found), fontsize=9.5, color=INK)
        axis.set_ylim(-0.6, len(found) - 0.4)
        axis.grid(axis="x", color=GRID, linewidth=0.8)
        axis.set_xlabel(words, fontsize=9.5, color=FAINT)
        if scaled:
            axis.set_xscale("log")
        else:
            axis.set_xlim(left=0.0)
    return figure


def quantiles(found: Mapping[str, Array], expected: Any, *, x: str, y: str, most: float) -> Figure:
    """Observed quantiles against those that theory gives; ``expected`` is their function."""
    figure, axes = _panels(list(found), size=(3.4, 3.4))
    for at, (axis, values) in enumerate(zip(axes, found.values(), strict=True)):
        seen = np.sort(values)
        ideal = expected((np.arange(len(seen)) + 0.5) / max(len(seen), 1))
        axis.plot([0, most], [0, most], color=INK, linewidth=1.0)
        look = _look(at)
        axis.plot(ideal, np.minimum(seen, most), look["marker"], color=look["color"], markersize=3.5, clip_on=False)
        axis.set_xlim(0, most)
        axis.set_ylim(0, most)
        axis.set_xticks(axis.get_yticks())
        axis.set_aspect("equal")
    figure.supxlabel(x, fontsize=10, color=INK)
    figure.supylabel(y, fontsize=10, color=INK)
    return figure


def kept(figure: Figure) -> bytes:
    """A picture as PNG of at most 128 colours, which no eye tells from all of them: a third of the size."""
    image = needs("PIL.Image")
    content = io.BytesIO()
    with image.open(io.BytesIO(png(figure))) as whole:
        whole.convert("RGB").quantize(128, dither=image.Dither.NONE).save(content, format="png", optimize=True)
    return content.getvalue()


def _panels(names: Sequence[str], *, size: tuple[float, float] | None = None) -> tuple[Figure, list[Axes]]:
    needs("matplotlib")
    from sureshot.viz.with_matplotlib import panels

    return panels(names, columns=3, size=size)


def _look(at: int) -> dict[str, Any]:
    return {"color": COLOURS[at % len(COLOURS)], "marker": MARKS[at % len(MARKS)]}


def _legend(figure: Figure, axes: Sequence[Axes], names: Sequence[str]) -> None:
    handles = {text: line for axis in axes for line, text in zip(*axis.get_legend_handles_labels(), strict=True)}
    width = max(map(len, names)) * 0.085 + 0.75
    columns = max(1, min(len(names), int(figure.get_figwidth() / width)))
    shown = [handles[name] for name in names]
    figure.legend(shown, names, loc="outside upper center", ncols=columns, frameon=False, fontsize=9.5)


def _trials(axis: Axes, every: Sequence[float], *, log: bool) -> None:
    from matplotlib.ticker import NullLocator

    if log:
        axis.set_xscale("log")
    axis.set_xticks(every, [f"{n:g}" for n in every])
    axis.xaxis.set_minor_locator(NullLocator())
