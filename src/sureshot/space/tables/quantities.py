"""Numbers as people write them into cells: with a unit behind them (``100 C``), with a decimal comma (``0,5``).

A whole column is read so or not at all. What was read so is said in a note, and so is why something was not: cells that
look like numbers never become names in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.said import Setting, Text
from sureshot.space.tables.column import as_number, show

__all__ = ["Quantities", "quantities", "split"]

#: A number, with whatever points and commas, and the unit behind it: letters first, or a sign such as % or °.
_QUANTITY = re.compile(
    r"^(?P<number>[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d++)?+)\s*(?P<unit>(?:[^\W\d_]|[%‰°$€£])[^,;]*)?$"
)
_COMMA = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+(?=,))?(?:,\d+)?(?:[eE][+-]?\d+)?")
#: 1,500 is 1.5 to some and 1500 to others; 1,500.5 is 1500.5 to all.
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+\.\d+")


class Quantities(NamedTuple):
    """The cells of a column as numbers, or why they are not; and what a person should know of it."""

    numbers: Array | None
    unit: str = ""
    notes: tuple[str, ...] = ()


def split(text: str) -> tuple[str, str] | None:
    """A number as it was written, and its unit; None for what does not begin with one.

    >>> split("140C"), split("0,5 mol/L"), split("14"), split("2-propanol")
    (('140', 'C'), ('0,5', 'mol/L'), ('14', ''), None)
    """
    match = _QUANTITY.match(text.strip())
    return None if match is None else (match["number"], " ".join((match["unit"] or "").split()))


def quantities(
    name: str,
    cells: Sequence[object],
    where: Callable[[int], str],
    *,
    unit: str,
    decimal_comma: bool,
    declared: bool,
) -> Quantities:
    """The different ``cells`` of a column that are not all plain numbers, read with units and decimal commas.

    ``unit`` is what the header says, ``decimal_comma`` that the file is of a kind which has them, ``declared`` that the
    column is known to hold numbers: then only its own unit will do.

    >>> quantities("temperature", ["100 C", "120 C", "140C"], str, unit="", decimal_comma=False, declared=False)[:2]
    (array([100., 120., 140.]), 'C')
    """
    parts = []
    for cell in cells:
        part = split(cell) if isinstance(cell, str) else None if as_number(cell) is None else (show(cell), "")
        if part is None:
            return Quantities(None)
        parts.append(part)
    written = [number for number, _ in parts]
    units = list(dict.fromkeys(unit for _, unit in parts))
    if units != [""]:
        if declared and set(units) - {"", unit}:
            return Quantities(None)
        told = _other_units(name, cells, parts, where, unit, units)
        if told:
            return Quantities(None, notes=(told,))
    numbers, comma = _numbers(name, cells, written, where, decimal_comma)
    if numbers is None:
        return Quantities(None)
    found = next((one for one in units if one), unit)
    notes: list[str] = []
    if comma:
        notes.append(f"column {name}: decimal commas were read as decimal points")
    if found and not unit:
        example = next(cell for cell, (_, one) in zip(cells, parts, strict=True) if one)
        told = (
            f"column {name}: cells such as {example!r} were read as numbers in {found}; if they are names, say so with "
        )
        notes.append(Text(told, Setting("kinds", {name: "category"})))
    return Quantities(numbers, found, tuple(notes))


def _other_units(
    name: str,
    cells: Sequence[object],
    parts: Sequence[tuple[str, str]],
    where: Callable[[int], str],
    unit: str,
    units: Sequence[str],
) -> str:
    """Why cells are names although each is a number with a unit; nothing where they can be numbers."""
    first = {one: next(i for i, (_, has) in enumerate(parts) if has == one) for one in units}
    names = Setting("kinds", {name: "category"})
    others = [one for one in units if one and one != unit]
    if unit and others:
        odd = first[others[0]]
        rule = f"{name} is in {unit} by its header, got {show(cells[odd])!r}"
        fix = Text(f"write all of it in {unit}, or say that the column holds names with ", names)
        raise InvalidInput(rule, field=name, fix=fix, place=where(odd))
    if not unit and "" in units:
        few = sum(not has for _, has in parts) * 2 < len(parts)
        odd, other = (first[""], first[others[0]]) if few else (first[others[0]], first[""])
        raise InvalidInput(
            f"{name} must have a unit in every cell or in none, got {show(cells[odd])!r} beside {show(cells[other])!r}",
            field=name,
            fix=Text(
                f"write it once, in the header: {name} ({others[0]}). If the column holds names, say so with ", names
            ),
            place=where(odd),
        )
    if len(others) < 2:
        return ""
    a, b = (show(cells[first[one]]) for one in others[:2])
    return f"column {name}: {a!r} and {b!r} differ in their unit, so its cells are taken as names, not numbers"


def _numbers(
    name: str, cells: Sequence[object], written: Sequence[str], where: Callable[[int], str], decimal_comma: bool
) -> tuple[Array | None, bool]:
    """The numbers, and whether they had decimal commas. None if some are no numbers."""
    commas = [i for i, text in enumerate(written) if "," in text]
    if not commas:
        found = np.array([as_number(text) for text in written], dtype=np.float64)  # None is NaN
        return (found, False) if np.isfinite(found).all() else (None, False)
    english = next((i for i in commas if _THOUSANDS.fullmatch(written[i])), None)
    unsure = not decimal_comma and all(_EITHER.fullmatch(written[i]) for i in commas)
    if english is not None or unsure:
        odd = commas[0] if english is None else english
        bare = written[odd].replace(",", "")
        either = f"{bare} or {written[odd].replace(',', '.', 1)}" if english is None else bare
        raise InvalidInput(
            f"{name} must be written without separators of thousands, got {show(cells[odd])!r}",
            field=name,
            fix=Text(f"write {either}, or say that the column holds names with ", Setting("kinds", {name: "category"})),
            place=where(odd),
        )
    other = next((i for i, text in enumerate(written) if not _COMMA.fullmatch(text)), None)
    if other is not None:
        raise InvalidInput(
            f"{name} must have decimal points or decimal commas, not both, got {show(cells[other])!r} beside "
            f"{show(cells[commas[0]])!r}",
            field=name,
            fix=Text("write all alike, or say that the column holds names with ", Setting("kinds", {name: "category"})),
            place=where(other),
        )
    return np.array([float(text.replace(".", "").replace(",", ".")) for text in written]), True
