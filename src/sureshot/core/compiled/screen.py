"""The decision alone: which candidates may have the largest value, seen in single precision.

Candidates go through the pool best first, in bands, a block of alternatives at a time. Their best scores are known to
within ``fuzz`` (below) from single precision; blocks whose bound (:mod:`sureshot.core.compiled.bounds`) is below them
are left out, and a candidate is given up as soon as its value can't come near the best value yet. Who is left is a few
candidates, or those that single precision can't tell apart: :func:`settle` works those out in double precision.

With S_j = 1 + beta s_j, a = mu/√S, rho = beta s/S and q = corr(i, j) √rho_j the score of j after an outcome of i is
(a_j + push_i q)/√den, push = gain √(s/beta), with

    den = 1 - kappa_i q²  (full),     1/S_j + w_i·(beta v x_j²/S_j)  (diagonal Laplace, w = 1/(1 + t v x_i²)),
    1 - w_i·(beta v x_j²/S_j)  (diagonal ADF, w = drop v x_i²),

and den >= 1 - kappa_i rho_j. Every number here is at most 1 (scores by ``scale``), and n = a + push q and den err by
d + 8 roundings at most; so a squared score U = n|n|/den errs by fuzz_i ((high + reach_i)² + |U|), where high is the
largest abs(a) and fuzz = 2^-23 (d + 16)/least den: see :func:`sureshot.core.compiled.prepare.candidates`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sureshot.core.compiled.bounds import FINE, LOWEST, any_beats, chance, fast, numerator_bound, score_bound
from sureshot.core.compiled.tile import ROWS, WIDTH32, larger32, tile32
from sureshot.core.stable import Array

FULL, LAPLACE, ADF = 0, 1, 2
BAND = 64  # candidates that go through the pool together
PILOT = 16  # the first band, to have a value to beat
BLURRED = 0.01  # a candidate with more fuzz is left to double precision

Single = NDArray[np.float32]
_LEAST = np.float32(-3e38)


class Candidates(NamedTuple):
    """The pool as candidates; outcome 0 is failure, 1 success."""

    half: Array  # (M, d) rows of the root
    unit: Single  # (M, d) the same scaled to length 1
    gain: Array  # (2, M) shift of the mean per unit of covariance, signed
    k: Array  # (2, M) beta·drop, or t for Laplace: what den needs
    kappa: Array  # (2, M) den >= 1 - kappa rho
    push: Array  # (2, M) gain √(s/beta)
    reach: Array  # (2, M) its size
    fuzz: Array  # (2, M) error of single precision
    top: Array  # (2, M) running best U, squared with its sign
    chances: Array  # (M,) success probability now


class Alternatives(NamedTuple):
    """The pool as alternatives: as they come, and (who, and all in single precision) most promising first, in panels
    of WIDTH32 and blocks of several panels.
    """

    a: Array  # (M,) score now
    shrink: Array  # (M,) 1/√S
    who: NDArray[np.int64]  # (N,) N is M rounded up to whole panels; the last is repeated
    panels: Single  # (P, d, WIDTH32) √(beta/S) half
    squares: Single  # (P, d, WIDTH32) its squares; empty for the full form
    a32: Single  # (N,) scale · a
    rho32: Single  # (N,) beta s / S
    least32: Single  # (N,) 1/S
    edges: NDArray[np.int64]  # (B + 1,) where blocks begin
    table: Array  # (B, KNOTS) max over the block of a + reach √rho, at evenly spaced reach
    rest: Array  # (B, KNOTS) the same over this block and all later ones
    rho_block: Array  # (B,) largest rho
    rho_rest: Array  # (B,) the same over this block and all later ones
    per_reach: float  # knots per unit of reach
    high: float  # largest abs(a)
    scale: float  # 1 / (high + largest reach)
    beta: float


@fast
def _blur(fuzz, high, reach, top):
    return fuzz * ((high + reach) * (high + reach) + abs(top))


@fast
def _ceiling(i, b, rest, rho_rest, per_reach, high, reach, kappa, fuzz, top, p, probit):
    """Upper bound of a candidate's value when blocks b and later are still to come; b = -1: none are."""
    value = FINE
    for y in range(2):
        most = top[y, i] + _blur(fuzz[y, i], high, reach[y, i], top[y, i])
        if b >= 0:
            n = numerator_bound(rest, b, reach[y, i], per_reach)
            most = max(most, score_bound(n, kappa[y, i], rho_rest[b]))
        value += (p if y else 1.0 - p) * chance(most, probit)
    return value


