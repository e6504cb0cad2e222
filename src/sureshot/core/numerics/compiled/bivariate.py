"""The bivariate normal distribution function, a point at a time: twin of :mod:`sureshot.core.numerics.bivariate`.

Plackett's identity dΦ₂/dρ = φ₂(a, b; ρ), integrated by Gauss-Legendre in θ = arcsin ρ where abs(ρ) < 0.925 (Drezner &
Wesolowsky 1990), and Genz's (2004) expansion about abs(ρ) = 1 beyond.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.numerics.bivariate import FAR
from sureshot.core.numerics.compiled.terms import normal_cdf
from sureshot.core.numerics.stable import Array

#: From here on the integrand in θ is too steep for 20 nodes and Genz's expansion takes over.
HIGH = 0.925
TWO_PI, SQRT_TWO_PI = 6.283185307179586, 2.5066282746310002


def _rule(n: int) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return 0.5 * (1.0 + nodes), 0.5 * weights  # on (0, 1)


(_X6, _W6), (_X12, _W12), (_X20, _W20) = _rule(6), _rule(12), _rule(20)
_LOW, _MIDDLE = 0.3, 0.75  # up to these correlations 6 and 12 nodes reach 1e-16


@njit(cache=True, nogil=True)
def _plackett(a: float, b: float, rho: float) -> float:
    """Integral of the density in the correlation from 0 to rho, abs(rho) < 0.925."""
    half, product, top = 0.5 * (a * a + b * b), a * b, math.asin(rho)
    nodes, weights = _X20, _W20
    if abs(rho) < _LOW:
        nodes, weights = _X6, _W6
    elif abs(rho) < _MIDDLE:
        nodes, weights = _X12, _W12
    total = 0.0
    for i in range(nodes.size):
        sine = math.sin(top * nodes[i])
        total += weights[i] * math.exp((sine * product - half) / (1.0 - sine * sine))
    return total * top / TWO_PI


@njit(cache=True, nogil=True)
def _near_one(h: float, k: float, rho: float) -> float:
    """P(X > h, Y > k) for abs(rho) >= 0.925, by Genz's expansion."""
    flip = rho < 0.0
    if flip:
        k = -k
    hk, size, out = h * k, abs(rho), 0.0
    if size < 1.0:
        slack = (1.0 - size) * (1.0 + size)
        root, gap = math.sqrt(slack), (h - k) * (h - k)
        c, d = (4.0 - hk) / 8.0, (12.0 - hk) / 80.0
        e = -0.5 * (gap / slack + hk)
        if e > -100.0:
            out = root * math.exp(e) * (1.0 - c * (gap - slack) * (1.0 - d * gap) / 3.0 + c * d * slack * slack)
        if hk > -100.0:
            side = abs(h - k)
            tail = normal_cdf(-side / root)
            out -= math.exp(-0.5 * hk) * SQRT_TWO_PI * tail * side * (1.0 - c * gap * (1.0 - d * gap) / 3.0)
        for i in range(_X20.size):
            t = root * _X20[i]
            xs = t * t
            e = -0.5 * (gap / xs + hk)
            if e > -100.0:
                rest = math.sqrt(1.0 - xs)
                exact = math.exp(-0.5 * hk * xs / ((1.0 + rest) * (1.0 + rest))) / rest
                out += root * _W20[i] * math.exp(e) * (exact - 1.0 - c * xs * (1.0 + 5.0 * d * xs))
        out = -out / TWO_PI
    if not flip:
        return out + normal_cdf(-max(h, k))
    out = -out
    if k > h:
        out += normal_cdf(-h) - normal_cdf(-k) if h > 0.0 else normal_cdf(k) - normal_cdf(h)
    return out


@njit(cache=True, nogil=True)
def bivariate_covariance(a: float, b: float, rho: float) -> float:
    """Φ₂(a, b; rho) - Φ(a)Φ(b); it has the sign of rho; absolute error 1e-15."""
    if abs(a) > FAR or abs(b) > FAR:
        return 0.0
    if abs(rho) < HIGH:
        return _plackett(a, b, rho)
    return _near_one(-a, -b, rho) - normal_cdf(a) * normal_cdf(b)
