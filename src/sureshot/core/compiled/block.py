"""One block of alternatives against a few candidates: the best squared score of each candidate and outcome.

Everything is divided by the present spread of alternative j, S_j = 1 + beta s_j. With a = mu/√S, c = cov(i, j)/√S_j
and rho = beta s/S the score of j after an outcome of i is (a_j + gain_i c)/√den with

    den = 1 - k_i c²  (full),   1 - k_i e  (diagonal ADF),   1/S_j + w_i·(beta x_j²/S_j)  (diagonal Laplace),

and max(1/S_j, 1 - kappa_i rho_j) <= den <= 1. A row is first held, without division, against its running best with the
lower bound of den; only panels of eight alternatives that may beat it get the second product and the division. That
changes no bit of the result.

Arrays go to the inner functions one by one and uncut: a tuple or a slice costs Numba atomic reference counts.
"""

from __future__ import annotations

from sureshot.core.compiled.bounds import FINE, LOWEST, fast
from sureshot.core.compiled.tile import ROWS, WIDTH, larger, tile


@fast
def _tops_full(c, r, a, b, count, g0, g1, h0, h1):
    """Largest n|n| + h c^2 of one row by outcome; above the row's best exactly where a score is."""
    top0 = top1 = LOWEST
    for j in range(count):
        x = c[r, j]
        n0 = a[b, j] + g0 * x
        n1 = a[b, j] + g1 * x
        top0 = larger(n0 * abs(n0) + h0 * (x * x), top0)
        top1 = larger(n1 * abs(n1) + h1 * (x * x), top1)
    return top0, top1


@fast
def _tops_diagonal(c, r, a, rho, b, count, g0, g1, h0, h1):
    """Largest n|n| + h rho of one row by outcome; above the row's best wherever a score is."""
    top0 = top1 = LOWEST
    for j in range(count):
        x = c[r, j]
        n0 = a[b, j] + g0 * x
        n1 = a[b, j] + g1 * x
        top0 = larger(n0 * abs(n0) + h0 * rho[b, j], top0)
        top1 = larger(n1 * abs(n1) + h1 * rho[b, j], top1)
    return top0, top1


@fast
def _best_full(c, r, a, inverse, b, count, gain, k, best):
    """Best squared score of one row, by division."""
    for j in range(count):
        x = c[r, j]
        n = a[b, j] + gain * x
        best = larger(n * abs(n) / larger(1.0 - k * (x * x), inverse[b, j]), best)
    return best


@fast
def _upper_diagonal(c, r, a, rho, b, count, gain, kappa, upper):
    """Fill ``upper`` with each pair's bound of the squared score; return the panel of the largest."""
    top = LOWEST
    for j in range(count):
        n = a[b, j] + gain * c[r, j]
        n2 = n * abs(n)
        upper[j] = larger(n2, n2 / (1.0 - kappa * rho[b, j])) if n2 > 0.0 else n2
        top = larger(upper[j], top)
    for j in range(count):
        if upper[j] == top:
            return j // WIDTH
    return 0


@fast
def _best_panel(laplace, y, c, r, den, a, inverse, b, panel, gain, k, best):
    """Best squared score of one row in one panel; ``den`` holds the second product."""
    for lane in range(WIDTH):
        j = panel * WIDTH + lane
        n = a[b, j] + gain * c[r, j]
        least = inverse[b, j]
        d = least + den[y, r, j] if laplace else 1.0 - k * den[0, r, j]
        best = larger(n * abs(n) / larger(d, least), best)
    return best


@fast
def _settle_diagonal(
    laplace,
    y,
    r,
    lefts_at,
    depth,
    squares_at,
    den_at,
    ready,
    c,
    den,
    upper,
    a,
    rho,
    inverse,
    b,
    count,
    gain,
    k,
    kappa,
    best,
):
    """Settle one row and outcome of a diagonal form in one block, the most promising panel first."""
    first = _upper_diagonal(c, r, a, rho, b, count, gain, kappa, upper)
    cell, side, z = 8 * depth * WIDTH, a.shape[1], y if laplace else 0
    for turn in range(-1, count // WIDTH):
        panel = first if turn < 0 else turn
        if turn >= 0:
            top = LOWEST
            for lane in range(WIDTH):
                top = max(top, upper[panel * WIDTH + lane])
            if panel == first or top <= best - FINE * abs(best):
                continue
        if not ready[z, panel]:
            ready[z, panel] = True
            right = squares_at + (b * (side // WIDTH) + panel) * cell
            tile(lefts_at + 8 * z * ROWS * depth, depth, right, den_at + 8 * (z * ROWS * side + panel * WIDTH), side)
        best = _best_panel(laplace, y, c, r, den, a, inverse, b, panel, gain, k, best)
    return best


@fast
def pack(source, active, g, target):
    """Copy the rows of one group side by side."""
    for r in range(ROWS):
        for m in range(source.shape[1]):
            target[r, m] = source[active[g + r], m]


@fast
def group_full(active, g, gain, k, best, c, a, inverse, b, count):
    """Bring the best of ROWS candidates up to date with block b, full covariance; c holds their products."""
    for r in range(ROWS):
        i = active[g + r]
        b0, b1 = best[0, i], best[1, i]
        h0, h1 = k[0, i] * max(b0, 0.0), k[1, i] * max(b1, 0.0)
        top0, top1 = _tops_full(c, r, a, b, count, gain[0, i], gain[1, i], h0, h1)
        if top0 > b0 - FINE * abs(b0):
            best[0, i] = _best_full(c, r, a, inverse, b, count, gain[0, i], k[0, i], b0)
        if top1 > b1 - FINE * abs(b1):
            best[1, i] = _best_full(c, r, a, inverse, b, count, gain[1, i], k[1, i], b1)


@fast
def group_diagonal(
    laplace,
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
    count,
    squares_at,
    packed,
    packed_at,
    den,
    den_at,
    ready,
    upper,
):
    """The same for the diagonal forms, with the second product only where it can matter."""
    depth, fresh = second.shape[2], True
    for r in range(ROWS):
        i = active[g + r]
        b0, b1 = best[0, i], best[1, i]
        h0, h1 = kappa[0, i] * max(b0, 0.0), kappa[1, i] * max(b1, 0.0)
        top0, top1 = _tops_diagonal(c, r, a, rho, b, count, gain[0, i], gain[1, i], h0, h1)
        for y in range(2):
            top, was = (top1, b1) if y else (top0, b0)
            if top <= was - FINE * abs(was):
                continue
            if fresh:
                fresh = False
                ready[:] = False
                for z in range(second.shape[0]):
                    for q in range(ROWS):
                        for m in range(depth):
                            packed[z, q, m] = second[z, active[g + q], m]
            best[y, i] = _settle_diagonal(
                laplace,
                y,
                r,
                packed_at,
                depth,
                squares_at,
                den_at,
                ready,
                c,
                den,
                upper,
                a,
                rho,
                inverse,
                b,
                count,
                gain[y, i],
                k[y, i],
                kappa[y, i],
                was,
            )
