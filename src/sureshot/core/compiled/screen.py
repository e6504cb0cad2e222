"""The decision alone: which candidates may have the largest value, seen in single precision.

Candidates go through the pool best first, in bands, a block of alternatives at a time. Single precision knows their
best scores to within ``fuzz`` (:mod:`sureshot.core.compiled.glance`). Blocks whose bound
(:mod:`sureshot.core.compiled.bounds`) is below them are left out, and a candidate is given up as soon as its value
can't come near the best value yet. Who is left is a few candidates, or those that single precision can't tell apart:
:func:`settle` works them out in double precision.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.compiled.bounds import FINE, LOWEST, any_beats, can_beat, chance, fast, numerator_bound, score_bound
from sureshot.core.compiled.glance import FULL, LAPLACE, sweep
from sureshot.core.compiled.logit import FARTHEST, exp_negative
from sureshot.core.compiled.tile import ROWS, WIDTH32
from sureshot.core.stable import Array

BAND = 64  # candidates that go through the pool together
PILOT = 16  # the first band, to have a value to beat
BLURRED = 0.01  # a candidate with more fuzz is left to double precision

Single = NDArray[np.float32]


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
    rest: Array  # (B, KNOTS) max over this block and all later ones of a + reach √rho, at evenly spaced reach
    rho_rest: Array  # (B,) largest rho of these
    per_reach: float  # knots per unit of reach
    high: float  # largest abs(a)
    scale: float  # 1 / (high + largest reach)
    beta: float


@fast
def _blur(fuzz, high, reach, top):
    return fuzz * ((high + reach) * (high + reach) + abs(top))


@fast
def _logistic(score):
    """Success probabilities of squared scores, in place, as ``bounds.chance``: LLVM works on several at once."""
    for j in range(score.size):
        z = math.sqrt(abs(score[j]))
        e = exp_negative(-(z if z < FARTHEST else FARTHEST))
        score[j] = (1.0 if score[j] > 0.0 else e) / (1.0 + e)


@fast
def _ceilings(who, count, b, rest, rho_rest, per_reach, high, reach, kappa, fuzz, top, chances, probit, score, value):
    """Upper bounds of the values of some candidates when blocks b and later are still to come."""
    for y in range(2):
        for m in range(count):
            i = who[m]
            most = score_bound(numerator_bound(rest, b, reach[y, i], per_reach), kappa[y, i], rho_rest[b])
            score[m] = max(most, top[y, i] + _blur(fuzz[y, i], high, reach[y, i], top[y, i]))
        if probit:
            for m in range(count):
                score[m] = chance(score[m], True)
        else:
            _logistic(score)
        for m in range(count):
            i = who[m]
            value[i] = value[i] + chances[i] * score[m] if y else (1.0 - chances[i]) * score[m] + FINE


@fast
def promise(rows, columns, probit, value):
    """Fill ``value`` with the upper bound of every candidate's value before anything was looked at."""
    reach, kappa, fuzz, top, chances = rows.reach, rows.kappa, rows.fuzz, rows.top, rows.chances
    rest, rho_rest, per_reach, high = columns.rest, columns.rho_rest, columns.per_reach, columns.high
    who, score = np.empty(BAND, np.int64), np.zeros(BAND)
    for start in range(0, value.size, BAND):
        count = min(BAND, value.size - start)
        for m in range(count):
            who[m] = start + m
        _ceilings(
            who, count, 0, rest, rho_rest, per_reach, high, reach, kappa, fuzz, top, chances, probit, score, value
        )


