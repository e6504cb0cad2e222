"""Upper bounds of scores after an outcome, by which whole blocks of alternatives, and candidates, are left out.

With S_j = 1 + beta s_j, a = mu/√S and rho = beta s/S, any alternative scores at most n/√(1 - kappa rho) after an
outcome of candidate i, where n = a_j + reach_i √rho_j (and at most n, if n < 0): abs(c) <= √(s_i s_j) bounds the shift
of the mean, and kappa_i the share of the variance that one outcome can take away (MATHS, section 12). For all forms
reach = abs(gain) √(s/beta); kappa is ts/(1 + ts) for full covariance, B/(1 + B) with B = t max_k x_k² v_k for diagonal
Laplace, and drop · max_k x_k² v_k for diagonal ADF. Scores are compared as sign(n)·n²/den: no square root.
"""

from __future__ import annotations

import math

from numba import njit

from sureshot.core.compiled.tile import larger

KNOTS = 33  # of the table of bounds
LOWEST = -1e300
FINE = 1e-12  # relative safety of the pair filter: rounding stays below 1e-14
SAFE = 1e-9  # relative safety of the block bounds

#: Division as the hardware does it and fused multiply-adds: without them LLVM leaves the loops scalar.
fast = njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})


@fast
def numerator_bound(table, b, reach, per_reach):
    """Upper bound of a + reach sqrt(rho) in block b: convex in reach, so the chord lies above."""
    x = reach * per_reach
    m = min(int(x), KNOTS - 2)
    x -= m
    return table[b, m] + x * (table[b, m + 1] - table[b, m])


@fast
def can_beat(n, kappa, rho, best):
    """Whether a numerator up to n with doubt up to rho can beat the squared score ``best``."""
    limit = best - SAFE * abs(best)
    if n > 0.0 and limit > 0.0:
        return n * n > limit * (1.0 - kappa * rho)
    return n * abs(n) > limit


@fast
def score_bound(n, kappa, rho):
    """Upper bound of the squared score with a numerator up to n and doubt up to rho."""
    if n <= 0.0:
        return n * abs(n) * (1.0 - SAFE)
    return n * n / max(1.0 - kappa * rho, 1e-300) * (1.0 + SAFE)


@fast
def chance(squared, probit):
    """Success probability that belongs to a squared score."""
    z = math.copysign(math.sqrt(abs(squared)), squared)
    if probit:
        return 0.5 * math.erfc(-z * 0.7071067811865476)
    return 1.0 / (1.0 + math.exp(-z))


@fast
def any_beats(i, b, table, rho, per_reach, reach, kappa, best):
    """Whether either outcome of candidate i can find better under this table's bound of block b."""
    for y in range(2):
        if can_beat(numerator_bound(table, b, reach[y, i], per_reach), kappa[y, i], rho[b], best[y, i]):
            return True
    return False


@fast
def tabulate(a, root, knots, table):
    """table[b, m] = max over block b of a + knots[m] root, raised by more than rounding."""
    high = deep = 0.0
    for b in range(a.shape[0]):
        for j in range(a.shape[1]):
            high = max(high, abs(a[b, j]))
            deep = max(deep, root[b, j])
    for b in range(a.shape[0]):
        for m in range(knots.size):
            top = LOWEST
            for j in range(a.shape[1]):
                top = larger(a[b, j] + knots[m] * root[b, j], top)
            table[b, m] = top + FINE * (high + knots[m] * deep)
