"""How probable an outcome was under the belief, one at a time: the twin of :mod:`sureshot.core.numerics.quadrature`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.links import CLOGLOG, LOGIT
from sureshot.core.numerics.compiled.exponential import FARTHEST, exp_negative, log_one_plus
from sureshot.core.numerics.compiled.terms import CLOGLOG as CLOGLOG_CODE
from sureshot.core.numerics.compiled.terms import LOGIT as LOGIT_CODE
from sureshot.core.numerics.compiled.terms import PROBIT, exp_or_inf, log_likelihood, log_normal_cdf, normal_cdf
from sureshot.core.numerics.quadrature import (
    DEEPEST,
    DROP,
    EIGHT,
    FEWEST_NODES,
    FIRST_LOOK,
    LINK_NODES,
    LOGIT_STEP,
    MOST_NODES,
    NARROWEST,
    NORMAL_NODES,
    NORMAL_WEIGHTS,
    SMALLEST,
    STEP,
)
from sureshot.core.numerics.stable import Array

_LOG_SMALLEST = math.log(SMALLEST)

# Nodes and weights STEP·σ'(t) of the integral by parts, for the links that need it (probit has a closed form;
# loglog is cloglog mirrored). The logistic density is smooth enough for a step of 1/2.
_LOGIT_NODES = LINK_NODES[::2].copy()
_LOGIT_DENSITY = 2 * STEP * LOGIT.probability(_LOGIT_NODES) * LOGIT.success.score(_LOGIT_NODES)
_CLOGLOG_NODES = LINK_NODES[LINK_NODES <= 4.0].copy()
_CLOGLOG_DENSITY = STEP * CLOGLOG.probability(_CLOGLOG_NODES) * CLOGLOG.success.score(_CLOGLOG_NODES)


@njit(cache=True, nogil=True)
def _log_integrand(code: int, f: float, mu: float, s: float, won: float, lost: float) -> float:
    return log_likelihood(code, f, won, lost) - (f - mu) * (f - mu) / (2.0 * s)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _logit_integrand(
    z: float, offsets: Array, mu: float, s: float, won: float, lost: float, top: float, out: Array
) -> None:
    """The integrand of logit beside its top, several nodes at a time."""
    of, half = won + lost, 0.5 / s
    for i in range(offsets.size):
        f = z + offsets[i]
        size = abs(f)
        soft = log_one_plus(exp_negative(-(size if size < FARTHEST else FARTHEST)))
        gap = f - mu
        down = of * soft + (lost if f > 0.0 else won) * size + gap * gap * half + top
        down = down if down > 0.0 else 0.0
        out[i] = exp_negative(-(down if down < FARTHEST else FARTHEST))


@njit(cache=True, nogil=True)
def binomial_moments(
    code: int, mu: float, s: float, won: float, lost: float, z: float, t: float
) -> tuple[float, float, float]:
    """Log evidence of the counts, and mean and variance of the score given them."""
    if s == 0.0:
        return log_likelihood(code, mu, won, lost), mu, 0.0
    top = _log_integrand(code, z, mu, s, won, lost)
    reach = 1.0 / math.sqrt(t + 1.0 / s)
    if not abs(top) < DEEPEST or reach < NARROWEST * (1.0 + abs(z)):
        return top - 0.5 * math.log1p(t * s), z, reach * reach
    down = up = FIRST_LOOK * reach
    while not _log_integrand(code, z - down, mu, s, won, lost) < top - DROP:
        down *= 1.5
    while not _log_integrand(code, z + up, mu, s, won, lost) < top - DROP:
        up *= 1.5
    step = (LOGIT_STEP if code == LOGIT_CODE else STEP) * min(math.sqrt(s), 1.0, 2.0 / math.sqrt(won + lost))
    count = math.ceil(min((down + up) / step, MOST_NODES))
    count = max(-(-count // EIGHT) * EIGHT, FEWEST_NODES)
    spacing = (down + up) / (count - 1)
    offsets, weights = np.empty(count), np.empty(count)
    for i in range(count):
        offsets[i] = i * spacing - down
    if code == LOGIT_CODE:
        _logit_integrand(z, offsets, mu, s, won, lost, top, weights)
    else:
        for i in range(count):
            weights[i] = math.exp(_log_integrand(code, z + offsets[i], mu, s, won, lost) - top)
    mass, first, second = 0.0, 0.0, 0.0
    for i in range(count):
        mass += weights[i]
        first += weights[i] * offsets[i]
        second += weights[i] * offsets[i] * offsets[i]
    first /= mass
    log_mass = top + math.log(mass * spacing) - 0.5 * math.log(2.0 * math.pi * s)
    return min(log_mass, 0.0), z + first, max(second / mass - first * first, 0.0)


@njit(cache=True, nogil=True)
def log_outcome(code: int, mu: float, s: float, won: float, z: float, t: float) -> float:
    """Log P(outcome) of one trial, ``won`` being 1 or 0; ``z`` and ``t`` are those at the MAP."""
    if code == PROBIT:
        a = mu / math.sqrt(1.0 + s)
        return log_normal_cdf(a if won > 0 else -a)
    p = 0.0
    if s < 1.0 and code == LOGIT_CODE:
        sd = math.sqrt(s) if won > 0 else -math.sqrt(s)
        centre = mu if won > 0 else -mu
        for i in range(0, NORMAL_NODES.size, 2):  # φ and expit are smooth enough for a step of 1/2
            p += 2.0 * NORMAL_WEIGHTS[i] / (1.0 + exp_or_inf(-centre - sd * NORMAL_NODES[i]))
    elif s < 1.0:
        sd = math.sqrt(s)
        for i in range(NORMAL_NODES.size):
            p += NORMAL_WEIGHTS[i] * math.exp(log_likelihood(code, mu + sd * NORMAL_NODES[i], won, 1.0 - won))
    elif code == LOGIT_CODE:
        scale = (1.0 if won > 0 else -1.0) / math.sqrt(s)
        for i in range(_LOGIT_NODES.size):
            p += _LOGIT_DENSITY[i] * normal_cdf(scale * (mu - _LOGIT_NODES[i]))
    else:
        side = 1.0 if code == CLOGLOG_CODE else -1.0
        scale = side * (1.0 if won > 0 else -1.0) / math.sqrt(s)
        for i in range(_CLOGLOG_NODES.size):
            p += _CLOGLOG_DENSITY[i] * normal_cdf(scale * (side * mu - _CLOGLOG_NODES[i]))
    if p > SMALLEST:
        return math.log(min(p, 1.0))
    return min(binomial_moments(code, mu, s, won, 1.0 - won, z, t)[0], _LOG_SMALLEST)
