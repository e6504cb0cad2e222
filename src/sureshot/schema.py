"""What a stored document must hold, written down as rules: types, ranges, lengths. Each document is checked once, where
it comes in, and an error names the place in it: ``spec.space.grid[2].levels``.

A rule takes a value and its path and raises an :class:`~sureshot.errors.InvalidInput` if the value breaks it. Rules are
made of rules::

    AXIS = record({"name": TEXT, "scale": number(above=0.0), "steps": numbers(least=0.0, most=1.0)})
    AXIS({"name": "power", "scale": 2.0, "steps": [0, 1]}, "shape.axes[0]")

Keys that a record does not know are passed over: a later sureshot may have more to say, and raises the version where it
must be understood. What must agree between two places is checked by the reader, with :func:`wrong`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from sureshot.errors import InvalidInput, SureshotError

__all__ = [
    "ANYTHING",
    "FIX",
    "FLAG",
    "LARGEST",
    "SCALAR",
    "TEXT",
    "WORD",
    "Rule",
    "by_name",
    "different",
    "inside",
    "listed",
    "matrix",
    "maybe",
    "named_values",
    "number",
    "numbers",
    "one_of",
    "record",
    "row",
    "shown",
    "whole",
    "wholes",
    "wrong",
]

Rule: TypeAlias = Callable[[Any, str], None]

#: What helps where a stored document is not what sureshot wrote.
FIX = "it was changed after sureshot wrote it, so take a copy from before"
#: The square of a larger number is no float64.
LARGEST = 1e154
#: Characters of a value that an error shows.
_SHOWN = 60
_MISSING = object()


def wrong(path: str, rule: str, got: object = _MISSING, *, fix: str = FIX) -> InvalidInput:
    """The error for what stands at ``path`` and must be something else.

    >>> print(wrong("spec.budget", "must be a whole number of at least 1", 0, fix="write 1"))
    spec.budget: must be a whole number of at least 1, got 0: write 1.
    """
    if got is _MISSING:
        return InvalidInput(rule, field=path, fix=fix, place=path)
    return InvalidInput(f"{rule}, got {shown(got)}", field=path, value=shown(got), fix=fix, place=path)


def shown(value: object) -> str:
    """A value as an error shows it: its beginning, if it is long; of what holds others, what it is and how many."""
    if isinstance(value, Mapping):
        return f"an object with {len(value):,} keys"
    if isinstance(value, list | tuple):
        return f"a list of {len(value):,}"
    if isinstance(value, int) and abs(value) > 10**_SHOWN:  # to write it out may take longer than all else
        return f"a number of more than {_SHOWN} digits"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


@contextmanager
def inside(path: str) -> Iterator[None]:
    """Errors from within say that they are about what stands at this path, unless they say where in it."""
    try:
        yield
    except SureshotError as error:
        if error.place and error.place[0].startswith(path):
            raise
        raise error.at(path) from error


# -- single values


def ANYTHING(value: object, path: str) -> None:
    """What is looked at elsewhere."""


def TEXT(value: object, path: str) -> None:
    """Any text."""
    if not isinstance(value, str):
        raise wrong(path, "must be text", value)


def WORD(value: object, path: str) -> None:
    """Text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise wrong(path, "must be text that is not empty", value)


def FLAG(value: object, path: str) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise wrong(path, "must be true or false", value)


def SCALAR(value: object, path: str) -> None:
    """Text, a number, true, false or null."""
    if value is not None and not isinstance(value, str | bool):
        number()(value, path)


def whole(least: int, most: int | None = None) -> Rule:
    """A whole number within these ends."""
    end = f"of at least {least}" if most is None else f"from {least} to {most:,}"

    def check(value: object, path: str) -> None:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise wrong(path, f"must be a whole number {end}", value)

    return check


def number(
    *, least: float = -LARGEST, most: float = LARGEST, above: float | None = None, below: float | None = None
) -> Rule:
    """A finite number within these ends. True is not a number here."""
    words = _ends(least, most, above, below)

    def check(value: object, path: str) -> None:
        fine = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        if not fine or (above is not None and not value > above) or (below is not None and not value < below):  # type: ignore[operator]
            raise wrong(path, f"must be a finite number{words}", value)

    return check


def _ends(least: float, most: float, above: float | None, below: float | None) -> str:
    ends = [
        f"above {above:g}" if above is not None else f"of at least {least:g}" if least > -LARGEST else "",
        f"below {below:g}" if below is not None else f"of at most {most:g}" if most < LARGEST else "",
    ]
    told = " and ".join(filter(None, ends))
    return f" {told}" if told else ""


