"""A mixture looking ahead through its members' updates: per candidate and outcome, the best Σ v_k P_k(y) p_k(x'|y).

The scores of a candidate's alternatives are worked out for all of them at once, by member; then their probabilities one
by one, the weightiest member first: an alternative is left as soon as the members still to come, were they sure of it,
could not take it above the best one yet. That changes no bit of the result.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.stable import Array

FULL, LAPLACE, ADF = 0, 1, 2
_SQRT_HALF = 0.7071067811865476


class Members(NamedTuple):
    """K beliefs, M candidates; outcome 0 is failure, 1 success."""

    form: NDArray[np.int64]  # (K,) FULL, LAPLACE or ADF
    probit: NDArray[np.bool_]  # (K,) otherwise logit
    left: Array  # (K, M, d) left factor of the covariance of two scores
    gain: Array  # (K, 2, M) shift of the mean per unit of covariance
    drop: Array  # (K, 2, M) t/(1 + ts)
    floor: Array  # (K, 2, M) 1/(1 + ts): no variance falls below this share of it
    second: Array  # (K, 2, M, d) diagonal forms: left factor of the variance, or of what it loses
    chance: Array  # (K, 2, M) weight of the member times its probability of the outcome


class Others(NamedTuple):
    """The alternatives under each belief."""

    right: Array  # (K, d, N) right factor of the covariance
    squares: Array  # (d, N)
    mu: Array  # (K, N)
    s: Array  # (K, N)


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def _products(left, a, right, b, out):
    """out[j] = Σ_d left[a, d] right[b, d, j]."""
    for j in range(out.size):
        out[j] = 0.0
    for d in range(right.shape[1]):
        x = left[a, d]
        for j in range(out.size):
            out[j] += x * right[b, d, j]


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def _scores(form, beta, gain, drop, floor, c, own, mu, s, k, out):
    """out[k, j] = mean/√(1 + beta·variance) after the outcome: what the probability is a function of."""
    for j in range(c.size):
        least = floor * s[k, j]
        variance = own[j] if form == LAPLACE else s[k, j] - drop * (c[j] * c[j] if form == FULL else own[j])
        variance = least if form != LAPLACE and variance < least else variance
        out[k, j] = (mu[k, j] + gain * c[j]) / math.sqrt(1.0 + beta * variance)


@njit(cache=True, nogil=True)
def _best(z, probit, share, order):
    """The largest Σ share_k σ(z_k) over the alternatives."""
    K, best = order.size, -1.0
    rest = np.empty(K)
    for n in range(K - 1, -1, -1):
        rest[n] = share[order[n]] + (rest[n + 1] if n + 1 < K else 0.0)
    for j in range(z.shape[1]):
        total = 0.0
        for n in range(K):
            if total + rest[n] * (1.0 + 1e-12) <= best:
                break
            k = order[n]
            at = z[k, j]
            if probit[k]:
                total += share[k] * (0.5 * math.erfc(-at * _SQRT_HALF))
            else:
                total += share[k] / (1.0 + math.exp(-at)) if at > -700.0 else 0.0
        best = max(best, total)
    return best


@njit(cache=True, nogil=True)
def blend(rows, cols, part, out):
    """out[i] = the best of success plus the best of failure, for the candidates ``part``."""
    K, N = cols.mu.shape
    c, own, z = np.empty((K, N)), np.empty((K, N)), np.empty((K, N))
    left = rows.left.reshape(-1, rows.left.shape[2])
    second = rows.second.reshape(-1, rows.left.shape[2])
    squares = cols.squares.reshape((1, *cols.squares.shape))
    M = rows.left.shape[1]
    for i in part:
        total = 0.0
        for k in range(K):
            _products(left, k * M + i, cols.right, k, c[k])
        for y in range(2):
            for k in range(K):
                if rows.form[k] != FULL:
                    _products(second, (2 * k + y) * M + i, squares, 0, own[k])
                _scores(
                    rows.form[k],
                    1.0 if rows.probit[k] else math.pi / 8.0,
                    rows.gain[k, y, i],
                    rows.drop[k, y, i],
                    rows.floor[k, y, i],
                    c[k],
                    own[k],
                    cols.mu,
                    cols.s,
                    k,
                    z,
                )
            share = rows.chance[:, y, i].copy()
            total += _best(z, rows.probit, share, np.argsort(-share))
        out[i] = total
