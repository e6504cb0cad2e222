"""Stable forms of the functions behind the links; each says its range and why it is needed.

Conventions: ``f`` is the linear score ``w·x``, ``z`` a score turned so that a larger one favours the outcome
seen, ``u = exp(f)``. All functions take and return float64 arrays of any shape, raise no floating-point
warning, and are accurate to a relative error of 1e-12 wherever the true value is a normal float64
(tests/core/test_links.py holds them to mpmath at 50 digits).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics import special

Array = NDArray[np.float64]

SQRT_HALF = 0.7071067811865476
SQRT_2_OVER_PI = 0.7978845608028654

# Below this z the inverse Mills ratio v and -z agree to so many digits that v + z loses them; the continued
# fraction does not. Its depth is what 1e-16 needs at the switch.
_MILLS_SWITCH = -8.0
_MILLS_DEPTH = 40

# u / (1 - exp(-u)) - 1 = u/2 + u²/12 - u⁴/720 + u⁶/30240 - u⁸/1209600 (Bernoulli numbers): 1e-17 below 0.1.
_SMALL_U = 0.1


def log_expit(z: Array) -> Array:
    """log(1 / (1 + exp(-z))), without cancellation at either end."""
    return np.asarray(-np.logaddexp(0.0, -z))


def expit_slope(z: Array) -> Array:
    """expit(z) (1 - expit(z)), with both factors computed from their own small side."""
    return np.asarray(special.expit(z) * special.expit(-z))


def inverse_mills(z: Array) -> Array:
    """v(z) = φ(z)/Φ(z). Tends to -z far left (where φ and Φ both underflow), to 0 far right."""
    return np.asarray(SQRT_2_OVER_PI / special.erfcx(-z * SQRT_HALF))


def inverse_mills_slope(z: Array) -> Array:
    """v(z)(v(z) + z), minus the derivative of v; in (0, 1).

    Left of -8 the bracket is Laplace's continued fraction 1/(x + 2/(x + 3/(x + ...))), x = -z: v + z formed
    directly would lose as many digits as z² has.
    """
    v = inverse_mills(z)
    x = np.maximum(-z, -_MILLS_SWITCH)
    tail = np.zeros_like(x)
    for k in range(_MILLS_DEPTH, 1, -1):
        tail = k / (x + tail)
    gap = 1.0 / (x + tail)
    near = v * (v + np.maximum(z, _MILLS_SWITCH))
    return np.asarray(np.where(z < _MILLS_SWITCH, (x + gap) * gap, near))


def exp_or_inf(f: Array) -> Array:
    """exp(f), infinite beyond 709.78 without a warning: no float64 is closer to the truth."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(f))


def log_one_minus_exp_minus_exp(f: Array) -> Array:
    """log(1 - exp(-exp(f))): tends to f far left (where exp(f) underflows), to -exp(-exp(f)) far right."""
    u = exp_or_inf(f)
    with np.errstate(divide="ignore", under="ignore"):
        small = np.log(-np.expm1(-np.minimum(u, 1.0)))
        large = np.log1p(-np.exp(-u))
    return np.asarray(np.where(f < -37.0, f, np.where(u < 0.7, small, large)))


def cloglog_score(f: Array) -> Array:
    """U / (exp(u) - 1), the derivative of log(1 - exp(-u)) in f = log u; in (0, 1)."""
    u = exp_or_inf(f)
    with np.errstate(under="ignore", invalid="ignore"):
        ratio = u * np.exp(-u) / -np.expm1(-u)
    return np.asarray(np.where(u == 0.0, 1.0, np.where(np.isinf(u), 0.0, ratio)))


def cloglog_curvature(f: Array) -> Array:
    """Minus the derivative of :func:`cloglog_score`: score · (u/(1 - exp(-u)) - 1)."""
    u = exp_or_inf(f)
    v = np.minimum(u, _SMALL_U)
    with np.errstate(under="ignore", invalid="ignore"):
        series = v * (0.5 + v * (1 / 12 + v * v * (-1 / 720 + v * v * (1 / 30240 - v * v / 1209600))))
        direct = u / -np.expm1(-u) - 1.0
        bracket = np.where(u < _SMALL_U, series, direct)
        # far right the score underflows before the bracket overflows
        return np.asarray(np.where(u > 800.0, 0.0, cloglog_score(f) * bracket))
