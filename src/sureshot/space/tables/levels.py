"""Levels as a person types them: ``8,10,12,14 W``, ``10:40:10 sccm``, ``Fe,Co``, ``true,false``.

What may be meant otherwise is said in a note: a range that stops short of its end, two numbers that look like one.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.tables.column import SIGNS, Kind, Value, as_number, show, sized, unsized
from sureshot.space.tables.quantities import split

__all__ = ["MAX_LEVELS", "Levels", "bare_number", "levels_of", "names_with_units", "parse_levels", "usual_range"]

#: One parameter's levels: more than this is a mistyped step, not a grid.
MAX_LEVELS = 1_000_000
#: Characters in which they may be typed.
MAX_TEXT = 100_000

#: What a number takes it keeps (``++``): no text is read twice over.
_NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
_NUMBERS_AND_UNIT = re.compile(rf"^(?P<numbers>{_NUMBER}(?:\s*[,:]\s*{_NUMBER})*)\s+(?P<unit>[^\s\d,:][^,:]*)$")
#: ``100-200`` and ``100 to 200 C``: a range as people say it, and one name to a machine.
_FROM_TO = re.compile(rf"^(?P<low>{_NUMBER})\s*(?:-|–|—|\.\.+|…|to)\s*(?P<high>{_NUMBER})\s*(?P<unit>[^\d,:]*)$")
#: ``1.000,5``: to be read as two levels, and probably not meant so.
_DECIMAL_COMMA = re.compile(r"^[+-]?\d{1,3}(?:\.\d{3})+,\d+$")
#: Levels that a note lists before it says how it goes on, and steps that a range is suggested in.
_LISTED, _STEPS = 6, 5


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of one parameter, in the order given."""

    kind: Kind
    values: tuple[Value, ...]
    unit: str = ""
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)  # what may be meant otherwise


def parse_levels(text: str, *, name: str) -> Levels:
    """Levels from text: numbers (a unit may follow the last), ranges ``start:stop:step`` with both ends, names, or
    ``bool``.

    >>> parse_levels("10:40:10 sccm", name="ethylene")
    Levels(kind='number', values=(10.0, 20.0, 30.0, 40.0), unit='sccm')
    >>> parse_levels("Fe,Co", name="catalyst").values, parse_levels("bool", name="stir").values
    (('Fe', 'Co'), (False, True))
    """
    if len(text) > MAX_TEXT:
        raise InvalidInput(
            f"the levels of {name} must be written in at most {MAX_TEXT:,} characters, got {len(text):,}",
            fix="write a range start:stop:step, or a file of candidates",
        )
    if text.strip().lower() in ("bool", "boolean"):  # as a context is declared
        return Levels("boolean", (False, True))
    _refuse_from_to(name, text.strip())
    before, equals, _ = text.partition("=")
    if equals and before.strip() == name:
        raise InvalidInput(
            f"the levels of {name} must be written without its name, got {text!r}", fix=f"leave {name}= out"
        )
    match = _NUMBERS_AND_UNIT.match(text.strip())
    body, unit = (match["numbers"], match["unit"].strip()) if match else (text.strip(), "")
    quoted = '"' in body
    try:
        items = [item.strip() for item in next(csv.reader([body], skipinitialspace=True, strict=True), [])]
    except csv.Error as error:
        raise InvalidInput(f"the levels of {name} must be separated by commas, got {text!r} ({error}).") from error
    if not items or "" in items:
        raise InvalidInput(f"the levels of {name} must be separated by single commas, got {text!r}", fix="fill the gap")
    if not quoted and not unit:
        bare, found = _without_units(items)
        if found:
            told = f"the levels of {name} were read as numbers in {found}: quote each of them if they are names"
            return _checked(Levels("number", _numbers_of(bare, name).values, found, (told,)), name)
    numeric = [_is_number(item) or _is_range(item) for item in items]
    if all(numeric) and not quoted:
        more = _numbers_of(items, name)
        notes = (_two_levels(name, body),) if _DECIMAL_COMMA.match(body) else more.notes
        return _checked(Levels("number", more.values, unit, notes), name)
    if any(numeric) and not quoted:
        odd = items[numeric.index(False)]
        raise InvalidInput(
            f"the levels of {name} must be all numbers or all names, got {text!r}",
            fix=f'fix {odd!r}, write a unit once at the end ("8,10 W"), or quote every name',
        )
    if not quoted and len({part[1] for item in items if (part := split(item))}) > 1 and all(map(split, items)):
        told = f"the levels of {name} differ in their unit, so they are taken as names, not numbers"
        return replace(levels_of(items, name=name), notes=(told,))
    return levels_of(items, name=name)


