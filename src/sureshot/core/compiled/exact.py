"""Exact joint probabilities of pairs, and the scan for each candidate's best: one belief or a mixture.

Per belief J = p p' + C with C = Cov(σ(f), σ(f')) (:mod:`sureshot.core.compiled.hermite`), so both outcomes come from
one C and E_y p(x'|y) = p(x') holds by construction. Pruning is exact. For every pair, C is at most the smaller of

    max(ρ, 0) T_0 T'_0     and     ρ g_1 g'_1 + ρ² T_1 T'_1

and likewise -C with -ρ. These bounds take one matrix product a block (ρ, in float32, whose rounding a slack covers).
Only pairs whose bound beats the running best are looked at again, with 2, 6, 12, ... terms of the series until they are
rejected or settled, and by direct integration where the series is too slow.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.compiled.hermite import ORDER, covariance_direct
from sureshot.core.compiled.tile import ROWS, WIDTH32, tile32
from sureshot.core.stable import Array

GROUPS = 128  # running maxima kept side by side: LLVM vectorises these, a single one it does not


class Side(NamedTuple):
    """M alternatives under K beliefs, as candidates or as what they are compared with."""

    mu: Array  # (K, M)
    s: Array  # (K, M)
    unit: Array  # (K, M, d) rows of the root scaled to length 1: ρ = unit·unit'
    unit32: NDArray[np.float32]  # (K, M, d)
    panels: NDArray[np.float32]  # (K, P, d, WIDTH32) the same by columns, padded with zeros
    norms: NDArray[np.float32]  # (3, K, M) T_0, g_1 and T_1, for the bounds
    p: Array  # (K, M) success probability under each belief
    p32: NDArray[np.float32]  # (K, M)
    var: Array  # (K, M) Var σ(f)
    coef: Array  # (K, M, ORDER + 1)
    tail: Array  # (K, M, ORDER + 1)
    mean: Array  # (M,) success probability under the mixture
    mean32: NDArray[np.float32]  # (M,)


@njit(cache=True, nogil=True)
def pair(con, v, rows, cols, same, i, j, best_s, best_f, power, rho, acc):
    """(settled, J): J(i, j) within con.tol, or not settled once neither maximum can be beaten.

    power, rho, acc: scratch of length K.
    """
    K = v.size
    base = 0.0
    if same and i == j:
        for k in range(K):
            base += v[k] * (rows.p[k, i] * rows.p[k, i] + rows.var[k, i])
        return True, base
    for k in range(K):
        base += v[k] * rows.p[k, i] * cols.p[k, j]
        r = 0.0
        for d in range(rows.unit.shape[2]):
            r += rows.unit[k, i, d] * cols.unit[k, j, d]
        rho[k] = min(max(r, -1.0), 1.0)
        power[k] = 1.0
        acc[k] = 0.0
    done = 0
    step = 2  # what one term says is in the bound already
    while done < ORDER:
        upto = min(done + step, ORDER)
        step = min(2 * step, 6)
        total = 0.0
        rest = 0.0
        for k in range(K):
            r, q, a = rho[k], power[k], acc[k]
            for n in range(done + 1, upto + 1):
                q *= r
                a += q * rows.coef[k, i, n] * cols.coef[k, j, n]
            power[k] = q
            acc[k] = a
            total += v[k] * a
            rest += v[k] * abs(q * r) * rows.tail[k, i, upto] * cols.tail[k, j, upto]
        done = upto
        joint = base + total
        if joint + rest <= best_s and cols.mean[j] - joint + rest <= best_f:
            return False, joint
        if rest <= con.tol:
            return True, joint
    total = base
    for k in range(K):
        rest = v[k] * abs(power[k] * rho[k]) * rows.tail[k, i, ORDER] * cols.tail[k, j, ORDER]
        if rest > con.tol / K and max(rows.s[k, i], cols.s[k, j]) >= con.small[k]:
            c = rho[k] * math.sqrt(rows.s[k, i] * cols.s[k, j])
            acc[k] = covariance_direct(con, k, rows.mu[k, i], rows.s[k, i], cols.mu[k, j], cols.s[k, j], c)
        total += v[k] * acc[k]
    return True, total


@njit(cache=True, nogil=True)
def _products(rows, cols, part, first, start, width, packed, y):
    """y[k, r, :width] = ρ of ROWS candidates and a block of alternatives under each belief."""
    K, _, d, each = cols.panels.shape
    for k in range(K):
        for r in range(ROWS):
            i = part[min(first + r, part.size - 1)]
            for m in range(d):
                packed[r, m] = rows.unit32[k, i, m]
        begin = start // each
        for p in range((width + each - 1) // each):
            right = cols.panels.ctypes.data + 4 * d * each * (k * cols.panels.shape[1] + begin + p)
            tile32(packed.ctypes.data, d, right, y.ctypes.data + 4 * (k * ROWS * y.shape[2] + p * each), y.shape[2])


@njit(cache=True, nogil=True, fastmath=True)
def _bounds(v, rows, cols, y, r, i, start, up, down):
    """Single-precision upper bounds of J and of p' - J for one candidate and a block of alternatives."""
    zero = np.float32(0.0)
    mean = cols.mean32[start:]
    for c in range(up.size):
        up[c] = zero
        down[c] = mean[c]
    for k in range(v.size):
        weight = v[k]
        q = np.float32(weight * rows.p[k, i])
        a0 = np.float32(weight * rows.tail[k, i, 0])
        a1 = np.float32(weight * rows.coef[k, i, 1])
        a2 = np.float32(weight * rows.tail[k, i, 1])
        t, p = y[k, r], cols.p32[k, start:]
        t0, g1, t1 = cols.norms[0, k, start:], cols.norms[1, k, start:], cols.norms[2, k, start:]
        for c in range(up.size):
            b = q * p[c]
            rho = t[c]
            whole = a0 * rho * t0[c]
            first = a1 * rho * g1[c]
            rest = a2 * rho * rho * t1[c]
            more = whole if whole > zero else zero
            less = -whole if whole < zero else zero
            high, low = first + rest, rest - first
            up[c] += b + (more if more < high else high)
            down[c] += (less if less < low else low) - b


