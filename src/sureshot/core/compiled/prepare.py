"""A pool made ready for the screen: a pass over it as candidates, and one as alternatives."""

from __future__ import annotations

import math

import numpy as np

from sureshot.core.compiled.bounds import FINE, KNOTS, LOWEST, fast
from sureshot.core.compiled.glance import ADF, FULL, LAPLACE
from sureshot.core.compiled.tile import WIDTH32, larger

_ROUNDING = 2.0**-23


@fast
def now(beta, mu, s, a, shrink, root):
    """Score a = mu/√S, 1/√S and √rho of every alternative, S = 1 + beta s, rho = beta s/S."""
    for j in range(mu.size):
        shrink[j] = 1.0 / math.sqrt(1.0 + beta * s[j])
        a[j] = mu[j] * shrink[j]
        root[j] = math.sqrt(beta * s[j]) * shrink[j]


@fast
def candidates(form, beta, half, s, gain, t, unit, k, kappa, push, reach, fuzz):
    """Fill what :class:`~sureshot.core.compiled.screen.Candidates` holds beside gain, top and chances."""
    widest = 0.0
    for i in range(s.size):
        widest = max(widest, s[i])
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
            drop = t[y, i] / (1.0 + t[y, i] * s[i])
            if form == FULL:
                k[y, i], kappa[y, i] = beta * drop, drop * s[i]
            elif form == ADF:
                k[y, i], kappa[y, i] = beta * drop, drop * most
            else:
                curve = t[y, i] * most
                k[y, i], kappa[y, i] = t[y, i], curve / (1.0 + curve)
            fuzz[y, i] = _ROUNDING * (half.shape[1] + 16.0) / max(1.0 - kappa[y, i] * deepest, 1e-9)


@fast
def own(form, beta, half, mu, s, gain, t, best):
    """Fill ``best`` with the squared score of the candidate itself, lowered by more than rounding: what its own column
    will at least give. Where rounding of its variance after the outcome could hurt, nothing is promised.
    """
    for i in range(s.size):
        for y in range(2):
            after, drop = s[i] / (1.0 + t[y, i] * s[i]), t[y, i] / (1.0 + t[y, i] * s[i])
            if form == LAPLACE:
                after = 0.0
                for m in range(half.shape[1]):
                    square = half[i, m] * half[i, m]
                    after += square / (1.0 + t[y, i] * square)
            elif form == ADF:
                after = s[i]
                for m in range(half.shape[1]):
                    square = half[i, m] * half[i, m]
                    after -= drop * square * square
            shift = gain[y, i] * s[i]
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
