"""Pictures of a study: opportunity cost against trials, a panel for each world; differences to a reference.

How they look stands in :mod:`sureshot.viz.study`; here is what they show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sureshot.lab.report.comparisons import difference_intervals
from sureshot.lab.report.panels import MEASURES, ContenderName, find_contender, labels, who_played
from sureshot.lab.report.statistics import means, runs_of
from sureshot.viz import Backend, Figure, draw
from sureshot.viz.study import Curves, Line, World

__all__ = ["cost_curves", "cost_figure", "difference_figure"]

RESAMPLES = 1999  # a band is read by eye: fewer resamples than for a table will do


def cost_figure(
    rows: Any, value: str = "oc", *, log: bool = False, seed: int = 0, backend: Backend = "matplotlib"
) -> Figure:
    """Mean curves with 95 % bands, a panel for each world, as in the paper's Figure 4."""
    return draw(cost_curves(rows, value, log=log, seed=seed), backend)


def cost_curves(rows: Any, value: str = "oc", *, log: bool = False, seed: int = 0) -> Curves:
    """The same as a record that either library draws."""
    table = means(rows, value, resamples=RESAMPLES, seed=seed)
    names = labels(who_played(rows))
    words = MEASURES[value].words
    return Curves(
        labels=tuple(names.values()),
        worlds=_worlds(table, "mean", names),
        y_words=words if value == "found_best" else f"mean {words}",
        x_words=_under(table),
        log=log,
    )


def difference_figure(
    rows: Any, reference: str, value: str = "oc", *, seed: int = 0, backend: Backend = "matplotlib"
) -> Figure:
    """Paired differences to the reference with 95 % bands, a panel for each world. Bands are not Holm-corrected."""
    names = labels(who_played(rows))
    base = find_contender(reference, names)
    table = difference_intervals(rows, base, value, resamples=RESAMPLES, seed=seed)
    side = "above" if MEASURES[value].more_is_better else "below"
    return draw(
        Curves(
            labels=tuple(names.values()),
            worlds=_worlds(table, "difference", {one: label for one, label in names.items() if one != base}),
            y_words=f"{MEASURES[value].words}, minus that of {names[base]}",
            x_words=_under(table),
            hint=f"{side} 0: better than {names[base]}",
            zero=True,
        ),
        backend,
    )


def _under(table: Any) -> str:
    return f"trials n   ({runs_of(table)} runs, bands: 95 % intervals)"


def _worlds(table: Any, number: str, names: Mapping[ContenderName, str]) -> tuple[World, ...]:
    """A panel for each world, with a line for each of these contenders that plays there."""
    found = []
    for world in dict.fromkeys(table["world"]):
        lines = []
        for one, label in names.items():
            own = table[(table["world"] == world) & (table["policy"] == one.policy) & (table["belief"] == one.belief)]
            if len(own):
                columns = {"n": own["n"], "mean": own[number], "low": own["low"], "high": own["high"]}
                lines.append(Line(label=label, **{k: tuple(map(float, v)) for k, v in columns.items()}))
        found.append(World(name=str(world), lines=tuple(lines)))
    return tuple(found)
