"""How sure a share of successes is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.numerics.stable import Array

__all__ = ["wilson"]

#: The normal quantile that a 95 % interval ends at.
_Z = 1.959963984540054


def wilson(successes: ArrayLike, trials: ArrayLike) -> tuple[Array, Array]:
    """Ends of Wilson's 95 % interval for a probability (Wilson 1927): never empty, never outside 0 to 1.

    >>> [float(end.round(3)) for end in wilson(0, 100)]
    [0.0, 0.037]
    """
    won, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    share = won / n
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    low, high = np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)
    return np.where(won == 0, 0.0, low), np.where(won == n, 1.0, high)