@fast
def promise(rows, columns, probit, value):
    """Fill ``value`` with the upper bound of every candidate's value before anything was looked at."""
    reach, kappa, fuzz, top, chances = rows.reach, rows.kappa, rows.fuzz, rows.top, rows.chances
    rest, rho_rest, per_reach, high = columns.rest, columns.rho_rest, columns.per_reach, columns.high
    for i in range(value.size):
        value[i] = _ceiling(i, 0, rest, rho_rest, per_reach, high, reach, kappa, fuzz, top, chances[i], probit)


@fast
def _tops_full(q, r, a, begin, count, push0, push1, kappa0, kappa1, floor0, floor1):
    """Largest n|n|/den of one row by outcome. Unsigned: an index that may be negative, to Numba, is looked up one by
    one.
    """
    top0 = top1 = _LEAST
    one, first = np.float32(1.0), np.uint64(begin)
    for j in range(count):
        x, now = q[r, j], a[first + np.uint64(j)]
        n0 = now + push0 * x
        n1 = now + push1 * x
        square = x * x
        top0 = larger32(n0 * abs(n0) / larger32(one - kappa0 * square, floor0), top0)
        top1 = larger32(n1 * abs(n1) / larger32(one - kappa1 * square, floor1), top1)
    return top0, top1


@fast
def _tops_diagonal(q, r, a, rho, begin, count, push0, push1, h0, h1):
    """Largest n|n| + h rho of one row by outcome: above ``level``, for h = kappa level, wherever a score is."""
    top0 = top1 = _LEAST
    first = np.uint64(begin)
    for j in range(count):
        x, col = q[r, j], first + np.uint64(j)
        n0 = a[col] + push0 * x
        n1 = a[col] + push1 * x
        top0 = larger32(n0 * abs(n0) + h0 * rho[col], top0)
        top1 = larger32(n1 * abs(n1) + h1 * rho[col], top1)
    return top0, top1


@fast
def _uppers(q, r, a, rho, begin, count, push, kappa, upper):
    """Fill ``upper`` with each pair's bound of U; return the panel of the largest."""
    top, one, first = _LEAST, np.float32(1.0), np.uint64(begin)
    for j in range(count):
        col = first + np.uint64(j)
        n = a[col] + push * q[r, j]
        square = n * abs(n)
        upper[j] = larger32(square, square / (one - kappa * rho[col]))
        top = larger32(upper[j], top)
    for j in range(count):
        if upper[j] == top:
            return j // WIDTH32
    return 0


@fast
def _panel_best(laplace, y, q, r, den, a, least, begin, panel, push, level):
    """Largest U of one row in one panel, at least ``level``; ``den`` holds the second product."""
    one, first, here = np.float32(1.0), np.uint64(begin + panel * WIDTH32), np.uint64(panel * WIDTH32)
    for lane in range(WIDTH32):
        j, col = here + np.uint64(lane), first + np.uint64(lane)
        n = a[col] + push * q[r, j]
        d = least[col] + den[y, r, j] if laplace else one - den[y, r, j]
        level = larger32(n * abs(n) / larger32(d, least[col]), level)
    return level


@fast
def _pack_second(laplace, active, g, beta, half, k, packed):
    """Left factors of the second product of ROWS candidates and either outcome."""
    for y in range(2):
        for r in range(ROWS):
            i = active[g + r]
            for m in range(half.shape[1]):
                square = half[i, m] * half[i, m]
                packed[y, r, m] = 1.0 / (1.0 + k[y, i] * square) if laplace else k[y, i] / beta * square


