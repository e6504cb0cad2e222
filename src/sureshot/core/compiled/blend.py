"""A mixture looking ahead through its members' updates: per candidate and outcome, the best Σ v_k P_k(y) p_k(x'|y).

The scores of a candidate's alternatives are worked out for all of them at once, by member; then their probabilities, in
single precision. Those that come near the best are worked out again in full. That changes no bit of the result.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.compiled.squash import squashed
from sureshot.core.compiled.tile import larger32
from sureshot.core.stable import Array

FULL, LAPLACE, ADF = 0, 1, 2
_SQRT_HALF = 0.7071067811865476
#: Φ(z) = σ(2z (P + Q z²)) of the logistic function, to 2e-4.
_P, _Q = np.float32(0.7978845608), np.float32(0.0356774081)
#: How far the single-precision probability of an alternative may be off, with room to spare.
_OFF = np.float32(1e-3)


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
    depth, d = right.shape[1], 0
    while d + 4 <= depth:  # four at a time: ``out`` is read and written a quarter as often
        w, x, y, z = left[a, d], left[a, d + 1], left[a, d + 2], left[a, d + 3]
        for j in range(out.size):
            out[j] = (
                out[j] + w * right[b, d, j] + x * right[b, d + 1, j] + y * right[b, d + 2, j] + z * right[b, d + 3, j]
            )
        d += 4
    while d < depth:
        x = left[a, d]
        for j in range(out.size):
            out[j] += x * right[b, d, j]
        d += 1


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def _scores(form, beta, gain, drop, floor, c, own, mu, s, k, out):
    """out[k, j] = mean/√(1 + beta·variance) after the outcome: what the probability is a function of."""
    for j in range(c.size):
        least = floor * s[k, j]
        variance = own[j] if form == LAPLACE else s[k, j] - drop * (c[j] * c[j] if form == FULL else own[j])
        variance = least if form != LAPLACE and variance < least else variance
        out[k, j] = (mu[k, j] + gain * c[j]) / math.sqrt(1.0 + beta * variance)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _rough(z, probit, share, out):
    """Σ share_k σ(z_k) of each alternative, nearly; and the largest."""
    for j in range(out.size):
        out[j] = np.float32(0.0)
    for k in range(share.size):
        part = np.float32(share[k])
        if probit[k]:
            for j in range(out.size):
                at = np.float32(z[k, j])
                out[j] += part * squashed(at * (_P + _Q * at * at))
        else:
            for j in range(out.size):
                out[j] += part * squashed(np.float32(0.5 * z[k, j]))
    best = out[0]
    for j in range(1, out.size):
        best = larger32(out[j], best)
    return best


@njit(cache=True, nogil=True)
def _best(z, probit, share, rough):
    """The largest Σ share_k σ(z_k) over the alternatives."""
    near = _rough(z, probit, share, rough) - _OFF * np.float32(share.sum())
    best = -1.0
    for j in range(rough.size):
        if rough[j] < near:
            continue
        total = 0.0
        for k in range(share.size):
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
    rough = np.empty(N, np.float32)
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
            total += _best(z, rows.probit, rows.chance[:, y, i].copy(), rough)
        out[i] = total
