"""Choosing the best of many scores when several are as good."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sureshot.core.stable import Array

__all__ = ["EPSILON", "choose", "tied"]

#: Scores this close to the best count as equal: approximation and rounding can't tell them apart (section 5.2).
EPSILON = 1e-9


def tied(scores: Array, *, epsilon: float = EPSILON) -> NDArray[np.intp]:
    """The rows whose score is within ``epsilon`` of the best."""
    return np.flatnonzero(scores >= scores.max() - epsilon)


def choose(scores: Array, rng: np.random.Generator, *, epsilon: float = EPSILON) -> int:
    """One of the best, at random: under a symmetric prior all are tied, and "the first row" is no choice.

    >>> choose(np.array([0.1, 0.7, 0.7]), np.random.default_rng(1))
    1
    """
    best = tied(scores, epsilon=epsilon)
    return int(best[rng.integers(len(best))] if len(best) > 1 else best[0])
