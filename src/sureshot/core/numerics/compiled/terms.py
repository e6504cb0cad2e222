"""The links, one score at a time: the twin of :mod:`sureshot.core.numerics.stable` and of ``core.learning.roots``.

``code`` is the link's number in :data:`sureshot.core.numerics.twins.CODES`; ``won`` and ``lost`` count outcomes.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.numerics.compiled.tile import larger32
from sureshot.core.numerics.stable import Array

LOGIT, PROBIT, CLOGLOG, LOGLOG = 0, 1, 2, 3

_SQRT_HALF = 0.7071067811865476
_LOG_SQRT_2PI = 0.9189385332046727
_MILLS_SWITCH, _MILLS_DEPTH = -8.0, 40
_LARGEST_EXPONENT = 709.78
_TOLERANCE, _FREE_STEPS, _MOST_STEPS = 1e-14, 8, 400

_HALF, _FAR = np.float32(0.5), np.float32(4.9)
# tanh z = z (A + B z² + C z⁴ + z⁶)/(A + D z² + E z⁴ + F z⁶), its continued fraction cut off: 3e-5 at abs(z) = 4.9
_A, _B, _C = np.float32(135135.0), np.float32(17325.0), np.float32(378.0)
_D, _E, _F = np.float32(62370.0), np.float32(3150.0), np.float32(28.0)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def squashed(z):
    """σ(2z) of logit in single precision, to 6e-5: near enough to rank by, or to tell who can't be the best."""
    z = -larger32(-larger32(z, -_FAR), -_FAR)
    y = z * z
    return _HALF + _HALF * z * (_A + y * (_B + y * (_C + y))) / (_A + y * (_D + y * (_E + y * _F)))


@njit(cache=True, nogil=True)
def exp_or_inf(f: float) -> float:
    """exp(f), infinite beyond the largest float64."""
    return math.exp(f) if f < _LARGEST_EXPONENT else math.inf


@njit(cache=True, nogil=True)
def normal_cdf(z: float) -> float:
    """Φ(z), relatively accurate in the left tail."""
    return 0.5 * math.erfc(-z * _SQRT_HALF)


@njit(cache=True, nogil=True)
def fill_normal_cdf(z: Array, out: Array) -> None:
    """Φ of many: ``special.ndtr``."""
    for i in range(z.size):
        out[i] = normal_cdf(z[i])


@njit(cache=True, nogil=True)
def add_probits(weights: Array, shifts: Array, scales: Array, mu: Array, s: Array, out: Array) -> None:
    """E[σ(f)] for f ~ N(mu, s), where σ is a mixture of probits; added to ``out``."""
    for i in range(mu.size):
        for k in range(weights.size):
            out[i] += weights[k] * normal_cdf((mu[i] - shifts[k]) / math.sqrt(scales[k] * scales[k] + s[i]))


@njit(cache=True, nogil=True)
def mills_gap(x: float) -> float:
    """v(-x) - x for x >= 8: Laplace's continued fraction (see ``stable.inverse_mills_slope``)."""
    tail = 0.0
    for k in range(_MILLS_DEPTH, 1, -1):
        tail = k / (x + tail)
    return 1.0 / (x + tail)


@njit(cache=True, nogil=True)
def log_normal_cdf(z: float) -> float:
    """Log Φ(z)."""
    if z > 1.0:
        return math.log1p(-normal_cdf(-z))
    if z > _MILLS_SWITCH:
        return math.log(normal_cdf(z))
    return -0.5 * z * z - _LOG_SQRT_2PI - math.log(mills_gap(-z) - z)


@njit(cache=True, nogil=True)
def probit_terms(z: float) -> tuple[float, float]:
    """V = φ/Φ and v(v + z): score and curvature of a success at z."""
    if z > _MILLS_SWITCH:
        v = math.exp(-0.5 * z * z - _LOG_SQRT_2PI) / normal_cdf(z)
        return v, v * (v + z)
    gap = mills_gap(-z)
    return gap - z, (gap - z) * gap


@njit(cache=True, nogil=True)
def logit_terms(z: float) -> tuple[float, float]:
    """1 - expit(z) and expit(z)(1 - expit(z)): score and curvature of a success at z."""
    e = math.exp(-abs(z))
    small = e / (1.0 + e)
    return (small if z > 0 else 1.0 / (1.0 + e)), small / (1.0 + e)


