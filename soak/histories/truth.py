"""Independent truth: the exact posterior of two scores by a dense grid.

The outcomes of n different alternatives depend on n scores, which are Gaussian under the prior; with two of them (or
two weights) all that is exact is an integral over a plane. Its integrand is log-concave, so it has one top: Newton's
method finds it, and the trapezoid rule runs over a box about it, in coordinates in which the top is round, that is
widened until the integrand is e^-35 of its top all along the edge. The rule says itself how good it is: with every
second point it must give the same.

Nothing of this is shared with what it judges but the likelihood of a link (:class:`sureshot.core.Link`), which has
tests of its own against mpmath.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from sureshot import core
from sureshot.core.numerics.stable import Array

__all__ = ["MOST_SCORES", "Exact", "exactly", "kernel"]

#: Dimensions of the grid, at most.
MOST_SCORES = 2
#: The integrand on the edge, as the logarithm of its share of the top.
EDGE = -35.0
#: Points along an axis at first, and at most.
POINTS, MOST_POINTS = 161, 641
#: What half of the points may differ by, in a chance.
CLOSE = 1e-7
#: Directions of less variance than this share of the largest are rounding.
ROUNDING = 1e-13
#: What the outcomes leave open of another score is a difference of variances; of larger ones it is rounding.
LARGEST = 1e9


@dataclass(frozen=True, eq=False)
class Exact:
    """What is exactly so, but for ``sure``."""

    chance: Array  # (M,) of the pool
    mean: Array  # (n,) of the scores that were tried ...
    variance: Array  # (n,) ... given the outcomes
    evidence: float  # log probability of the outcomes, without binomial coefficients
    sure: float  # the largest difference that half of the points make


def kernel(prior: core.Belief, A: Array, B: Array) -> Array:
    """The prior covariance of the scores of the rows of A and B, with effects of their own."""
    look = prior.reading
    if look is None:
        return np.asarray(A @ prior.cov @ B.T)
    same = (A[:, None, :] == B[None, :, :]).all(axis=2)
    return np.asarray(A[:, look.columns] @ prior.cov @ B[:, look.columns].T + look.own * same)


def exactly(prior: core.Belief, X: Array, won: Array, lost: Array, pool: Array) -> Exact | None:
    """The truth about a pool, where X had so many successes and failures; None where that takes more dimensions, or the
    grid can't be made fine enough.
    """
    columns = slice(None) if prior.reading is None else prior.reading.columns
    K = kernel(prior, X, X)
    values, axes = np.linalg.eigh(K)
    kept = values > ROUNDING * max(values[-1], 1e-300)
    if not 1 <= kept.sum() <= MOST_SCORES:
        return None
    R = axes[:, kept] * np.sqrt(values[kept])  # scores are base + R u, u standard normal
    back = axes[:, kept] / np.sqrt(values[kept])
    base, far = X[:, columns] @ prior.mean, pool[:, columns] @ prior.mean
    along = kernel(prior, pool, X) @ back  # (M, r) covariance of the pool's scores with u
    whole = np.array([kernel(prior, one[None], one[None])[0, 0] for one in pool])
    if max(whole.max(initial=0.0), values[-1]) > LARGEST:
        return None
    rest = np.maximum(whole - (along**2).sum(axis=1), 0.0)
    rest[rest < ROUNDING * whole] = 0.0
    top, root = _top(prior.link, base, R, won, lost)
    box = np.tile([-8.0, 8.0], (len(top), 1))
    points = POINTS
    while points <= MOST_POINTS:
        u, log, cell = _grid(prior.link, base, R, won, lost, top, root, box, points)
        if not np.isfinite(log.max()):
            return None  # impossible to begin with: no top was found
        edge = _edges(log, len(top), points)
        if (edge > EDGE).any():
            box[edge > EDGE] *= 1.5
            if np.abs(box).max() > 1e4:
                return None
            continue
        every, half = np.ones(len(u), bool), _second(len(top), points)
        known = [_said(prior.link, u[at], log[at], base, R, far, along, rest) for at in (every, half)]
        (p, mean, variance, total), (p_half, *_, total_half) = known
        evidence = total + np.log(cell) - 0.5 * len(top) * np.log(2 * np.pi)
        doubled = total_half + len(top) * np.log(2.0)
        sure = max(float(np.abs(p - p_half).max()), abs(float(total - doubled)))
        if sure <= CLOSE:
            return Exact(p, mean, variance, float(evidence), sure)
        points = 2 * points - 1
    return None


def _log_density(link: core.Link, base: Array, R: Array, won: Array, lost: Array, u: Array) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        likelihood = link.log_likelihood(base + u @ R.T, won, won + lost).sum(axis=-1)
    return np.asarray(likelihood - 0.5 * (u * u).sum(axis=-1))


def _top(link: core.Link, base: Array, R: Array, won: Array, lost: Array) -> tuple[Array, Array]:
    """The mode, by Newton's method with a line search, and a root of the inverse Hessian there."""
    u, eye = np.zeros(R.shape[1]), np.eye(R.shape[1])
    now = _log_density(link, base, R, won, lost, u)
    for _ in range(500):
        with np.errstate(over="ignore", invalid="ignore"):
            g = base + R @ u
            slope = R.T @ np.nan_to_num(link.score(g, won, won + lost), posinf=1e100, neginf=-1e100) - u
            bend = np.minimum(link.curvature(g, won, won + lost), 1e100)
        step = np.linalg.solve(eye + R.T @ (bend[:, None] * R), slope)
        size = 1.0
        while size > 1e-12:
            then = _log_density(link, base, R, won, lost, u + size * step)
            if then >= now:
                break
            size *= 0.5
        u = u + size * step if size > 1e-12 else u
        if size <= 1e-12 or (now > -np.inf and then - now <= 1e-13 and np.abs(step).max() < 1e-9):
            break
        now = then
    curvature = link.curvature(base + R @ u, won, won + lost)
    hessian = eye + R.T @ (curvature[:, None] * R)
    values, axes = np.linalg.eigh(hessian)
    return u, axes / np.sqrt(values)


