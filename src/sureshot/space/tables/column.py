"""A column of a table: its kind, its unit, its levels, and which level each row has.

Numbers, categories and booleans are all kept as levels and codes: a grid of a million rows costs four bytes a
cell, a row is found by its codes, and text is looked at once for each level, not once for each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, UnknownName

__all__ = [
    "KINDS",
    "LARGEST",
    "SIGNS",
    "Codes",
    "Column",
    "Kind",
    "Value",
    "as_number",
    "column",
    "plain",
    "setting",
    "show",
    "sized",
    "unsized",
]

Kind: TypeAlias = Literal["number", "category", "boolean"]
Value: TypeAlias = float | str | bool
Codes: TypeAlias = NDArray[np.int32]

KINDS: tuple[Kind, ...] = ("number", "category", "boolean")

#: Two numbers this close (relatively) are one level: 0.1 + 0.2 is 0.3.
SAME = 1e-9

#: How large a number of a table may be; one that is not 0 may not be smaller than one over this. The squares of larger
#: ones are beyond a float, and a feature is standardised by squares.
LARGEST = 1e50

#: How many signs a number may be written with: a float is told apart by 17 digits.
SIGNS = 100

#: How many levels an error lists before it says how many more there are.
_LISTED = 12


@dataclass(frozen=True, eq=False)
class Column:
    """One column; row ``i`` holds ``levels[codes[i]]``."""

    name: str
    kind: Kind
    unit: str
    levels: NDArray[Any]  # (L,): float64, str objects, or [False, True]; in the order that dummies follow
    codes: Codes  # (n,)

    def __len__(self) -> int:
        return len(self.codes)

    def values(self, rows: slice = slice(None)) -> NDArray[Any]:
        """The cells of some rows: float64 for numbers, bool for booleans, text for categories."""
        return self.levels[self.codes[rows]]

    def numbers(self) -> Array:
        """The cells as float64; a boolean is 0 or 1."""
        return np.asarray(self.values(), dtype=np.float64)

    def value(self, row: int) -> Value:
        """The cell of one row, as a plain Python value."""
        return plain(self.levels[self.codes[row]])

    def label(self, row: int) -> str:
        """How a person reads the cell: ``power 14 W``."""
        return setting(self.name, self.value(row), self.unit)

    def take(self, rows: NDArray[np.intp]) -> Column:
        """The same column for some of the rows; levels stay as they are."""
        return replace(self, codes=_frozen(self.codes[rows]))

    def code(self, value: object) -> int:
        """Which level a value is, or an error that names the nearest."""
        code = int(self.lookup([value])[0])
        if code < 0:
            raise UnknownName(self.no_such_level(value))
        return code

    def lookup(self, values: Sequence[object] | NDArray[Any]) -> Codes:
        """The code of each value, -1 where there is no such level."""
        if self.kind == "number":
            return self._lookup_numbers(values)
        index = self._index
        return np.fromiter((index.get(_key(v, self.kind), -1) for v in values), dtype=np.int32, count=len(values))

    def no_such_level(self, value: object) -> str:
        """What to tell a person who gave a level that does not exist."""
        levels = [show(plain(v)) for v in self.levels[:_LISTED]]
        more = f" and {len(self.levels) - _LISTED:,} more" if len(self.levels) > _LISTED else ""
        text = f"{self.name} has no level {show(value)!r}: choose one of {', '.join(levels)}{more}."
        near = self._nearest(value)
        return text + (f" The nearest is {near}." if near else "")

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        return np.argsort(self.levels, kind="stable")

    @cached_property
    def _index(self) -> dict[str, int]:
        return {_key(v, self.kind): i for i, v in enumerate(self.levels)}

    def _lookup_numbers(self, values: Sequence[object] | NDArray[Any]) -> Codes:
        wanted = np.array([as_number(v) for v in values], dtype=np.float64)  # None is NaN
        ordered = self.levels[self._order]
        right = np.clip(np.searchsorted(ordered, wanted), 0, len(ordered) - 1)
        left = np.maximum(right - 1, 0)
        near = np.where(np.abs(ordered[left] - wanted) < np.abs(ordered[right] - wanted), left, right)
        found = np.isclose(ordered[near], wanted, rtol=SAME, atol=0.0)
        return np.where(found, self._order[near], -1).astype(np.int32)

    def _nearest(self, value: object) -> str:
        number, levels = as_number(value), np.array([as_number(v) for v in self.levels], dtype=np.float64)
        if number is not None and not np.isnan(levels).any():  # names, perhaps, but names that are numbers
            return show(plain(self.levels[np.argmin(np.abs(levels - number))]))
        if self.kind == "number":
            return ""
        return next(iter(get_close_matches(show(value), [show(plain(v)) for v in self.levels], n=1, cutoff=0.3)), "")


def column(name: str, kind: Kind, levels: Sequence[Value] | Array, codes: Any, *, unit: str = "") -> Column:
    """A column that owns its arrays, of a checked name and different levels."""
    if kind == "boolean":
        own = np.array([False, True])
    elif kind == "number":
        own = np.array(levels, dtype=np.float64) + 0.0  # -0.0 is 0.0
    else:
        own = np.array([show(v) for v in levels], dtype=object)
    return Column(name, kind, unit, _frozen(own), _frozen(np.array(codes, dtype=np.int32)))


def show(value: object) -> str:
    """A value as a person writes it: 14, not 14.0.

    >>> show(14.0), show(0.25), show("Co"), show(True)
    ('14', '0.25', 'Co', 'True')
    """
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return repr(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value)


def setting(name: str, value: object, unit: str) -> str:
    """A parameter at a level as a person reads it.

    >>> setting("power", 14.0, "W"), setting("catalyst", "Co", "")
    ('power 14 W', 'catalyst Co')
    """
    return " ".join(part for part in (name, show(value), unit) if part)


def as_number(cell: object) -> float | None:
    """The number that a cell is or spells, or None."""
    if isinstance(cell, (bool, np.bool_)):
        return None
    if isinstance(cell, str) and ("_" in cell or len(cell) > SIGNS):
        return None  # float("1_000") is Python's, not a lab's
    try:
        return float(cell) + 0.0  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    except OverflowError:
        return float("inf")


def sized(numbers: Any) -> Any:
    """Which numbers are of a size that can be computed with.

    >>> sized(1e-9), sized(0.0), sized(1e200), sized(float("nan"))
    (True, True, False, False)
    """
    size = abs(numbers)
    return (size == 0.0) | ((size >= 1.0 / LARGEST) & (size <= LARGEST))


def unsized(name: str, number: object, *, place: str | tuple[str, ...] = ()) -> InvalidInput:
    """The error for a number that is too large, or too near to 0."""
    return InvalidInput(
        f"{name} must be 0, or between {1 / LARGEST:g} and {LARGEST:g} in size, got {show(number)}",
        field=name,
        fix="write it in another unit",
        place=place,
    )


def plain(value: Any) -> Value:
    """A NumPy scalar as the Python value that it is."""
    item = value.item() if isinstance(value, np.generic) else value
    return item if isinstance(item, (bool, str)) else float(item)


def _frozen(own: NDArray[Any]) -> NDArray[Any]:
    own.flags.writeable = False
    return own


def _key(value: object, kind: Kind) -> str:
    return show(value).strip().lower() if kind == "boolean" else show(value)
