"""Levels as a person types them: ``8,10,12,14 W``, ``10:40:10 sccm``, ``Fe,Co``, ``true,false``."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.tables.column import Kind, Value, as_number, show

__all__ = ["MAX_LEVELS", "Levels", "bare_number", "levels_of", "parse_levels"]

#: One parameter's levels: more than this is a mistyped step, not a grid.
MAX_LEVELS = 1_000_000

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBERS_AND_UNIT = re.compile(rf"^(?P<numbers>{_NUMBER}(?:\s*[,:]\s*{_NUMBER})*)\s+(?P<unit>[^\s\d,:][^,:]*)$")
_NUMBER_AND_UNIT = re.compile(rf"^(?P<number>{_NUMBER})\s*(?P<unit>[^\s\d,.:+-].*)$")
_NUMBER_WITH_LETTERS = re.compile(rf"^(?:{_NUMBER})(?P<unit>[^\W\d_]+)$")


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of one parameter, in the order given."""

    kind: Kind
    values: tuple[Value, ...]
    unit: str = ""


def parse_levels(text: str, *, name: str) -> Levels:
    """Levels from text: numbers (a unit may follow the last), ranges ``start:stop:step`` with both ends, names, or
    ``bool``.

    >>> parse_levels("10:40:10 sccm", name="ethylene")
    Levels(kind='number', values=(10.0, 20.0, 30.0, 40.0), unit='sccm')
    >>> parse_levels("Fe,Co", name="catalyst").values, parse_levels("bool", name="stir").values
    (('Fe', 'Co'), (False, True))
    """
    if text.strip().lower() in ("bool", "boolean"):  # as a context is declared
        return Levels("boolean", (False, True))
    match = _NUMBERS_AND_UNIT.match(text.strip())
    body, unit = (match["numbers"], match["unit"].strip()) if match else (text.strip(), "")
    quoted = '"' in body
    try:
        items = [item.strip() for item in next(csv.reader([body], skipinitialspace=True, strict=True), [])]
    except csv.Error as error:
        raise InvalidInput(f"the levels of {name} must be separated by commas, got {text!r} ({error}).") from error
    if not items or "" in items:
        raise InvalidInput(f"the levels of {name} must be separated by single commas, got {text!r}", fix="fill the gap")
    numeric = [_is_number(item) or _is_range(item) for item in items]
    if all(numeric) and not quoted:
        values = tuple(value for item in items for value in _numbers(item, name))
        return _checked(Levels("number", values, unit), name)
    if any(numeric) and not quoted:
        odd = items[numeric.index(False)]
        raise InvalidInput(
            f"the levels of {name} must be all numbers or all names, got {text!r}",
            fix=f'fix {odd!r}, write a unit once at the end ("8,10 W"), or quote every name',
        )
    units = {found["unit"] for item in items if (found := _NUMBER_WITH_LETTERS.match(item))}
    if not quoted and len(units) == 1 and all(_NUMBER_WITH_LETTERS.match(item) for item in items):
        (unit,) = units
        bare = ",".join(item.removesuffix(unit) for item in items)
        raise InvalidInput(
            f"the levels of {name} could be numbers or names, got {text!r}",
            fix=f"write {bare + ' ' + unit!r} for numbers with a unit, or quote each for names",
        )
    return levels_of(items, name=name)


def bare_number(text: str, *, name: str, unit: str) -> str:
    """A number as typed, without the unit that its column has; another unit is refused, never converted.

    >>> bare_number("14 W", name="power", unit="W"), bare_number("14", name="power", unit="W")
    ('14', '14')
    """
    match = _NUMBER_AND_UNIT.match(text.strip())
    if match is None or match["unit"].strip() == unit:
        return match["number"] if match else text
    fix = f"{name} is in {unit}" if unit else f"{name} has no unit here"
    raise InvalidInput(f"{fix}, got {text!r}", fix=f"write the number{f' in {unit}' if unit else ' alone'}")


def levels_of(values: Iterable[object], *, name: str) -> Levels:
    """Levels from Python values: all numbers, all booleans, or all text.

    >>> levels_of(range(8, 15, 2), name="power").values
    (8.0, 10.0, 12.0, 14.0)
    """
    if isinstance(values, (str, bytes)):
        raise InvalidInput(f"the levels of {name} must be a list, got the text {values!r}", fix="put it in brackets")
    found: list[object] = []
    try:
        for value in values:
            found.append(value.item() if isinstance(value, np.generic) else value)
            if len(found) > MAX_LEVELS:
                raise _too_many(name, len(found))
    except TypeError as error:
        raise InvalidInput(f"the levels of {name} must be a list, got {values!r}", fix="put it in brackets") from error
    texts = [value.strip().lower() for value in found if isinstance(value, str)]
    if (found and all(isinstance(v, bool) for v in found)) or (texts and set(texts) <= {"true", "false"}):
        flags = tuple(v if isinstance(v, bool) else str(v).strip().lower() == "true" for v in found)
        return _checked(Levels("boolean", flags), name)
    if all(isinstance(v, (int, float, Decimal)) and not isinstance(v, bool) for v in found):
        return _checked(Levels("number", tuple(_finite(v, name) for v in found)), name)
    if all(isinstance(v, str) for v in found):
        return _checked(Levels("category", tuple(str(v).strip() for v in found)), name)
    odd = next(v for v in found if type(v) is not type(found[0]) or not isinstance(v, (str, int, float)))
    raise InvalidInput(
        f"the levels of {name} must be all numbers, all text or all booleans, got {odd!r} beside {found[0]!r}",
        fix="write them alike",
    )


def _finite(value: object, name: str) -> float:
    number = as_number(value)
    if number is None or not np.isfinite(number):
        raise InvalidInput(f"the levels of {name} must be finite numbers, got {value}", fix="remove it")
    return number


def _checked(levels: Levels, name: str) -> Levels:
    if not levels.values:
        raise InvalidInput(f"{name} must have at least one level, got none", fix=f"list them, as in {name}=8,10,12")
    if "" in levels.values:
        raise InvalidInput(f"a level of {name} must not be empty text", fix="give it a name")
    seen: set[Value] = set()
    for value in levels.values:
        if value in seen:
            raise InvalidInput(f"{name} must have each level once, got {show(value)!r} twice", fix="remove one")
        seen.add(value)
    return levels


def _is_number(item: str) -> bool:
    return re.fullmatch(_NUMBER, item) is not None


def _is_range(item: str) -> bool:
    parts = item.split(":")
    return len(parts) > 1 and all(_is_number(part.strip()) for part in parts)


def _numbers(item: str, name: str) -> tuple[float, ...]:
    if ":" not in item:
        return (_finite(item, name),)
    parts = item.split(":")
    if len(parts) != 3:
        raise InvalidInput(f"a range of {name} must be start:stop:step, got {item!r}", fix="for example 10:40:10")
    try:
        start, stop, step = (Decimal(part.strip()) for part in parts)
        if step == 0 or (stop - start) / step < 0:
            raise InvalidInput(
                f"a range of {name} must step from start towards stop, got {item!r}", fix="change the step"
            )
        count = (stop - start) // step + 1
    except InvalidOperation as error:
        raise InvalidInput(f"a range of {name} must have a sensible step, got {item!r}", fix="change it") from error
    if count > MAX_LEVELS:
        raise _too_many(name, int(count))
    return tuple(_finite(start + i * step, name) for i in range(int(count)))


def _too_many(name: str, count: int) -> InvalidInput:
    return InvalidInput(f"{name} must have at most {MAX_LEVELS:,} levels, got {count:,} or more", fix="widen the step")