@njit(cache=True, nogil=True, fastmath=True)
def _group_max(x, top):
    """top[g] = max of x[g], x[g + GROUPS], ..."""
    for g in range(min(GROUPS, x.size)):
        top[g] = x[g]
    for b in range(GROUPS, x.size, GROUPS):
        part = x[b : b + GROUPS]
        for g in range(part.size):
            u, t = part[g], top[g]
            top[g] = u if u > t else t


@njit(cache=True, nogil=True)
def _try(con, v, rows, cols, same, i, j, best, arg, power, rho, acc):
    settled, joint = pair(con, v, rows, cols, same, i, j, best[i, 1], best[i, 0], power, rho, acc)
    if settled:
        if joint > best[i, 1]:
            best[i, 1] = joint
            arg[i, 1] = j
        if cols.mean[j] - joint > best[i, 0]:
            best[i, 0] = cols.mean[j] - joint
            arg[i, 0] = j


@njit(cache=True, nogil=True)
def seed(con, v, rows, cols, same, part, best, arg):
    """Start each candidate from the best predicted alternative (column 0) and from itself."""
    K = v.size
    power, rho, acc = np.empty(K), np.empty(K), np.empty(K)
    for i in part:
        _try(con, v, rows, cols, same, i, 0, best, arg, power, rho, acc)
        if same and i:
            _try(con, v, rows, cols, same, i, i, best, arg, power, rho, acc)


@njit(cache=True, nogil=True)
def scan(con, v, rows, cols, same, part, start, width, slack, best, arg):
    """Improve best[i] = (max p' - J, max J) and arg[i] of the candidates ``part`` over one block of alternatives.

    ``slack`` covers the rounding of single precision.
    """
    K = v.size
    power, rho, acc = np.empty(K), np.empty(K), np.empty(K)
    padded = (width + WIDTH32 - 1) // WIDTH32 * WIDTH32
    y, packed = np.empty((K, ROWS, padded), np.float32), np.empty((ROWS, rows.unit32.shape[2]), np.float32)
    up, down = np.empty(width, np.float32), np.empty(width, np.float32)
    groups = min(GROUPS, width)
    top_s, top_f = np.empty(groups, np.float32), np.empty(groups, np.float32)
    gone = np.float32(-9.0)
    for n in range(part.size):
        i, r = part[n], n % ROWS
        if r == 0:
            _products(rows, cols, part, n, start, width, packed, y)
        _bounds(v, rows, cols, y, r, i, start, up, down)
        _group_max(up, top_s)
        _group_max(down, top_f)
        low_s, low_f = best[i, 1] - slack, best[i, 0] - slack
        lead_s, lead_f = -1, -1
        for g in range(groups):
            if top_s[g] > low_s and (lead_s < 0 or top_s[g] > top_s[lead_s]):
                lead_s = g
            if top_f[g] > low_f and (lead_f < 0 or top_f[g] > top_f[lead_f]):
                lead_f = g
        if lead_s < 0 and lead_f < 0:
            continue
        # the most promising alternatives of both outcomes first, then whatever is still open
        for lead, x in ((lead_s, up), (lead_f, down)):
            if lead >= 0:
                c = lead
                for b in range(lead, width, GROUPS):
                    if x[b] > x[c]:
                        c = b
                _try(con, v, rows, cols, same, i, start + c, best, arg, power, rho, acc)
                up[c] = gone
                down[c] = gone
        for g in range(groups):
            if top_s[g] > best[i, 1] - slack or top_f[g] > best[i, 0] - slack:
                for c in range(g, width, GROUPS):
                    if up[c] > best[i, 1] - slack or down[c] > best[i, 0] - slack:
                        _try(con, v, rows, cols, same, i, start + c, best, arg, power, rho, acc)