def one_of(choices: Collection[str]) -> Rule:
    """One of these words."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or value not in choices:
            raise wrong(path, f"must be one of {', '.join(map(repr, choices))}", value)

    return check


def maybe(rule: Rule) -> Rule:
    """Null, or what the rule says."""

    def check(value: object, path: str) -> None:
        if value is not None:
            rule(value, path)

    return check


# -- what holds others


def record(rules: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """An object with these keys, and perhaps with the optional ones."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise wrong(path, "must be an object with keys", value)
        for name, rule in rules.items():
            found = value.get(name, _MISSING)
            if found is _MISSING:
                raise wrong(f"{path}.{name}", "must be there, and is missing")
            rule(found, f"{path}.{name}")
        for name, rule in (optional or {}).items():
            if name in value:
                rule(value[name], f"{path}.{name}")

    return check


def named_values(rule: Rule, key: Rule = TEXT) -> Rule:
    """An object whose keys are names, and whose values are all as the rule says."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise wrong(path, "must be an object with keys", value)
        for name, one in value.items():
            at = f"{path}.{name if isinstance(name, str) and len(name) < _SHOWN else shown(name)}"
            key(name, at)
            rule(one, at)

    return check


def listed(rule: Rule, *, least: int = 0, most: int | None = None) -> Rule:
    """A list of so many, each as the rule says."""

    def check(value: Any, path: str) -> None:
        _length(value, path, least, most)
        if rule is ANYTHING:
            return
        for i, one in enumerate(value):
            rule(one, f"{path}[{i}]")

    return check


def row(*rules: Rule) -> Rule:
    """A list of as many values as there are rules, each by its own."""

    def check(value: Any, path: str) -> None:
        _length(value, path, len(rules), len(rules))
        for i, (one, rule) in enumerate(zip(value, rules, strict=True)):
            rule(one, f"{path}[{i}]")

    return check


def numbers(
    *, n: int | None = None, least: float = -LARGEST, most: float = LARGEST, above: float | None = None
) -> Rule:
    """A list of finite numbers, ``n`` of them if that is said. Looked at all at once: there may be millions."""
    one = number(least=least, most=most, above=above)

    def check(value: object, path: str) -> None:
        _length(value, path, n or 0, n)
        _all_within(value, path, {int, float}, least if above is None else math.nextafter(above, math.inf), most, one)

    return check


def wholes(*, n: int | None = None, least: int, most: int | None = None) -> Rule:
    """A list of whole numbers within these ends, ``n`` of them if that is said."""
    one = whole(least, most)

    def check(value: object, path: str) -> None:
        _length(value, path, n or 0, n)
        _all_within(value, path, {int}, least, math.inf if most is None else most, one)

    return check


def _all_within(value: Any, path: str, types: set[type], least: float, most: float, one: Rule) -> None:
    # `min` and `max` may pass over what is not a number
    if not value or (set(map(type, value)) <= types and least <= min(value) and max(value) <= most and _real(value)):
        return
    for i, entry in enumerate(value):
        one(entry, f"{path}[{i}]")


def _real(value: list[float]) -> bool:
    return not any(map(math.isnan, value))


def matrix(columns: int | None = None, *, rows: int | None = None, most: float = LARGEST) -> Rule:
    """A list of rows of finite numbers, all equally long, none of a larger size than ``most``."""

    def check(value: Any, path: str) -> None:
        _length(value, path, rows or 0, rows)
        width = columns
        for i, one in enumerate(value):
            numbers(n=width, least=-most, most=most)(one, f"{path}[{i}]")
            width = len(one)

    return check


def _length(value: object, path: str, least: int, most: int | None) -> None:
    if not isinstance(value, list | tuple):
        raise wrong(path, "must be a list", value)
    if len(value) < least or (most is not None and len(value) > most):
        end = f"{least:,}" if least == most else f"at least {least:,}" if most is None else f"{least:,} to {most:,}"
        raise wrong(path, f"must be a list of {end}", value)


# -- what must agree


def different(values: Collection[Any], path: str, what: str = "values") -> None:
    """Refuse a list in which something stands twice."""
    seen: set[Any] = set()
    for i, one in enumerate(values):
        if one in seen:
            raise wrong(f"{path}[{i}]", f"must be other than the {what} before it", one)
        seen.add(one)


def by_name(path: str, name: object, known: Collection[str], what: str) -> None:
    """Refuse a name that nothing has."""
    if name not in known:
        few = ", ".join(map(repr, list(known)[:8])) + (", ..." if len(known) > 8 else "")
        raise wrong(path, f"must name {what}, one of {few or 'none'}", name)
