"""The alternatives of an exact look-ahead as the scan wants them: in its order, in double and in single precision."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sureshot.core.numerics.compiled.tile import WIDTH32
from sureshot.core.numerics.stable import Array

BRIEF = 6  # terms of the series in single precision


class Expansion(NamedTuple):
    """M alternatives under K beliefs, as candidates or as what they are compared with."""

    mu: Array  # (K, M)
    s: Array  # (K, M)
    unit: Array  # (K, M, d) rows of the root by the standard deviation: ρ = unit·unit', but 1 of a twin
    unit32: NDArray[np.float32]  # (K, M, d)
    panels: NDArray[np.float32]  # (K, P, d, WIDTH32) the same by columns, padded with zeros
    norms: NDArray[np.float32]  # (3, K, M) T_0, g_1 and T_1, for the bounds
    p: Array  # (K, M) success probability under each belief
    p32: NDArray[np.float32]  # (K, M)
    var: Array  # (K, M) Var σ(f)
    coef: Array  # (K, M, ORDER + 1)
    tail: Array  # (K, M, ORDER + 1)
    mean: Array  # (M,) success probability under the mixture
    mean32: NDArray[np.float32]  # (M,)
    brief: NDArray[np.float32]  # (K, M, BRIEF + 2) p, g_1 ... g_BRIEF and T_BRIEF side by side


@njit(cache=True, nogil=True, error_model="numpy")
def arranged(order, mu, s, root, p, var, coef, tail, mean):
    """A :class:`Expansion` in this order."""
    (K, M, d), width = root.shape, coef.shape[2]
    single = np.float32
    mu2, s2, p2, var2 = np.empty((K, M)), np.empty((K, M)), np.empty((K, M)), np.empty((K, M))
    unit, coef2, tail2 = np.empty((K, M, d)), np.empty((K, M, width)), np.empty((K, M, width))
    unit32, p32, norms = np.empty((K, M, d), single), np.empty((K, M), single), np.empty((3, K, M), single)
    panels = np.zeros((K, (M + WIDTH32 - 1) // WIDTH32, d, WIDTH32), single)
    brief, mean2, mean32 = np.empty((K, M, BRIEF + 2), single), np.empty(M), np.empty(M, single)
    for k in range(K):
        for n in range(M):
            j = order[n]
            mu2[k, n], s2[k, n], p2[k, n], var2[k, n], p32[k, n] = mu[k, j], s[k, j], p[k, j], var[k, j], p[k, j]
            norms[0, k, n], norms[1, k, n], norms[2, k, n] = tail[k, j, 0], coef[k, j, 1], tail[k, j, 1]
            size, page, lane = math.sqrt(max(s[k, j], 1e-300)), n // WIDTH32, n % WIDTH32
            for m in range(d):
                unit[k, n, m] = root[k, j, m] / size
                unit32[k, n, m] = unit[k, n, m]
                panels[k, page, m, lane] = unit[k, n, m]
            for m in range(width):
                coef2[k, n, m], tail2[k, n, m] = coef[k, j, m], tail[k, j, m]
            for m in range(BRIEF + 1):
                brief[k, n, m] = coef[k, j, m]
            brief[k, n, BRIEF + 1] = tail[k, j, BRIEF]
    for n in range(M):
        mean2[n], mean32[n] = mean[order[n]], mean[order[n]]
    return Expansion(mu2, s2, unit, unit32, panels, norms, p2, p32, var2, coef2, tail2, mean2, mean32, brief)