def _grid(
    link: core.Link,
    base: Array,
    R: Array,
    won: Array,
    lost: Array,
    top: Array,
    root: Array,
    box: Array,
    points: int,
) -> tuple[Array, Array, float]:
    lines = [np.linspace(low, high, points) for low, high in box]
    e = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(top))
    u = top + e @ root.T
    cell = float(np.prod([(high - low) / (points - 1) for low, high in box])) * abs(float(np.linalg.det(root)))
    return u, _log_density(link, base, R, won, lost, u), cell


def _edges(log: Array, r: int, points: int) -> Array:
    """The integrand along both ends of each axis, as logarithms of its share of the top: (r, 2)."""
    cube = (log - log.max()).reshape((points,) * r)
    return np.array([[np.take(cube, end, axis=axis).max() for end in (0, -1)] for axis in range(r)])


def _second(r: int, points: int) -> Array:
    odd = np.zeros(points, bool)
    odd[::2] = True
    return np.asarray(odd if r == 1 else (odd[:, None] & odd[None, :]).reshape(-1))


def _said(
    link: core.Link, u: Array, log: Array, base: Array, R: Array, far: Array, along: Array, rest: Array
) -> tuple[Array, Array, Array, float]:
    """Chances, means and variances of the scores, and the log of the sum of the integrand."""
    most = log.max()
    mass = np.exp(log - most)
    total = mass.sum()
    mass = mass / total
    kept = mass > 1e-16
    u, mass = u[kept], mass[kept] / mass[kept].sum()
    chance = np.empty(len(far))
    for i, (m, c, v) in enumerate(zip(far, along, rest, strict=True)):
        f = m + u @ c
        if v == 0.0:
            chance[i] = mass @ link.probability(f)
            continue
        ends = np.linspace(f.min(), f.max(), 1001)  # straight between: off by less than 1e-4 on the widest
        chance[i] = mass @ np.interp(f, ends, _smoothed(link, ends, float(np.sqrt(v))))
    g = base + u @ R.T
    mean = mass @ g
    return chance, mean, mass @ (g - mean) ** 2, float(most + np.log(total))


def _smoothed(link: core.Link, f: Array, sd: float) -> Array:
    """E[σ(f + sd e)], by the trapezoid rule: over e where the bell is the narrower of the two, else over σ'."""
    if sd < 1.0:
        e = np.linspace(-9.0, 9.0, 121)
        weight = np.exp(-0.5 * e * e)
        return np.asarray(link.probability(f[:, None] + sd * e) @ (weight / weight.sum()))
    t = np.linspace(-45.0, 45.0, 1201)
    slope = link.probability(t) * link.success.score(t) * (t[1] - t[0])
    return np.asarray(special.ndtr((f[:, None] - t) / sd) @ slope)
