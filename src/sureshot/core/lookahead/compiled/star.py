"""KG(*) by compiled code: what m trials of one alternative, in a row, would teach.

With B_o(f) the probability of outcome o = (m, k) at score f, and h(f) = Σ v_k N(f; mu_k, s_k) p_k(x'|f) over the
beliefs, J_o(x') = ∫ B_o h over the nodes of :mod:`sureshot.core.lookahead.compiled.nodes`: one small product an
alternative. Most alternatives are not the best for any outcome. They are left out by a rough look: p(x'|f) at every
second or third node, by few probits in single precision, and a polynomial between; B_o, which is sharp, is never
thinned out. Whatever comes within a margin of the best is settled in full, and from that it is seen how far the rough
look was off for each outcome: a margin of less than SAFETY times that is widened. Alternatives whose p(x'|f) rises too
steeply for the rough look are settled without it; where these are many, every node is looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.lookahead.compiled.hermite import Constants, add_probits
from sureshot.core.lookahead.compiled.nodes import QUICK, REACH, grouped, open_store, place, sharpness
from sureshot.core.lookahead.compiled.star_screen import Rough, any_above, knot_weights, look, rough_joint, tops
from sureshot.core.numerics.compiled.exponential import FARTHEST, exp_negative
from sureshot.core.numerics.compiled.terms import LOGIT, PROBIT
from sureshot.core.numerics.compiled.tile import ROWS, WIDTH32, larger
from sureshot.core.numerics.stable import Array

_INV_SQRT_TWO_PI = 0.3989422804014327
_MARGIN, _EVEN_MARGIN = 1e-3, 2e-4  # of the rough look, in units of an outcome's probability, at least
_QUICK_MARGIN = 1e-5  # for those that lead by the rough look
_SAFETY = 3.0
_PER_WIDTH = 1.55  # nodes to the width of p(x'|f) where it is steepest: an error of 1e-8
_STEEP = 1.5  # widths of p(x'|f) between knots that the rough look can take
_RARE = 1e-11  # outcomes less likely than this are not worth a look
_THIN = 1e-10  # mass below which a node does not count
_NEVER = np.float32(9.0)
LANES = 8  # numbers that are worked on at once, or a multiple of that


class Roots(NamedTuple):
    """The scores of M alternatives under K beliefs."""

    mu: Array  # (K, M)
    s: Array  # (K, M)
    unit: Array  # (K, M, d) rows of the root by the standard deviation: ρ = unit·unit', but 1 of a twin


class Guests(NamedTuple):
    """Alternatives that are compared for one candidate only, in the last columns, which each writes over."""

    every: Roots  # all alternatives
    who: NDArray[np.intp]  # (M, E) those of each candidate, itself first; E = 0: nobody


class Links(NamedTuple):
    """What is known of K beliefs beside their scores."""

    weights: Array  # (K,)
    con: Constants
    rough: Rough
    even: bool  # every mean is 0 and every link symmetric: then all alternatives are alike after k = m/2


class Outcomes(NamedTuple):
    """The outcomes o = (m, k) that are looked at, all k = 0..m of each m in turn."""

    ms: NDArray[np.int64]
    choose: Array  # log(m choose k) of each o


@njit(cache=True, nogil=True, inline="always")
def _in_lanes(count):
    """So many or a few more, so that none is left over when several are worked on at once: these take the longest."""
    return (count + LANES - 1) // LANES * LANES


@njit(cache=True, nogil=True)
def _seat(guests, cols, i):
    """Write the guests of candidate i over the last columns."""
    E, M = guests.who.shape[1], cols.mu.shape[1]
    for e in range(E):
        j, at = M - E + e, guests.who[i, e]
        for k in range(cols.mu.shape[0]):
            cols.mu[k, j], cols.s[k, j] = guests.every.mu[k, at], guests.every.s[k, at]
            for d in range(cols.unit.shape[2]):
                cols.unit[k, j, d] = guests.every.unit[k, at, d]


@njit(cache=True, nogil=True, fastmath=True)
def _conditionals(rows, cols, i, twin, ratio, left):
    """Mean and variance of each score given that of candidate i: mu' + ratio·(f - mu), and left."""
    for k in range(ratio.shape[0]):
        s = max(rows.s[k, i], 1e-24)
        for j in range(ratio.shape[1]):
            r = 0.0
            for d in range(rows.unit.shape[2]):
                r += rows.unit[k, i, d] * cols.unit[k, j, d]
            r = 1.0 if j == twin else min(max(r, -1.0), 1.0)
            s2 = cols.s[k, j]
            ratio[k, j] = r * math.sqrt(s2 / s)
            left[k, j] = s2 * (1.0 - r * r)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _fineness(code, m, mu, s, k, cols, ratio, left, steep, dense, risk):
    """C: how densely nodes must lie for N(f; mu, s) and every p(x'|f) of belief k.

    Raises risk[j] to the widths of p(x'|f) that lie between two nodes where it is steepest.
    """
    scale = 2.4 if code == LOGIT else (1.0 if code == PROBIT else 0.15)  # h² of the sharpest probit of much weight
    A, reach, lack, sharpest = sharpness(code, m), REACH * math.sqrt(s), 0.0, 0.0
    for j in range(ratio.shape[1]):
        steep[j] = math.sqrt(ratio[k, j] * ratio[k, j] / (scale + left[k, j]))
        away = -cols.mu[k, j] / (ratio[k, j] if abs(ratio[k, j]) > 1e-9 else 1e-9)
        at = mu + min(max(away, -reach), reach)
        x = 0.125 * at * at
        dense[j] = A / (1.0 + x + x * x / 6.0)  # cosh(f/2) by its series
        lack = larger(_PER_WIDTH * steep[j] - dense[j], lack)
        sharpest = larger(steep[j], sharpest)
    C = math.sqrt(0.85 / max(s, 1e-24) + max(lack * lack, 0.4 * sharpest * sharpest))
    for j in range(ratio.shape[1]):
        risk[j] = larger(steep[j] / (dense[j] + C), risk[j])
    return C


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _masses(f, step, low, count, mu, sd, v, reach, mass):
    """The mass v N(f; mu, sd²) df of ``count`` nodes from ``low`` on, several at a time; 0 beyond the reach."""
    top, inverse = v * _INV_SQRT_TWO_PI / sd, 1.0 / sd
    for q in range(count):
        z = (f[low + q] - mu) * inverse
        down = 0.5 * z * z
        value = top * exp_negative(-(down if down < FARTHEST else FARTHEST)) * step[low + q]
        mass[low + q] = value if abs(z) < reach else 0.0


