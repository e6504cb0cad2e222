"""Expectation propagation in compiled loops: the twin of :mod:`sureshot.core.learning.propagation`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.learning.compiled.matching import match
from sureshot.core.learning.compiled.step import bierman, reach
from sureshot.core.learning.propagation import LEAST_LEFT, MOST_SWEEPS, REBUILD, SLOWEST, TOLERANCE
from sureshot.core.numerics.stable import Array


@njit(cache=True, nogil=True)
def _log_mean(tau: float, nu: float, m: float, v: float) -> float:
    grown = 1.0 + tau * v
    return (nu * m + 0.5 * nu * nu * v - 0.5 * tau * m * m) / grown - 0.5 * math.log(grown)


@njit(cache=True, nogil=True)
def absorb(mean: Array, spread: Array, factor: Array, base: Array, rows: Array, tau: Array, nu: Array) -> float:
    """Sites taken into a full belief, in place; gives back the log of their mean under it."""
    n, r = rows.shape
    turned, scaled, gain = np.empty(r), np.empty(r), np.empty(r)
    total = 0.0
    for i in range(n):
        mu, s = reach(mean, spread, factor, rows[i], turned, scaled)
        mu += base[i]
        total += _log_mean(tau[i], nu[i], mu, s)
        step = (nu[i] - tau[i] * mu) / (1.0 + tau[i] * s)
        bierman(spread, factor, turned, scaled, gain, tau[i])
        for j in range(r):
            mean[j] += step * gain[j]
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def rooted(spread: Array, factor: Array, rows: Array) -> Array:
    """Rows times a square root of the covariance. No threads: BLAS's wait for one another, longer than this takes."""
    out = np.empty_like(rows)
    for i in range(len(rows)):
        for j in range(spread.size):
            total = 0.0
            for k in range(j + 1):
                total += factor[j, k] * rows[i, k]
            out[i, j] = math.sqrt(spread[j]) * total
    return out


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def triangle(rows: Array) -> Array:
    """Lower triangular T, (n, n), with T T' = rows rows', as ``propagation.triangle``: Gram and Schmidt's, modified."""
    n, w = rows.shape
    left, out = rows.copy(), np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            along = 0.0
            for k in range(w):
                along += left[j, k] * left[i, k]
            out[i, j] = along
            for k in range(w):
                left[i, k] -= along * left[j, k]
        size = 0.0
        for k in range(w):
            size += left[i, k] * left[i, k]
        size = math.sqrt(size)
        out[i, i] = size
        if size > 0.0:
            for k in range(w):
                left[i, k] /= size
    return out


@njit(cache=True, nogil=True)
def propagate(
    code: int, base: Array, rows: Array, extra: Array, won: Array, lost: Array, tau: Array, nu: Array
) -> tuple[float, int, float]:
    """Sites of the scores base + rows·u, u standard normal, in place: evidence, sweeps, the last change."""
    if rows.shape[1] > rows.shape[0]:
        rows = triangle(rows)
    n, r = rows.shape
    mean, spread, factor = np.zeros(r), np.ones(r), np.eye(r)
    turned, scaled, gain = np.empty(r), np.empty(r), np.empty(r)
    change, pace, sweeps = math.inf, 1.0, 0
    while change > TOLERANCE and sweeps < MOST_SWEEPS:
        if change > REBUILD and (sweeps > 0 or tau.max() > 0.0):
            _blank(mean, spread, factor)
            absorb(mean, spread, factor, base, rows, tau, nu)
        last, change = change, 0.0
        for i in range(n):
            mu, s = reach(mean, spread, factor, rows[i], turned, scaled)
            mu += base[i]
            left = 1.0 - tau[i] * s
            if s <= 0.0 or left < LEAST_LEFT:
                continue
            m, v = (mu - nu[i] * s) / left, s / left
            gain_f, t, _, _ = match(code, m, v + extra[i], won[i], lost[i])
            t /= 1.0 + t * extra[i]
            more, push = pace * (t - tau[i]), pace * (t * m + gain_f * (1.0 + t * v) - nu[i])
            step = (push - more * mu) / (1.0 + more * s)
            bierman(spread, factor, turned, scaled, gain, more)
            for j in range(r):
                mean[j] += step * gain[j]
            tau[i] += more
            nu[i] += push
            change = max(change, abs(step) * math.sqrt(s * (1.0 + more * s)), abs(more) * s)
        sweeps += 1
        pace = max(0.5 * pace, SLOWEST) if change > last else min(1.25 * pace, 1.0)
    _blank(mean, spread, factor)
    evidence = absorb(mean, spread, factor, base, rows, tau, nu)
    for i in range(n):
        mu, s = reach(mean, spread, factor, rows[i], turned, scaled)
        mu += base[i]
        left = max(1.0 - tau[i] * s, LEAST_LEFT)
        m, v = (mu - nu[i] * s) / left, s / left
        evidence += match(code, m, v + extra[i], won[i], lost[i])[2] - _log_mean(tau[i], nu[i], m, v)
    return evidence, sweeps, change


@njit(cache=True, nogil=True)
def _blank(mean: Array, spread: Array, factor: Array) -> None:
    mean[:] = 0.0
    spread[:] = 1.0
    factor[:] = 0.0
    for j in range(mean.size):
        factor[j, j] = 1.0
