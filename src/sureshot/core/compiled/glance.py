"""One block of alternatives against a few candidates, in single precision: the best squared score of each to within a
proven error.

With S_j = 1 + beta s_j, a = mu/√S, rho = beta s/S and q = corr(i, j) √rho_j the score of j after an outcome of i is
(a_j + push_i q)/√den, push = gain √(s/beta), with

    den = 1 - kappa_i q²  (full),     1/S_j + w_i·(beta v x_j²/S_j)  (diagonal Laplace, w = 1/(1 + t v x_i²)),
    1 - w_i·(beta v x_j²/S_j)  (diagonal ADF, w = drop v x_i²),

and den >= 1 - kappa_i rho_j. Every number here is at most 1 (scores by ``scale``), and n = a + push q and den err by
d + 8 roundings at most; so a squared score U = n|n|/den errs by fuzz_i ((high + reach_i)² + |U|), where high is the
largest abs(a) and fuzz = 2^-23 (d + 16)/least den: see :func:`sureshot.core.compiled.prepare.candidates`.
"""

from __future__ import annotations

import numpy as np

from sureshot.core.compiled.bounds import fast
from sureshot.core.compiled.tile import ROWS, WIDTH32, larger32, tile32

FULL, LAPLACE, ADF = 0, 1, 2
_LEAST = np.float32(-3e38)


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
def sweep(
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
            i = active[g + r]
            for m in range(depth):
                packed[r, m] = unit[i, m]
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
                    if j >= 0 and (upper[j] <= level or panel in (lead, seen)):
                        continue
                    seen = panel
                    if not ready[y, panel]:
                        ready[y, panel] = True
                        right, out = squares_at + (from_panel + panel) * cell, 4 * (y * ROWS * width + panel * WIDTH32)
                        tile32(second_at + 4 * y * ROWS * depth, depth, right, den_at + out, width)
                    level = _panel_best(form == LAPLACE, y, q, r, den, a32, least32, begin, panel, shift, level)
                top[y, i] = max(top[y, i], level * back)