@njit(cache=True, nogil=True)
def _nodes(con, v, rows, i, C, fine, store, table, spare, ms, choose, stride):
    """Nodes of candidate i group by group: scores, rows of the table, where groups end, group of each belief, and
    mass[k, q] = v_k N(f_q; mu_k, s_k) df_q, where that counts for each belief; and the table.
    """
    K = v.size
    group, finest = grouped(con.code, fine * C)
    ends = np.empty(finest.size, np.int64)
    f, step, source = np.empty(0), np.empty(0), np.empty(0, np.int64)
    for g in range(finest.size):
        low, high, code = math.inf, -math.inf, 0
        for k in range(K):
            if group[k] == g:
                reach = fine * REACH * max(math.sqrt(rows.s[k, i]), 1e-12)
                low, high = min(low, rows.mu[k, i] - reach), max(high, rows.mu[k, i] + reach)
                code = con.code[k]
        a, b, c, table, spare = place(
            store, table, code, fine * sharpness(code, ms[-1]), finest[g], low, high, ms, choose, spare, stride
        )
        if g == 0:  # most often that is all
            f, step, source = a, b, c
        else:
            f, step, source = np.concatenate((f, a)), np.concatenate((step, b)), np.concatenate((source, c))
        ends[g] = f.size
    mass, spans = np.zeros((K, f.size)), np.zeros((K, 2), np.int64)
    for k in range(K):
        low, high = 0 if group[k] == 0 else ends[group[k] - 1], ends[group[k]]
        sd = max(math.sqrt(rows.s[k, i]), 1e-12)
        _masses(f, step, low, high - low, rows.mu[k, i], sd, v[k], fine * REACH + 1.0, mass[k])
        while low < high and not mass[k, low] > _THIN:
            low += 1
        while low < high and not mass[k, high - 1] > _THIN:
            high -= 1
        spans[k, 0], spans[k, 1] = low, high
    return f, source, ends, group, spans, mass, table


