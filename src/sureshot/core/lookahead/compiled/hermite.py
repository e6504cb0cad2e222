"""Success probabilities in Hermite polynomials of the score: what makes the exact look-ahead quick.

With σ(f) = Σ w Φ((f - b)/h) (:mod:`sureshot.core.numerics.probits`) and f ~ N(mu, s), let u = (mu - b)/√(h² + s) and
r = √(s/(h² + s)). Then σ(mu + √s Z) = p + Σ g_n he_n(Z) in normalised Hermite polynomials, with

    p = Σ w Φ(u),     g_n = Σ w (-1)^(n-1) r^n He_(n-1)(u) φ(u)/√n!,

and for two alternatives whose scores have correlation ρ (Mehler):  Cov(σ(f), σ(f')) = Σ_n ρ^n g_n g'_n. What is left
out after n terms is at most abs(ρ)^(n+1) T_n T'_n, T_n² = Σ_(m>n) g_m² (Cauchy-Schwarz); the whole has the sign of ρ.

Each function works on belief ``k`` of a mixture; ``con`` (:class:`Constants`) holds what it knows of each one's link.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.numerics import special
from sureshot.core.numerics.compiled.bivariate import bivariate_covariance
from sureshot.core.numerics.compiled.terms import CLOGLOG, LOGIT, LOGLOG, PROBIT, normal_cdf
from sureshot.core.numerics.stable import Array

ORDER = 32  # Hermite terms kept
_INV_SQRT_TWO_PI = 0.3989422804014327
_LOG2 = math.log(2.0)
_SQRT_HALF = 0.7071067811865476
#: Cramér: abs(He_n(u)) e^(-u²/4)/√n! <= 1.0864, times φ's constant.
_CRAMER = 0.4345


class Constants(NamedTuple):
    """The links of K beliefs; rows are padded to the longest."""

    code: NDArray[np.int64]  # (K,)
    terms: NDArray[np.int64]  # (K,) how many of the next three count
    w: Array  # (K, T) weights, shifts, scales of the probits
    b: Array
    h: Array
    slack: Array  # (K,) largest error of the closed form used for E σ²
    tol: float  # a remainder that counts as settled
    base: Array  # (K, 2) shift and scale of the one probit taken out in ``covariance_direct``
    nodes: NDArray[np.int64]  # (K,) how many of the next two count
    node: Array  # (K, Q) trapezoid nodes, and step·(σ - base probit) there
    weight: Array
    small: Array  # (K,) below this variance the trapezoid rule is not needed, and not valid
    c1: Array  # (ORDER + 2,) 1/√(n+1) and (n-1)/√(n(n+1)), of the recurrence
    c2: Array


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def add_probits(total, f, count, ratio, start, scale, weight):
    """Add weight·(Φ((start + ratio·f)·scale) - 1/2) for each of the first scores f; absolute error 5e-11.

    erfc(z) = P(z)^-16 with a polynomial, fitted as Abramowitz & Stegun's 7.1.28 with more terms: no branch, no exp and
    no table, so LLVM works on several scores at once.
    """
    a, b = start * scale * _SQRT_HALF, ratio * scale * _SQRT_HALF
    for q in range(count):
        x = a + b * f[q]
        z = abs(x)
        z = z if z < 5.5 else 5.5
        e = 1.1759016955489352e-05 + z * (-1.6126905419838e-06 + z * 1.162204380001429e-07)
        e = 0.00023005218234473736 + z * (0.00011152274291699913 + z * (-4.120978933113666e-05 + z * e))
        e = 0.04227553105404695 + z * (0.009287741043431877 + z * (0.00014955211443599503 + z * e))
        e = 0.9999999999940716 + z * (0.07052369829780561 + z * e)
        e *= e
        e *= e
        e *= e
        e *= e
        y = 0.5 - 0.5 / e
        total[q] += weight * (y if x > 0.0 else -y)


@njit(cache=True, nogil=True)
def mixed_probability(con, k, mu, s):
    """E σ(f)."""
    p = 0.0
    for i in range(con.terms[k]):
        p += con.w[k, i] * normal_cdf((mu - con.b[k, i]) / math.sqrt(con.h[k, i] * con.h[k, i] + s))
    return p


@njit(cache=True, nogil=True)
def second_moment(con, k, mu, s, p, slope):
    """E σ(f)², given p = E σ and slope = E σ'.

    logit: σ² = σ - σ'. cloglog: σ(f)² = 2σ(f) - σ(f + log 2). loglog: σ(f)² = σ(f - log 2).
    probit: Φ₂(a, a; s/(1 + s)) with a = mu/√(1 + s).
    """
    code = con.code[k]
    if code == LOGIT:
        return p - slope
    if code == CLOGLOG:
        return 2.0 * p - mixed_probability(con, k, mu + _LOG2, s)
    if code == LOGLOG:
        return mixed_probability(con, k, mu - _LOG2, s)
    a = mu / math.sqrt(1.0 + s)
    return bivariate_covariance(a, a, s / (1.0 + s)) + p * p


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")
def expand(con, k, mu, s, p, var, coef, tail):
    """Fill p, Var σ(f), coefficients and tail norms of every alternative.

    coef[j, n] = g_n for n >= 1, coef[j, 0] = p; tail[j, n] >= T_n.
    """
    size = con.terms[k]
    order = coef.shape[1] - 1
    r2, ru, now, before = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    for j in range(mu.size):
        chance = 0.0
        slope = 0.0
        last = 0.0
        for i in range(size):
            scale = math.sqrt(con.h[k, i] * con.h[k, i] + s[j])
            u = (mu[j] - con.b[k, i]) / scale
            chance += con.w[k, i] * normal_cdf(u)
            density = con.w[k, i] * _INV_SQRT_TWO_PI * math.exp(-0.5 * u * u)
            slope += density / scale
            root = math.sqrt(s[j]) / scale
            r2[i] = root * root
            ru[i] = root * u
            now[i] = root * density
            before[i] = 0.0
            if r2[i] < 1.0:
                # Σ of the squares of one probit's terms beyond the last, then Minkowski over the probits
                beyond = r2[i] ** (order + 1) / ((order + 1) * (1.0 - r2[i]))
                last += con.w[k, i] * _CRAMER * math.exp(-0.25 * u * u) * math.sqrt(beyond)
            else:
                last = math.inf
        p[j] = coef[j, 0] = chance
        var[j] = max(second_moment(con, k, mu[j], s[j], chance, slope) - chance * chance, 0.0)
        squares = 0.0
        for n in range(1, order + 1):
            total = 0.0
            for i in range(size):
                value = now[i]
                total += value
                now[i] = -(con.c1[n] * ru[i] * value + con.c2[n] * r2[i] * before[i])
                before[i] = value
            coef[j, n] = total
            squares += total * total
        if last * last < 0.1 * con.slack[k]:
            var[j] = squares  # nothing is left out: the sum is closer than the closed form
        rest = min(last * last, max(var[j] - squares, 0.0) + con.slack[k])
        tail[j, order] = math.sqrt(rest)
        for n in range(order, 0, -1):
            rest += coef[j, n] * coef[j, n]
            tail[j, n - 1] = math.sqrt(rest)


@njit(cache=True, nogil=True)
def covariance_direct(con, k, mu, s, mu2, s2, c):
    """Cov(σ(f), σ(f')) for any s, s', c, where the series is too slow: wide beliefs, close alternatives.

    σ = base probit + rest, in the score with the larger variance: Φ₂ for the first, the trapezoid rule over the rest
    (which dies out like the link's tails, so that the same nodes do for every s) times E[σ(f')|f] for the second.
    """
    if s2 > s:
        mu, mu2 = mu2, mu
        s, s2 = s2, s
    ratio = c / s
    left = max(s2 - c * ratio, 0.0)
    b0, h0 = con.base[k, 0], con.base[k, 1]
    t0 = math.sqrt(h0 * h0 + s)
    u0 = (mu - b0) / t0
    size = con.terms[k]
    out = 0.0
    p2 = 0.0
    scale = np.empty(size)
    for j in range(size):
        hh = con.h[k, j] * con.h[k, j]
        tj = math.sqrt(hh + s2)
        uj = (mu2 - con.b[k, j]) / tj
        out += con.w[k, j] * bivariate_covariance(u0, uj, c / (t0 * tj))
        p2 += con.w[k, j] * normal_cdf(uj)
        scale[j] = 1.0 / math.sqrt(hh + left)
    norm, count = _INV_SQRT_TWO_PI / math.sqrt(s), 0
    gap, mass, inner = np.empty(con.nodes[k]), np.empty(con.nodes[k]), np.empty(con.nodes[k])
    for q in range(con.nodes[k]):
        away = con.node[k, q] - mu
        if abs(con.weight[k, q]) * norm < 1e-15 or away * away > 70.0 * s:
            continue
        gap[count], inner[count] = away, 0.5 - p2
        mass[count] = con.weight[k, q] * norm * math.exp(-0.5 * away * away / s)
        count += 1
    for j in range(size):
        add_probits(inner, gap, count, ratio, mu2 - con.b[k, j], scale[j], con.w[k, j])
    for q in range(count):
        out += mass[q] * inner[q]
    return out


# The one probit taken out, and step, first and last node of the rest, by link.
_RESTS = {
    LOGIT: (0.0, 1.702, 0.5, -24.0, 24.0),
    CLOGLOG: (-0.45, 1.15, 0.25, -20.0, 6.0),
    LOGLOG: (0.45, 1.15, 0.25, -6.0, 20.0),
}


def rest_rule(code: int, probability: Callable[[Array], Array]) -> tuple[tuple[float, float], Array, Array]:
    """Base probit, trapezoid nodes and weights of one link; none for probit, which is its own base."""
    if code == PROBIT:
        return (0.0, 1.0), np.empty(0), np.empty(0)
    shift, scale, step, low, high = _RESTS[code]
    node: Array = np.arange(round(low / step), round(high / step) + 1).astype(np.float64) * step
    return (shift, scale), node, step * (probability(node) - special.ndtr((node - shift) / scale))
