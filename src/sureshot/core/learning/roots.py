"""The one-dimensional root behind every Laplace update, for many candidates and outcomes at once.

With ``f = w·x ~ N(mu, s)`` the MAP of ``w`` after an outcome lies at ``w = m + r(z) cov x``, where the score at
the MAP, ``z``, solves ``h(z) = z - mu - s r(z) = 0`` and ``r`` is the derivative of the log-likelihood (paper,
section 4, where it is written for ``p = |r|``). ``h`` increases with slope ``1 + s t >= 1``, so there is one root
and it lies between ``mu`` and ``mu + s r(mu)`` (docs/paper.md, erratum 6: for probit ``p`` may exceed 1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.links import Link
from sureshot.core.numerics.stable import Array

__all__ = ["map_score"]

#: A Newton step this small against 1 + abs(z) ends the search: a few units in the last place.
TOLERANCE = 1e-14
#: So many steps are taken as they come; later ones must halve, or a bisection takes their place.
FREE_STEPS = 8
#: One outcome needs 8 at most for abs(mu) <= 30, s <= 1e6 (20 for a cloglog success), about 50 for abs(mu) = 1e8,
#: s = 1e25; several outcomes about 90 there.
MOST_STEPS = 400


def map_score(
    link: Link, mu: ArrayLike, s: ArrayLike, y: ArrayLike, of: ArrayLike = 1
) -> tuple[Array, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """The score at the MAP and the iterations spent, by guarded Newton; all arguments broadcast.

    The steps are Newton's for ``log(z - mu) = log(s r(z))``, which is close to a straight line where ``r`` dies out
    or grows exponentially, or for ``h`` where that has none. A step out of the open bracket is replaced by a
    bisection (of the logarithm of the distance from ``mu``, while that spans orders of magnitude). So is, after the
    first few, one that has not halved: a safeguarded Newton can run in a 2-cycle between two points.
    """
    mu, s, y, of = np.broadcast_arrays(*(np.asarray(v, float) for v in (mu, s, y, of)))
    low, high = _bracket(link, mu, s, y, of)
    iterations = np.zeros(mu.shape, dtype=np.int64)
    active = low < high
    with np.errstate(invalid="ignore", over="ignore", divide="ignore", under="ignore"):
        pull = link.score(mu, y, of)
        away = np.where(pull > 0, 1.0, -1.0)
        first = mu + s * pull / (1.0 + s * link.curvature(mu, y, of))
        z = np.where(np.isfinite(first), np.clip(first, low, high), 0.5 * (low + high))
        z = np.where(active, z, mu)
        last = np.full(mu.shape, np.inf)
        for step in range(MOST_STEPS):
            if not active.any():
                break
            gap, r, t = z - mu, link.score(z, y, of), link.curvature(z, y, of)
            residual = gap - s * r
            low = np.where(active & (residual <= 0), z, low)
            high = np.where(active & (residual >= 0), z, high)
            newton = z - residual / (1.0 + s * t)
            following = z - np.log(gap / (s * r)) / (1.0 / gap + t / r)
            following = np.where((following > low) & (following < high), following, newton)
            taken = (following > low) & (following < high)
            taken &= (step < FREE_STEPS) | (np.abs(following - z) <= 0.5 * last)
            following = np.where(taken, following, _middle(mu, away, low, high))
            small = TOLERANCE * (1.0 + np.abs(z))
            arrived = (np.abs(newton - z) <= small) | (high - low <= small)
            iterations += active
            last = np.abs(following - z)
            z = np.where(active & ~arrived, following, z)
            active = active & ~arrived
    return z, iterations


def _middle(mu: Array, away: Array, low: Array, high: Array) -> Array:
    """The middle of the bracket: geometric in the distance from ``mu`` where that spans more than a factor of four."""
    near = np.maximum(np.where(away > 0, low - mu, mu - high), 1.0)
    far = np.where(away > 0, high - mu, mu - low)
    return np.where(far > 4.0 * near, mu + away * np.sqrt(near) * np.sqrt(far), 0.5 * (low + high))


def _bracket(link: Link, mu: Array, s: Array, y: Array, of: Array) -> tuple[Array, Array]:
    """Finite ends that hold the root: ``mu`` and ``mu + s r(mu)``, or, where r(mu) is infinite (a cloglog
    failure at a score beyond 709), ends found by stepping away from ``mu`` in doubling steps.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        first = link.score(mu, y, of)
        far = mu + s * np.where(s > 0, first, 0.0)
    low, high = np.minimum(mu, far), np.maximum(mu, far)
    lost = ~np.isfinite(far)
    if lost.any():
        away = np.where(first > 0, 1.0, -1.0)
        near, step = np.array(mu), np.ones_like(mu)
        looking = lost.copy()
        while looking.any():
            far = np.where(looking, near + away * step, far)
            with np.errstate(invalid="ignore", over="ignore"):
                residual = away * (far - mu - s * link.score(far, y, of))
            passed = residual >= 0  # the root is not beyond `far`
            near = np.where(looking & ~passed, far, near)
            looking &= ~passed
            step = 2.0 * step
        low = np.where(lost, np.minimum(near, far), low)
        high = np.where(lost, np.maximum(near, far), high)
    return low, high
