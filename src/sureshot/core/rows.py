"""Rows that stand for the same alternative: found by their features, bit by bit.

Two rows are the same if all their features are. Each row gets a 64-bit hash, so that a million of them are compared in
the time of reading them; rows whose hashes agree are compared in full.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.core.once import once

__all__ = ["distinct", "places"]

#: Rows that are compared in full at once: they stay in the cache of a processor.
_AT_ONCE = 1 << 14


@once
def places(rows: Array, X: Array) -> NDArray[np.intp]:
    """Where each row of ``X`` stands in ``rows``, which has no copies; -1 where it does not, (M,).

    >>> places(np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([[-0.0, 3.0], [5.0, 5.0], [1.0, 2.0]]))
    array([ 1, -1,  0])
    """
    found = np.full(len(X), -1, dtype=np.intp)
    if not len(rows) or not len(X):
        found.flags.writeable = False
        return found
    known, wanted = _hashes(rows), _of_a_pool(X)
    order = np.argsort(known, kind="stable")
    at = order[np.minimum(np.searchsorted(known, wanted, sorter=order), len(rows) - 1)]
    hits = np.flatnonzero(known[at] == wanted)
    same = (rows[at[hits]] == X[hits]).all(axis=1)
    found[hits[same]] = at[hits[same]]
    for i in hits[~same]:  # another row has its hash: practically never
        found[i] = next(iter(np.flatnonzero((rows == X[i]).all(axis=1))), -1)
    found.flags.writeable = False
    return found


@once
def distinct(X: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows that are no copy of one before, and where each row is among these.

    >>> distinct(np.array([[2.0], [1.0], [2.0]]))
    (array([0, 1]), array([0, 1, 0]))
    """
    _, first, which = np.unique(_of_a_pool(X), return_index=True, return_inverse=True)
    if not _are_copies(X, first[which]):  # two rows share a hash: practically never
        _, first, which = np.unique(_bits(X), axis=0, return_index=True, return_inverse=True)
        which = which.reshape(-1)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    found = first[order], rank[which]
    for one in found:
        one.flags.writeable = False
    return found


def _are_copies(X: Array, of: NDArray[np.intp]) -> bool:
    """Whether each row is equal to the row that it is said to be a copy of."""
    copies = np.flatnonzero(of != np.arange(len(X)))
    parts = (copies[start : start + _AT_ONCE] for start in range(0, len(copies), _AT_ONCE))
    return all(np.array_equal(X.take(part, axis=0), X.take(of[part], axis=0)) for part in parts)


def _bits(X: Array) -> NDArray[np.uint64]:
    return np.ascontiguousarray(X + 0.0).view(np.uint64)  # -0.0 becomes 0.0


def _hashes(X: Array) -> NDArray[np.uint64]:
    """One number for each row; equal rows have equal ones, and others practically never."""
    bits = _bits(X)
    mixed = bits ^ (bits >> np.uint64(29))  # the low bits of round numbers are all zero: bring the high ones down
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    total: NDArray[np.uint64] = (mixed * _multipliers(X.shape[1])).sum(axis=1, dtype=np.uint64)
    return total


_of_a_pool = once(_hashes)


@cache
def _multipliers(width: int) -> NDArray[np.uint64]:
    """Odd numbers, one for each feature."""
    drawn = np.random.default_rng(20261117).integers(0, 2**63, width, dtype=np.uint64)
    return drawn * np.uint64(2) + np.uint64(1)
