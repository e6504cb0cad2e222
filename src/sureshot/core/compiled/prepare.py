"""A pool made ready for the screen: a pass over it as candidates, and one as alternatives."""

from __future__ import annotations

import math

import numpy as np

from sureshot.core.compiled.bounds import FINE, KNOTS, LOWEST, fast
from sureshot.core.compiled.screen import ADF, FULL, LAPLACE
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
    """Fill what :class:`~sureshot.core.compiled.screen.Alternatives` holds in single precision, in the order of ``who``."""
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
def tabulate(a, root, who, edges, high, per_reach, table, rest, rho_block, rho_rest):
    """table[b, m] = max over block b of a + reach √rho at the m-th reach, raised by more than rounding; and the
    largest rho; both also over this block and all later ones.
    """
    width = 0
    for b in range(edges.size - 1):
        width = max(width, edges[b + 1] - edges[b])
    level, depth = np.empty(width), np.empty(width)
    for b in range(edges.size - 2, -1, -1):
        count, deep = edges[b + 1] - edges[b], 0.0
        for n in range(count):
            j = who[edges[b] + n]
            level[n], depth[n] = a[j], root[j]
            deep = larger(root[j], deep)
        rho_block[b] = deep * deep
        rho_rest[b] = max(rho_block[b], rho_rest[min(b + 1, edges.size - 2)]) if b < edges.size - 2 else rho_block[b]
        for m in range(KNOTS):
            reach, top = m / per_reach, LOWEST
            for n in range(count):
                top = larger(level[n] + reach * depth[n], top)
            table[b, m] = top + FINE * (high + reach * deep)
            rest[b, m] = max(table[b, m], rest[b + 1, m]) if b < edges.size - 2 else table[b, m]
