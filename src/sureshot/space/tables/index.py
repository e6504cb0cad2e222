"""Find rows by their cells: the codes of a row make one whole number, the numbers are sorted, a row is searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sureshot.space.tables.column import Codes, Column

__all__ = ["Index", "index"]

#: Keys stay below this, so that int64 never overflows; before they would, they are renumbered.
_ROOM = 2**62

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """Sorted keys of the rows, and how a key is made."""

    sizes: tuple[int, ...]
    renumbering: tuple[Keys | None, ...]  # before each column: the keys so far, when there was no more room
    keys: Keys  # (n,) sorted
    order: NDArray[np.intp]  # (n,): the row of each key

    def find(self, codes: Sequence[Codes]) -> NDArray[np.intp]:
        """The first row with these codes (one array for each column), -1 where there is none."""
        key = np.zeros(len(codes[0]), dtype=np.int64)
        known = np.ones(len(key), dtype=bool)
        for size, numbers, code in zip(self.sizes, self.renumbering, codes, strict=True):
            if numbers is not None:
                at = np.minimum(np.searchsorted(numbers, key), len(numbers) - 1)
                known &= numbers[at] == key
                key = at.astype(np.int64)
            known &= code >= 0
            key = key * size + np.maximum(code, 0)
        at = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(known & (self.keys[at] == key), self.order[at], -1)

    def repeated(self) -> tuple[int, int] | None:
        """Two rows that are the same, first the earlier; None when all differ."""
        again = np.flatnonzero(self.keys[1:] == self.keys[:-1])
        if not len(again):
            return None
        first = again[np.argmin(self.order[again + 1])]  # the repetition that comes first in the table
        start = np.searchsorted(self.keys, self.keys[first])
        return int(self.order[start]), int(self.order[first + 1])

    def distinct(self) -> NDArray[np.intp]:
        """The first row of each kind, in the order of the table."""
        new = np.concatenate([[True], self.keys[1:] != self.keys[:-1]])
        return np.sort(self.order[new])


def index(columns: Sequence[Column]) -> Index:
    """The index of a table with at least one row."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    room, sizes, renumbering = 1, [], []
    for column in columns:
        size = max(len(column.levels), 1)
        numbers = None
        if room > _ROOM // size:
            numbers, key = np.unique(key, return_inverse=True)
            key, room = key.astype(np.int64), len(numbers)
        key = key * size + column.codes
        room *= size
        sizes.append(size)
        renumbering.append(numbers)
    order = np.argsort(key, kind="stable")
    return Index(tuple(sizes), tuple(renumbering), key[order], order)
