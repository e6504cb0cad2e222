"""Expectation propagation: a whole history fitted together, so that its order does not matter (docs/maths.md).

Each alternative that was tried has a *site*, a Gaussian factor ``exp(-tau g²/2 + nu g)`` of its score ``g`` that stands
for the likelihood of its outcomes. A sweep takes each site out of the belief in turn (what is left is its *cavity*,
N(m, v)), matches the moments of the cavity with the true likelihood in place of the site
(:mod:`sureshot.core.learning.matching`), and puts in the site that gives those: ``tau = t`` and ``nu = t m + r(1 + t
v)``. The first sweep, from no sites, is assumed density filtering; later ones see early outcomes in the light of late
ones.

The evidence is EP's own: the integral of prior and sites, each site scaled so that the cavity gives the outcomes their
true probability Z (Rasmussen & Williams 2006, section 3.6). It needs ``log E[exp(-tau g²/2 + nu g)]`` for g ~ N(m, v),
which is ``(nu m + nu² v/2 - tau m²/2)/(1 + tau v) - log(1 + tau v)/2``.

This is the definition, in NumPy; :mod:`sureshot.core.learning.compiled.propagation` is its compiled twin.
"""

from __future__ import annotations

import numpy as np

from sureshot.core.learning.matching import match_counts
from sureshot.core.learning.step import bierman
from sureshot.core.links import Link
from sureshot.core.numerics.stable import Array

__all__ = [
    "LEAST_LEFT",
    "MOST_SWEEPS",
    "REBUILD",
    "SLOWEST",
    "TOLERANCE",
    "absorb",
    "propagate",
    "rooted",
    "triangle",
]

#: Sweeps end when none moved the mean of a score by more than this in its standard deviations, nor a variance by more
#: than this share of it. Each sweep gains a digit or more, so what is left is well below.
TOLERANCE = 1e-6
#: Five to ten are usual, 26 the most in 600 wild problems.
MOST_SWEEPS = 60
#: A sweep that moved more than this leaves rounding behind: the belief is put together anew from prior and sites.
REBUILD = 0.01
#: A site stays as it is where less than this share of the precision of its score comes from elsewhere: rounding would
#: decide what its cavity is.
LEAST_LEFT = 1e-10
#: Sites take at least this share of their steps; less than all where a sweep moved more than the one before.
SLOWEST = 0.125


def propagate(
    link: Link, base: Array, rows: Array, extra: Array, won: Array, lost: Array, tau: Array, nu: Array
) -> tuple[float, int, float]:
    """Sites of the scores ``g = base + rows·u``, u standard normal, in place from those handed in.

    ``extra`` is the variance of a part of each score that is in no ``u``. ``rows`` is (n, r), all else (n,); n scores
    need no more than n directions. Gives back the evidence, how many sweeps there were, and the largest change of the
    last.
    """
    if rows.shape[1] > len(rows):
        rows = triangle(rows)
    change, pace, sweeps = np.inf, 1.0, 0
    while change > TOLERANCE and sweeps < MOST_SWEEPS:
        if change > REBUILD:
            mean, spread, factor, _ = _absorbed(base, rows, tau, nu)
        last, change = change, 0.0
        for i, x in enumerate(rows):
            turned = factor @ x
            mu, s = float(base[i] + mean @ x), float(spread @ (turned * turned))
            left = 1.0 - tau[i] * s
            if s <= 0.0 or left < LEAST_LEFT:
                continue
            m, v = (mu - nu[i] * s) / left, s / left
            r, t, _ = _matched(link, m, v, extra[i], won[i], lost[i])
            more, push = pace * (t - tau[i]), pace * (t * m + r * (1.0 + t * v) - nu[i])
            step = (push - more * mu) / (1.0 + more * s)
            mean += step * bierman(spread, factor, turned, more)
            tau[i], nu[i] = tau[i] + more, nu[i] + push
            change = max(change, abs(step) * np.sqrt(s * (1.0 + more * s)), abs(more) * s)
        sweeps += 1
        pace = max(0.5 * pace, SLOWEST) if change > last else min(1.25 * pace, 1.0)
    mean, spread, factor, evidence = _absorbed(base, rows, tau, nu)
    turned = rows @ factor.T
    for i in range(len(rows)):
        mu, s = float(base[i] + rows[i] @ mean), float(spread @ (turned[i] * turned[i]))
        left = max(1.0 - tau[i] * s, LEAST_LEFT)
        m, v = (mu - nu[i] * s) / left, s / left
        evidence += _matched(link, m, v, extra[i], won[i], lost[i])[2] - float(_log_mean(tau[i], nu[i], m, v))
    return evidence, sweeps, change


def triangle(rows: Array) -> Array:
    """Lower triangular T, (n, n), with T T' = rows rows': n scores span n directions of the weights at most."""
    upper = np.asarray(np.linalg.qr(rows.T, mode="r"), float)
    return np.ascontiguousarray(upper.T)


def rooted(spread: Array, factor: Array, rows: Array) -> Array:
    """Rows times a square root of the covariance, as in ``Belief.scores``."""
    return np.asarray((rows @ factor.T) * np.sqrt(spread))


def _matched(link: Link, mu: float, s: float, extra: float, won: float, lost: float) -> tuple[float, float, float]:
    """Gain, curvature and log Z for the part of the score that weights stand for."""
    r, t, log_z, _ = match_counts(link, mu, s + extra, won, lost)
    return r, t / (1.0 + t * extra), log_z


def _absorbed(base: Array, rows: Array, tau: Array, nu: Array) -> tuple[Array, Array, Array, float]:
    """Mean, spread and factor of ``u`` given the sites, and the log of their mean under the prior."""
    r = rows.shape[1]
    mean, spread, factor = np.zeros(r), np.ones(r), np.eye(r)
    total = absorb(mean, spread, factor, base, rows, tau, nu)
    return mean, spread, factor, total


def absorb(mean: Array, spread: Array, factor: Array, base: Array, rows: Array, tau: Array, nu: Array) -> float:
    """Sites taken into a full belief, in place; gives back the log of their mean under it."""
    total = 0.0
    for i, x in enumerate(rows):
        turned = factor @ x
        mu, s = float(base[i] + mean @ x), float(spread @ (turned * turned))
        total += float(_log_mean(tau[i], nu[i], mu, s))
        step = (nu[i] - tau[i] * mu) / (1.0 + tau[i] * s)
        mean += step * bierman(spread, factor, turned, float(tau[i]))
    return total


def _log_mean(tau: Array | float, nu: Array | float, m: Array | float, v: Array | float) -> Array:
    """Log E[exp(-tau g²/2 + nu g)] for g ~ N(m, v)."""
    grown = 1.0 + tau * v
    return np.asarray((nu * m + 0.5 * nu * nu * v - 0.5 * tau * m * m) / grown - 0.5 * np.log(grown))