def usual_range(text: str, *, name: str) -> tuple[float, float] | tuple[float, float, str]:
    """Between what numbers something usually lies: ``18:90``, or with its unit, written as that of levels.

    >>> usual_range("18:90", name="age"), usual_range("20:40 C", name="room")
    ((18.0, 90.0), (20.0, 40.0, 'C'))
    """
    match = _NUMBERS_AND_UNIT.match(text.strip())
    body, unit = (match["numbers"], match["unit"].strip()) if match else (text, "")
    ends = [one.strip() for one in body.split(":")]
    if len(text) > MAX_TEXT or len(ends) != 2 or not all(map(_is_number, ends)):
        raise InvalidInput(
            f"the range of {name} must be low:high, perhaps with a unit, got {text!r}: for example 18:90 or 20:40 C."
        )
    low, high = (_finite(one, name) for one in ends)
    return (low, high, unit) if unit else (low, high)


def bare_number(text: str, *, name: str, unit: str) -> str:
    """A number as typed, without the unit that its column has; another unit is refused, never converted.

    >>> bare_number("14 W", name="power", unit="W"), bare_number("14", name="power", unit="W")
    ('14', '14')
    """
    part = split(text)
    if part is None or part[1] in ("", unit):
        return text if part is None else part[0]
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
        numbers = tuple(_finite(v, name) for v in found)
        pair = isinstance(values, tuple) and len(numbers) == 2  # as others write the ends of a range
        return _checked(Levels("number", numbers, notes=(_pair(name, *numbers),) if pair else ()), name)
    if all(isinstance(v, str) for v in found):
        return _checked(Levels("category", tuple(str(v).strip() for v in found)), name)
    odd = next(v for v in found if type(v) is not type(found[0]) or not isinstance(v, (str, int, float)))
    raise InvalidInput(
        f"the levels of {name} must be all numbers, all text or all booleans, got {odd!r} beside {found[0]!r}",
        fix="write them alike",
    )


def names_with_units(name: str, names: Iterable[object]) -> str:
    """A note on names, given one by one, that are numbers with the same unit; nothing on others.

    >>> names_with_units("temperature", ["100 C", "120 C"])
    "temperature has the names '100 C', '120 C', ...: for numbers write '100,120 C'"
    """
    texts = [one.strip() for one in names if isinstance(one, str)]
    bare, unit = _without_units(texts)
    if not unit:
        return ""
    listed = ", ".join(map(repr, texts[:2]))
    return f"{name} has the names {listed}, ...: for numbers write '{','.join(bare)} {unit}'"


def _refuse_from_to(name: str, text: str) -> None:
    """Refuse one level that is a range to people and a name to a machine."""
    match = None if _is_number(text) else _FROM_TO.match(text)
    if match is None:
        return
    low, high = sorted(_finite(match[end], name) for end in ("low", "high"))
    unit = f" {match['unit'].strip()}" if match["unit"].strip() else ""
    raise InvalidInput(
        f"the levels of {name} must be listed, or be a range start:stop:step, got {text!r}",
        fix=f"""write '{_stepped(low, high)}{unit}', or '"{text}"' in quotes if that is a name""",
    )


def _stepped(low: float, high: float) -> str:
    """A range from end to end in a few steps."""
    first, last = Decimal(show(low)), Decimal(show(high))
    return f"{show(low)}:{show(high)}:{show(float((last - first) / _STEPS))}"


def _pair(name: str, first: float, second: float) -> str:
    """That two numbers are two levels."""
    low, high = sorted((first, second))
    if low == high:
        return ""
    return (
        f"{name} has two levels, {show(first)} and {show(second)}, and none between: for a range write "
        f'"{_stepped(low, high)}" or numpy.linspace({show(low)}, {show(high)}, {_STEPS + 1}), for two levels '
        f"[{show(first)}, {show(second)}]"
    )


