"""Exponentials and logarithms without branches or tables: LLVM works on several numbers of a loop at once, where it
can't with those of the system.
"""

from __future__ import annotations

from numba import njit

from sureshot.core.numerics.compiled.tile import MAGIC, times_two_to

__all__ = ["FARTHEST", "exp_negative", "log_one_plus"]

#: As far below zero as an exponent may be.
FARTHEST = 600.0

_LOG2E, _LN2_HIGH, _LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10


@njit(cache=True, nogil=True, inline="always")
def exp_negative(x):
    """exp(x) for -FARTHEST <= x <= 0, to an ulp or two."""
    shifted = x * _LOG2E + MAGIC
    n = shifted - MAGIC
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    p = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    p = 1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * p)
    p = 1.0 / 40320.0 + r * (1.0 / 362880.0 + r * p)
    p = 1.0 / 720.0 + r * (1.0 / 5040.0 + r * p)
    p = 1.0 / 24.0 + r * (1.0 / 120.0 + r * p)
    p = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * p)))
    return times_two_to(p, shifted)


@njit(cache=True, nogil=True, inline="always")
def log_one_plus(e):
    """log(1 + e) for 0 <= e <= 1, to an ulp or two: 2 atanh(x) by its series, x = e/(2 + e) <= 1/3."""
    x = e / (2.0 + e)
    y = x * x
    p = 1.0 / 29.0 + y * (1.0 / 31.0 + y * (1.0 / 33.0))
    p = 1.0 / 23.0 + y * (1.0 / 25.0 + y * (1.0 / 27.0 + y * p))
    p = 1.0 / 17.0 + y * (1.0 / 19.0 + y * (1.0 / 21.0 + y * p))
    p = 1.0 / 11.0 + y * (1.0 / 13.0 + y * (1.0 / 15.0 + y * p))
    p = 1.0 / 5.0 + y * (1.0 / 7.0 + y * (1.0 / 9.0 + y * p))
    return 2.0 * x * (1.0 + y * (1.0 / 3.0 + y * p))
