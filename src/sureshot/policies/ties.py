"""Choosing the best of many scores when several are as good."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array

__all__ = ["EPSILON", "choose", "tied"]

#: Scores this close to the best, beside its own size, count as equal: approximation and rounding can't tell them apart
#: (section 5.2). Beside its size, because scores have units: costs in cents make them a hundred times as small.
EPSILON = 1e-8


def tied(scores: Array) -> NDArray[np.intp]:
    """The rows whose score is as good as the best."""
    best = scores.max()
    return np.flatnonzero(scores >= best - EPSILON * abs(best))


def choose(scores: Array, rng: np.random.Generator) -> int:
    """One of the best, at random: under a symmetric prior all are tied, and "the first row" is no choice.

    >>> choose(np.array([0.1, 0.7, 0.7]), np.random.default_rng(1))
    1
    """
    best = tied(scores)
    return int(best[rng.integers(len(best))] if len(best) > 1 else best[0])
