"""The look-ahead by update over a pool, compiled: the twin of :mod:`sureshot.core.lookahead.update`.

Four candidates at a time meet a block of alternatives, which stays in cache. All is divided by the present spread of an
alternative's score, S = 1 + beta s: after an outcome of a candidate, c being their covariance by √S, it has

    n = a + gain·c      and      den = start + slope·q,      1/S <= den <= 1,

where q = c² (full covariance) or a second product (diagonal forms), and its probability is a function of n/√den. One
belief compares sign(n)·n²/den, no square root; with a full covariance most alternatives are seen not to be the best
without the division either. Of a mixture, all probabilities are worked out in single precision, and those that come
near the best again in full. Neither changes a bit of the result. The score of a candidate's twin varies with its own by
all of its variance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.numerics.compiled.terms import squashed
from sureshot.core.numerics.compiled.tile import ROWS, WIDTH, larger, larger32, tile
from sureshot.core.numerics.stable import Array

BLOCK = 1024  # alternatives
LOWEST = -1e300
FINE = 1e-12  # relative safety of comparing without division: rounding stays below 1e-14
NOBODY = -1e30  # the mean of a score that fills up the last block: it never is the best
_SQRT_HALF = 0.7071067811865476
#: Φ(z) = σ(2z (P + Q z²)) of the logistic function, to 2e-4.
_P, _Q = np.float32(0.7978845608), np.float32(0.0356774081)
#: How far the single-precision probability of an alternative may be off, with room to spare.
_OFF = 1e-3

#: Division as the hardware does it and fused multiply-adds: without them LLVM leaves the loops scalar.
fast = njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
#: For single precision, whose errors are allowed for.
quick = njit(nogil=True, cache=True, error_model="numpy", fastmath=True)


class Candidates(NamedTuple):
    """M candidates under K beliefs; outcome 0 is failure, 1 success."""

    root: Array  # (K, M, r)
    s: Array  # (K, M)
    t: Array  # (K, 2, M) curvature
    gain: Array  # (K, 2, M) shift of the mean per unit of covariance
    slope: Array  # (K, 2, M)
    kept: Array  # (K, 2, M) of no variance is less kept than this share; 0 for the diagonal Laplace form
    own: Array  # (K, 2, M) what the twin's q has beside the product, times its S
    chance: Array  # (K, 2, M) weight of the belief times its probability of the outcome
    twin: NDArray[np.intp]  # (M,)


class Alternatives(NamedTuple):
    """Alternatives under K beliefs in B blocks, the last filled up."""

    panels: Array  # (K, P, r, WIDTH) their roots by √S
    squares: Array  # (K, P, r, WIDTH) the squares of these; empty if no covariance is diagonal
    a: Array  # (K, B, block) score now, mu/√S
    start: Array  # (K, B, block) 1, or 1/S and what no weight stands for (diagonal Laplace)
    least: Array  # (K, B, block) 1/S


class Kinds(NamedTuple):
    """What kind each of K beliefs is."""

    probit: NDArray[np.bool_]  # otherwise logit
    full: NDArray[np.bool_]  # otherwise diagonal
    laplace: NDArray[np.bool_]  # otherwise by moments
    plain: bool  # every score is a number in single precision too


@fast
def _multiply(left, depth, right, out, width):
    """A product of ROWS rows and the panels of a block, by their addresses: Numba counts references to arrays."""
    for p in range(width // WIDTH):
        tile(left, depth, right + 8 * depth * WIDTH * p, out + 8 * WIDTH * p, width)


@fast
def _pack_roots(root, k, part, g, packed):
    for r in range(ROWS):
        i = part[min(g + r, part.size - 1)]
        for m in range(packed.shape[1]):
            packed[r, m] = root[k, i, m]


@fast
def _pack_squares(root, t, laplace, k, y, part, g, packed):
    """Left factors of the second product: what is kept of each weight's variance, or what it loses."""
    for r in range(ROWS):
        i = part[min(g + r, part.size - 1)]
        for m in range(packed.shape[1]):
            square = root[k, i, m] * root[k, i, m]
            packed[r, m] = 1.0 / (1.0 + t[k, y, i] * square) if laplace else square