@fast
def _sweep(
    form, active, n, begin, count, panels_at, squares_at, packed, packed_at, second, second_at, q, q_at, den, den_at,
    upper, ready, scale, beta, half, unit, a32, rho32, least32, k, push, kappa, floor, top,
):  # fmt: skip
    """Bring ``top`` of the first n active candidates up to date with the block of ``count`` alternatives from
    ``begin`` on. One long function: Numba counts references, atomically, to every array of a call that branches.
    """
    depth, width, from_panel, back = half.shape[1], q.shape[1], begin // WIDTH32, 1.0 / (scale * scale)
    cell = 4 * depth * WIDTH32
    for g in range(0, n, ROWS):
        for r in range(ROWS):
            for m in range(depth):
                packed[r, m] = unit[active[g + r], m]
        for p in range(count // WIDTH32):
            tile32(packed_at, depth, panels_at + (from_panel + p) * cell, q_at + 4 * WIDTH32 * p, width)
        fresh = True
        for r in range(min(ROWS, n - g)):
            i = active[g + r]
            push0, push1 = np.float32(push[0, i] * scale), np.float32(push[1, i] * scale)
            kappa0, kappa1 = np.float32(kappa[0, i]), np.float32(kappa[1, i])
            if form == FULL:
                floor0, floor1 = np.float32(1.0 - kappa[0, i] * floor), np.float32(1.0 - kappa[1, i] * floor)
                top0, top1 = _tops_full(q, r, a32, begin, count, push0, push1, kappa0, kappa1, floor0, floor1)
                top[0, i], top[1, i] = max(top[0, i], top0 * back), max(top[1, i], top1 * back)
                continue
            level0, level1 = np.float32(top[0, i] * scale * scale), np.float32(top[1, i] * scale * scale)
            h0, h1 = kappa0 * max(level0, np.float32(0.0)), kappa1 * max(level1, np.float32(0.0))
            top0, top1 = _tops_diagonal(q, r, a32, rho32, begin, count, push0, push1, h0, h1)
            for y in range(2):
                level, highest = (level1, top1) if y else (level0, top0)
                if highest <= level:
                    continue
                if fresh:
                    fresh = False
                    ready[:] = False
                    _pack_second(form == LAPLACE, active, g, beta, half, k, second)
                shift, share = (push1, kappa1) if y else (push0, kappa0)
                lead, seen = _uppers(q, r, a32, rho32, begin, count, shift, share, upper), -1
                for j in range(-1, count):
                    panel = lead if j < 0 else j // WIDTH32
                    if j >= 0 and (upper[j] <= level or panel == lead or panel == seen):
                        continue
                    seen = panel
                    if not ready[y, panel]:
                        ready[y, panel] = True
                        right, out = squares_at + (from_panel + panel) * cell, 4 * (y * ROWS * width + panel * WIDTH32)
                        tile32(second_at + 4 * y * ROWS * depth, depth, right, den_at + out, width)
                    level = _panel_best(form == LAPLACE, y, q, r, den, a32, least32, begin, panel, shift, level)
                top[y, i] = max(top[y, i], level * back)


@fast
def screen(form, order, share, shares, rows, columns, probit, slack, incumbent, value):
    """Screen every ``shares``-th band of the candidates in ``order``, best promise first.

    ``value``, which starts as :func:`promise`, ends as an upper bound; where it is at least ``incumbent - slack`` the
    candidate may be one of the best. ``incumbent`` (1,) is a value that some candidate has, shared by the threads.
    """
    half, unit, _, k, kappa, push, reach, fuzz, top, chances = rows
    (
        _, _, _, panels, squares, a32, rho32, least32,
        edges, table, rest, rho_block, rho_rest, per_reach, high, scale, beta,
    ) = columns  # fmt: skip
    depth, width = half.shape[1], 0
    for b in range(edges.size - 1):
        width = max(width, edges[b + 1] - edges[b])
    packed, packed2 = np.empty((ROWS, depth), np.float32), np.empty((2, ROWS, depth), np.float32)
    q, den = np.empty((ROWS, width), np.float32), np.empty((2, ROWS, width), np.float32)
    upper, ready = np.empty(width, np.float32), np.empty((2, width // WIDTH32), np.bool_)
    band, active = np.empty(BAND, np.int64), np.empty(BAND + ROWS, np.int64)
    packed_at, packed2_at, q_at, den_at = packed.ctypes.data, packed2.ctypes.data, q.ctypes.data, den.ctypes.data
    panels_at, squares_at, floor = panels.ctypes.data, squares.ctypes.data, rho_rest[0]

    start, turn = 0, 0
    while start < order.size:
        stop = min(start + (PILOT if start == 0 else BAND), order.size)
        mine, alive = turn % shares == share, 0
        if mine:
            for m in range(start, stop):
                i = order[m]
                if max(fuzz[0, i], fuzz[1, i]) < BLURRED:
                    band[alive] = i
                    alive += 1
        for b in range(edges.size - 1):
            n = kept = 0
            for m in range(alive):
                i = band[m]
                if b > 0 and (b & (b - 1)) == 0:
                    value[i] = _ceiling(
                        i, b, rest, rho_rest, per_reach, high, reach, kappa, fuzz, top, chances[i], probit
                    )
                if value[i] < incumbent[0] - slack:
                    continue
                look = any_beats(i, b, table, rho_block, per_reach, reach, kappa, top)
                if look:
                    active[n] = i
                    n += 1
                if look or any_beats(i, b, rest, rho_rest, per_reach, reach, kappa, top):
                    band[kept] = i
                    kept += 1
                else:
                    value[i] = _settled(i, incumbent, high, reach, fuzz, top, chances[i], probit)
            alive = kept
            if alive == 0:
                break
            for r in range(n, n + ROWS):
                active[r] = active[max(n - 1, 0)]
            _sweep(
                form, active, n, edges[b], edges[b + 1] - edges[b], panels_at, squares_at, packed, packed_at,
                packed2, packed2_at, q, q_at, den, den_at, upper, ready, scale, beta, half, unit,
                a32, rho32, least32, k, push, kappa, floor, top,
            )  # fmt: skip
        for m in range(alive):
            i = band[m]
            value[i] = _settled(i, incumbent, high, reach, fuzz, top, chances[i], probit)
        start, turn = stop, turn + 1


@fast
def _settled(i, incumbent, high, reach, fuzz, top, p, probit):
    """Upper bound of the value of a candidate that has met all alternatives; its lower bound may be a new incumbent."""
    least, most = -FINE, FINE
    for y in range(2):
        share, blur = p if y else 1.0 - p, _blur(fuzz[y, i], high, reach[y, i], top[y, i])
        least += share * chance(top[y, i] - blur, probit)
        most += share * chance(top[y, i] + blur, probit)
    incumbent[0] = max(incumbent[0], least)
    return most


@fast
def settle(form, who, rows, columns, best):
    """Best squared scores (2, n) of the candidates ``who`` in double precision, over all alternatives."""
    half, _, gain, k, kappa, _, reach, fuzz, top, _ = rows
    a, shrink, high, beta = columns.a, columns.shrink, columns.high, columns.beta
    depth = half.shape[1]
    for c in range(who.size):
        i = who[c]
        for y in range(2):
            best[y, c] = LOWEST
            if fuzz[y, i] < BLURRED:  # a real pair is above this
                best[y, c] = top[y, i] - _blur(fuzz[y, i], high, reach[y, i], top[y, i])
        for j in range(a.size):
            x = 0.0
            for m in range(depth):
                x += half[i, m] * half[j, m]
            x *= shrink[j]
            least = shrink[j] * shrink[j]
            for y in range(2):
                n = a[j] + gain[y, i] * x
                bound = max(1.0 - kappa[y, i] * (1.0 - least), least)
                if n * abs(n) <= max(best[y, c], 0.0) * bound * (1.0 - FINE) + min(best[y, c], 0.0):
                    continue
                den = 0.0
                if form == FULL:
                    den = 1.0 - k[y, i] * (x * x)
                elif form == LAPLACE:
                    for m in range(depth):
                        den += half[j, m] * half[j, m] / (1.0 + k[y, i] * (half[i, m] * half[i, m]))
                    den = least + beta * least * den
                else:
                    for m in range(depth):
                        den += (half[i, m] * half[i, m]) * (half[j, m] * half[j, m])
                    den = 1.0 - k[y, i] * least * den
                best[y, c] = max(best[y, c], n * abs(n) / max(den, least))
