"""What a measurement says about a claim: it holds, it does not hold, or it can't be told at this sample size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sureshot.core.numerics.proportion import wilson
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.intervals import bca, flip_p, flipped_means, resampled_means

__all__ = ["SURE", "Estimate", "Verdict", "mean_of", "share_of", "verdict"]

Verdict = Literal["holds", "does not hold", "can't be told"]

#: A corrected p-value below this is taken for a difference.
SURE = 0.05


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval and, for differences, the p-value (after Holm's correction, if of a family)."""

    value: float
    low: float
    high: float
    p: float | None = None


def verdict(found: Estimate, *, claim: Literal["above", "below"], of: float = 0.0) -> Verdict:
    """Whether the number is above (or below) another, as claimed.

    Both must agree: the whole interval lies on one side, and the corrected p-value, if there is one, is below 5 %. Two
    runs with differences of the same sign have an interval on one side of 0 and a p-value of one half: can't be told.

    >>> verdict(Estimate(-0.02, -0.03, -0.01, p=0.001), claim="below")
    'holds'
    >>> verdict(Estimate(-0.02, -0.03, -0.01, p=0.001), claim="above")
    'does not hold'
    >>> verdict(Estimate(-0.02, -0.03, -0.01, p=0.2), claim="below")
    "can't be told"
    """
    if found.p is not None and not found.p < SURE:
        return "can't be told"
    below, above = found.high < of, found.low > of
    if below or above:
        return "holds" if (claim == "below") == below else "does not hold"
    return "can't be told"


def mean_of(differences: Array, *, seed: int, name: str) -> Estimate:
    """The mean of one difference a run: BCa bootstrap interval, and the p-value of flipped signs."""
    column = np.asarray(differences, dtype=np.float64)[:, None]
    mean = column.mean(axis=0)
    draws = resampled_means(column, rng=stream(seed, "claim", name))
    low, high = bca(mean, draws, (column - mean) / len(column))
    p = flip_p(mean, flipped_means(column, rng=stream(seed, "flips", name)))
    return Estimate(float(mean[0]), float(low[0]), float(high[0]), float(p[0]))


def share_of(successes: int, runs: int) -> Estimate:
    """A probability with Wilson's interval.

    >>> share_of(5, 10)
    Estimate(value=0.5, low=0.236..., high=0.763..., p=None)
    """
    low, high = wilson(successes, runs)
    return Estimate(successes / runs, float(low), float(high))