def _two_levels(name: str, text: str) -> str:
    one, other = (show(float(part)) for part in text.split(","))
    meant = text.replace(".", "").replace(",", ".")
    return f"{name} has two levels, {one} and {other}: if {text} is one number, write {meant}"


def _without_units(items: list[str]) -> tuple[list[str], str]:
    """Levels that are all numbers with the same unit, without it; no unit where they are not."""
    parts = [split(item) for item in items]
    units = {part[1] for part in parts if part}
    if None in parts or len(units) != 1:
        return items, ""
    bare = [part[0] for part in parts if part]
    return (bare, units.pop()) if all(map(_is_number, bare)) else (items, "")


def _finite(value: object, name: str) -> float:
    if isinstance(value, str) and len(value) > SIGNS:
        told = f"a level of {name} must be a number of at most {SIGNS} digits and signs, got {len(value):,}"
        raise InvalidInput(told, fix="shorten it, or quote it if it is a name")
    number = as_number(value)
    if number is None or not np.isfinite(number):
        raise InvalidInput(f"the levels of {name} must be finite numbers, got {show(value)}", fix="remove it")
    if not sized(number):
        raise unsized(name, number)
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


def _numbers_of(items: list[str], name: str) -> Levels:
    """All numbers of single ones and ranges, counted before they are made; what a range leaves out is in the notes."""
    spans = [_span(item, name) for item in items]
    total = sum(count for _, _, count in spans)
    if total > MAX_LEVELS:
        raise _too_many(name, total)
    values: list[Value] = []
    ends: list[tuple[str, tuple[float, ...], float]] = []
    for item, span in zip(items, spans, strict=True):
        found = _along(*span, name)
        values += found
        if ":" in item and (stop := _finite(item.split(":")[1], name)) != found[-1]:
            ends.append((item.replace(" ", ""), found, stop))
    short = (_leaves_out(name, *end) for end in ends if end[2] not in values)
    return Levels("number", tuple(values), notes=tuple(short))


def _leaves_out(name: str, text: str, found: tuple[float, ...], stop: float) -> str:
    """That a range stops short of its end."""
    listed = [show(value) for value in found[:_LISTED]]
    if len(found) > _LISTED:
        listed = [*listed[: _LISTED // 2], "...", show(found[-1])]
    given = f"{', '.join(listed[:-1])} and {listed[-1]}" if 1 < len(found) <= _LISTED else ", ".join(listed)
    return f"{name}: {text} gives {given}, and leaves {show(stop)} out: to have it too, write {text},{show(stop)}"


def _span(item: str, name: str) -> tuple[Decimal, Decimal, int]:
    """Where a number or a range begins, its step, and how many levels it has."""
    if ":" not in item:
        return Decimal(repr(_finite(item, name))), Decimal(0), 1
    parts = item.split(":")
    if len(parts) != 3:
        raise InvalidInput(f"a range of {name} must be start:stop:step, got {item!r}", fix="for example 10:40:10")
    try:
        start, stop, step = (Decimal(part.strip()) for part in parts if _finite(part.strip(), name) is not None)
        if step == 0 or (stop - start) / step < 0:
            raise InvalidInput(
                f"a range of {name} must step from start towards stop, got {item!r}", fix="change the step"
            )
        return start, step, int((stop - start) // step + 1)
    except ArithmeticError as error:
        raise InvalidInput(f"a range of {name} must have a sensible step, got {item!r}", fix="change it") from error


def _along(start: Decimal, step: Decimal, count: int, name: str) -> tuple[float, ...]:
    """The levels of a range, both of whose ends are of a size that can be computed with."""
    found = tuple(float(start + i * step) for i in range(count))
    for extreme in (max(found, key=abs), min(filter(None, found), key=abs, default=0.0)):  # there may be a million
        if not sized(extreme):
            raise unsized(name, extreme)
    return found


def _too_many(name: str, count: int) -> InvalidInput:
    return InvalidInput(f"{name} must have at most {MAX_LEVELS:,} levels, got {count:,} or more", fix="widen the step")
