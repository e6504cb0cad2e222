"""What either outcome of a logit alternative teaches, several alternatives at a time.

The MAP score after a success solves g(z) = z - mu - s r(z) = 0 with r = expit(-z) (a failure is a success of -mu).
Halley's steps from a start that takes the logarithm of s into account settle |mu| <= 6, s <= 200 in four; the same
number of steps for all, an exponential without branches, and LLVM works on several at once. A residual says which are
not settled: those go to the guarded Newton of :mod:`sureshot.core.numerics.compiled.terms`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.numerics.compiled.exponential import FARTHEST, exp_negative

STEPS = 4
LANES = 64  # alternatives worked on together: their scratch stays in cache
SETTLED = 2.0**-49  # of the sizes that g is a difference of


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _terms(z, r, t):
    """R = expit(-z) and t = r (1 - r)."""
    for j in range(z.size):
        size = abs(z[j])
        e = exp_negative(-(size if size < FARTHEST else FARTHEST))
        inverse = 1.0 / (1.0 + e)
        small = e * inverse
        r[j] = small if z[j] > 0.0 else inverse
        t[j] = small * inverse


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _halley(mu, s, r, t, z):
    """One step; the guard of the denominator keeps it within twice Newton's."""
    for j in range(z.size):
        st = s[j] * t[j]
        g, g1 = z[j] - mu[j] - s[j] * r[j], 1.0 + st
        full, half = g1 * g1 - g * st * (r[j] - 0.5), 0.5 * g1 * g1
        at = z[j] - g * g1 / (full if full > half else half)
        z[j] = at if at > mu[j] else mu[j]


@njit(cache=True, nogil=True, error_model="numpy")
def learn_successes(side, mu, s, gain, curvature, open_):
    """Gain and curvature of a success (side 1) or failure (side -1) of every alternative; ``open_`` where not settled.

    The same rule as ``step.learn``: where s t > 1 the gain is (z - mu)/s.
    """
    m, v, z, r, t = np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES)
    m[:], v[:], z[:] = 0.0, 0.0, 0.0
    for start in range(0, mu.size, LANES):
        count = min(LANES, mu.size - start)
        for j in range(count):
            m[j], v[j] = side * mu[start + j], s[start + j]
        _terms(m, r, t)
        for j in range(count):
            newton = m[j] + v[j] * r[j] / (1.0 + v[j] * t[j])
            z[j] = min(newton, max(m[j], 0.0) + math.log(1.0 + v[j] / (1.0 + max(-m[j], 0.0))))
        for _ in range(STEPS):
            _terms(z, r, t)
            _halley(m, v, r, t, z)
        _terms(z, r, t)
        for j in range(count):
            i, size = start + j, abs(z[j]) + abs(m[j])
            gain[i] = side * ((z[j] - m[j]) / v[j] if v[j] * t[j] > 1.0 else r[j])
            curvature[i] = t[j]
            open_[i] = not (abs(z[j] - m[j] - v[j] * r[j]) <= SETTLED * (1.0 + size) and size < FARTHEST)
