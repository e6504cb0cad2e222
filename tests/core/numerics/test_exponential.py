"""Exponentials and logarithms of compiled loops: as exact as the system's, over all that they are meant for."""

from __future__ import annotations

import mpmath
import numpy as np
from numba import njit

from sureshot.core.numerics.compiled.exponential import FARTHEST, exp_negative, log_one_plus
from sureshot.core.numerics.stable import Array


@njit
def _exponentials(x: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = exp_negative(x[i])


@njit
def _logarithms(e: Array, out: Array) -> None:
    for i in range(e.size):
        out[i] = log_one_plus(e[i])


def test_an_exponential_is_exact_to_two_ulps() -> None:
    x = np.concatenate([-np.geomspace(1e-300, FARTHEST, 500), [0.0, -0.0, -np.log(2.0), -0.5 * np.log(2.0)]])
    found = np.empty_like(x)
    _exponentials(x, found)
    exact = np.array([float(mpmath.exp(mpmath.mpf(float(one)))) for one in x])
    np.testing.assert_array_less(np.abs(found - exact), 2.5 * np.spacing(exact))


def test_a_logarithm_is_exact_to_two_ulps() -> None:
    e = np.concatenate([np.geomspace(1e-300, 1.0, 500), [0.0]])
    found = np.empty_like(e)
    _logarithms(e, found)
    exact = np.array([float(mpmath.log1p(mpmath.mpf(float(one)))) for one in e])
    np.testing.assert_array_less(np.abs(found - exact), 2.5 * np.spacing(exact))
