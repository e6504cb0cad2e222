"""KG(*) by compiled code: what m trials of one alternative, in a row, would teach.

For each candidate, B_k(f) = Binom(k; m, σ(f)) is expanded in Hermite polynomials of z = (f - mu)/√s by the trapezoid
rule, B_k = Σ G_kn he_n, and E[B_k p(x'|f)] = Σ G_kn ρ^n g'_n (see :mod:`sureshot.core.compiled.hermite`); what is left
out after N terms is at most abs(ρ)^(N+1) T_N(B_k) T'_N. Alternatives for which that is above ``tol`` are integrated
over the same nodes instead; those whose bound after 1, or 12, terms is below the running maximum for every k are
left out.

``o`` runs over all pairs (m, k) in turn: m = 1, 2, 4, ... and k = 0..m.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.compiled.hermite import ORDER, quick_cdf
from sureshot.core.compiled.terms import LOGIT, PROBIT, log_likelihood

_INV_SQRT_TWO_PI = 0.3989422804014327
_REACH = 9.5  # standard deviations integrated over
_BATCH = 64  # alternatives whose series are summed in one product
_LEVEL = 12  # terms of the second test
_N = ORDER + 1
_SLACK = 1e-9  # for the rounding of norms formed by subtraction


@njit(cache=True, nogil=True, fastmath=True)
def _product(left, right, out):
    """Out = left · right, by hand: BLAS would start threads for matrices as small as these."""
    n, inner = left.shape
    width = right.shape[1]
    for i in range(n):
        for o in range(width):
            out[i, o] = 0.0
        k = 0
        while k + 4 <= inner:
            a, b, c, d = left[i, k], left[i, k + 1], left[i, k + 2], left[i, k + 3]
            for o in range(width):
                out[i, o] += a * right[k, o] + b * right[k + 1, o] + c * right[k + 2, o] + d * right[k + 3, o]
            k += 4
        while k < inner:
            for o in range(width):
                out[i, o] += left[i, k] * right[k, o]
            k += 1


@njit(cache=True, nogil=True)
def _nodes(code, mu, s, m, sharp):
    """Uniform trapezoid nodes, weights and z for N(f; mu, s) times functions as sharp as m trials make them.

    The integrand is at most as sharp as a normal density of precision info·m + (1 + sharp)/s (info: the largest Fisher
    information of one trial; sharp: that of p(x'|f) in units of z); a step of 0.8 of its deviations errs by e^-30.
    """
    sd = math.sqrt(max(s, 1e-12))
    info = 0.25 if code == LOGIT else 0.65
    step = min(0.8 / math.sqrt(info * m + (1.0 + sharp) / (sd * sd)), 0.6 if code in (LOGIT, PROBIT) else 0.35)
    n = math.ceil(2.0 * _REACH * sd / step)
    z = _REACH * (2.0 * np.arange(n + 1) / n - 1.0)
    return mu + sd * z, np.exp(-0.5 * z * z) * (_INV_SQRT_TWO_PI * 2.0 * _REACH / n), z


@njit(cache=True, nogil=True)
def _binomials(code, f, ms, choose, out):
    """out[q, o] = Binom(k; m, σ(f_q)), from the mode outwards: no overflow."""
    for q in range(f.size):
        one, zero = log_likelihood(code, f[q], 1.0, 0.0), log_likelihood(code, f[q], 0.0, 1.0)
        odds = one - zero
        o = 0
        for m in ms:
            mode = min(int((m + 1) * math.exp(one)), m)
            top = math.exp(choose[o + mode] + (mode * one if mode else 0.0) + ((m - mode) * zero if mode < m else 0.0))
            out[q, o + mode] = top
            value = top
            up = math.exp(min(odds, 700.0))
            for k in range(mode + 1, m + 1):
                value *= up * (m - k + 1) / k
                out[q, o + k] = value
            value = top
            down = math.exp(min(-odds, 700.0))
            for k in range(mode, 0, -1):
                value *= down * k / (m - k + 1)
                out[q, o + k - 1] = value
            o += m + 1


@njit(cache=True, nogil=True)
def _expand_binomials(code, mu, s, ms, choose, sharp, coef, norms):
    """Hermite coefficients G (N, O) of every B_k under one belief, and their norms beyond 0, 1 and _LEVEL terms (3, O).

    Gives back nodes, weights and the binomials at the nodes.
    """
    f, w, z = _nodes(code, mu, s, ms[-1], sharp)
    table = np.empty((f.size, choose.size))
    _binomials(code, f, ms, choose, table)
    he = np.empty((_N, f.size))
    he[0] = w
    he[1] = w * z
    for n in range(1, _N - 1):
        he[n + 1] = (z * he[n] - math.sqrt(n) * he[n - 1]) / math.sqrt(n + 1.0)
    _product(he, table, coef)
    for o in range(choose.size):
        square = 0.0
        for q in range(f.size):
            square += w[q] * table[q, o] * table[q, o]
        for n in range(_LEVEL + 1):
            square -= coef[n, o] ** 2
            if n == 1:
                norms[0, o] = math.sqrt(max(square, 0.0)) + _SLACK
        norms[1, o] = math.sqrt(max(square, 0.0)) + _SLACK
    return f, w, table


@njit(cache=True, nogil=True, fastmath=True)
def _may_win(v, cols, j, rho, coef, norms, best, bound, terms, which):
    """Whether alternative j may beat the running best for some (m, k), by so many terms of the series and the bound
    of the rest.
    """
    bound[:] = 0.0
    for k in range(v.size):
        t = v[k]
        for n in range(terms + 1):
            c = t * cols.coef[k, j, n]
            row = coef[k, n]
            for o in range(bound.size):
                bound[o] += c * row[o]
            t *= rho[k, j]
        c = abs(t) * cols.tail[k, j, terms]
        row = norms[k, which]
        for o in range(bound.size):
            bound[o] += c * row[o]
    count = 0
    for o in range(bound.size):
        count += 1 if bound[o] > best[o] else 0
    return count > 0


@njit(cache=True, nogil=True)
def _integrated(con, v, rows, cols, i, j, rho, f, w, table, k):
    """v_k E[B_k p(x'|f)] under belief k, over the nodes: for alternatives close to a wide candidate."""
    s, s2 = rows.s[k, i], cols.s[k, j]
    ratio = rho * math.sqrt(s2 / max(s, 1e-12))
    left = max(s2 * (1.0 - rho * rho), 0.0)
    size = con.terms[k]
    scale = np.empty(size)
    for t in range(size):
        scale[t] = 1.0 / math.sqrt(con.h[k, t] * con.h[k, t] + left)
    g = np.zeros((1, f.size))
    for q in range(f.size):
        if w[q] > 1e-18:
            m = cols.mu[k, j] + ratio * (f[q] - rows.mu[k, i])
            total = 0.0
            for t in range(size):
                total += con.w[k, t] * quick_cdf((m - con.b[k, t]) * scale[t])
            g[0, q] = total * w[q] * v[k]
    out = np.empty((1, table.shape[1]))
    _product(g, table, out)
    return out[0]


@njit(cache=True, nogil=True)
def _raise(best, row):
    for o in range(best.size):
        u, t = row[o], best[o]
        best[o] = u if u > t else t


@njit(cache=True, nogil=True)
def _correlations(con, v, rows, cols, i, tol, rho, hard, sharp):
    """ρ of candidate i with every alternative under each belief; which series are too slow; how sharp those are."""
    K, M = v.size, cols.mean.size
    for j in range(M):
        rest = 0.0
        for k in range(K):
            r = 0.0
            for d in range(rows.unit.shape[2]):
                r += rows.unit[k, i, d] * cols.unit[k, j, d]
            rho[k, j] = min(max(r, -1.0), 1.0)
            rest += v[k] * abs(rho[k, j]) ** _N * cols.tail[k, j, ORDER]
        hard[j] = rest > tol
    for k in range(K):
        # the square of the sharpest scale of the link that carries weight
        narrow = 1.0 if con.code[k] in (LOGIT, PROBIT) else 0.15
        sharp[k] = 0.0
        for j in range(M):
            if hard[j]:
                t = rho[k, j] * rho[k, j]
                sharp[k] = max(sharp[k], t * cols.s[k, j] / (narrow + (1.0 - t) * cols.s[k, j]))


@njit(cache=True, nogil=True)
def star_rows(con, v, rows, cols, part, ms, choose, tol, out):
    """out[i, l] = KG_m of candidate i for m = ms[l], for the candidates ``part``."""
    K, M, size = v.size, cols.mean.size, choose.size
    coef, norms = np.empty((K, _N, size)), np.empty((K, 2, size))
    rho, hard, sharp = np.empty((K, M)), np.empty(M, np.bool_), np.empty(K)
    batch, got = np.empty((_BATCH, K * _N)), np.empty((_BATCH, size))
    bound, best, base = np.empty(size), np.empty(size), np.empty(size)
    for i in part:
        _correlations(con, v, rows, cols, i, tol, rho, hard, sharp)
        nodes, weights, tables = [np.empty(0)], [np.empty(0)], [np.empty((0, 0))]
        for k in range(K):
            f, w, table = _expand_binomials(
                con.code[k], rows.mu[k, i], rows.s[k, i], ms, choose, sharp[k], coef[k], norms[k]
            )
            nodes.append(f)
            weights.append(w)
            tables.append(table)
        stacked = coef.reshape(K * _N, size)
        held = 0
        for j in range(M + 1):  # alternative 0, the best predicted, goes first and alone; M stands for the end
            if j < M:
                if j > 0 and not _may_win(v, cols, j, rho, coef, norms, best, bound, 1, 0):
                    continue
                if hard[j]:
                    if j > 0 and not _may_win(v, cols, j, rho, coef, norms, best, bound, _LEVEL, 1):
                        continue
                    row = np.zeros(size)
                    for k in range(K):
                        row += _integrated(
                            con, v, rows, cols, i, j, rho[k, j], nodes[k + 1], weights[k + 1], tables[k + 1], k
                        )
                    if j == 0:
                        best[:] = row
                    else:
                        _raise(best, row)
                else:
                    for k in range(K):
                        t = v[k]
                        for n in range(_N):
                            batch[held, k * _N + n] = t * cols.coef[k, j, n]
                            t *= rho[k, j]
                    held += 1
            if held > 0 and (held == _BATCH or j == M or j == 0):
                _product(batch[:held], stacked, got)
                if j == 0:
                    best[:] = got[0]
                else:
                    for b in range(held):
                        _raise(best, got[b])
                held = 0
            if j == 0:
                base[:] = best
        o = 0
        for level in range(ms.size):
            total = 0.0
            for k in range(ms[level] + 1):
                total += best[o + k] - base[o + k]
            out[i, level] = total
            o += ms[level] + 1
