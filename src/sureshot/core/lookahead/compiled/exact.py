"""Exact joint probabilities of pairs, and the scan for each candidate's best: one belief or a mixture.

Per belief J = p p' + C with C = Cov(σ(f), σ(f')) (:mod:`sureshot.core.lookahead.compiled.hermite`), so both outcomes
come from one C and E_y p(x'|y) = p(x') holds by construction. Pruning is exact. For every pair, C is at most the
smaller of

    max(ρ, 0) T_0 T'_0     and     ρ g_1 g'_1 + ρ² T_1 T'_1

and likewise -C with -ρ. These bounds take one matrix product a block (ρ, in float32, whose rounding a slack covers).
Only pairs whose bound beats the running best are looked at again: with six terms of the series in single precision,
then with 2, 6, 12, ... terms in double until they are rejected or settled, and by direct integration where the series
is too slow.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.lookahead.compiled.expansion import BRIEF
from sureshot.core.lookahead.compiled.hermite import ORDER, covariance_direct
from sureshot.core.numerics.compiled.tile import ROWS, WIDTH32, larger32, tile32

BEATEN, SETTLED, SLOW = 0, 1, 2  # what became of a pair
GROUPS = 128  # running maxima kept side by side: LLVM vectorises these, a single one it does not


#: The error of ρ counts up to BRIEF times in a term ρ^n, and there are more roundings than in the first bounds.
_BRIEF_SLACK = 2.0 * BRIEF


@njit(cache=True, nogil=True)
def _series(v, twin, i, j, best_s, best_f, tol, var, unit, unit2, coef, coef2, tail, tail2, mean2, scratch):
    """(state, J): SETTLED within tol, BEATEN once neither maximum can be reached, or SLOW, J without what is left out.

    Arrays of the candidates and, with a 2, of the alternatives come one by one: taken out of a tuple here, each would
    cost an atomic count of references a pair. scratch: (3, K), for correlations, their powers and sums.
    """
    K = v.size
    base = 0.0
    if twin[i] == j:
        for k in range(K):
            base += v[k] * (coef[k, i, 0] * coef[k, i, 0] + var[k, i])
        return SETTLED, base
    for k in range(K):
        base += v[k] * coef[k, i, 0] * coef2[k, j, 0]
        r = 0.0
        for d in range(unit.shape[2]):
            r += unit[k, i, d] * unit2[k, j, d]
        scratch[0, k] = min(max(r, -1.0), 1.0)
        scratch[1, k] = 1.0
        scratch[2, k] = 0.0
    done = 0
    step = 2  # what one term says is in the bound already
    while done < ORDER:
        upto = min(done + step, ORDER)
        step = min(2 * step, 6)
        total = 0.0
        rest = 0.0
        for k in range(K):
            r, q, a = scratch[0, k], scratch[1, k], scratch[2, k]
            for n in range(done + 1, upto + 1):
                q *= r
                a += q * coef[k, i, n] * coef2[k, j, n]
            scratch[1, k] = q
            scratch[2, k] = a
            total += v[k] * a
            rest += v[k] * abs(q * r) * tail[k, i, upto] * tail2[k, j, upto]
        done = upto
        joint = base + total
        if joint + rest <= best_s and mean2[j] - joint + rest <= best_f:
            return BEATEN, joint
        if rest <= tol:
            return SETTLED, joint
    return SLOW, base


@njit(cache=True, nogil=True)
def _direct(con, v, i, j, base, mu, mu2, s, s2, tail, tail2, scratch):
    """J by direct integration under the beliefs whose series is too slow."""
    total = base
    for k in range(v.size):
        rest = v[k] * abs(scratch[1, k] * scratch[0, k]) * tail[k, i, ORDER] * tail2[k, j, ORDER]
        if rest > con.tol / v.size and max(s[k, i], s2[k, j]) >= con.small[k]:
            c = scratch[0, k] * math.sqrt(s[k, i] * s2[k, j])
            scratch[2, k] = covariance_direct(con, k, mu[k, i], s[k, i], mu2[k, j], s2[k, j], c)
        total += v[k] * scratch[2, k]
    return total


@njit(cache=True, nogil=True)
def settled_pair(con, v, rows, cols, twin, i, j):
    """J(i, j), whatever the maxima are."""
    scratch = np.empty((3, v.size))
    state, joint = _series(
        v, twin, i, j, -9.0, -9.0, con.tol, rows.var, rows.unit, cols.unit, rows.coef, cols.coef, rows.tail, cols.tail,
        cols.mean, scratch,
    )  # fmt: skip
    if state == SLOW:
        joint = _direct(con, v, i, j, joint, rows.mu, cols.mu, rows.s, cols.s, rows.tail, cols.tail, scratch)
    return joint


@njit(cache=True, nogil=True)
def _products(unit32, panels, part, first, start, width, packed, y):
    """y[k, r, :width] = ρ of ROWS candidates and a block of alternatives under each belief."""
    K, _, d, each = panels.shape
    for k in range(K):
        for r in range(ROWS):
            i = part[min(first + r, part.size - 1)]
            for m in range(d):
                packed[r, m] = unit32[k, i, m]
        begin = start // each
        for p in range((width + each - 1) // each):
            right = panels.ctypes.data + 4 * d * each * (k * panels.shape[1] + begin + p)
            tile32(packed.ctypes.data, d, right, y.ctypes.data + 4 * (k * ROWS * y.shape[2] + p * each), y.shape[2])


@njit(cache=True, nogil=True, fastmath=True)
def _bounds(v, p, tail, coef, mean2, p2, norms2, y, r, i, start, up, down):
    """Single-precision upper bounds of J and of p' - J for one candidate and a block of alternatives."""
    zero, first = np.float32(0.0), np.uint64(start)
    for c in range(up.size):
        up[c] = zero
        down[c] = mean2[first + np.uint64(c)]
    for k in range(v.size):
        weight = v[k]
        q = np.float32(weight * p[k, i])
        a0 = np.float32(weight * tail[k, i, 0])
        a1 = np.float32(weight * coef[k, i, 1])
        a2 = np.float32(weight * tail[k, i, 1])
        for c in range(up.size):
            col = first + np.uint64(c)
            b = q * p2[k, col]
            rho = y[k, r, c]
            whole = a0 * rho * norms2[0, k, col]
            one = a1 * rho * norms2[1, k, col]
            rest = a2 * rho * rho * norms2[2, k, col]
            more = whole if whole > zero else zero
            less = -whole if whole < zero else zero
            high, low = one + rest, rest - one
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
            top[g] = larger32(part[g], top[g])


