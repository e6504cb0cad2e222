"""A history folded into a belief, one observation after the other, in place on arrays that the caller owns."""

from __future__ import annotations

import numpy as np
from numba import njit

from sureshot.core.learning.compiled.evidence import binomial_moments, log_outcome
from sureshot.core.learning.compiled.logit import learn_successes
from sureshot.core.learning.compiled.matching import match, match_both
from sureshot.core.learning.step import LARGEST
from sureshot.core.numerics.compiled.terms import LOGIT, map_score, score_and_curvature
from sureshot.core.numerics.stable import Array

Whole = np.ndarray[tuple[int], np.dtype[np.int64]]


@njit(cache=True, nogil=True)
def learn(code: int, adf: bool, mu: float, s: float, won: float, lost: float) -> tuple[float, float, float, int]:
    """What counts of outcomes do to a score N(mu, s), as ``step.learn``: gain, curvature, MAP score, steps."""
    if adf:
        r, t, _, steps = match(code, mu, s, won, lost)
        return r, t, mu, steps
    z, steps = map_score(code, mu, s, won, lost)
    r, t = score_and_curvature(code, z, won, lost)
    if s * t > 1.0:  # there successes and failures may cancel in r(z)
        r = (z - mu) / s
    return r, t, z, steps


@njit(cache=True, nogil=True)
def learn_pool(code: int, adf: bool, mu: Array, s: Array, gain: Array, curvature: Array) -> None:
    """Gain and curvature of either outcome (0 failure, 1 success) of every alternative, (2, M) each."""
    if adf:
        for i in range(mu.size):
            gain[0, i], curvature[0, i], gain[1, i], curvature[1, i] = match_both(code, mu[i], s[i])
        return
    open_ = np.ones(mu.size, np.bool_)
    for y in range(2):
        if code == LOGIT:
            learn_successes(2.0 * y - 1.0, mu, s, gain[y], curvature[y], open_)
        for i in range(mu.size):
            if open_[i]:
                gain[y, i], curvature[y, i], _, _ = learn(code, adf, mu[i], s[i], 1.0 * y, 1.0 - y)


@njit(cache=True, nogil=True)
def learn_with_evidence(
    code: int, adf: bool, mu: float, s: float, won: float, lost: float
) -> tuple[float, float, int, float]:
    """Gain, curvature, steps and the log evidence."""
    if adf:
        r, t, evidence, steps = match(code, mu, s, won, lost)
        return r, t, steps, evidence
    r, t, z, steps = learn(code, adf, mu, s, won, lost)
    if won + lost == 1.0:
        return r, t, steps, log_outcome(code, mu, s, won, z, t)
    return r, t, steps, binomial_moments(code, mu, s, won, lost, z, t)[0]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def reach(mean: Array, spread: Array, factor: Array, x: Array, turned: Array, scaled: Array) -> tuple[float, float]:
    """Mean and variance of the score of ``x``; fills turned = L x and scaled = diag(spread) L x."""
    mu = 0.0
    s = 0.0
    for j in range(x.size):
        mu += mean[j] * x[j]
        total = 0.0
        for k in range(j + 1):
            total += factor[j, k] * x[k]
        turned[j] = total
        scaled[j] = spread[j] * total
        s += scaled[j] * total
    return mu, s


@njit(cache=True, nogil=True)
def bierman(spread: Array, factor: Array, turned: Array, scaled: Array, gain: Array, t: float) -> None:
    """Bierman's rank-one update of cov = L' diag(spread) L, as ``step.bierman``; ``gain`` becomes cov x before it."""
    alpha = 1.0
    for j in range(spread.size):
        lead = -t * turned[j] / alpha
        following = alpha + t * scaled[j] * turned[j]
        spread[j] *= alpha / following
        alpha = following
        for k in range(j):
            old = factor[j, k]
            factor[j, k] = old + lead * gain[k]
            gain[k] += old * scaled[j]
        gain[j] = scaled[j]


@njit(cache=True, nogil=True)
def fold(
    code: int,
    adf: bool,
    mean: Array,
    spread: Array,
    factor: Array | None,
    X: Array,
    extra: Array,
    won: Array,
    lost: Array,
    shift: Array,
    curvature: Array,
    iterations: Whole,
    evidence: Array,
) -> int:
    """Each row of ``X`` in turn, as ``step.fold``: -1, or the row that overflowed.

    A full covariance by Bierman's rank-one update. Without a factor, Laplace keeps the diagonal of the precision, ADF
    that of the covariance; Numba compiles either by itself.
    """
    n, d = X.shape
    turned, scaled, gain = np.empty(d), np.empty(d), np.empty(d)
    for i in range(n):
        if factor is None:
            mu, s = 0.0, 0.0
            for j in range(d):
                mu += mean[j] * X[i, j]
                s += spread[j] * X[i, j] * X[i, j]
        else:
            mu, s = reach(mean, spread, factor, X[i], turned, scaled)
        if not (abs(mu) < LARGEST and s + extra[i] < LARGEST):
            shift[i] = mu
            curvature[i] = s + extra[i]
            return i
        r, t, iterations[i], evidence[i] = learn_with_evidence(code, adf, mu, s + extra[i], won[i], lost[i])
        t /= 1.0 + t * extra[i]
        shift[i] = r * s if s > 0.0 else 0.0
        curvature[i] = t
        if s == 0.0:
            continue  # the alternative says nothing about any weight
        if factor is not None:
            bierman(spread, factor, turned, scaled, gain, t)
            for j in range(d):
                mean[j] += r * gain[j]
            continue
        for j in range(d):
            own = spread[j] * X[i, j] * X[i, j]
            mean[j] += r * spread[j] * X[i, j]
            if adf:
                share = own / s
                spread[j] *= (1.0 - share) + share / (1.0 + t * s)
            else:
                spread[j] /= 1.0 + t * own
    return -1
