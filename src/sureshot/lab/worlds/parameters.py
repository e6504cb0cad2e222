"""Parameters of worlds: checked once, when a world is made.

Each check leaves the value in its plain Python type, or raises an error that names the world, the key, the value and
what it may be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real

from sureshot.errors import InvalidInput, unknown_name
from sureshot.lab.play.world import World
from sureshot.plugins import looked_up

__all__ = ["choice", "flag", "number", "settle", "whole"]


def whole(world: World, key: str, *, least: int = 1, most: int) -> None:
    """A whole number between these two."""
    value = getattr(world, key)
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        rule = f"world {world.name!r}: `{key}` must be a whole number between {least:,} and {most:,}"
        raise InvalidInput(rule, got=value)
    settle(world, **{key: int(value)})


def number(world: World, key: str, *, above: float = -math.inf, least: float = -math.inf, finite: bool = True) -> None:
    """A number above, or of at least, so much."""
    value = getattr(world, key)
    fine = isinstance(value, Real) and not isinstance(value, bool)
    if not fine or not (float(value) > above and float(value) >= least) or (finite and math.isinf(value)):
        bound = f" above {above:g}" if above > -math.inf else f" of at least {least:g}" if least > -math.inf else ""
        raise InvalidInput(f"world {world.name!r}: `{key}` must be a number{bound}", got=value)
    settle(world, **{key: float(value) + 0.0})  # not -0.0: a label would say it


def flag(world: World, key: str) -> None:
    """True or False."""
    value = getattr(world, key)
    if not isinstance(value, bool):
        raise InvalidInput(f"world {world.name!r}: `{key}` must be true or false", got=value)


def choice(world: World, key: str, choices: Iterable[str]) -> None:
    """One of a few words, or of the names in a table."""
    value = getattr(world, key)
    if isinstance(choices, Mapping):
        looked_up(f"`{key}` of world {world.name!r}", value, choices)
    elif value not in (known := tuple(choices)):
        raise unknown_name(f"`{key}` of world {world.name!r}", value, known)


def settle(world: World, /, **values: object) -> None:
    """Keep checked values in a frozen world, while it is being made."""
    for key, value in values.items():
        object.__setattr__(world, key, value)
