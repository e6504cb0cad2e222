"""A pool made ready for the screen: a pass over it as candidates, and one as alternatives."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.compiled.bounds import FINE, KNOTS, LOWEST, fast
from sureshot.core.compiled.glance import ADF, FULL, LAPLACE
from sureshot.core.compiled.tile import WIDTH32, larger

_ROUNDING = 2.0**-23


@fast
def now(beta, mu, s, a, shrink, root):
    """Score a = mu/√S, 1/√S and √rho of every alternative, S = 1 + beta s, rho = beta s/S; gives the largest abs(a)."""
    high = 0.0
    for j in range(mu.size):
        shrink[j] = 1.0 / math.sqrt(1.0 + beta * s[j])
        a[j] = mu[j] * shrink[j]
        root[j] = math.sqrt(beta * s[j]) * shrink[j]
        high = larger(abs(a[j]), high)
    return high


@fast
def candidates(form, beta, half, s, gain, t, unit, k, kappa, push, reach, fuzz):
    """Fill what :class:`~sureshot.core.compiled.screen.Candidates` holds beside gain, top and chances; gives the mean
    and the largest reach.
    """
    widest = total = farthest = 0.0
    for i in range(s.size):
        widest = larger(s[i], widest)
    deepest = beta * widest / (1.0 + beta * widest)
    for i in range(s.size):
        size, most = 1.0 / math.sqrt(s[i]) if s[i] > 0.0 else 0.0, 0.0
        for m in range(half.shape[1]):
            unit[i, m] = half[i, m] * size
        if form != FULL:
            for m in range(half.shape[1]):
                most = larger(half[i, m] * half[i, m], most)
        for y in range(2):
            push[y, i] = gain[y, i] * math.sqrt(s[i] / beta)
            reach[y, i] = abs(push[y, i])
            total += reach[y, i]
            farthest = max(farthest, reach[y, i])
            drop = t[y, i] / (1.0 + t[y, i] * s[i])
            if form == FULL:
                k[y, i], kappa[y, i] = beta * drop, drop * s[i]
            elif form == ADF:
                k[y, i], kappa[y, i] = beta * drop, drop * most
            else:
                curve = t[y, i] * most
                k[y, i], kappa[y, i] = t[y, i], curve / (1.0 + curve)
            fuzz[y, i] = _ROUNDING * (half.shape[1] + 16.0) / max(1.0 - kappa[y, i] * deepest, 1e-9)
    return total / (2.0 * s.size), farthest


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"})
def _after(form, half, i, s, t):
    """The candidate's own variance after an outcome."""
    after = 0.0
    if form == FULL:
        return s / (1.0 + t * s)
    if form == LAPLACE:
        for m in range(half.shape[1]):
            after += half[i, m] * half[i, m] / (1.0 + t * (half[i, m] * half[i, m]))
        return after
    for m in range(half.shape[1]):
        square = half[i, m] * half[i, m]
        after += square * square
    return s - t / (1.0 + t * s) * after


@fast
def own(form, beta, half, mu, s, gain, t, best):
    """Fill ``best`` with the squared score of the candidate itself, lowered by more than rounding: what its own column
    will at least give. Where rounding of its variance after the outcome could hurt, nothing is promised.
    """
    for i in range(s.size):
        for y in range(2):
            after, shift = _after(form, half, i, s[i], t[y, i]), gain[y, i] * s[i]
            n = mu[i] + shift - 1e-9 * (abs(mu[i]) + abs(shift))
            value = n * abs(n) / (1.0 + beta * after)
            best[y, i] = value - 1e-9 * abs(value) if after > 1e-6 * s[i] else LOWEST


@fast
def alternatives(beta, scale, half, a, shrink, root, who, panels, squares, a32, rho32, least32):
    """Fill the single precision of :class:`~sureshot.core.compiled.screen.Alternatives`, in the order of ``who``."""
    width = math.sqrt(beta)
    for n in range(who.size):
        j, p, lane = who[n], n // WIDTH32, n % WIDTH32
        a32[n], rho32[n], least32[n] = scale * a[j], root[j] * root[j], shrink[j] * shrink[j]
        by = width * shrink[j]
        for m in range(half.shape[1]):
            panels[p, m, lane] = by * half[j, m]
    for p in range(squares.shape[0]):
        for m in range(squares.shape[1]):
            for lane in range(WIDTH32):
                squares[p, m, lane] = panels[p, m, lane] * panels[p, m, lane]


@fast
def tabulate(a, root, who, edges, high, per_reach, rest, rho_rest):
    """rest[b, m] = max over block b and all later ones of a + reach √rho at the m-th reach, raised by more than
    rounding; and the largest rho of these.
    """
    last, deep = edges.size - 2, 0.0
    level, depth = np.empty(who.size), np.empty(who.size)
    for n in range(who.size):
        level[n], depth[n] = a[who[n]], root[who[n]]
        deep = larger(depth[n], deep)
    for b in range(last, -1, -1):
        rho_rest[b] = rho_rest[b + 1] if b < last else 0.0
        for n in range(edges[b], edges[b + 1]):
            rho_rest[b] = max(rho_rest[b], depth[n] * depth[n])
        begin, count = np.uint64(edges[b]), edges[b + 1] - edges[b]
        for m in range(KNOTS):
            reach, top = m / per_reach, LOWEST
            for n in range(count):
                col = begin + np.uint64(n)
                top = larger(level[col] + reach * depth[col], top)
            top += FINE * (high + reach * deep)
            rest[b, m] = max(top, rest[b + 1, m]) if b < last else top
