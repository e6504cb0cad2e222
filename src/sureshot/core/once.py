"""Looked at once: what is computed of a pool that nobody can change is kept until others come.

Nobody can change an array over bytes, which :func:`sureshot.core.check.frozen` makes. One that is only marked as
read-only is no such thing: a view of it that was taken before can still be written to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import TypeVar

from sureshot.core.numerics.stable import Array

__all__ = ["is_frozen", "once"]

T = TypeVar("T")


def is_frozen(array: Array) -> bool:
    """Whether nobody can change this array, so that an answer about it may be kept."""
    return isinstance(array.base, bytes)


def once(compute: Callable[..., T]) -> Callable[..., T]:
    """The same function of one or several arrays, which keeps its answers about the last two that nobody can change:
    one decision looks at the same pool a dozen times, each belief of a mixture does, and in between at the one row that
    was chosen.

    >>> import numpy as np
    >>> from sureshot.core import check
    >>> seen = []
    >>> look = once(seen.append)
    >>> pool = check.frozen(np.eye(2))
    >>> look(pool), look(pool), len(seen)
    (None, None, 1)
    """
    last: tuple[tuple[tuple[Array, ...], T], ...] = ()  # never changed, only replaced: another thread may do so

    @wraps(compute)
    def looked(*arrays: Array) -> T:
        nonlocal last
        if not all(map(is_frozen, arrays)):
            return compute(*arrays)
        seen = last
        known = next((one for one in seen if all(map(is_, one[0], arrays))), None) or (arrays, compute(*arrays))
        if not seen or known is not seen[0]:
            last = (known, *(one for one in seen if one is not known))[:2]
        return known[1]

    return looked
