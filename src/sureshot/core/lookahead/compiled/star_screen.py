"""The rough look of KG(*): which alternatives may be the best for some outcome of a candidate's trials.

p(x'|f) at every second or third node ("knots"), by few probits in single precision, and a polynomial between: then one
product of single precision gives J_o(x') for all alternatives and outcomes, off by 1e-4 to 1e-2 of P(o).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.lookahead.compiled.nodes import KNOTS
from sureshot.core.numerics.compiled.tile import ROWS, WIDTH32, larger32, tile32

_SLIGHT = 1e-4  # share of a node's mass below which a belief is left out


class Rough(NamedTuple):
    """The links of K beliefs in few probits, single precision, padded to the longest."""

    terms: NDArray[np.int64]  # (K,)
    w: NDArray[np.float32]  # (K, T)
    b: NDArray[np.float32]
    h: NDArray[np.float32]


@njit(cache=True, nogil=True, fastmath=True)
def knot_weights(source, ends, whole, table, stride, wide):
    """wide[r, o]: weight of p at knot r in J_o, from the polynomial through the six knots about each node."""
    wide[:] = 0.0
    start = first = 0
    ell = np.empty((stride, KNOTS))
    for end in ends:
        knots = (end - start - 1) // stride + 1
        for n in range(knots):  # the nodes from knot n on, before the next
            at = min(max(n - 2, 0), knots - KNOTS)
            count = stride if n + 1 < knots else 1
            for q in range(count):
                u = n - at + q / stride
                for a in range(KNOTS):
                    value = whole[start + n * stride + q]
                    for b in range(KNOTS):
                        value *= 1.0 if a == b else (u - b) / (a - b)
                    ell[q, a] = value
            for q in range(count):
                row, r = source[start + n * stride + q], first + at
                l0, l1, l2, l3, l4, l5 = ell[q, 0], ell[q, 1], ell[q, 2], ell[q, 3], ell[q, 4], ell[q, 5]
                if q == 0:  # a knot itself
                    for o in range(wide.shape[1]):
                        wide[first + n, o] += whole[start + n * stride] * table[row, o]
                    continue
                for o in range(wide.shape[1]):
                    x = table[row, o]
                    wide[r, o] += l0 * x
                    wide[r + 1, o] += l1 * x
                    wide[r + 2, o] += l2 * x
                    wide[r + 3, o] += l3 * x
                    wide[r + 4, o] += l4 * x
                    wide[r + 5, o] += l5 * x
        start = end
        first += knots


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _add_probits(seen, r, ratio, offset, scale, k, t, f, weight, shift):
    """Add weight·Φ((offset + ratio f - shift)·scale) for every alternative; absolute error 2e-7 (Abramowitz & Stegun,
    7.1.28).
    """
    half, root, limit, one = np.float32(0.5), np.float32(0.70710678), np.float32(5.5), np.float32(1.0)
    a1, a2, a3 = np.float32(0.0705230784), np.float32(0.0422820123), np.float32(0.0092705272)
    a4, a5, a6 = np.float32(0.0001520143), np.float32(0.0002765672), np.float32(0.0000430638)
    for j in range(seen.shape[1]):
        x = (offset[k, j] + ratio[k, j] * f - shift) * (scale[k, t, j] * root)
        z = abs(x)
        z = z if z < limit else limit
        e = one + z * (a1 + z * (a2 + z * (a3 + z * (a4 + z * (a5 + z * a6)))))
        e *= e
        e *= e
        e *= e
        e *= e
        y = half - half / e
        seen[r, j] += weight * (half + (y if x > np.float32(0.0) else -y))


@njit(cache=True, nogil=True)
def look(rough, rows, cols, i, ratio, left, f, ends, group, mass, whole, stride, seen):
    """seen[r, j] = p(x'|f) at every knot, roughly; columns beyond the alternatives mean nothing."""
    (K, M), columns = ratio.shape, seen.shape[1]
    narrow, offset = np.zeros((K, columns), np.float32), np.zeros((K, columns), np.float32)
    scale = np.ones((K, rough.w.shape[1], columns), np.float32)
    for k in range(K):
        for j in range(M):
            narrow[k, j] = ratio[k, j]
            offset[k, j] = cols.mu[k, j] - ratio[k, j] * rows.mu[k, i]
        for t in range(rough.terms[k]):
            h = rough.h[k, t] * rough.h[k, t]
            for j in range(M):
                scale[k, t, j] = np.float32(1.0) / math.sqrt(h + np.float32(left[k, j]))
    terms, w, b = rough.terms, rough.w, rough.b
    seen[:] = np.float32(0.0)
    start = r = 0
    for g in range(ends.size):
        for q in range(start, ends[g], stride):
            for k in range(K):
                share = mass[k, q] / max(whole[q], 1e-300)
                if group[k] == g and share > _SLIGHT:
                    for t in range(terms[k]):
                        weight = np.float32(share) * w[k, t]
                        _add_probits(seen, r, narrow, offset, scale, k, t, np.float32(f[q]), weight, b[k, t])
            r += 1
        start = ends[g]


@njit(cache=True, nogil=True)
def rough_joint(seen, wide, panels, packed, out):
    """out[j, o] = Σ_r seen[r, j] wide[r, o], by tiles."""
    depth, size = wide.shape
    padded, M = out.shape[1], seen.shape[1]
    for p in range(padded // WIDTH32):
        for r in range(depth):
            for c in range(WIDTH32):
                o = p * WIDTH32 + c
                panels[p, r, c] = wide[r, o] if o < size else 0.0
    for j in range(0, M, ROWS):
        for b in range(ROWS):
            for r in range(depth):
                packed[b * depth + r] = seen[r, min(j + b, M - 1)]
        for p in range(padded // WIDTH32):
            tile32(
                packed.ctypes.data,
                depth,
                panels.ctypes.data + 4 * p * panels.shape[1] * WIDTH32,
                out.ctypes.data + 4 * (j * padded + p * WIDTH32),
                padded,
            )


@njit(cache=True, nogil=True, fastmath=True)
def tops(rough, M, top):
    """Largest of each column."""
    for o in range(top.size):
        top[o] = rough[0, o]
    for j in range(1, M):
        for o in range(top.size):
            top[o] = larger32(rough[j, o], top[o])


@njit(cache=True, nogil=True, fastmath=True)
def any_above(rough, j, limit):
    """Whether row j is above the limit of any column."""
    over = np.float32(-1.0)
    for o in range(limit.size):
        over = larger32(rough[j, o] - limit[o], over)
    return over > np.float32(0.0)