@fast
def screen(form, order, share, shares, rows, columns, probit, slack, incumbent, value):
    """Screen every ``shares``-th band of the candidates in ``order``, best promise first.

    ``value``, which starts as :func:`promise`, ends as an upper bound; where it is at least ``incumbent - slack`` the
    candidate may be one of the best. ``incumbent`` (1,) is a value that some candidate has, shared by the threads.
    """
    half, unit, _, k, kappa, push, reach, fuzz, top, chances = rows
    (
        _, _, _, panels, squares, a32, rho32, least32,
        edges, rest, rho_rest, per_reach, high, scale, beta,
    ) = columns  # fmt: skip
    depth, width = half.shape[1], 0
    for b in range(edges.size - 1):
        width = max(width, edges[b + 1] - edges[b])
    packed, packed2 = np.empty((ROWS, depth), np.float32), np.empty((2, ROWS, depth), np.float32)
    q, den = np.empty((ROWS, width), np.float32), np.empty((2, ROWS, width), np.float32)
    upper, ready = np.empty(width, np.float32), np.empty((2, width // WIDTH32), np.bool_)
    band, score = np.empty(BAND + ROWS, np.int64), np.zeros(BAND)
    packed_at, packed2_at, q_at, den_at = packed.ctypes.data, packed2.ctypes.data, q.ctypes.data, den.ctypes.data
    panels_at, squares_at, floor = panels.ctypes.data, squares.ctypes.data, rho_rest[0]

    start, turn = 0, 0
    while start < order.size:
        stop = min(start + (PILOT if start == 0 else BAND), order.size)
        alive = 0
        if turn % shares == share:
            for m in range(start, stop):
                i = order[m]
                if max(fuzz[0, i], fuzz[1, i]) < BLURRED:
                    band[alive] = i
                    alive += 1
        for b in range(edges.size - 1):
            if b > 0 and (b <= 4 or b % 4 == 0):
                _ceilings(
                    band, alive, b, rest, rho_rest, per_reach, high, reach, kappa, fuzz, top, chances, probit, score,
                    value,
                )  # fmt: skip
            n = 0
            for m in range(alive):
                i = band[m]
                if value[i] < incumbent[0] - slack:
                    continue
                if any_beats(i, b, rest, rho_rest, per_reach, reach, kappa, top):
                    band[n] = i
                    n += 1
                else:
                    value[i] = _settled(i, incumbent, high, reach, fuzz, top, chances[i], probit)
            alive = n
            if alive == 0:
                break
            for r in range(n, n + ROWS):
                band[r] = band[n - 1]
            sweep(
                form, band, n, edges[b], edges[b + 1] - edges[b], panels_at, squares_at, packed, packed_at,
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


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"})
def _dot(half, i, j):
    total = 0.0
    for m in range(half.shape[1]):
        total += half[i, m] * half[j, m]
    return total


@fast
def settle(form, open_, rows, columns, budget, best):
    """Best squared scores (2, n) of some candidates in double precision; how many were done in ``budget`` pairs."""
    half, _, gain, k, kappa, _, reach, fuzz, top, _ = rows
    a, shrink, who, edges, rest, rho_rest = (
        columns.a, columns.shrink, columns.who, columns.edges, columns.rest, columns.rho_rest
    )  # fmt: skip
    per_reach, high, beta, depth = columns.per_reach, columns.high, columns.beta, half.shape[1]
    for c in range(open_.size):
        i = open_[c]
        for y in range(2):
            blur = _blur(fuzz[y, i], high, reach[y, i], top[y, i])
            best[y, c] = top[y, i] - blur if fuzz[y, i] < BLURRED else LOWEST  # some pair is above
        for b in range(edges.size - 1):
            need = False
            for y in range(2):
                n = numerator_bound(rest, b, reach[y, i], per_reach)
                need = need or can_beat(n, kappa[y, i], rho_rest[b], best[y, c])
            if not need:
                break
            budget -= edges[b + 1] - edges[b]
            if budget < 0:
                return c
            for col in range(edges[b], edges[b + 1]):
                j = who[col]
                x, least = _dot(half, i, j) * shrink[j], shrink[j] * shrink[j]
                for y in range(2):
                    n = a[j] + gain[y, i] * x
                    if not can_beat(n, kappa[y, i], 1.0 - least, best[y, c]):
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
    return open_.size
