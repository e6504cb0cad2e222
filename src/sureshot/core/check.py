"""What may cross the border of the core: every check of a caller's arrays, once, before anything is computed.

Each function hands back a float64 array that the core can trust, or raises
:class:`~sureshot.errors.InvalidInput` with the rule, the value and the fix.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.numerics.stable import Array
from sureshot.core.once import once
from sureshot.errors import InvalidInput

__all__ = ["counts", "features", "frozen", "numbers", "pool", "positive", "vector"]

_OUTCOME_RULE = "`y` must be 0 (failure) or 1 (success)"


def frozen(array: ArrayLike) -> Array:
    """A read-only, contiguous float64 copy that belongs to nobody else."""
    given = np.asarray(array, dtype=np.float64)
    return np.ndarray(given.shape, np.float64, buffer=given.tobytes())  # over bytes: not even a view can be written to


def numbers(value: ArrayLike, name: str) -> Array:
    """A float64 array of real numbers; text, None and ragged rows are refused."""
    if "numpy.ma" in sys.modules and np.ma.is_masked(value):  # not loaded for nothing: who has such an array, has it
        raise InvalidInput(f"`{name}` must have no masked cells", fix="fill or remove them first")
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O" and not any(isinstance(item, str | bytes) for item in array.flat):
            array = np.asarray(array.tolist(), dtype=np.float64)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"its dtype is {array.dtype}")
        return np.asarray(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(
            f"`{name}` must be an array of numbers ({error})", fix="encode categories and fill gaps first"
        ) from error


@once
def _all_finite(array: Array) -> bool:
    return bool(np.isfinite(array).all())


def _finite(array: Array, name: str) -> None:
    if not _all_finite(array):
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        at = f"{name}[{', '.join(map(str, where))}]" if where else name
        raise InvalidInput(f"`{name}` must be finite, got {at}={array[where]}", fix="remove or impute it first")


def vector(value: ArrayLike, name: str, d: int) -> Array:
    """A finite vector of length ``d``."""
    array = numbers(value, name)
    if array.shape != (d,):
        raise InvalidInput(f"`{name}` must have shape ({d},), one number for each weight, got {array.shape}.")
    _finite(array, name)
    return array


def features(value: ArrayLike, name: str, d: int) -> Array:
    """A finite (n, d) matrix, n >= 0."""
    array = numbers(value, name)
    if array.ndim != 2 or array.shape[1] != d:
        raise InvalidInput(
            f"`{name}` must have shape (n, {d}), one row for each alternative and one column for each weight, "
            f"got {array.shape}."
        )
    _finite(array, name)
    return array


def pool(value: ArrayLike, name: str, d: int) -> Array:
    """A finite (M, d) matrix with at least one alternative."""
    array = features(value, name, d)
    if len(array) == 0:
        raise InvalidInput(f"`{name}` must hold at least one alternative, got none", fix="add a row")
    return array


def positive(value: ArrayLike, name: str, d: int) -> Array:
    """A scalar or (d,) vector of finite numbers above zero, as a (d,) vector."""
    array = numbers(value, name)
    if array.shape not in ((), (d,)):
        raise InvalidInput(
            f"`{name}` must be one number or have shape ({d},), got shape {array.shape}", fix="give one, or as many"
        )
    bad = ~(np.isfinite(array) & (array > 0))
    if bad.any():
        raise InvalidInput(f"`{name}` must be finite and above 0, got {array[bad].flat[0]}", fix="give numbers above 0")
    return np.broadcast_to(array, (d,)).copy()


def counts(y: ArrayLike, of: ArrayLike | None, n: int) -> tuple[Array, Array]:
    """Successes and failures of ``n`` observations: ``y`` is 0/1 (or False/True), or ``y`` successes ``of``
    so many.
    """
    if of is None and n == 1 and isinstance(y, int) and 0 <= y <= 1:  # the common case, quickly
        return np.array([float(y)]), np.array([1.0 - y])
    won = _whole(y, "y", n)
    if of is None:
        bad = (won != 0) & (won != 1)
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            hint = " For several trials at once, say how many with `of`." if won[i] > 1 else ""
            raise InvalidInput(f"{_OUTCOME_RULE}, got {f'y[{i}]' if n > 1 else 'y'}={won[i]:g}.{hint}")
        return won, 1.0 - won
    total = _whole(of, "of", n)
    if (total < 1).any():
        raise InvalidInput(f"`of` must be at least 1 trial, got of={total[total < 1][0]:g}.")
    bad = (won < 0) | (won > total)
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise InvalidInput(
            f"`y` must lie between 0 and `of`, got y={won[i]:g} successes of={total[i]:g}", fix="check the counts"
        )
    return won, total - won


def _whole(value: ArrayLike, name: str, n: int) -> Array:
    array = numbers(value, name)
    if array.ndim == 0 and (n == 1 or name == "of"):
        array = np.broadcast_to(array, (n,))
    if array.shape != (n,):
        raise InvalidInput(f"`{name}` must hold one number for each of the {n} observations, got shape {array.shape}.")
    bad = ~np.isfinite(array) | (array != np.floor(array))
    if bad.any():
        rule = _OUTCOME_RULE if name == "y" else f"`{name}` must be a whole number"
        raise InvalidInput(f"{rule}, got {name}={array[bad][0]:g}.")
    return np.ascontiguousarray(array)