@fast
def _products(kinds, rows, cols, part, g, b, packed, c, q):
    """c[k, r] and, of diagonal forms, q[k, y, r]: ROWS candidates against block b."""
    (K, _, width), depth = c.shape, packed.shape[1]
    left, first, second = packed.ctypes.data, cols.panels.ctypes.data, cols.squares.ctypes.data
    c_at, q_at = c.ctypes.data, q.ctypes.data
    for k in range(K):
        block = 8 * depth * (k * cols.panels.shape[1] * WIDTH + b * width)
        _pack_roots(rows.root, k, part, g, packed)
        _multiply(left, depth, first + block, c_at + 8 * k * ROWS * width, width)
        for y in range(0 if kinds.full[k] else 2):
            _pack_squares(rows.root, rows.t, kinds.laplace[k], k, y, part, g, packed)
            _multiply(left, depth, second + block, q_at + 8 * (2 * k + y) * ROWS * width, width)
        for r in range(ROWS):
            i = part[min(g + r, part.size - 1)]
            j = rows.twin[i] - b * width
            if rows.twin[i] >= 0 and 0 <= j < width:
                c[k, r, j] = rows.s[k, i] * math.sqrt(cols.least[k, b, j])
                if not kinds.full[k]:
                    q[k, 0, r, j] += rows.own[k, 0, i] * cols.least[k, b, j]
                    q[k, 1, r, j] += rows.own[k, 1, i] * cols.least[k, b, j]


@fast
def _tops(c, r, b, a, gain0, gain1, h0, h1):
    """Largest n·abs(n) + h c² of one candidate by outcome; above its best wherever a squared score is."""
    top0 = top1 = LOWEST
    for j in range(c.shape[2]):
        x = c[0, r, j]
        n0 = a[0, b, j] + gain0 * x
        n1 = a[0, b, j] + gain1 * x
        top0 = larger(n0 * abs(n0) + h0 * (x * x), top0)
        top1 = larger(n1 * abs(n1) + h1 * (x * x), top1)
    return top0, top1


@fast
def _best_full(c, r, b, a, least, gain, slope, kept, best):
    """The largest squared score, with its sign, under one belief with a full covariance."""
    for j in range(c.shape[2]):
        x = c[0, r, j]
        n = a[0, b, j] + gain * x
        best = larger(n * abs(n) / larger(1.0 + slope * (x * x), kept + (1.0 - kept) * least[0, b, j]), best)
    return best


@fast
def _best_diagonal(c, q, r, y, b, a, start, least, gain, slope, kept, best):
    """The same with a diagonal covariance."""
    for j in range(c.shape[2]):
        n = a[0, b, j] + gain * c[0, r, j]
        den = larger(start[0, b, j] + slope * q[0, y, r, j], kept + (1.0 - kept) * least[0, b, j])
        best = larger(n * abs(n) / den, best)
    return best


@quick
def _scores(full, c, q, k, r, y, b, a, start, least, gain, slope, kept, z):
    """z[j] = n/√den of every alternative under belief k, in single precision."""
    if full:
        for j in range(z.size):
            x = c[k, r, j]
            den = larger(1.0 + slope * (x * x), kept + (1.0 - kept) * least[k, b, j])
            z[j] = np.float32(a[k, b, j] + gain * x) / math.sqrt(np.float32(den))
    else:
        for j in range(z.size):
            den = larger(start[k, b, j] + slope * q[k, y, r, j], kept + (1.0 - kept) * least[k, b, j])
            z[j] = np.float32(a[k, b, j] + gain * c[k, r, j]) / math.sqrt(np.float32(den))


@quick
def _add_chances(probit, z, share, near):
    """Add share·σ(z), to 2e-4 of the share."""
    if probit:
        for j in range(z.size):
            near[j] += share * squashed(z[j] * (_P + _Q * z[j] * z[j]))
    else:
        for j in range(z.size):
            near[j] += share * squashed(np.float32(0.5) * z[j])


@quick
def _largest(near, top):
    for j in range(near.size):
        top = larger32(near[j], top)
    return top


@fast
def chance_of(score, probit):
    """The success probability that belongs to a score."""
    if probit:
        return 0.5 * math.erfc(-score * _SQRT_HALF)
    return 1.0 / (1.0 + math.exp(-score)) if score > -700.0 else 0.0


