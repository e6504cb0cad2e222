"""What lies beyond the levels, constraints and ranges that were written down: said in plain words, and not refused.

A linear model has an answer for any number, so an experiment off the grid is learned from like any other. But 140,
mistyped for 14, looks just like one, and would be learned from too: somebody must be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.alternatives import Space
from sureshot.space.grid import allowed
from sureshot.space.language.expression import parse_condition
from sureshot.space.tables.column import Column, Value, column, show

__all__ = ["FAR", "beyond_levels", "beyond_ranges", "number_ranges", "outside_levels", "refuse_far"]

#: So many times its whole range away, a number is no setting but a slip (grams for tonnes, a date for an age), or
#: somebody's attack: what is believed there means nothing, and takes ever longer to work out.
FAR = 1_000.0


def beyond_levels(space: Space, levels: Mapping[str, Value]) -> tuple[str, ...]:
    """What is unusual in an alternative that is not in the space; columns that it leaves out are passed over.

    >>> space = Space.grid(power="8,10,12 W", time=[1, 5], where="power * time <= 50")
    >>> beyond_levels(space, {"power": 11.0, "time": 5.0})
    ('power 11 W lies between the levels 10 and 12', 'it breaks the constraint power * time <= 50')
    >>> beyond_levels(space, {"power": 120.0, "time": 1.0})[0]
    'power 120 W lies outside the levels, 8 to 12'
    """
    found = [text for one in space.columns if one.name in levels and (text := _beyond(one, levels[one.name]))]
    rows = [_one_row(one, levels[one.name]) for one in space.columns if space.where and one.name in levels]
    for text in space.where:
        condition = parse_condition(text)
        if set(condition.names) <= set(levels) and not allowed(rows, [condition], 1)[0]:
            found.append(f"it breaks the constraint {text}")
    if not found and set(levels) >= set(space.names):
        found.append("each value is known, but no alternative has them together")
    return tuple(found)


def beyond_ranges(ranges: Mapping[str, tuple[float, float]], context: Mapping[str, object]) -> tuple[str, ...]:
    """Which numbers of a context lie outside the ranges that were declared, or that the examples had.

    >>> beyond_ranges({"age": (18.0, 90.0)}, {"age": 12.0, "diabetic": True})
    ('age 12 lies outside 18 to 90, the range that the campaign was made for',)
    """
    return tuple(
        f"{name} {show(value)} lies outside {show(low)} to {show(high)}, the range that the campaign was made for"
        for name, (low, high) in ranges.items()
        if isinstance(value := context.get(name), int | float) and not low <= value <= high
    )


def number_ranges(space: Space) -> dict[str, tuple[float, float]]:
    """From where to where the levels of each column of numbers go.

    >>> number_ranges(Space.grid(power="8,10,12 W", gas=["Ar", "He"]))
    {'power': (8.0, 12.0)}
    """
    return {
        one.name: (float(one.levels.min()), float(one.levels.max())) for one in space.columns if one.kind == "number"
    }


def refuse_far(ranges: Mapping[str, tuple[float, float]], given: Mapping[str, object]) -> None:
    """Refuse a number that lies absurdly far from its range.

    >>> refuse_far({"age": (18.0, 90.0)}, {"age": 610.0})
    >>> refuse_far({"age": (18.0, 90.0)}, {"age": 1e9})
    Traceback (most recent call last):
        ...
    sureshot.errors.InvalidInput: `age` must lie within 1,000 times its range of 18 to 90, got 1000000000: check its ...
    """
    for name, (low, high) in ranges.items():
        value = given.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            away = FAR * ((high - low) or max(abs(low), 1.0))
            if not low - away <= value <= high + away:
                raise InvalidInput(
                    f"`{name}` must lie within {FAR:,.0f} times its range of {show(low)} to {show(high)}, "
                    f"got {show(value)[:40]}",
                    value=value,
                    field=name,
                    fix="check its unit and its digits",
                )


def outside_levels(space: Space, levels: Mapping[str, Value]) -> bool:
    """Whether some number lies outside its levels, as one does that is mistyped by a digit.

    >>> space = Space.grid(power="8,10,12 W")
    >>> [outside_levels(space, {"power": power}) for power in (11.0, 120.0)]
    [False, True]
    """
    for one in space.columns:
        value = levels.get(one.name)
        if one.kind == "number" and isinstance(value, int | float) and not isinstance(value, bool):
            known = one.lookup([value])[0] >= 0
            if not known and not one.levels.min() <= value <= one.levels.max():
                return True
    return False


def _beyond(one: Column, value: Value) -> str:
    if one.lookup([value])[0] >= 0:
        return ""
    named = " ".join(part for part in (one.name, show(value), one.unit) if part)
    if one.kind != "number" or isinstance(value, str | bool):
        return f"{named} is none of its levels"
    ordered = np.sort(one.levels)
    if not ordered[0] <= value <= ordered[-1]:
        return f"{named} lies outside the levels, {show(ordered[0])} to {show(ordered[-1])}"
    at = int(np.searchsorted(ordered, value))
    return f"{named} lies between the levels {show(ordered[at - 1])} and {show(ordered[at])}"


def _one_row(like: Column, value: Value) -> Column:
    """A column of one cell, with the levels that a constraint may name."""
    known = int(like.lookup([value])[0])
    if known >= 0:
        return replace(like, codes=np.array([known], dtype=np.int32))
    return column(like.name, like.kind, [*like.levels.tolist(), value], [len(like.levels)], unit=like.unit)
