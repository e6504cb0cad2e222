"""Where the score of a candidate is looked at, and how m trials of it may come out there: what KG(*) integrates over.

Nodes are t = ..., -1, 0, 1, ... of t(f) = 4A·atan(tanh(f/4)) + Cf: dense (A/cosh(f/2) + C to the unit) where the
outcomes of many trials tell scores apart, sparse elsewhere, and smooth, so that the trapezoid rule in t converges
geometrically. A = 0.44·√m resolves m trials of a logit (their information is m/(2cosh(f/2))²); C resolves the belief's
density and the other alternatives' probabilities. C is rounded up to a level, so that candidates share nodes, and the
binomial probabilities there are worked out once; above the last level a candidate has evenly spaced nodes of its own.
The constants leave an error of 1e-8 or so (tests/core/lookahead/test_star.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.numerics.compiled.terms import LOGIT, log_likelihood
from sureshot.core.numerics.stable import Array

REACH = 5.6  # standard deviations integrated over: 2e-8 is left out
QUICK = 0.7  # of the nodes to the unit, and of the reach, where an error of 1e-4 will do
KNOTS = 6  # knots that a polynomial of the rough look goes through
LEVELS = 16  # C = 0.4 and so on, each 2^(1/4) times the one before
_COARSEST = 0.4
_FINEST = _COARSEST * 2.0 ** (0.25 * (LEVELS - 1))
_FAR = 50.0  # beyond this score every outcome is as good as sure
_JOIN = 4.0  # beliefs whose C differ by less share nodes
_CODES = 4


class Store(NamedTuple):
    """Nodes that candidates share, filled when first asked for."""

    first: NDArray[np.int64]  # (codes, LEVELS) row of t = 0
    last: NDArray[np.int64]  # (codes, LEVELS) largest t
    known: NDArray[np.bool_]  # (N,)
    f: Array  # (N,)
    step: Array  # (N,) df/dt


@njit(cache=True, nogil=True, inline="always")
def sharpness(code, m):
    """A: twice as fine for links other than logit, whose information is larger."""
    return (0.44 if code == LOGIT else 0.8) * math.sqrt(m)


@njit(cache=True, nogil=True)
def open_store(code, m, fine):
    """An empty store for these links and m trials, and the rows of its table."""
    first, last = np.zeros((_CODES, LEVELS), np.int64), np.zeros((_CODES, LEVELS), np.int64)
    rows = 0
    for c in range(_CODES):
        wanted = False
        for k in range(code.size):
            wanted = wanted or code[k] == c
        if wanted:
            for level in range(LEVELS):
                last[c, level] = math.ceil(math.pi * fine * sharpness(c, m) + _COARSEST * 2.0 ** (0.25 * level) * _FAR)
                first[c, level] = rows + last[c, level]
                rows += 2 * last[c, level] + 1
    return Store(first, last, np.zeros(rows, np.bool_), np.empty(rows), np.empty(rows))


@njit(cache=True, nogil=True)
def binomials(code, f, ms, choose, out):
    """out[o] = Binom(k; m, σ(f)) for each m and k in turn, from the mode outwards: no overflow."""
    one, zero = log_likelihood(code, f, 1.0, 0.0), log_likelihood(code, f, 0.0, 1.0)
    up, down = math.exp(min(one - zero, 700.0)), math.exp(min(zero - one, 700.0))
    o = 0
    for m in ms:
        mode = min(int((m + 1) * math.exp(one)), m)
        top = math.exp(choose[o + mode] + (mode * one if mode else 0.0) + ((m - mode) * zero if mode < m else 0.0))
        out[o + mode] = top
        value = top
        for k in range(mode + 1, m + 1):
            value *= up * (m - k + 1) / k
            out[o + k] = value
        value = top
        for k in range(mode, 0, -1):
            value *= down * k / (m - k + 1)
            out[o + k - 1] = value
        o += m + 1


@njit(cache=True, nogil=True)
def _position(A, C, f):
    return 4.0 * A * math.atan(math.tanh(0.25 * f)) + C * f


@njit(cache=True, nogil=True)
def _node(A, C, t):
    """The score at t, and df/dt: Newton's steps from below, where t(f) is concave."""
    size = abs(t)
    f = max(size / (A + C), (size - math.pi * A) / C)
    slope = A / math.cosh(min(0.5 * f, 300.0)) + C
    for _ in range(40):
        gap = size - _position(A, C, f)
        f += gap / slope
        slope = A / math.cosh(min(0.5 * f, 300.0)) + C
        if gap < 1e-13 * (1.0 + size):
            break
    return math.copysign(f, t), 1.0 / slope


@njit(cache=True, nogil=True)
def grouped(code, C):
    """Which beliefs share nodes: group of each, the largest C of each group; same link, and C alike."""
    K = C.size
    group, finest, count = np.full(K, -1), np.empty(K), 0
    while True:
        lead = -1
        for k in range(K):
            if group[k] < 0 and (lead < 0 or C[k] > C[lead]):
                lead = k
        if lead < 0:
            return group, finest[:count]
        for k in range(K):
            if group[k] < 0 and code[k] == code[lead] and C[k] * _JOIN >= C[lead]:
                group[k] = count
        finest[count] = C[lead]
        count += 1


@njit(cache=True, nogil=True)
def place(store, table, code, A, C, low, high, ms, choose, spare, stride):
    """Nodes from ``low`` to ``high``: scores, steps, and the row of ``table`` that holds the binomials of each.

    Their number is a multiple of ``stride``, plus 1. Nodes of its own go into the table from row ``spare`` on; gives
    back the table too, which may have grown, and the next spare row.
    """
    shared = C <= _FINEST
    level = 0
    if shared:
        level = max(math.ceil(4.0 * math.log2(C / _COARSEST) - 1e-9), 0)
        C = _COARSEST * 2.0 ** (0.25 * level)
        begin = math.floor(_position(A, C, low))
        count = math.ceil(_position(A, C, high)) - begin
    else:
        nearest = max(low, -high, 0.0)
        density = A / math.cosh(min(0.5 * nearest, 300.0)) + C
        begin = 0
        count = math.ceil((high - low) * density)
    count = max(-(-count // stride), KNOTS - 1) * stride + 1
    f, step, source = np.empty(count), np.empty(count), np.empty(count, np.int64)
    if not shared and spare + count > table.shape[0]:
        more = np.empty((spare + 2 * count, table.shape[1]))
        for row in range(spare):
            for o in range(table.shape[1]):
                more[row, o] = table[row, o]
        table = more
    for q in range(count):
        if not shared:
            f[q], step[q], source[q] = low + q / density, 1.0 / density, spare + q
            binomials(code, f[q], ms, choose, table[spare + q])
            continue
        t = begin + q
        last = store.last[code, level]
        row = store.first[code, level] + min(max(t, -last), last)
        if not store.known[row]:
            store.known[row] = True
            store.f[row], store.step[row] = _node(A, C, float(min(max(t, -last), last)))
            binomials(code, store.f[row], ms, choose, table[row])
        source[q] = row
        if abs(t) <= last:
            f[q], step[q] = store.f[row], store.step[row]
        else:
            f[q], step[q] = _node(A, C, float(t))
    return f, step, source, table, spare if shared else spare + count
