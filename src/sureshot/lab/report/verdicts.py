"""Numbers with their intervals, and what they say of a statement: it holds, it does not, or it can't be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sureshot.core.numerics.proportion import wilson
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.comparisons import ALPHA
from sureshot.lab.report.intervals import bca, flip_p, flipped_means, resampled_means

__all__ = ["Estimate", "Verdict", "band_of", "mean_of", "percent", "points", "share_of", "spread", "verdict"]

#: Resamples behind a band.
BAND = 999

Verdict = Literal["holds", "does not hold", "can't be told"]


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
    if found.p is not None and not found.p < ALPHA:
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


def band_of(values: Array, *, seed: int, name: str) -> Estimate:
    """A mean with its interval for a band of a picture, which is read by eye: fewer resamples, and no p-value."""
    column = np.asarray(values, dtype=np.float64)[:, None]
    mean = column.mean(axis=0)
    draws = resampled_means(column, rng=stream(seed, "band", name), resamples=BAND)
    low, high = bca(mean, draws, (column - mean) / len(column))
    return Estimate(float(mean[0]), float(low[0]), float(high[0]))


def share_of(successes: int, runs: int) -> Estimate:
    """A probability with Wilson's interval.

    >>> share_of(5, 10)
    Estimate(value=0.5, low=0.236..., high=0.763..., p=None)
    """
    low, high = wilson(successes, runs)
    return Estimate(successes / runs, float(low), float(high))


def percent(found: Estimate) -> str:
    """A probability with its interval.

    >>> percent(Estimate(0.382, 0.34, 0.4251))
    '38.2 % (34.0 to 42.5 %)'
    """
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f} %)"


def points(value: float) -> str:
    """A difference of probabilities in points, with its sign.

    >>> points(-0.0123), points(-0.00001)
    ('-1.23', '0.00')
    """
    text = f"{100 * value:+.2f}"
    return "0.00" if float(text) == 0 else text


def spread(found: Estimate) -> str:
    """A difference in points with its interval.

    >>> spread(Estimate(-0.0123, -0.02, -0.0051))
    '-1.23 (-2.00 to -0.51)'
    """
    return f"{points(found.value)} ({points(found.low)} to {points(found.high)})"
