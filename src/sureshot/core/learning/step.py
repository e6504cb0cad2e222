"""The arithmetic of an update, on arrays: what an outcome does to a score, and what that does to the weights.

This is the definition, in NumPy; :mod:`sureshot.core.learning.compiled.step` is its compiled twin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core.beliefs.belief import Method
from sureshot.core.learning.matching import match, match_counts
from sureshot.core.learning.roots import map_score
from sureshot.core.links import PROBIT, Link
from sureshot.core.numerics import quadrature
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["LARGEST", "Trace", "bierman", "fold", "learn", "overflow", "refuse_overflow"]

#: Mean and variance of a score must be below this: their products still are numbers.
LARGEST = 1e100

#: Shift, curvature, iterations and evidence of each observation, to be filled in.
Trace = tuple[Array, Array, NDArray[np.int64], Array]


def refuse_overflow(mu: Array, s: Array, *, in_order: bool = True) -> None:
    """Refuse scores whose mean or variance are beyond what can be computed with. The row is named where rows stand in
    the caller's order.
    """
    bad = np.flatnonzero(~((np.abs(mu) < LARGEST) & (s < LARGEST)))
    if bad.size:
        raise overflow(mu[bad[0]], s[bad[0]], f" for row {bad[0]}" if in_order else "")


def overflow(mu: float, s: float, where: str) -> InvalidInput:
    """What is said of the first score that is."""
    return InvalidInput(
        f"mean and variance of a score must be below {LARGEST:g}, or they overflow, got {mu:.3g} and {s:.3g}{where}: "
        "scale the features down or use a larger prior precision."
    )


def learn(
    link: Link, method: Method, mu: ArrayLike, s: ArrayLike, y: ArrayLike, of: ArrayLike = 1
) -> tuple[Array, Array, Array, NDArray[np.int64]]:
    """What outcomes do to scores N(mu, s): gain ``r``, curvature ``t``, the MAP score, steps; all broadcast.

    Where moments are matched (:mod:`sureshot.core.learning.matching`; single outcomes) there is no MAP score, and
    ``mu`` stands in its place.
    """
    mu, s = np.asarray(mu, float), np.asarray(s, float)
    if method != "laplace":
        r, t, _, steps = match(link, mu, s, y)
        return r, t, mu, steps
    z, steps = map_score(link, mu, s, y, of)
    t = link.curvature(z, y, of)
    # at the root r(z) = (z - mu)/s; where s t > 1 successes and failures may cancel in r(z), and s r would be noise
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        r = np.where(s * t > 1.0, (z - mu) / s, link.score(z, y, of))
    return r, t, z, steps


def fold(
    link: Link,
    method: Method,
    mean: Array,
    spread: Array,
    factor: Array | None,
    X: Array,
    extra: Array,
    won: Array,
    lost: Array,
    trace: Trace,
) -> int:
    """Each row of ``X`` in turn, in place on arrays that the caller owns.

    Where a score has a part that no weight stands for, of variance ``extra``, what an outcome does to the score,
    N(mu, s + extra), reaches the weights by the same r and k = t/(1 + t(s + extra)): that is t/(1 + t·extra) for t.

    Gives back -1, or the row at which mean or variance of the score left the range that can be computed with; they
    then stand in its shift and curvature.
    """
    shift, curvature, iterations, evidence = trace
    for i, x in enumerate(X):
        with np.errstate(over="ignore", invalid="ignore"):
            turned = x if factor is None else factor @ x
            mu, s = float(mean @ x), float(spread @ (turned * turned))
        whole = s + extra[i]
        if not (abs(mu) < LARGEST and whole < LARGEST):
            shift[i], curvature[i] = mu, whole
            return i
        r, t, iterations[i], evidence[i] = _learn_with_evidence(link, method, mu, whole, won[i], lost[i])
        t /= 1.0 + t * extra[i]
        shift[i], curvature[i] = (r * s if s > 0 else 0.0), t
        if s == 0.0:
            continue  # the alternative says nothing about any weight
        if factor is None:
            own = spread * x * x
            mean += r * spread * x
            keep = (1 - own / s) + own / s / (1 + t * s) if method != "laplace" else 1 / (1 + t * own)
            spread *= keep
        else:
            mean += r * bierman(spread, factor, turned, t)
    return -1


def bierman(spread: Array, factor: Array, turned: Array, t: float) -> Array:
    """Cov - t/(1 + t s)·(cov x)(cov x)' in the factors, in place; gives back cov x before the update.

    Bierman (1977), with turned = L x: each spread is divided by a number of at least one.
    """
    scaled = spread * turned
    gain = np.zeros_like(spread)
    alpha = 1.0
    for j in range(len(spread)):
        following = alpha + t * scaled[j] * turned[j]
        spread[j] *= alpha / following
        row = factor[j, :j].copy()
        factor[j, :j] += (-t * turned[j] / alpha) * gain[:j]
        gain[:j] += row * scaled[j]
        gain[j] = scaled[j]
        alpha = following
    return gain


def _learn_with_evidence(
    link: Link, method: Method, mu: float, s: float, won: float, lost: float
) -> tuple[float, float, int, float]:
    """Gain, curvature, steps and log evidence of one observation."""
    of = won + lost
    single = of == 1.0
    if method != "laplace":
        r, t, evidence, count = match_counts(link, mu, s, won, lost)
        return r, t, count, evidence
    r, t, z, steps = (float(v) for v in learn(link, method, mu, s, won, of))
    if single and link is PROBIT:
        side = 1.0 if won else -1.0
        evidence = float(link.log_likelihood(side * mu / np.sqrt(1.0 + s), 1))
    elif single:
        evidence = quadrature.log_outcome(link, mu, s, int(won), z, t)
    else:
        evidence, _, _ = quadrature.binomial_moments(link, mu, s, won, of, z, t)
    return r, t, int(steps), evidence