@njit(cache=True, nogil=True, fastmath=True)
def _may_win(v, brief, brief2, mean2, i, j, y, r, c, best, slack):
    """Whether the pair may beat either maximum, by a few terms in single precision and the bound of the rest."""
    joint, rest = np.float32(0.0), np.float32(0.0)
    for k in range(v.size):
        rho, weight = y[k, r, c], np.float32(v[k])
        power, total = rho, brief[k, i, 0] * brief2[k, j, 0]
        for n in range(1, BRIEF + 1):
            total += power * brief[k, i, n] * brief2[k, j, n]
            power *= rho
        joint += weight * total
        rest += weight * abs(power) * brief[k, i, BRIEF + 1] * brief2[k, j, BRIEF + 1]
    rest += np.float32(_BRIEF_SLACK * slack)
    return joint + rest > best[i, 1] or mean2[j] - joint + rest > best[i, 0]


@njit(cache=True, nogil=True)
def _improve(best, arg, i, j, joint, mean):
    if joint > best[i, 1]:
        best[i, 1] = joint
        arg[i, 1] = j
    if mean - joint > best[i, 0]:
        best[i, 0] = mean - joint
        arg[i, 0] = j


@njit(cache=True, nogil=True)
def seed(con, v, rows, cols, twin, part, best, arg):
    """Start each candidate from the best predicted alternative (column 0) and from itself."""
    tol, var, unit, coef, tail = con.tol, rows.var, rows.unit, rows.coef, rows.tail
    unit2, coef2, tail2, mean2, scratch = cols.unit, cols.coef, cols.tail, cols.mean, np.empty((3, v.size))
    for i in part:
        for j in (0, twin[i]):
            if j < 0:
                continue
            state, joint = _series(
                v, twin, i, j, -9.0, -9.0, tol, var, unit, unit2, coef, coef2, tail, tail2, mean2, scratch
            )
            if state == SLOW:
                joint = settled_pair(con, v, rows, cols, twin, i, j)
            _improve(best, arg, i, j, joint, mean2[j])


