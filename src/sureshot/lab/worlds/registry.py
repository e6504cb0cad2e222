"""One registry of worlds: by name, with parameters; a world of your own is one more entry."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, cast

from sureshot.errors import InvalidInput, unknown_name
from sureshot.lab.play.world import World
from sureshot.lab.worlds.bench import Bench
from sureshot.lab.worlds.delayed import Delayed
from sureshot.lab.worlds.desks import Admissions, HealthCare, Loans
from sureshot.lab.worlds.own import FunctionWorld, TableWorld
from sureshot.lab.worlds.real.benches import BENCHES
from sureshot.lab.worlds.real.uci import UCI
from sureshot.lab.worlds.synthetic import Correlated, Drifting, MisspecifiedPrior, Noisy, Synthetic, WrongLink
from sureshot.plugins import looked_up

__all__ = ["WORLDS", "get_world", "paper_worlds", "register_world"]

_SIMULATED: tuple[type[World], ...] = (Synthetic, Noisy, MisspecifiedPrior, WrongLink, Correlated, Drifting, Bench)
_TABLES: tuple[type[World], ...] = (*UCI, *BENCHES)
_OTHER: tuple[type[World], ...] = (HealthCare, Loans, Admissions, Delayed, TableWorld, FunctionWorld)

#: Every known world by name, in the order in which the docs list them.
WORLDS: dict[str, type[World]] = {one.name: one for one in (*_SIMULATED, *_TABLES, *_OTHER)}


def get_world(name: str, /, **given: Any) -> World:
    """The world of that name, with its parameters; those not given are as usual.

    >>> get_world("noisy", d=3).label
    'noisy-d3'
    """
    kind = looked_up("world", name, WORLDS)
    known = {one.name: one for one in fields(cast(Any, kind))}
    for key in given:
        if key not in known:
            raise unknown_name(f"parameter of world {name!r}", key, known)
    for one in known.values():
        if one.default is MISSING and one.default_factory is MISSING and one.name not in given:
            raise InvalidInput(f"world {name!r} must be given a `{one.name}`, got none", fix="add it")
    try:
        return kind(**given)
    except TypeError as error:
        said = ", ".join(f"{key} = {value!r}" for key, value in given.items())
        raise InvalidInput(f"world {name!r} can't be made with {said} ({error})", fix="fix its parameters") from error


def register_world(kind: type[World]) -> type[World]:
    """Make a world of your own known by its name; may be used as a decorator."""
    if kind.name in WORLDS:
        raise InvalidInput(f"a world's name must be new, got {kind.name!r}, which is taken: choose another.")
    WORLDS[kind.name] = kind
    return kind


def paper_worlds(*, noise: float = 0.1) -> tuple[World, ...]:
    """The nine worlds of the paper's Figure 4, in its order: seven UCI pools and synthetic ones with d = 10 and 15.

    >>> [world.label for world in paper_worlds()][-3:]
    ['climate', 'synthetic-d10', 'synthetic-d15']
    """
    return (*(kind(noise=noise) for kind in UCI), Synthetic(d=10), Synthetic(d=15))
