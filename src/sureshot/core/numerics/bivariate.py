"""The bivariate normal distribution function Φ₂(a, b; ρ), for arrays, by Owen's T (Owen 1956), which SciPy has.

    Φ₂(a, b; ρ) = (Φ(a) + Φ(b))/2 - T(a, (b - ρa)/(a√(1 - ρ²))) - T(b, (a - ρb)/(b√(1 - ρ²))) - (1/2 if signs differ).

Absolute error 1e-15 for all a, b, and ρ in [-1, 1], the ends included (tests/core/numerics/test_bivariate.py: mpmath
and SciPy). P(X > a, Y <= b) is Φ₂(-a, b; -ρ): written so it needs no subtraction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array

__all__ = ["bivariate_cdf"]

#: Beyond this the normal CDF is 0 or 1 in float64.
FAR = 38.5


def bivariate_cdf(a: ArrayLike, b: ArrayLike, rho: ArrayLike) -> Array:
    """P(X <= a, Y <= b) for standard normal X, Y with correlation ``rho``; all arguments broadcast.

    >>> float(bivariate_cdf(0.0, 0.0, 0.5).round(15))  # 1/4 + arcsin(1/2)/(2π) = 1/3
    0.333333333333333
    """
    x, y, correlation = np.broadcast_arrays(*(np.asarray(v, float) for v in (a, b, rho)))
    # beyond FAR the other side alone decides; nearer to 0 than this a slope would lose its digits, or be 0/0
    x, y = (np.copysign(np.clip(np.abs(v), 1e-100, FAR), v) for v in (x, y))
    apart = np.where((x > 0.0) == (y > 0.0), 0.0, 0.5)
    sides = special.owens_t(x, _slope(x, y, correlation)) + special.owens_t(y, _slope(y, x, correlation))
    return np.asarray(np.clip(0.5 * (special.ndtr(x) + special.ndtr(y)) - sides - apart, 0.0, 1.0))[()]


def _slope(x: Array, y: Array, rho: Array) -> Array:
    """(y - ρx)/(x√(1 - ρ²)), whose numerator keeps its digits where abs(ρ) is nearly 1."""
    gap = np.where(rho > 0.0, (y - x) + (1.0 - rho) * x, (y + x) - (1.0 + rho) * x)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = gap / (x * np.sqrt((1.0 - rho) * (1.0 + rho)))
    return np.where(gap == 0.0, 0.0, slope)