@njit(cache=True, nogil=True)
def cloglog_terms(f: float) -> tuple[float, float]:
    """Score and curvature of a success under cloglog."""
    u = exp_or_inf(f)
    if u == 0.0:
        return 1.0, 0.0
    if u > 800.0:
        return 0.0, 0.0
    score = u * math.exp(-u) / -math.expm1(-u)
    if u < 0.1:
        w = u * u
        bracket = u * (0.5 + u / 12.0 + u * w * (-1.0 / 720.0 + w * (1.0 / 30240.0 - w / 1209600.0)))
    else:
        bracket = u / -math.expm1(-u) - 1.0
    return score, score * bracket


@njit(cache=True, nogil=True)
def cloglog_log_success(f: float) -> float:
    """log(1 - exp(-exp(f)))."""
    if f < -37.0:
        return f
    u = exp_or_inf(f)
    return math.log(-math.expm1(-u)) if u < 0.7 else math.log1p(-math.exp(-u))


@njit(cache=True, nogil=True)
def score_and_curvature(code: int, f: float, won: float, lost: float) -> tuple[float, float]:
    """First derivative of won·l₁(f) + lost·l₀(f), and minus its second."""
    r = 0.0
    t = 0.0
    if code in (LOGIT, PROBIT):  # symmetric: a failure is a success seen from the other side
        for side, count in ((1.0, won), (-1.0, lost)):
            if count > 0:
                a, b = logit_terms(side * f) if code == LOGIT else probit_terms(side * f)
                r += side * count * a
                t += count * b
    else:
        sign = 1.0 if code == CLOGLOG else -1.0
        yes, no = (won, lost) if code == CLOGLOG else (lost, won)
        if yes > 0:
            a, b = cloglog_terms(sign * f)
            r += sign * yes * a
            t += yes * b
        if no > 0:
            u = exp_or_inf(sign * f)
            r -= sign * no * u
            t += no * u
    return r, t


@njit(cache=True, nogil=True)
def log_likelihood(code: int, f: float, won: float, lost: float) -> float:
    """won·l₁(f) + lost·l₀(f)."""
    total = 0.0
    if code == LOGIT:
        soft = math.log1p(math.exp(-abs(f)))
        total -= won * (soft + max(-f, 0.0)) + lost * (soft + max(f, 0.0))
    elif code == PROBIT:
        if won > 0:
            total += won * log_normal_cdf(f)
        if lost > 0:
            total += lost * log_normal_cdf(-f)
    else:
        g = f if code == CLOGLOG else -f
        yes, no = (won, lost) if code == CLOGLOG else (lost, won)
        if yes > 0:
            total += yes * cloglog_log_success(g)
        if no > 0:
            total -= no * exp_or_inf(g)
    return total


@njit(cache=True, nogil=True)
def map_score(code: int, mu: float, s: float, won: float, lost: float) -> tuple[float, int]:
    """The score at the MAP and the iterations spent: guarded Newton, as in ``roots.map_score``."""
    r, t = score_and_curvature(code, mu, won, lost)
    if s <= 0.0 or r == 0.0:
        return mu, 0
    far = mu + s * r
    near = mu
    if not math.isfinite(far):
        away = 1.0 if r > 0 else -1.0
        step = 1.0
        while True:
            far = near + away * step
            r, t = score_and_curvature(code, far, won, lost)
            if away * (far - mu - s * r) >= 0.0:
                break
            near = far
            step *= 2.0
    low, high = min(near, far), max(near, far)
    r, t = score_and_curvature(code, mu, won, lost)
    away = 1.0 if r > 0 else -1.0
    z = mu + s * r / (1.0 + s * t)
    z = min(max(z, low), high) if math.isfinite(z) else 0.5 * (low + high)
    last = math.inf
    for step_number in range(_MOST_STEPS):
        r, t = score_and_curvature(code, z, won, lost)
        gap = z - mu
        residual = gap - s * r
        if residual <= 0.0:
            low = z
        if residual >= 0.0:
            high = z
        newton = z - residual / (1.0 + s * t)
        small = _TOLERANCE * (1.0 + abs(z))
        if abs(newton - z) <= small or high - low <= small:
            return z, step_number + 1
        following = newton
        if gap * away > 0.0 and s * r * away > 0.0:
            by_log = z - math.log(gap / (s * r)) / (1.0 / gap + t / r)
            if low < by_log < high:
                following = by_log
        if not low < following < high or (step_number >= _FREE_STEPS and abs(following - z) > 0.5 * last):
            inner = max(low - mu if away > 0 else mu - high, 1.0)
            outer = high - mu if away > 0 else mu - low
            following = 0.5 * (low + high)
            if outer > 4.0 * inner:
                following = mu + away * math.sqrt(inner) * math.sqrt(outer)
        last = abs(following - z)
        z = following
    return z, _MOST_STEPS
