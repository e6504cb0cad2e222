"""The look-ahead by update over a pool, compiled: the twin of :mod:`sureshot.core.lookahead.update`.

Four candidates at a time meet a block of alternatives, which stays in cache. After an outcome of a candidate with
covariance c, an alternative's score has n = mu + gain·c and a spread of

    den = base + slope·q,      q = c² (full covariance) or a second product (diagonal forms),

and its probability is a function of n/√den. One belief compares sign(n)·n²/den: no square root. Of a mixture, all
probabilities are worked out in single precision, and those that come near the best again in full, which changes no bit
of the result. The score of a candidate's twin varies with its own by all of its variance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.compiled.squash import squashed
from sureshot.core.compiled.tile import ROWS, WIDTH, larger, larger32, tile
from sureshot.core.stable import Array

BLOCK = 256  # alternatives
LOWEST = -1e300
NOBODY = -1e30  # the mean of a score that fills up the last block: it never is the best
_SQRT_HALF = 0.7071067811865476
#: Φ(z) = σ(2z (P + Q z²)) of the logistic function, to 2e-4.
_P, _Q = np.float32(0.7978845608), np.float32(0.0356774081)
#: How far the single-precision probability of an alternative may be off, with room to spare.
_OFF = 1e-3

#: Division as the hardware does it and fused multiply-adds: without them LLVM leaves the loops scalar.
fast = njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})


class Candidates(NamedTuple):
    """M candidates under K beliefs; outcome 0 is failure, 1 success."""

    root: Array  # (K, M, r)
    s: Array  # (K, M)
    t: Array  # (K, 2, M) curvature
    gain: Array  # (K, 2, M) shift of the mean per unit of covariance
    slope: Array  # (K, 2, M)
    floor: Array  # (K, 2, M) den is at least 1 + floor·s' of the alternative
    own: Array  # (K, 2, M) what the twin's q has beside the product
    chance: Array  # (K, 2, M) weight of the belief times its probability of the outcome
    twin: NDArray[np.intp]  # (M,)


class Alternatives(NamedTuple):
    """Alternatives under K beliefs in B blocks, the last filled up."""

    panels: Array  # (K, P, r, WIDTH) their roots
    squares: Array  # (K, P, r, WIDTH) the squares of these; empty if no covariance is diagonal
    mu: Array  # (K, B, block)
    base: Array  # (K, B, block)
    s: Array  # (K, B, block)


class Kinds(NamedTuple):
    """What kind each of K beliefs is."""

    probit: NDArray[np.bool_]  # otherwise logit
    full: NDArray[np.bool_]  # otherwise diagonal
    laplace: NDArray[np.bool_]  # otherwise by moments
    plain: bool  # every score is a number in single precision too


@fast
def _multiply(packed, panels, k, b, out, at):
    """``out`` from address ``at`` on: ROWS rows times block b of the panels of belief k."""
    depth, each = panels.shape[2], out.shape[-1] // WIDTH
    first = panels.ctypes.data + 8 * depth * WIDTH * (k * panels.shape[1] + b * each)
    for p in range(each):
        tile(packed.ctypes.data, depth, first + 8 * depth * WIDTH * p, at + 8 * WIDTH * p, out.shape[-1])


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
    width = c.shape[2]
    for k in range(c.shape[0]):
        _pack_roots(rows.root, k, part, g, packed)
        _multiply(packed, cols.panels, k, b, c, c.ctypes.data + 8 * k * ROWS * width)
        for y in range(0 if kinds.full[k] else 2):
            _pack_squares(rows.root, rows.t, kinds.laplace[k], k, y, part, g, packed)
            _multiply(packed, cols.squares, k, b, q, q.ctypes.data + 8 * (2 * k + y) * ROWS * width)
        for r in range(ROWS):
            i = part[min(g + r, part.size - 1)]
            j = rows.twin[i] - b * width
            if rows.twin[i] >= 0 and 0 <= j < width:
                c[k, r, j] = rows.s[k, i]
                if not kinds.full[k]:
                    q[k, 0, r, j] += rows.own[k, 0, i]
                    q[k, 1, r, j] += rows.own[k, 1, i]


@fast
def _best_of_one(full, c, q, r, y, b, mu, base, s, gain, slope, floor, best):
    """The largest squared score, with its sign, under one belief."""
    if full:
        for j in range(c.shape[2]):
            x = c[0, r, j]
            n = mu[0, b, j] + gain * x
            best = larger(n * abs(n) / larger(base[0, b, j] + slope * (x * x), 1.0 + floor * s[0, b, j]), best)
    else:
        for j in range(c.shape[2]):
            n = mu[0, b, j] + gain * c[0, r, j]
            best = larger(n * abs(n) / larger(base[0, b, j] + slope * q[0, y, r, j], 1.0 + floor * s[0, b, j]), best)
    return best


@njit(nogil=True, cache=True, error_model="numpy", fastmath=True)
def _add_roughly(probit, full, c, q, k, r, y, b, mu, base, s, gain, slope, floor, share, out):
    """Add share·σ of every alternative under belief k, in single precision."""
    for j in range(c.shape[2]):
        x = c[k, r, j]
        den = larger(base[k, b, j] + slope * (x * x if full else q[k, y, r, j]), 1.0 + floor * s[k, b, j])
        z = np.float32(mu[k, b, j] + gain * x) / math.sqrt(np.float32(den))
        out[j] += share * squashed(z * (_P + _Q * z * z) if probit else np.float32(0.5) * z)


@fast
def chance_of(score, probit):
    """The success probability that belongs to a score."""
    if probit:
        return 0.5 * math.erfc(-score * _SQRT_HALF)
    return 1.0 / (1.0 + math.exp(-score)) if score > -700.0 else 0.0


@fast
def _best_of_many(kinds, rows, cols, c, q, i, r, y, b, near, best):
    """The largest Σ chance_k σ(z_k), under several beliefs."""
    K, gain, slope, floor, chance = c.shape[0], rows.gain, rows.slope, rows.floor, rows.chance
    mu, base, s, total = cols.mu, cols.base, cols.s, 0.0
    near[:] = np.float32(0.0)
    for k in range(K):
        total += chance[k, y, i]
        _add_roughly(
            kinds.probit[k], kinds.full[k], c, q, k, r, y, b, mu, base, s, gain[k, y, i], slope[k, y, i],
            floor[k, y, i], np.float32(chance[k, y, i]), near,
        )  # fmt: skip
    top = np.float32(best)
    for j in range(near.size):
        top = larger32(near[j], top)
    least = top - np.float32(_OFF * total) if kinds.plain else np.float32(-1.0)
    for j in range(near.size):
        if near[j] < least:
            continue
        value = 0.0
        for k in range(K):
            x = c[k, r, j]
            den = base[k, b, j] + slope[k, y, i] * (x * x if kinds.full[k] else q[k, y, r, j])
            den = max(den, 1.0 + floor[k, y, i] * s[k, b, j])
            value += chance[k, y, i] * chance_of((mu[k, b, j] + gain[k, y, i] * x) / math.sqrt(den), kinds.probit[k])
        best = max(best, value)
    return best


@fast
def best_after(kinds, rows, cols, out, part):
    """out[i] = the best after a failure plus the best after a success, each times its probability, for the candidates
    ``part``.
    """
    (K, blocks, width), depth = cols.mu.shape, rows.root.shape[2]
    c, q = np.empty((K, ROWS, width)), np.empty((K, 2, ROWS, 0 if kinds.full.all() else width))
    packed, near, best = np.empty((ROWS, depth)), np.empty(width, np.float32), np.empty((2, ROWS))
    alone, full = K == 1, kinds.full[0]
    for g in range(0, part.size, ROWS):
        count = min(ROWS, part.size - g)
        best[:] = LOWEST if alone else -1.0
        for b in range(blocks):
            _products(kinds, rows, cols, part, g, b, packed, c, q)
            for r in range(count):
                i = part[g + r]
                for y in range(2):
                    if alone:
                        best[y, r] = _best_of_one(
                            full, c, q, r, y, b, cols.mu, cols.base, cols.s, rows.gain[0, y, i], rows.slope[0, y, i],
                            rows.floor[0, y, i], best[y, r],
                        )  # fmt: skip
                    else:
                        best[y, r] = _best_of_many(kinds, rows, cols, c, q, i, r, y, b, near, best[y, r])
        for r in range(count):
            i, value = part[g + r], 0.0
            for y in range(2):
                if alone:
                    score = math.copysign(math.sqrt(abs(best[y, r])), best[y, r])
                    value += rows.chance[0, y, i] * chance_of(score, kinds.probit[0])
                else:
                    value += best[y, r]
            out[i] = value