@njit(cache=True, nogil=True, fastmath=True)
def _settle(terms, b, w, width, mu, mu2, i, j, ratio, left, f, source, spans, mass, table, h, near, inner, out):
    """out[o] = J_o(x'), over all nodes and probits. ``near`` and ``inner`` are longer than ``f`` by LANES at least."""
    h[:] = 0.0
    for k in range(ratio.shape[0]):
        low, count = spans[k, 0], spans[k, 1] - spans[k, 0]
        lanes = _in_lanes(count)
        for q in range(count):  # counted from 0: LLVM does not vectorise an index that may be negative
            near[q] = f[low + q]
            inner[q] = 0.5
        for q in range(count, lanes):
            near[q] = inner[q] = 0.0
        start = mu2[k, j] - ratio[k, j] * mu[k, i]
        for t in range(terms[k]):
            scale = 1.0 / math.sqrt(width[k, t] * width[k, t] + left[k, j])
            add_probits(inner, near, lanes, ratio[k, j], start - b[k, t], scale, w[k, t])
        for q in range(count):
            h[low + q] += mass[k, low + q] * inner[q]
    out[:] = 0.0
    q = 0
    while q + 4 <= f.size:
        n0, n1, n2, n3 = h[q], h[q + 1], h[q + 2], h[q + 3]
        r0, r1, r2, r3 = source[q], source[q + 1], source[q + 2], source[q + 3]
        for o in range(out.size):
            out[o] += n0 * table[r0, o] + n1 * table[r1, o] + n2 * table[r2, o] + n3 * table[r3, o]
        q += 4
    while q < f.size:
        for o in range(out.size):
            out[o] += h[q] * table[source[q], o]
        q += 1


@njit(cache=True, nogil=True)
def _add_rows(table, out):
    """out[o] += Σ_r table[r, o]."""
    for r in range(table.shape[0]):
        for o in range(out.size):
            out[o] += table[r, o]