@fast
def _best_of_many(kinds, rows, cols, c, q, i, r, y, b, z, near, best):
    """The largest Σ chance_k σ(z_k), under several beliefs."""
    K, gain, slope, kept, chance = c.shape[0], rows.gain, rows.slope, rows.kept, rows.chance
    a, start, floor, total = cols.a, cols.start, cols.least, 0.0
    near[:] = np.float32(0.0)
    for k in range(K):
        total += chance[k, y, i]
        _scores(kinds.full[k], c, q, k, r, y, b, a, start, floor, gain[k, y, i], slope[k, y, i], kept[k, y, i], z)
        _add_chances(kinds.probit[k], z, np.float32(chance[k, y, i]), near)
    least = _largest(near, np.float32(best)) - np.float32(_OFF * total if kinds.plain else 9.0)
    for j in range(near.size):
        if near[j] < least:
            continue
        value = 0.0
        for k in range(K):
            x = c[k, r, j]
            den = start[k, b, j] + slope[k, y, i] * (x * x if kinds.full[k] else q[k, y, r, j])
            den = max(den, kept[k, y, i] + (1.0 - kept[k, y, i]) * floor[k, b, j])
            value += chance[k, y, i] * chance_of((a[k, b, j] + gain[k, y, i] * x) / math.sqrt(den), kinds.probit[k])
        best = max(best, value)
    return best


@fast
def _start_from_twins(rows, cols, part, g, best):
    """A little less than the squared score of the candidate itself, under one belief with a full covariance."""
    width = cols.a.shape[2]
    for r in range(min(ROWS, part.size - g)):
        i = part[g + r]
        if rows.twin[i] >= 0:
            b, j = rows.twin[i] // width, rows.twin[i] % width
            least = cols.least[0, b, j]
            x = rows.s[0, i] * math.sqrt(least)
            for y in range(2):
                n, kept = cols.a[0, b, j] + rows.gain[0, y, i] * x, rows.kept[0, y, i]
                score = n * abs(n) / max(1.0 + rows.slope[0, y, i] * (x * x), kept + (1.0 - kept) * least)
                best[y, r] = score - 1e-9 * abs(score)


@fast
def best_after(kinds, rows, cols, out, part):
    """out[i] = the best after a failure plus the best after a success, each times its probability, for the candidates
    ``part``.
    """
    (K, blocks, width), depth = cols.a.shape, rows.root.shape[2]
    c, q = np.empty((K, ROWS, width)), np.empty((K, 2, ROWS, 0 if kinds.full.all() else width))
    z, near = np.empty(width, np.float32), np.empty(width, np.float32)
    packed, best = np.empty((ROWS, depth)), np.empty((2, ROWS))
    a, start, least, gain, slope, kept = cols.a, cols.start, cols.least, rows.gain, rows.slope, rows.kept
    alone, full = K == 1, kinds.full[0]
    for g in range(0, part.size, ROWS):
        count = min(ROWS, part.size - g)
        best[:] = LOWEST if alone else -1.0
        if alone and full:
            _start_from_twins(rows, cols, part, g, best)
        for b in range(blocks):
            _products(kinds, rows, cols, part, g, b, packed, c, q)
            for r in range(count):
                i = part[g + r]
                top0 = top1 = 0.0
                if alone and full:
                    h0, h1 = -slope[0, 0, i] * max(best[0, r], 0.0), -slope[0, 1, i] * max(best[1, r], 0.0)
                    top0, top1 = _tops(c, r, b, a, gain[0, 0, i], gain[0, 1, i], h0, h1)
                for y in range(2):
                    was = best[y, r]
                    if not alone:
                        best[y, r] = _best_of_many(kinds, rows, cols, c, q, i, r, y, b, z, near, was)
                    elif not full:
                        best[y, r] = _best_diagonal(
                            c, q, r, y, b, a, start, least, gain[0, y, i], slope[0, y, i], kept[0, y, i], was
                        )
                    elif (top1 if y else top0) > was - FINE * abs(was):
                        best[y, r] = _best_full(c, r, b, a, least, gain[0, y, i], slope[0, y, i], kept[0, y, i], was)
        for r in range(count):
            i, value = part[g + r], 0.0
            for y in range(2):
                if alone:
                    score = math.copysign(math.sqrt(abs(best[y, r])), best[y, r])
                    value += rows.chance[0, y, i] * chance_of(score, kinds.probit[0])
                else:
                    value += best[y, r]
            out[i] = value
