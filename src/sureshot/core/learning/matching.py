"""What outcomes do to a score ``f ~ N(mu, s)`` when its mean and variance afterwards are matched exactly, for any link.

Let ``Z(mu, s)`` be the probability of what was seen, ``r = d log Z/d mu`` and ``k = -d² log Z/d mu²``. Then the score
has mean ``mu + r s`` and variance ``s - k s²`` (docs/maths.md; the paper's equation (mm), which it states for
probit). In place of ``k`` an update takes ``t = k/(1 - k s)``, what the outcome adds to the precision of the score.

A link that is a mixture of probits has Z and its derivatives in closed form, with a failure as the sum of the mirrored
terms, so that nothing cancels. But a mixture of probits has the tails of a Gaussian, and the link may not: where Z is
below :data:`CLEAR` times the largest error of the mixture, and for several outcomes at once, the moments come from a
quadrature about the MAP score, which is right however far out.

This is the definition, in NumPy; :mod:`sureshot.core.learning.compiled.matching` is its compiled twin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core.learning.roots import map_score
from sureshot.core.links import PROBIT, Link
from sureshot.core.numerics import special, stable
from sureshot.core.numerics.probits import ProbitMixture
from sureshot.core.numerics.quadrature import (
    LINK_NODES,
    NORMAL_NODES,
    NORMAL_WEIGHTS,
    SLIGHT,
    STEP,
    binomial_moments,
)
from sureshot.core.numerics.stable import Array

__all__ = ["CLEAR", "match", "match_counts"]

#: Above so many times the mixture's error, r·√s and k·s from a mixture of probits are right to 1e-6 (logit) or 3e-6
#: (cloglog, loglog); each decade below costs one digit.
CLEAR = 1e6
#: The same for a link without a mixture, whose fixed nodes err by 1e-13.
CLEAR_NODES = 1e-6
_SQRT_2PI = 2.5066282746310002
#: Scores looked at together by fixed nodes: bounds the memory at block x 321 numbers.
BLOCK = 2048


def match(link: Link, mu: ArrayLike, s: ArrayLike, y: ArrayLike) -> tuple[Array, Array, Array, NDArray[np.int64]]:
    """Gain ``r``, curvature ``t``, log Z and steps (0 for a closed form) of one outcome each; all arguments broadcast.

    >>> r, t, log_z, _ = match(PROBIT, 0.0, 1.0, 1)
    >>> (r * 1.0).round(4), np.exp(log_z).round(4)  # the mean of the score moves by φ(0)/Φ(0)/√2
    (np.float64(0.5642), np.float64(0.5))
    """
    mu, s, y = np.broadcast_arrays(np.asarray(mu, float), np.asarray(s, float), np.asarray(y, float))
    m, v, won = (np.ascontiguousarray(a).reshape(-1) for a in (mu, s, y))
    side = np.where(won > 0, 1.0, -1.0)
    steps = np.zeros(m.shape, dtype=np.int64)
    if link is PROBIT:
        r, t, log_z = _probit(m, v, side)
    else:
        r, t, log_z, clear = _mixed(link.probits, m, v, side) if link.probits else _by_nodes(link, m, v, won)
        for i in np.flatnonzero(~clear):
            r[i], t[i], log_z[i], steps[i] = _by_map(link, float(m[i]), float(v[i]), float(won[i]), 1.0)
    shape = mu.shape
    return r.reshape(shape)[()], t.reshape(shape)[()], log_z.reshape(shape)[()], steps.reshape(shape)[()]


def match_counts(link: Link, mu: float, s: float, won: float, lost: float) -> tuple[float, float, float, int]:
    """Gain, curvature, log Z and steps of one observation: one outcome, or several at once."""
    if won + lost != 1.0:
        return _by_map(link, mu, s, won, won + lost)
    r, t, log_z, steps = match(link, mu, s, won)
    return float(r), float(t), float(log_z), int(steps)


def _by_map(link: Link, mu: float, s: float, won: float, of: float) -> tuple[float, float, float, int]:
    """The same by quadrature about the MAP."""
    found, steps = map_score(link, mu, s, won, of)
    z = float(found)
    t = float(link.curvature(z, won, of))
    evidence, mean, variance = binomial_moments(link, mu, s, won, of, z, t)
    if s * of > SLIGHT:
        return (mean - mu) / s, max(1.0 / variance - 1.0 / s, 0.0), evidence, int(steps)
    return float(link.score(z, won, of)), t, evidence, int(steps)


def _probit(mu: Array, s: Array, side: Array) -> tuple[Array, Array, Array]:
    """``r = ±v/√(1+s)`` and ``t = w/(1 + s(1 - w))``, so that ``k = w/(1 + s)``; v and w = v(v + z), z = ±mu/√(1+s)."""
    scale = np.sqrt(1.0 + s)
    z = side * mu / scale
    v, w = stable.inverse_mills(z), stable.inverse_mills_slope(z)
    return side * v / scale, w / (1.0 + s * (1.0 - w)), np.asarray(special.log_ndtr(z))


def _mixed(probits: ProbitMixture, mu: Array, s: Array, side: Array) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Z = Σ w Φ(a), Z' = Σ w φ(a)/v and Z'' = -Σ w a φ(a)/v², with v = √(h² + s) and a = ±(mu - b)/v."""
    value, slope, bend = np.zeros((3, len(mu)))
    with np.errstate(under="ignore", over="ignore"):
        for weight, shift, scale in zip(probits.weights, probits.shifts, probits.scales, strict=True):
            v = np.sqrt(scale * scale + s)
            a = side * (mu - shift) / v
            density = weight * np.exp(-0.5 * a * a) / (_SQRT_2PI * v)
            value += weight * special.ndtr(a)
            slope += density
            bend -= a * density / v
    return _ratios(value, slope, bend, s, side, CLEAR * probits.error)


