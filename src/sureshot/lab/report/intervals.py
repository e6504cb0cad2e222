"""Intervals and p-values for means of skewed numbers with many zeros: opportunity costs.

A mean's interval is a BCa bootstrap interval (Efron 1987): the t interval is too low for such numbers, by how much is
in ``docs/how-to/compare.md``. A sample without any cost has an interval of width 0: look at how often the best was
found, whose Wilson interval is never empty.

A difference between two policies is tested by flipping signs: if both were the same, each run's difference could as
well have come with the other sign. That is exact for any number of zeros, where a bootstrap p-value finds three
differences of one sign among a hundred zeros nearly significant (by flips: p = 1/4). For two policies that differ in
spread but not in mean it is right only as runs grow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from sureshot.core.numerics.stable import Array

__all__ = ["LEVEL", "RESAMPLES", "bca", "flip_p", "flipped_means", "holm", "resampled_means"]

#: What an interval covers.
LEVEL = 0.95
#: Resamples of a bootstrap. The end of a 95 % interval then has a Monte Carlo error of about 1 % of its width.
RESAMPLES = 9999
_CELLS = 2_000_000  # the most numbers drawn at once: memory stays small


def resampled_means(values: Array, *, rng: np.random.Generator, resamples: int = RESAMPLES) -> Array:
    """Means of runs drawn with replacement: (R, K) to (resamples, K). All columns see the same runs: pairs stay pairs.

    >>> resampled_means(np.array([[1.0, 2.0], [1.0, 3.0]]), rng=np.random.default_rng(0), resamples=3)[:, 0]
    array([1., 1., 1.])
    """
    runs = len(values)

    def weights(rows: int) -> Array:
        drawn = rng.integers(runs, size=(rows, runs)) + np.arange(rows)[:, None] * runs
        counts = np.bincount(drawn.ravel(), minlength=rows * runs)
        return counts.reshape(rows, runs) / runs

    return np.concatenate([weights(rows) @ values for rows in _portions(resamples, runs)])


def flipped_means(differences: Array, *, rng: np.random.Generator, resamples: int = RESAMPLES) -> Array:
    """Means of differences whose signs fall at random, one sign a run: (R, K) to (resamples, K)."""
    runs = len(differences)

    def signs(rows: int) -> Array:
        return np.asarray((2.0 * rng.integers(2, size=(rows, runs), dtype=np.int8) - 1.0) / runs)

    return np.concatenate([signs(rows) @ differences for rows in _portions(resamples, runs)])


def flip_p(observed: Array, flipped: Array) -> Array:
    """Two-sided p-values, (K,): how often flipped means are as far from 0 as the observed. Never below 1/(B + 1).

    >>> flip_p(np.array([0.0, 1.0]), np.array([[0.5, 0.5], [-0.5, -1.0], [0.5, 0.5]]))
    array([1. , 0.5])
    """
    near = 1e-12 * np.abs(flipped).max(axis=0, initial=0.0)  # sums in another order differ by rounding
    far = np.abs(flipped) >= np.abs(observed) - near
    return np.asarray((1 + far.sum(axis=0)) / (1 + len(flipped)))


def bca(estimate: Array, replicates: Array, influence: Array) -> tuple[Array, Array]:
    """Ends of the bias-corrected and accelerated 95 % interval, (K,) each (Efron 1987; Davison & Hinkley 1997, 5.3).

    ``influence`` (N, K): how much each run moves the estimate, the runs of all worlds one below the other; for the mean
    of R numbers it is (x - mean) / R. An estimate that no run moves has an interval of width 0.
    """
    count = len(replicates)
    below = ((replicates < estimate).sum(axis=0) + (replicates <= estimate).sum(axis=0)) / (2 * count)
    bias = ndtri(np.clip(below, 0.5 / count, 1 - 0.5 / count))
    spread = (influence**2).sum(axis=0)
    still = spread <= (1e-12 * np.abs(estimate)) ** 2
    skew = np.where(still, 0.0, (influence**3).sum(axis=0) / (6 * np.where(still, 1.0, spread) ** 1.5))
    ordered = np.sort(replicates, axis=0)
    ends = []
    for z in (ndtri((1 - LEVEL) / 2), ndtri((1 + LEVEL) / 2)):
        share = ndtr(bias + (bias + z) / np.maximum(1 - skew * (bias + z), 1e-9))
        ends.append(np.where(still, estimate, _quantile(ordered, share)))
    return ends[0], ends[1]


def holm(p: ArrayLike) -> Array:
    """p-values corrected for being one of several (Holm 1979): below 0.05 wrongly in at most 5 % of such families.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return corrected


def _quantile(ordered: Array, share: Array) -> Array:
    """The quantile of each column at a share of its own, linear between neighbours."""
    place = share * (len(ordered) - 1)
    left: NDArray[np.intp] = np.floor(place).astype(np.intp)
    right = np.minimum(left + 1, len(ordered) - 1)
    columns = np.arange(ordered.shape[1])
    low, high = ordered[left, columns], ordered[right, columns]
    with np.errstate(invalid="ignore"):  # a ratio may be infinite in some resamples
        between = low + (place - left) * (high - low)
    return np.where((low == high) | (place == left), low, between)


def _portions(resamples: int, runs: int) -> list[int]:
    size = max(1, _CELLS // runs)
    whole, rest = divmod(resamples, size)
    return [size] * whole + ([rest] if rest else [])
