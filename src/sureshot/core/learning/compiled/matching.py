"""Moment matching, one score at a time: the twin of :mod:`sureshot.core.learning.matching`."""

from __future__ import annotations

import math

from numba import njit

from sureshot.core.learning.compiled.evidence import binomial_moments
from sureshot.core.learning.matching import CLEAR
from sureshot.core.numerics.compiled.terms import (
    LOGIT,
    LOGLOG,
    PROBIT,
    log_normal_cdf,
    map_score,
    normal_cdf,
    probit_terms,
    score_and_curvature,
)
from sureshot.core.numerics.probits import CLOGLOG_PROBITS, LOGIT_PROBITS
from sureshot.core.numerics.quadrature import SLIGHT

_LOGIT = LOGIT_PROBITS.weights, LOGIT_PROBITS.shifts, LOGIT_PROBITS.scales**2
_CLOGLOG = CLOGLOG_PROBITS.weights, CLOGLOG_PROBITS.shifts, CLOGLOG_PROBITS.scales**2
_LOGIT_LEAST, _CLOGLOG_LEAST = CLEAR * LOGIT_PROBITS.error, CLEAR * CLOGLOG_PROBITS.error
_SQRT_2PI = 2.5066282746310002


@njit(cache=True, nogil=True)
def _mixed(code: int, mu: float, s: float, side: float) -> tuple[float, float, float]:
    """Z, Z' and Z'' of one outcome through the mixture of probits, by how far the score favours it."""
    weights, shifts, squares = _LOGIT if code == LOGIT else _CLOGLOG
    turn = -1.0 if code == LOGLOG else 1.0  # loglog is cloglog read from the other end
    value, slope, bend = 0.0, 0.0, 0.0
    for i in range(weights.size):
        v = math.sqrt(squares[i] + s)
        a = side * (mu - turn * shifts[i]) / v
        density = weights[i] * math.exp(-0.5 * a * a) / (_SQRT_2PI * v)
        value += weights[i] * normal_cdf(a)
        slope += density
        bend -= a * density / v
    return value, slope, bend


@njit(cache=True, nogil=True)
def _ratios(value: float, slope: float, bend: float, s: float) -> tuple[float, float]:
    """Size of the gain, and t; -1 where rounding leaves no variance."""
    r = slope / value
    k = max(r * r - bend / value, 0.0)
    return r, (k / (1.0 - k * s) if k * s < 1.0 else -1.0)


@njit(cache=True, nogil=True)
def match(code: int, mu: float, s: float, won: float, lost: float) -> tuple[float, float, float, int]:
    """Gain r, curvature t, log Z and steps of counts of outcomes, as ``matching.match`` and ``match_counts``."""
    if won + lost == 1.0:
        side = 1.0 if won > 0 else -1.0
        if code == PROBIT:
            scale = math.sqrt(1.0 + s)
            z = side * mu / scale
            v, w = probit_terms(z)
            return side * v / scale, w / (1.0 + s * (1.0 - w)), log_normal_cdf(z), 0
        value, slope, bend = _mixed(code, mu, s, side)
        if value > (_LOGIT_LEAST if code == LOGIT else _CLOGLOG_LEAST):
            r, t = _ratios(value, slope, bend, s)
            if t >= 0.0:
                return side * r, t, math.log(min(value, 1.0)), 0
    z, steps = map_score(code, mu, s, won, lost)
    r, t = score_and_curvature(code, z, won, lost)
    evidence, mean, variance = binomial_moments(code, mu, s, won, lost, z, t)
    if s * (won + lost) > SLIGHT:
        return (mean - mu) / s, max(1.0 / variance - 1.0 / s, 0.0), evidence, steps
    return r, t, evidence, steps


@njit(cache=True, nogil=True)
def match_both(code: int, mu: float, s: float) -> tuple[float, float, float, float]:
    """Gain and curvature of a failure, then of a success: one look at the mixture serves both where both are clear."""
    if code != PROBIT:
        least = _LOGIT_LEAST if code == LOGIT else _CLOGLOG_LEAST
        value, slope, bend = _mixed(code, mu, s, 1.0)
        if least < value < 1.0 - least:
            r1, t1 = _ratios(value, slope, bend, s)
            r0, t0 = _ratios(1.0 - value, slope, -bend, s)
            if t0 >= 0.0 and t1 >= 0.0:
                return -r0, t0, r1, t1
    r0, t0, _, _ = match(code, mu, s, 0.0, 1.0)
    r1, t1, _, _ = match(code, mu, s, 1.0, 0.0)
    return r0, t0, r1, t1
