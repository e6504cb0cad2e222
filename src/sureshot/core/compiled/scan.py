"""The scan: for every candidate and outcome, the best score that any alternative has after that outcome.

Candidates go through the pool in bands, a block of alternatives at a time, so that the block stays in cache. Blocks
whose bound (:mod:`sureshot.core.compiled.bounds`) is below a candidate's running best are left out, which changes no
bit of the result. With a goal, candidates whose value can't come near the best value yet are given up too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sureshot.core.compiled.block import group_diagonal, group_full, pack
from sureshot.core.compiled.bounds import any_beats, chance, fast, value_bound
from sureshot.core.compiled.tile import ROWS, WIDTH, tile
from sureshot.core.stable import Array

FULL, LAPLACE, ADF = 0, 1, 2
BAND = 64  # candidates that go through the pool together


class Columns(NamedTuple):
    """The pool as alternatives, most promising first, in panels of WIDTH and blocks of many panels."""

    panels: Array  # (P, d, WIDTH) right factor of the first product
    squares: Array  # (P, d, WIDTH) right factor of the second; empty for the full form
    a: Array  # (B, block) score now
    rho: Array  # (B, block) beta s / S
    inverse: Array  # (B, block) 1 / S
    table: Array  # (B, KNOTS) max over the block of a + reach sqrt(rho), at evenly spaced reach
    rest: Array  # (B, KNOTS) the same over this block and all later ones
    rho_block: Array  # (B,) largest rho
    rho_rest: Array  # (B,) the same over this block and all later ones
    per_reach: float  # knots per unit of reach


class Rows(NamedTuple):
    """The pool as candidates; outcome 0 is failure, 1 success."""

    left: Array  # (M, d) left factor of the first product
    second: Array  # (2, M, d) Laplace, (1, M, d) ADF: left factor of the second; empty for the full form
    gain: Array  # (2, M) shift of the mean per unit of covariance, signed
    k: Array  # (2, M) coefficient of c² or e in den
    kappa: Array  # (2, M) den >= 1 - kappa rho
    reach: Array  # (2, M) abs(gain c) <= reach sqrt(rho)
    best: Array  # (2, M) running best, squared with its sign


class Goal(NamedTuple):
    """What a decision needs beside the scan."""

    wanted: bool
    probit: bool
    slack: float  # candidates whose value is this close to the best are settled too (ties)
    chances: Array  # (M,) success probability now
    incumbent: Array  # (1,) best value yet, shared by the threads
    value: Array  # (M,) p sigma(best_1) + (1 - p) sigma(best_0), or an upper bound of it
    exact: NDArray[np.bool_]  # (M,) which of the two


@fast
def promise(rows, columns, goal):
    """Fill goal.value with the upper bound of every candidate's value before anything was looked at."""
    for i in range(goal.value.size):
        goal.value[i] = value_bound(
            i,
            0,
            columns.rest,
            columns.rho_rest,
            columns.per_reach,
            rows.reach,
            rows.kappa,
            rows.best,
            goal.chances[i],
            goal.probit,
        )


@fast
def scan(form, order, share, shares, rows, columns, prune, goal):
    """Scan every ``shares``-th band of the candidates in ``order``; fills rows.best, returns the pairs looked at.

    With ``goal.wanted`` a candidate is given up as soon as its value cannot come within ``goal.slack`` of the
    best value yet: goal.value, which starts as ``promise``, then holds an upper bound, and goal.exact is False.
    """
    left, second, gain, k, kappa, reach, best = rows
    panels, squares, a, rho, inverse, table, rest, rho_block, rho_rest, per_reach = columns
    decide, probit, slack, chances, incumbent, value, exact = goal
    depth, width = left.shape[1], a.shape[1]
    cell, each = 8 * depth * WIDTH, width // WIDTH

    packed, packed2 = np.empty((ROWS, depth)), np.empty((2, ROWS, depth))
    c, den = np.empty((ROWS, width)), np.empty((2, ROWS, width))
    upper, ready = np.empty(width), np.empty((2, each), np.bool_)
    band, active = np.empty(BAND, np.int64), np.empty(BAND + ROWS, np.int64)
    packed_at, packed2_at, c_at, den_at = packed.ctypes.data, packed2.ctypes.data, c.ctypes.data, den.ctypes.data
    panels_at, squares_at = panels.ctypes.data, squares.ctypes.data

    pairs = 0
    for start in range(share * BAND, order.size, shares * BAND):
        stop = min(start + BAND, order.size)
        alive = stop - start
        for m in range(alive):
            band[m] = order[start + m]
            exact[band[m]] = True
        for b in range(a.shape[0]):
            n = kept = 0
            check = decide and (b & (b - 1)) == 0 and (b & 0x5555555555555555) == b
            for m in range(alive):
                i = band[m]
                if check:
                    if b > 0:
                        value[i] = value_bound(i, b, rest, rho_rest, per_reach, reach, kappa, best, chances[i], probit)
                    if value[i] < incumbent[0] - slack:
                        exact[i] = False
                        continue
                look = not prune or any_beats(i, b, table, rho_block, per_reach, reach, kappa, best)
                if look:
                    active[n] = i
                    n += 1
                if look or any_beats(i, b, rest, rho_rest, per_reach, reach, kappa, best):
                    band[kept] = i
                    kept += 1
            alive = kept
            if alive == 0:
                break
            for r in range(n, n + ROWS):
                active[r] = active[max(n - 1, 0)]
            last = min(each, panels.shape[0] - b * each)
            pairs += n * last * WIDTH
            for g in range(0, n, ROWS):
                pack(left, active, g, packed)
                for p in range(last):
                    tile(packed_at, depth, panels_at + (b * each + p) * cell, c_at + 8 * WIDTH * p, width)
                if form == FULL:
                    group_full(active, g, gain, k, best, c, a, inverse, b, last * WIDTH)
                else:
                    group_diagonal(
                        form == LAPLACE,
                        active,
                        g,
                        second,
                        gain,
                        k,
                        kappa,
                        best,
                        c,
                        a,
                        rho,
                        inverse,
                        b,
                        last * WIDTH,
                        squares_at,
                        packed2,
                        packed2_at,
                        den,
                        den_at,
                        ready,
                        upper,
                    )
        for m in range(start, stop):
            i = order[m]
            if decide and exact[i]:
                value[i] = chances[i] * chance(best[1, i], probit) + (1.0 - chances[i]) * chance(best[0, i], probit)
                incumbent[0] = max(incumbent[0], value[i])
    return pairs
