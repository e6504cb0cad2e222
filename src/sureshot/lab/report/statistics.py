"""What the rows of a study say, with intervals: means, how often the best was found, the whole curve in one number.

Each function takes the flat rows of a study (a DataFrame) and gives a flat DataFrame: world, policy, belief, n, runs
and the numbers asked for. How contenders compare with each other is in :mod:`sureshot.lab.report.comparisons`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.intervals import RESAMPLES, bca, resampled_means, wilson
from sureshot.lab.report.panels import At, ContenderName, Panel, panels

__all__ = ["LEVEL", "average_means", "flat", "found", "mean_intervals", "means", "scorecard"]

#: What an interval covers.
LEVEL = 0.95


def means(
    rows: Any,
    value: str = "oc",
    *,
    at: Sequence[At] | None = None,
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """Mean over runs with a BCa interval, for each world, contender and ``n`` (all of them if ``at`` is not given).

    ``value``: ``"oc"`` judges the choice by predicted probability, ``"oc_plugin"`` the paper's by mean weights;
    ``at`` may hold ``"area"``, the mean over all n.
    """
    parts = []
    for panel in panels(rows, value):
        when = list(at) if at is not None else list(panel.steps)
        mean, low, high = mean_intervals(panel, when, level=level, seed=seed, resamples=resamples)
        parts.append(flat(panel.world, panel.contenders, when, len(panel.runs), mean=mean, low=low, high=high))
    return together(parts)


def mean_intervals(
    panel: Panel, at: Sequence[At], *, level: float = LEVEL, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[Array, Array, Array]:
    """Mean, low and high of one world, (K, A) each."""
    picked = panel.at(at)
    runs, shape = len(picked), picked.shape[1:]
    samples = picked.reshape(runs, -1)
    mean = samples.mean(axis=0)
    draws = resampled_means(samples, rng=bootstrap_stream(seed, panel.world), resamples=resamples)
    low, high = bca(mean, draws, (samples - mean) / runs, level=level)
    return mean.reshape(shape), low.reshape(shape), high.reshape(shape)


def average_means(
    rows: Any,
    value: str = "oc",
    *,
    at: Sequence[At],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """The mean over worlds of each contender's mean, every world counting the same: runs are drawn within worlds.

    Only contenders that played every world are there. The interval speaks of these worlds, not of worlds in general.
    """
    every = panels(rows, value)
    everyone = everywhere(every)
    mean, draws, influence = stratified(every, everyone, at, seed=seed, resamples=resamples)
    low, high = bca(mean, draws, influence, level=level)
    shape = (len(everyone), len(at))
    numbers = {"mean": mean.reshape(shape), "low": low.reshape(shape), "high": high.reshape(shape)}
    return flat("average", everyone, at, min(len(one.runs) for one in every), **numbers)


def found(rows: Any, *, at: Sequence[At] | None = None, level: float = LEVEL) -> Any:
    """How often the recommendation is the true best, with Wilson's interval.

    In a world with contexts a run counts by its share of cases; Wilson's interval is then wider than it need be.
    """
    parts = []
    for panel in panels(rows, "found_best"):
        when = list(at) if at is not None else list(panel.steps)
        share = panel.at(when).mean(axis=0)
        low, high = wilson(share * len(panel.runs), len(panel.runs), level=level)
        parts.append(flat(panel.world, panel.contenders, when, len(panel.runs), mean=share, low=low, high=high))
    return together(parts)


def scorecard(rows: Any, value: str = "oc", *, level: float = LEVEL, seed: int = 0, resamples: int = RESAMPLES) -> Any:
    """Each contender in each world in one row: area under the curve, last cost, best found, successes, seconds a trial.

    Ends of intervals stand beside each number but the seconds, as ``area_low``, ``area_high`` and so on.
    """
    parts = []
    columns = (panels(rows, name) for name in (value, "successes", "found_best", "seconds"))
    for cost, won, best, spent in zip(*columns, strict=True):
        end = cost.steps[-1]
        numbers: dict[str, Array] = {}
        wanted: list[tuple[str, Panel, At]] = [("area", cost, "area"), ("last", cost, end), ("successes", won, end)]
        for name, panel, when in wanted:
            ends = mean_intervals(panel, [when], level=level, seed=seed, resamples=resamples)
            numbers |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
        share = best.at([end]).mean(axis=0)
        low, high = wilson(share * len(best.runs), len(best.runs), level=level)
        numbers |= {"found": share, "found_low": low, "found_high": high, "seconds": spent.at(["area"]).mean(axis=0)}
        parts.append(flat(cost.world, cost.contenders, [end], len(cost.runs), **numbers))
    return together(parts)


def everywhere(every: Sequence[Panel]) -> list[ContenderName]:
    """The contenders that played every world."""
    return [one for one in every[0].contenders if all(one in other.contenders for other in every)]


def stratified(
    every: Sequence[Panel], everyone: Sequence[ContenderName], at: Sequence[At], *, seed: int, resamples: int
) -> tuple[Array, Array, Array]:
    """Average over worlds of the means, its resamples and its influence values: (KA,), (B, KA), (sum of R, KA)."""
    share = 1 / len(every)
    width = len(everyone) * len(at)
    total, draws, influence = np.zeros(width), np.zeros((resamples, width)), []
    for panel in every:
        picked = panel.at(at)[:, [panel.position(one) for one in everyone]].reshape(len(panel.runs), -1)
        mean = picked.mean(axis=0)
        total += share * mean
        draws += share * resampled_means(picked, rng=bootstrap_stream(seed, panel.world), resamples=resamples)
        influence.append(share * (picked - mean) / len(picked))
    return total, draws, np.concatenate(influence)


def bootstrap_stream(seed: int, world: str) -> np.random.Generator:
    """The resamples of one world: the same whoever else is in the study."""
    return stream(seed, "bootstrap", world)


def flat(world: str, everyone: Sequence[ContenderName], at: Sequence[At], runs: int, **numbers: Array) -> Any:
    """(K, A) arrays as rows of a DataFrame."""
    import pandas as pd

    keys = [(world, one.policy, one.belief, when, runs) for one in everyone for when in at]
    table = pd.DataFrame(keys, columns=["world", "policy", "belief", "n", "runs"])
    for name, array in numbers.items():
        table[name] = np.asarray(array).ravel()
    return table


def together(parts: Sequence[Any]) -> Any:
    import pandas as pd

    return pd.concat(parts, ignore_index=True)