@njit(cache=True, nogil=True)
def star_rows(links, rows, seat, cols, twin, guests, outcomes, out, lead, joint_of, part):
    """out[c, l] = KG_m of candidate c for m = ms[l], and lead[c, o] = who leads after outcome o, for the candidates
    ``part``, whose scores are ``rows[seat[c]]``; alternative 0 is the best predicted. joint_of[c, o], if it is not
    empty, is the probability of outcome o here and a success there.

    With guests the look is quick: to 1e-4 or so, and only those that lead by the rough look are settled.

    Arrays are copied and summed by loops: ``a[:] = b`` and ``a.sum(axis=0)`` bring Numba's code for errors of shape
    along, a quarter of all that a process would have to load.
    """
    v, con, rough, even = links.weights, links.con, links.rough, links.even
    ms, choose, E = outcomes.ms, outcomes.choose, guests.who.shape[1]
    quick = E > 0
    K, M, size = v.size, cols.mu.shape[1], choose.size
    ratio, left, C, risk = np.empty((K, M)), np.empty((K, M)), np.empty(K), np.empty(M)
    steep, dense = np.empty(M), np.empty(M)
    fine = QUICK if quick else 1.0
    store = open_store(con.code, ms[-1], fine)
    shared = store.known.size
    table = np.empty((shared + 64, size))
    padded = (size + WIDTH32 - 1) // WIDTH32 * WIDTH32
    joint = np.empty(((_in_lanes(M) + ROWS - 1) // ROWS * ROWS, padded), np.float32)
    top, limit, chance = np.empty(size, np.float32), np.empty(size, np.float32), np.empty(size)
    best, base, row, wrong = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    done = np.empty(M, np.bool_)
    terms, b, w, width, mu, mu2 = con.terms, con.b, con.w, con.h, rows.mu, cols.mu
    ahead = np.int64(0)  # who leads now; for a plain 0 Numba would compile _settle once more
    for c in part:
        i = seat[c]
        _seat(guests, cols, c)
        _conditionals(rows, cols, i, twin[c], ratio, left)
        for e in range(E):
            if guests.who[c, e] == guests.who[c, 0]:  # the candidate itself
                ratio[:, M - E + e], left[:, M - E + e] = 1.0, 0.0
        risk[:] = 0.0
        for k in range(K):
            C[k] = _fineness(con.code[k], ms[-1], rows.mu[k, i], rows.s[k, i], k, cols, ratio, left, steep, dense, risk)
        stride, many = 2 if even else 3, 0
        for j in range(M):
            many += 1 if stride * risk[j] > _STEEP else 0
        if 4 * many > M:
            stride = 1
        f, source, ends, group, spans, mass, table = _nodes(
            con, v, rows, i, C, fine, store, table, shared, ms, choose, stride
        )
        whole, h, near, inner = np.zeros(f.size), np.empty(f.size), np.empty(f.size + LANES), np.empty(f.size + LANES)
        _add_rows(mass, whole)
        knots = (f.size - ends.size) // stride + ends.size
        wide, seen = np.empty((knots, size)), np.empty((knots, _in_lanes(M)), np.float32)
        knot_weights(source, ends, whole, table, stride, wide)
        look(rough, rows, cols, i, ratio, left, f, ends, group, mass, whole, stride, seen)
        panels, packed = np.empty((padded // WIDTH32, knots, WIDTH32), np.float32), np.empty(ROWS * knots, np.float32)
        rough_joint(seen, wide, panels, packed, joint)
        tops(joint, M, top)
        chance[:], best[:], base[:], wrong[:], lead[c], done[:] = 0.0, 0.0, 0.0, 0.0, 0, False
        _add_rows(wide, chance)
        count = -1
        while count != 0:
            count = 0
            o = 0
            for m in ms:
                for k in range(m + 1):
                    rare = chance[o] < _RARE or (even and 2 * k == m)
                    margin = max(_SAFETY * wrong[o], (_EVEN_MARGIN if even else _MARGIN) * chance[o])
                    margin = _QUICK_MARGIN * chance[o] if quick else margin
                    limit[o] = _NEVER if rare else top[o] - np.float32(margin)
                    o += 1
            for j in range(1, M):
                if not done[j] and (any_above(joint, j, limit) or (stride > 1 and stride * risk[j] > _STEEP)):
                    if not done[0]:  # whoever leads now is of interest only where another may lead
                        _settle(
                            terms, b, w, width, mu, mu2, i, ahead, ratio, left, f, source, spans, mass, table, h, near,
                            inner, base,
                        )  # fmt: skip
                        done[0] = True
                        for o in range(size):
                            best[o] = base[o]
                    _settle(
                        terms, b, w, width, mu, mu2, i, j, ratio, left, f, source, spans, mass, table, h, near, inner,
                        row,
                    )  # fmt: skip
                    done[j] = True
                    count += 1
                    for o in range(size):
                        if row[o] > best[o]:
                            best[o] = row[o]
                            lead[c, o] = j
                        wrong[o] = larger(wrong[o], abs(row[o] - joint[j, o]))
        if joint_of.size:
            if not done[0]:
                _settle(
                    terms, b, w, width, mu, mu2, i, ahead, ratio, left, f, source, spans, mass, table, h, near, inner,
                    base,
                )  # fmt: skip
                for o in range(size):
                    best[o] = base[o]
            for o in range(size):
                joint_of[c, o] = best[o]
        o = 0
        for level in range(ms.size):
            total = 0.0
            for k in range(ms[level] + 1):
                total += best[o + k] - base[o + k]
            out[c, level] = total
            o += ms[level] + 1
