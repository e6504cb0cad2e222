"""The scan: for every candidate and outcome, the best score that any alternative has after that outcome.

Candidates go through the pool in bands, a block of alternatives at a time, so that the block stays in cache. Blocks
whose bound (:mod:`sureshot.core.compiled.bounds`) is below a candidate's running best are left out, which changes no
bit of the result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sureshot.core.compiled.block import group_diagonal, group_full, pack
from sureshot.core.compiled.bounds import any_beats, fast
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


@fast
def scan(form, share, shares, rows, columns):
    """Scan every ``shares``-th band of the candidates; fills rows.best."""
    left, second, gain, k, kappa, reach, best = rows
    panels, squares, a, rho, inverse, table, rest, rho_block, rho_rest, per_reach = columns
    depth, width = left.shape[1], a.shape[1]
    cell, each = 8 * depth * WIDTH, width // WIDTH

    packed, packed2 = np.empty((ROWS, depth)), np.empty((2, ROWS, depth))
    c, den = np.empty((ROWS, width)), np.empty((2, ROWS, width))
    upper, ready = np.empty(width), np.empty((2, each), np.bool_)
    band, active = np.empty(BAND, np.int64), np.empty(BAND + ROWS, np.int64)
    packed_at, packed2_at, c_at, den_at = packed.ctypes.data, packed2.ctypes.data, c.ctypes.data, den.ctypes.data
    panels_at, squares_at = panels.ctypes.data, squares.ctypes.data

    for start in range(share * BAND, left.shape[0], shares * BAND):
        alive = min(BAND, left.shape[0] - start)
        for m in range(alive):
            band[m] = start + m
        for b in range(a.shape[0]):
            n = kept = 0
            for m in range(alive):
                i = band[m]
                look = any_beats(i, b, table, rho_block, per_reach, reach, kappa, best)
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