@njit(cache=True, nogil=True)
def scan(con, v, rows, cols, twin, part, start, width, slack, best, arg):
    """Improve best[i] = (max p' - J, max J) and arg[i] of the candidates ``part`` over one block of alternatives.

    ``slack`` covers the rounding of single precision.
    """
    K, tol, scratch = v.size, con.tol, np.empty((3, v.size))
    var, unit, coef, tail, brief = rows.var, rows.unit, rows.coef, rows.tail, rows.brief
    unit2, coef2, tail2, brief2, mean2, mean32 = cols.unit, cols.coef, cols.tail, cols.brief, cols.mean, cols.mean32
    mu, mu2, s, s2, p, p2, unit32, panels = rows.mu, cols.mu, rows.s, cols.s, rows.p, cols.p32, rows.unit32, cols.panels
    norms2 = cols.norms
    padded = (width + WIDTH32 - 1) // WIDTH32 * WIDTH32
    y, packed = np.empty((K, ROWS, padded), np.float32), np.empty((ROWS, rows.unit32.shape[2]), np.float32)
    up, down = np.empty(width, np.float32), np.empty(width, np.float32)
    groups = min(GROUPS, width)
    top_s, top_f = np.empty(groups, np.float32), np.empty(groups, np.float32)
    open_, gone = np.empty(width + 2, np.int64), np.float32(-9.0)
    for n in range(part.size):
        i, r = part[n], n % ROWS
        if r == 0:
            _products(unit32, panels, part, n, start, width, packed, y)
        if start <= twin[i] < start + width:
            for k in range(K):
                y[k, r, twin[i] - start] = np.float32(1.0)
        _bounds(v, p, tail, coef, mean32, p2, norms2, y, r, i, start, up, down)
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
        for turn in range(2):  # the most promising alternatives of both outcomes first, then whatever is still open
            count = 0
            if turn == 0:
                for lead, x in ((lead_s, up), (lead_f, down)):
                    if lead >= 0:
                        c = lead
                        for b in range(lead, width, GROUPS):
                            if x[b] > x[c]:
                                c = b
                        open_[count] = c
                        count += 1
            else:
                low_s, low_f = best[i, 1] - slack, best[i, 0] - slack
                for g in range(groups):
                    if top_s[g] > low_s or top_f[g] > low_f:
                        for c in range(g, width, GROUPS):
                            if up[c] > low_s or down[c] > low_f:
                                open_[count] = c
                                count += 1
            for m in range(count):
                c = open_[m]
                if not (up[c] > best[i, 1] - slack or down[c] > best[i, 0] - slack):
                    continue
                up[c], down[c] = gone, gone
                j = start + c
                if not _may_win(v, brief, brief2, mean32, i, j, y, r, c, best, slack):
                    continue
                state, joint = _series(
                    v, twin, i, j, best[i, 1], best[i, 0], tol,
                    var, unit, unit2, coef, coef2, tail, tail2, mean2, scratch,
                )  # fmt: skip
                if state == SLOW:
                    joint = _direct(con, v, i, j, joint, mu, mu2, s, s2, tail, tail2, scratch)
                if state != BEATEN:
                    _improve(best, arg, i, j, joint, mean2[j])
