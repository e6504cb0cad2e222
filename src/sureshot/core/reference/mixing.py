"""Whether chains have found what they draw from: they must agree with each other, and not hang on to where they were.

``split_r_hat`` compares the spread between halves of chains with the spread within them (Gelman & Rubin 1992; Vehtari
et al. 2021): 1 where all have forgotten where they began. ``effective`` says how many independent draws the mean of the
chains is worth, by means over batches (Flegal & Jones 2010).
"""

from __future__ import annotations

import math

import numpy as np

from sureshot.core.numerics.stable import Array

__all__ = ["effective", "split_r_hat"]


def split_r_hat(x: Array) -> float:
    """Split R-hat of one number along chains, (steps, chains) with at least four steps.

    >>> rng = np.random.default_rng(1)
    >>> alike = rng.standard_normal((500, 8))
    >>> round(split_r_hat(alike), 2), round(split_r_hat(alike + np.arange(8.0)), 1)
    (1.0, 2.5)
    """
    n = len(x) // 2
    halves = np.concatenate([x[:n], x[-n:]], axis=1)
    within = float(halves.var(axis=0, ddof=1).mean())
    between = float(halves.mean(axis=0).var(ddof=1))
    if within <= 0.0:
        return 1.0 if between <= 0.0 else math.inf
    return math.sqrt((n - 1) / n + between / within)


def effective(x: Array) -> float:
    """How many independent draws the mean of ``x`` is worth, (steps, chains).

    >>> rng = np.random.default_rng(1)
    >>> x = rng.standard_normal((400, 8))
    >>> bool(2500 < effective(x) < 4200), bool(effective(np.repeat(x, 10, axis=0)) < 4200)
    (True, True)
    """
    size = max(math.isqrt(len(x)), 1)
    batches = len(x) // size
    means = x[: batches * size].reshape(batches, size, -1).mean(axis=1)
    whole, slow = float(x.var(ddof=1)), size * float(means.var(ddof=1))
    return float(x.size) if slow <= 0.0 else x.size * whole / slow
