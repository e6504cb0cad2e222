"""What the rows of a study say, with intervals: means, how often the best was found, the whole curve in one number.

Each function takes the flat rows of a study (a DataFrame) and gives a flat DataFrame: world, policy, belief, n, runs
and the numbers asked for. How contenders compare with each other is in :mod:`sureshot.lab.report.comparisons`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sureshot.core.numerics.proportion import wilson
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.intervals import RESAMPLES, bca, resampled_means
from sureshot.lab.report.panels import At, ContenderName, Panel, panels

__all__ = [
    "AVERAGE",
    "average_means",
    "everywhere",
    "flat",
    "found",
    "intervals",
    "means",
    "resampled",
    "runs_of",
    "scorecard",
    "together",
]

#: What stands in the place of a world's label for the mean over worlds.
AVERAGE = "average"


def means(
    rows: Any, value: str = "oc", *, at: Sequence[At] | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> Any:
    """Mean over runs with a BCa interval, for each world, contender and ``n`` (all of them if ``at`` is not given).

    ``value``: ``"oc"`` judges the choice by predicted probability, ``"oc_plugin"`` the paper's by mean weights,
    ``"found_best"`` is :func:`found`; ``at`` may hold ``"area"``, the mean over all n.
    """
    if value == "found_best":
        return found(rows, at=at)
    parts = []
    for panel in panels(rows, value):
        when = panel.steps if at is None else at
        samples = {panel.world: panel.at(when)}
        parts.append(intervals(panel.world, when, panel.contenders, samples, seed=seed, resamples=resamples))
    return together(parts)


def average_means(rows: Any, value: str = "oc", *, at: Sequence[At], seed: int = 0, resamples: int = RESAMPLES) -> Any:
    """The mean over worlds of each contender's mean, every world counting the same: runs are drawn within worlds.

    Only contenders that played every world are there. The interval speaks of these worlds, not of worlds in general.
    """
    every = panels(rows, value)
    everyone = everywhere(every)
    samples = {one.world: one.at(at, everyone) for one in every}
    return intervals(AVERAGE, at, everyone, samples, seed=seed, resamples=resamples)


def found(rows: Any, *, at: Sequence[At] | None = None) -> Any:
    """How often the recommendation is the true best, with Wilson's interval.

    In a world with contexts a run counts by its share of cases; Wilson's interval is then wider than it need be.
    """
    parts = []
    for panel in panels(rows, "found_best"):
        when, runs = panel.steps if at is None else at, len(panel.runs)
        share = panel.at(when).mean(axis=0)
        low, high = wilson(share * runs, runs)
        parts.append(flat(panel.world, panel.contenders, when, runs, mean=share, low=low, high=high))
    return together(parts)


def scorecard(rows: Any, *, seed: int = 0) -> Any:
    """Each contender in each world in one row: area under the curve, last cost, best found, successes, seconds a trial.

    Ends of intervals stand beside each number but the seconds, as ``area_low``, ``area_high`` and so on.
    """
    end = int(rows["n"].max())
    wanted: dict[str, tuple[str, At]] = {
        "area": ("oc", "area"),
        "last": ("oc", end),
        "successes": ("successes", end),
        "found": ("found_best", end),
    }
    spent = means(rows, "seconds", at=["area"], resamples=1)
    card = spent[["world", "policy", "belief", "n", "runs"]].assign(n=end)
    for name, (value, when) in wanted.items():
        card[[name, f"{name}_low", f"{name}_high"]] = means(rows, value, at=[when], seed=seed)[["mean", "low", "high"]]
    return card.assign(seconds=spent["mean"])


def everywhere(every: Sequence[Panel]) -> list[ContenderName]:
    """The contenders that played every world."""
    return [one for one in every[0].contenders if all(one in other.contenders for other in every)]


def resampled(samples: Mapping[str, Array], *, seed: int, resamples: int = RESAMPLES) -> tuple[Array, Array, Array]:
    """Average over worlds of the means over runs, its resamples and its influence values: (K,), (B, K), (sum of R, K).

    ``samples`` are the numbers of each world, (R, ...). Runs are drawn within a world, and the same whoever else is in
    the study.
    """
    share = 1 / len(samples)
    width = next(iter(samples.values()))[0].size
    total, draws, influence = np.zeros(width), np.zeros((resamples, width)), []
    for world, values in samples.items():
        own = values.reshape(len(values), -1)
        mean = own.mean(axis=0)
        total += share * mean
        draws += share * resampled_means(own, rng=stream(seed, "bootstrap", world), resamples=resamples)
        influence.append(share * (own - mean) / len(own))
    return total, draws, np.concatenate(influence)


def intervals(
    name: str,
    at: Sequence[At],
    everyone: Sequence[ContenderName],
    samples: Mapping[str, Array],
    *,
    number: str = "mean",
    seed: int,
    resamples: int,
) -> Any:
    """The average over worlds of what is in ``samples``, (R, KA) or (R, K, A) each, with BCa intervals."""
    mean, draws, influence = resampled(samples, seed=seed, resamples=resamples)
    low, high = bca(mean, draws, influence)
    return flat(name, everyone, at, min(map(len, samples.values())), **{number: mean}, low=low, high=high)


def flat(world: str, everyone: Sequence[ContenderName], at: Sequence[At], runs: int, **numbers: Array) -> Any:
    """Arrays of a number for each contender and place on the curve, (K, A), as rows of a DataFrame."""
    import pandas as pd

    keys = [(world, one.policy, one.belief, when, runs) for one in everyone for when in at]
    table = pd.DataFrame(keys, columns=["world", "policy", "belief", "n", "runs"])
    return table.assign(**{name: array.ravel() for name, array in numbers.items()})


def together(parts: Sequence[Any]) -> Any:
    """Tables one below the other."""
    import pandas as pd

    return pd.concat(parts, ignore_index=True)


def runs_of(table: Any) -> str:
    """How many runs are behind a table: ``40``, or ``38 to 40``."""
    least, most = table["runs"].min(), table["runs"].max()
    return f"{least}" if least == most else f"{least} to {most}"
