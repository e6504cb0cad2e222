"""From the cells of a column to its kind and levels: numbers, booleans or categories, and never a guess in between.

A column arrives as its different cells and, for each row, which of them it holds; so a cell is judged once, however
many rows repeat it, and an error names the first row that has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.said import Setting, Text
from sureshot.space.tables.column import KINDS, Column, Kind, Value, as_number, column, show, sized, unsized
from sureshot.space.tables.quantities import quantities

__all__ = ["Place", "Unsaved", "is_null", "typed_column"]

#: How a person finds a row again: "row 3", "line 5 of candidates.csv".
Place = Callable[[int], str]

#: What stands for a missing value in files. ``Na`` is sodium and ``none`` may be a catalyst: they are text.
MISSING = frozenset({"", "nan", "NaN", "NA", "N/A", "n/a", "#N/A", "null", "NULL"})

#: What makes a column one of booleans, if all its cells are of these...
_PLAIN = {"true": True, "false": False}
#: ...and what is understood in a column that is known to be one.
_TRUTH = _PLAIN | {"yes": True, "no": False, "1": True, "0": False}


#: What no store can hold.
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")


class Unsaved(str):
    """A formula whose result is not in the file: nobody opened it in Excel since."""


def typed_column(
    name: str,
    cells: Sequence[object],
    codes: NDArray[Any],
    place: Place,
    *,
    unit: str = "",
    kind: Kind | None = None,
    levels: Sequence[Value] | None = None,
    decimal_comma: bool = False,
) -> tuple[Column, tuple[str, ...]]:
    """A column from its different ``cells``, and notes on what was read kindly.

    ``kind`` declares what the column is; without it the cells must agree. ``levels`` fixes the levels of a
    category (their order is that of the dummies), otherwise they are sorted.
    """
    if kind is not None and kind not in KINDS:
        raise InvalidInput(f"the kind of a column must be one of {', '.join(KINDS)}, got {kind!r} for {name}.")

    def where(cell: int) -> str:
        return place(int(np.argmax(codes == cell)))

    numbers, notes = _numbers(cells) if kind in (None, "number") else None, tuple[str, ...]()
    if numbers is None:
        _refuse_missing(name, cells, where, literal=kind == "category")
        if kind == "number" or (kind is None and levels is None):
            declared = kind == "number"
            found = quantities(name, cells, where, unit=unit, decimal_comma=decimal_comma, declared=declared)
            numbers, unit, notes = found.numbers, found.unit or unit, found.notes
    if numbers is not None:
        if not sized(numbers).all():
            odd = int(np.argmin(sized(numbers)))
            raise unsized(name, numbers[odd], place=where(odd))
        sizes, recode = np.unique(numbers, return_inverse=True)
        return column(name, "number", sizes, recode[codes], unit=unit), notes
    kind = kind or _kind(name, cells, where)
    values = [_value(name, kind, cell, where, i) for i, cell in enumerate(cells)]
    if kind == "category" and levels is not None:
        given = column(name, kind, levels, np.zeros(0), unit=unit)
        at = given.lookup(values)
        if (at < 0).any():
            odd = int(np.argmax(at < 0))
            raise InvalidInput(given.no_such_level(values[odd]), place=where(odd))
        return replace(given, codes=at).take(codes), notes
    ordered = [False, True] if kind == "boolean" else _ordered(values)
    position = {value: i for i, value in enumerate(ordered)}
    recode = np.array([position[value] for value in values], dtype=np.int32)
    return column(name, kind, ordered, recode[codes], unit=unit), notes


def _numbers(cells: Sequence[object]) -> Array | None:
    """The cells as an array, if every one is a finite number."""
    found = np.array([as_number(cell) for cell in cells], dtype=np.float64)  # None is NaN
    return found if np.isfinite(found).all() else None


def _kind(name: str, cells: Sequence[object], where: Callable[[int], str]) -> Kind:
    if cells and all(show(cell).strip().lower() in _PLAIN for cell in cells):
        return "boolean"
    numeric = [as_number(cell) is not None for cell in cells]
    if all(numeric):
        return "number"
    for at, cell in enumerate(cells):
        if not isinstance(cell, (str, int, float, np.number, bool, np.bool_)) and as_number(cell) is None:
            raise InvalidInput(
                f"{name} must hold numbers, text or booleans, got {cell!r} ({type(cell).__name__})",
                field=name,
                fix="convert the column first (a date as a number of days, say)",
                place=where(at),
            )
    if any(numeric):
        few = sum(numeric) * 2 < len(cells)
        odd = numeric.index(few)
        other = numeric.index(not few)
        raise InvalidInput(
            f"{name} must be all numbers or all names, got {show(cells[odd])!r} beside {show(cells[other])!r}",
            field=name,
            fix=Text("fix it, or say that the column holds names with ", Setting("kinds", {name: "category"})),
            place=where(odd),
        )
    return "category"


def _value(name: str, kind: Kind, cell: object, where: Callable[[int], str], at: int) -> Value:
    if kind == "number":
        number = as_number(cell)
        if number is None:
            raise InvalidInput(f"{name} must be a number", field=name, got=cell, fix="fix it", place=where(at))
        if not np.isfinite(number):
            fix = "fix it or remove the row"
            raise InvalidInput(f"{name} must be finite, got {cell}", field=name, fix=fix, place=where(at))
        return number
    if kind == "boolean":
        truth = _TRUTH.get(show(cell).strip().lower())
        if truth is None:
            raise InvalidInput(f"{name} must be true or false", field=name, got=cell, fix="fix it", place=where(at))
        return truth
    text = show(cell).strip()
    if _UNWRITABLE.search(text):
        raise InvalidInput(
            f"{name} must be text without NUL or lone surrogates",
            field=name,
            got=text,
            fix="remove them",
            place=where(at),
        )
    return text


def _refuse_missing(name: str, cells: Sequence[object], where: Callable[[int], str], *, literal: bool) -> None:
    for at, cell in enumerate(cells):
        if isinstance(cell, Unsaved):
            raise InvalidInput(
                f"{name} is a formula without its result",
                fix="open the file in Excel, save it and run the command again",
                place=where(at),
            )
        gone = cell.strip() in ({""} if literal else MISSING) if isinstance(cell, str) else is_null(cell)
        if gone:
            shown = f"the text {cell!r}" if isinstance(cell, str) and cell.strip() else "nothing"
            fix = "fill the cell or remove the row"
            raise InvalidInput(f"{name} must have a value, got {shown}", field=name, fix=fix, place=where(at))


def is_null(cell: object) -> bool:
    """None, NaN, pandas' NA and NaT: what is missing is not equal to itself, or says so by its name."""
    return (
        cell is None
        or type(cell).__name__ in ("NAType", "NaTType")
        or (isinstance(cell, (float, np.floating)) and cell != cell)
    )


def _ordered(names: Sequence[Value]) -> list[Value]:
    """Names by the alphabet, or by size when all of them spell numbers (batch 2 before batch 10)."""
    numbers = {name: as_number(name) for name in names}
    return sorted(numbers) if None in numbers.values() else sorted(numbers, key=lambda name: (numbers[name], name))
