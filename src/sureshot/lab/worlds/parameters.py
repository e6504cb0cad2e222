"""Parameters of worlds: checked once, when a world is made, and written into its label.

Each check hands back the value in its plain Python type, or raises an error that names the world, the key, the value
and what it may be.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, cast

from sureshot.errors import InvalidInput, unknown_name
from sureshot.lab.play.world import World
from sureshot.plugins import looked_up

__all__ = ["choice", "flag", "labelled", "number", "settle", "spelled", "whole"]

#: What a label may consist of: it becomes part of file names.
_SAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def whole(world: World, key: str, *, least: int = 1) -> int:
    """A whole number of at least so much."""
    value = getattr(world, key)
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidInput(f"world {world.name!r}: `{key}` must be a whole number of at least {least}", got=value)
    return int(value)


def number(world: World, key: str, *, above: float = -math.inf, least: float = -math.inf, finite: bool = True) -> float:
    """A number above, or of at least, so much."""
    value = getattr(world, key)
    fine = isinstance(value, Real) and not isinstance(value, bool)
    if not fine or not (float(value) > above and float(value) >= least) or (finite and math.isinf(value)):
        bound = f" above {above:g}" if above > -math.inf else f" of at least {least:g}" if least > -math.inf else ""
        raise InvalidInput(f"world {world.name!r}: `{key}` must be a number{bound}", got=value)
    return float(value) + 0.0


def flag(world: World, key: str) -> bool:
    """True or False."""
    value = getattr(world, key)
    if not isinstance(value, bool):
        raise InvalidInput(f"world {world.name!r}: `{key}` must be true or false", got=value)
    return value


def choice(world: World, key: str, choices: Iterable[str]) -> str:
    """One of a few words, or of the names in a table."""
    value = getattr(world, key)
    if isinstance(choices, Mapping):
        looked_up(f"`{key}` of world {world.name!r}", value, choices)
    elif value not in (known := tuple(choices)):
        raise unknown_name(f"`{key}` of world {world.name!r}", value, known)
    return cast(str, value)


def settle(world: World, /, **values: object) -> None:
    """Keep checked values in a frozen world, while it is being made."""
    for key, value in values.items():
        object.__setattr__(world, key, value)


def labelled(
    world: World,
    stem: str,
    *,
    always: Iterable[str] = (),
    never: Iterable[str] = (),
    defaults: Mapping[str, object] | None = None,
) -> str:
    """The stem, and each parameter that is not as usual: ``synthetic-d10-precision25``.

    Two worlds of one class with different parameters get different labels.
    """
    usual = defaults or {}
    parts = [spelled(stem)]
    for one in fields(cast(Any, world)):
        value = getattr(world, one.name)
        if one.name in never or (one.name not in always and value == usual.get(one.name, one.default)):
            continue
        parts.append(_written(one.name, value))
    return "-".join(parts)


def spelled(text: str) -> str:
    """Text as part of a label: letters, digits, dots, dashes.

    >>> spelled("my table (2)")
    'my-table-2'
    """
    return _SAFE.sub("-", text).strip("-.") or "world"


def _written(key: str, value: object) -> str:
    if isinstance(value, bool):
        return key if value else f"no-{key}"
    if isinstance(value, float):
        return f"{key}{int(value)}" if value.is_integer() and abs(value) < 1e15 else f"{key}{value!r}"
    return f"{key}{value}" if isinstance(value, int) else f"{key}-{spelled(str(value))}"
