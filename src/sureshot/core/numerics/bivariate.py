"""The bivariate normal distribution function Φ₂(a, b; ρ), for arrays.

Plackett's identity dΦ₂/dρ = φ₂(a, b; ρ), integrated by Gauss-Legendre in θ = arcsin ρ where abs(ρ) < 0.925 (Drezner &
Wesolowsky 1990), and Genz's (2004) expansion about abs(ρ) = 1 beyond. Absolute error 1e-15 for all a, b, and ρ in
[-1, 1], the ends included (tests/core/numerics/test_bivariate.py: mpmath and SciPy). SciPy has Φ₂ for one point only.

P(X > a, Y <= b) is Φ₂(-a, b; -ρ): written so it needs no subtraction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array

__all__ = ["bivariate_cdf"]

#: From here on the integrand in θ is too steep for 20 nodes and Genz's expansion takes over.
HIGH = 0.925
#: Beyond this the normal CDF is 0 or 1 in float64.
FAR = 38.5
TWO_PI, SQRT_TWO_PI = 6.283185307179586, 2.5066282746310002


def _rule(n: int) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return 0.5 * (1.0 + nodes), 0.5 * weights  # on (0, 1)


#: Gauss-Legendre rules by the correlation up to which each reaches 1e-16.
RULES = ((0.3, *_rule(6)), (0.75, *_rule(12)), (HIGH, *_rule(20)))


def bivariate_cdf(a: ArrayLike, b: ArrayLike, rho: ArrayLike) -> Array:
    """P(X <= a, Y <= b) for standard normal X, Y with correlation ``rho``; all arguments broadcast.

    >>> float(bivariate_cdf(0.0, 0.0, 0.5).round(15))  # 1/4 + arcsin(1/2)/(2π) = 1/3
    0.333333333333333
    """
    first, second, correlation = np.broadcast_arrays(*(np.asarray(v, float) for v in (a, b, rho)))
    # beyond FAR the other side alone decides
    x, y = np.clip(first, -FAR, FAR), np.clip(second, -FAR, FAR)
    out = np.asarray(special.ndtr(x) * special.ndtr(y))
    size = np.abs(correlation)
    low = 0.0
    for high, nodes, weights in RULES:
        here = (size >= low) & (size < high)
        if here.any():
            out[here] += _plackett(x[here], y[here], correlation[here], nodes, weights)
        low = high
    steep = size >= HIGH
    if steep.any():
        out[steep] = _near_one(-x[steep], -y[steep], correlation[steep])
    return np.asarray(np.clip(out, 0.0, 1.0))[()]


def _plackett(a: Array, b: Array, rho: Array, nodes: Array, weights: Array) -> Array:
    """Φ₂ - Φ(a)Φ(b): the integral of the density in the correlation, from 0 to ρ."""
    half, product, top = 0.5 * (a * a + b * b), a * b, np.arcsin(rho)
    total = np.zeros_like(top)
    with np.errstate(under="ignore"):
        for node, weight in zip(nodes, weights, strict=True):
            sine = np.sin(top * node)
            total += weight * np.exp((sine * product - half) / (1.0 - sine * sine))
    return np.asarray(total * top / TWO_PI)


def _near_one(h: Array, k: Array, rho: Array) -> Array:
    """P(X > h, Y > k) for abs(rho) >= 0.925, by Genz's expansion in √(1 - ρ²)."""
    flip = rho < 0.0
    k = np.where(flip, -k, k)
    hk, gap = h * k, (h - k) ** 2
    size = np.abs(rho)
    slack = (1.0 - size) * (1.0 + size)
    inner = slack > 0.0
    safe = np.where(inner, slack, 1.0)
    root = np.sqrt(safe)
    c, d = (4.0 - hk) / 8.0, (12.0 - hk) / 80.0
    with np.errstate(under="ignore"):
        out = root * _exp(-0.5 * (gap / safe + hk)) * (1 - c * (gap - slack) * (1 - d * gap) / 3 + c * d * slack**2)
        side = np.abs(h - k)
        lead = np.where(hk > -100.0, np.exp(np.clip(-0.5 * hk, -700.0, 50.0)), 0.0)
        out -= lead * SQRT_TWO_PI * special.ndtr(-side / root) * side * (1.0 - c * gap * (1.0 - d * gap) / 3.0)
        _, nodes, weights = RULES[-1]
        for node, weight in zip(nodes, weights, strict=True):
            xs = (root * node) ** 2
            mass = _exp(-0.5 * (gap / xs + hk))
            rest = np.sqrt(1.0 - np.minimum(xs, 0.5))
            exact = np.exp(np.clip(-0.5 * hk * xs / (1.0 + rest) ** 2, -700.0, 700.0)) / rest
            out += np.where(mass > 0.0, root * weight * mass * (exact - 1.0 - c * xs * (1.0 + 5.0 * d * xs)), 0.0)
    out = np.where(inner, -out / TWO_PI, 0.0)
    between = np.where(
        k > h, np.where(h > 0.0, special.ndtr(-h) - special.ndtr(-k), special.ndtr(k) - special.ndtr(h)), 0.0
    )
    return np.asarray(np.where(flip, between - out, out + special.ndtr(-np.maximum(h, k))))


def _exp(exponent: Array) -> Array:
    return np.asarray(np.where(exponent > -100.0, np.exp(np.clip(exponent, -100.0, 700.0)), 0.0))
