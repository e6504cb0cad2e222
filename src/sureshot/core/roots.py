"""The one-dimensional root behind every Laplace update, for many candidates and outcomes at once.

With ``f = w·x ~ N(mu, s)`` the MAP of ``w`` after an outcome lies at ``w = m + r(z) cov x``, where the score at
the MAP, ``z``, solves ``h(z) = z - mu - s r(z) = 0`` and ``r`` is the derivative of the log-likelihood (paper,
section 4, where it is written for ``p = |r|``). ``h`` increases with slope ``1 + s t >= 1``, so there is one root
and it lies between ``mu`` and ``mu + s r(mu)`` (PAPER_NOTES, erratum 6: for probit ``p`` may exceed 1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.links import Link
from sureshot.core.stable import Array

__all__ = ["bisected_score", "map_score"]

#: A step this small against 1 + abs(z) ends the search: a few units in the last place.
TOLERANCE = 1e-14
#: Guarded Newton needs 17 at most for abs(mu) <= 30, s <= 1e6, and about 60 for s = 1e20; twice that is ample.
MOST_STEPS = 128


def map_score(
    link: Link, mu: ArrayLike, s: ArrayLike, y: ArrayLike, of: ArrayLike = 1
) -> tuple[Array, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """The score at the MAP and the iterations spent, by guarded Newton; all arguments broadcast.

    A Newton step that would leave the open bracket, or that has not halved it in two steps, is replaced by a
    bisection: with an inclusive test a safeguarded Newton can run in a 2-cycle between the end of the bracket and
    one point.
    """
    mu, s, y, of = np.broadcast_arrays(*(np.asarray(v, float) for v in (mu, s, y, of)))
    low, high = _bracket(link, mu, s, y, of)
    z = np.where((mu > low) & (mu < high), mu, 0.5 * (low + high))
    z = np.where((mu == low) & np.isfinite(link.score(mu, y, of)), mu, z)
    z = np.where((mu == high) & np.isfinite(link.score(mu, y, of)), mu, z)
    iterations = np.zeros(z.shape, dtype=np.int64)
    active = low < high
    width = high - low
    for step in range(MOST_STEPS):
        if not active.any():
            break
        with np.errstate(invalid="ignore", over="ignore"):
            residual = z - mu - s * link.score(z, y, of)
            newton = z - residual / (1.0 + s * link.curvature(z, y, of))
        low = np.where(active & (residual <= 0), z, low)
        high = np.where(active & (residual >= 0), z, high)
        stalled = (step % 2 == 1) & (high - low > 0.5 * width)
        if step % 2 == 1:
            width = high - low
        inside = (newton > low) & (newton < high) & ~stalled
        following = np.where(inside, newton, 0.5 * (low + high))
        following = np.where(low == high, low, following)
        # a Newton step that lands on z itself (or rounds there) has arrived
        arrived = np.abs(np.where(np.isfinite(newton), newton, np.inf) - z) <= TOLERANCE * (1.0 + np.abs(z))
        arrived |= high - low <= TOLERANCE * (1.0 + np.abs(z))
        iterations += active
        z = np.where(active & ~arrived, following, z)
        active = active & ~arrived
    return z, iterations


def bisected_score(link: Link, mu: ArrayLike, s: ArrayLike, y: ArrayLike, of: ArrayLike = 1) -> Array:
    """The same root by plain bisection: the paper's method, kept as the reference for :func:`map_score`."""
    mu, s, y, of = np.broadcast_arrays(*(np.asarray(v, float) for v in (mu, s, y, of)))
    low, high = _bracket(link, mu, s, y, of)
    while True:
        z = 0.5 * (low + high)
        open_still = (z > low) & (z < high)
        if not open_still.any():
            return np.asarray(z)
        with np.errstate(invalid="ignore", over="ignore"):
            below = z - mu - s * link.score(z, y, of) < 0
        low = np.where(open_still & below, z, low)
        high = np.where(open_still & ~below, z, high)


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