def _by_nodes(link: Link, mu: Array, s: Array, y: Array) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """The same through fixed nodes (:mod:`sureshot.core.numerics.quadrature`): over the score where s < 1, else σ'."""
    value, slope, bend = np.empty((3, len(mu)))
    side = np.where(y > 0, 1.0, -1.0)
    density = STEP * link.probability(LINK_NODES) * link.success.score(LINK_NODES)
    with np.errstate(under="ignore", over="ignore"):
        for start in range(0, len(mu), BLOCK):
            rows = np.arange(start, min(start + BLOCK, len(mu)))
            near, wide = rows[s[rows] < 1.0], rows[s[rows] >= 1.0]
            sd = np.sqrt(s[near])
            scores = mu[near, None] + sd[:, None] * NORMAL_NODES
            mass = np.exp(link.log_likelihood(scores, y[near, None])) * NORMAL_WEIGHTS
            sd = np.maximum(sd, 1e-150)
            value[near], slope[near] = mass.sum(axis=1), side[near] * (mass @ NORMAL_NODES) / sd
            bend[near] = mass @ (NORMAL_NODES**2 - 1.0) / (sd * sd)
            v = np.sqrt(s[wide])
            a = side[wide, None] * (mu[wide, None] - LINK_NODES) / v[:, None]
            bell = np.exp(-0.5 * a * a) / (_SQRT_2PI * v[:, None])
            value[wide], slope[wide] = special.ndtr(a) @ density, bell @ density
            bend[wide] = -(a * bell) @ density / v
    r, t, log_z, clear = _ratios(value, slope, bend, s, side, CLEAR_NODES)
    return r, t, log_z, clear & (s > SLIGHT)


def _ratios(
    value: Array, slope: Array, bend: Array, s: Array, side: Array, least: float
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    clear = value > least
    kept = np.where(clear, value, 1.0)
    r = slope / kept
    k = np.maximum(r * r - bend / kept, 0.0)
    left = 1.0 - k * s
    clear &= left > 0.0
    t = k / np.where(clear, left, 1.0)
    return side * r, t, np.log(np.minimum(kept, 1.0)), clear
