"""Elliptical slice sampling: draws from a Gaussian times any likelihood, with nothing to tune.

A step draws a point from the Gaussian, and moves on the ellipse through it and where the chain stands, to a place whose
likelihood is above a level drawn uniformly below that of now; angles that are refused shrink the bracket (Murray,
Adams & MacKay 2010, figure 2). It holds for any way to write the posterior as a Gaussian times the rest, and is quick
where the rest is flat: steps about a Gaussian near the posterior (Fagan, Bhandari & Cunningham 2016) alternate with
steps about the prior, which are at home in tails that the other has not. Each kind leaves the posterior as it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.core.reference.gaussian import Gaussian, standard
from sureshot.core.reference.target import Target, times

__all__ = ["by_slices"]


def by_slices(target: Target, start: Array, rng: np.random.Generator, steps: int, *, about: Gaussian) -> Array:
    """``steps`` draws of ``u`` in each of c chains that begin at ``start``, (c, r): (steps, c, r).

    The odd steps turn about ``about``, the others about the prior.
    """
    prior = standard(target.size)
    u, found = start, np.empty((steps, *start.shape))
    for i in range(steps):
        u = found[i] = _turned(target, u, rng, prior if i % 2 else about)
    return found


def _turned(target: Target, u: Array, rng: np.random.Generator, about: Gaussian) -> Array:
    """A step of each chain, on the ellipse of its own.

    Scores and the exponents of both Gaussians are linear, or quadratic, in the cosine and sine of the angle: only the
    likelihood is computed anew for each.
    """
    chains = len(u)
    fresh = rng.standard_normal(u.shape)
    away, draw = u - about.mean, times(fresh, about.root.T)
    now = times(away, about.inverse.T)
    centre = target.scores(about.mean[None])
    f_away, f_draw = times(away, target.rows.T), times(draw, target.rows.T)
    m = np.broadcast_to(about.mean, u.shape)
    flat = np.stack([_dot(now, now) - _dot(away, away), _dot(fresh, fresh) - _dot(draw, draw)])
    cross = _dot(now, fresh) - _dot(away, draw)
    tilt = np.stack([_dot(m, away), _dot(m, draw)])

    def level(which: NDArray[np.intp], cos: Array, sin: Array) -> Array:
        """Log of likelihood times prior over ``about``, but for a constant."""
        scores = centre + f_away[which] * cos[:, None] + f_draw[which] * sin[:, None]
        squares = flat[0, which] * cos * cos + flat[1, which] * sin * sin + 2.0 * cross[which] * cos * sin
        return np.asarray(target.likelihood(scores) + 0.5 * squares - tilt[0, which] * cos - tilt[1, which] * sin)

    left = np.arange(chains)
    floor = level(left, np.ones(chains), np.zeros(chains)) - rng.standard_exponential(chains)
    angle = rng.uniform(0.0, 2.0 * np.pi, chains)
    low, high = angle - 2.0 * np.pi, angle.copy()
    found = u.copy()
    while len(left):
        cos, sin = np.cos(angle[left]), np.sin(angle[left])
        good = (level(left, cos, sin) > floor[left]) | (high[left] - low[left] < 1e-12)
        kept = left[good]
        found[kept] = about.mean + away[kept] * cos[good, None] + draw[kept] * sin[good, None]
        left = left[~good]
        below = angle[left] < 0.0
        low[left], high[left] = np.where(below, angle[left], low[left]), np.where(below, high[left], angle[left])
        angle[left] = rng.uniform(low[left], high[left])
    return found


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", a, b))
