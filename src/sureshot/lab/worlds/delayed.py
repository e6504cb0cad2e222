"""delayed: any world, with outcomes that come back later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, cast

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.lab.limits import MOST_TRIALS
from sureshot.lab.play.world import Truth, World
from sureshot.lab.worlds.parameters import choice, settle, whole

__all__ = ["Delayed"]


@dataclass(frozen=True)
class Delayed(World):
    """Another world, by itself or by name, whose outcomes are known only after ``delay`` further trials.

    ``law="geometric"``: after ``delay`` trials on average, so that they overtake each other.

    >>> Delayed("synthetic", delay=3).label, Delayed({"name": "synthetic", "d": 2}, law="geometric").label
    ('synthetic-d10-delay3', 'synthetic-d2-delay5-geometric')
    """

    name: ClassVar[str] = "delayed"
    world: World | str | Mapping[str, object]
    delay: int = 5
    law: str = "fixed"

    def __post_init__(self) -> None:
        settle(self, world=_made(self.world))
        whole(self, "delay", least=0, most=MOST_TRIALS)
        choice(self, "law", ("fixed", "geometric"))
        if isinstance(self.world, Delayed):
            raise InvalidInput("world 'delayed': `world` must not be delayed already", got=self.world.label)

    @property
    def label(self) -> str:
        """The other world's, and the delay."""
        tail = "" if self.law == "fixed" else f"-{self.law}"
        return f"{cast(World, self.world).label}-delay{self.delay}{tail}"

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """The other world's truth, with delays."""
        found = cast(World, self.world).draw(rng, budget)
        if self.law == "fixed":
            return replace(found, delays=np.full(budget, self.delay, dtype=np.intp))
        return replace(found, delays=(rng.geometric(1.0 / (1.0 + self.delay), budget) - 1).astype(np.intp))


def _made(given: World | str | Mapping[str, object]) -> World:
    """The world itself, whether it was given, named, or named with parameters."""
    from sureshot.lab.worlds.registry import get_world

    if isinstance(given, World):
        return given
    if isinstance(given, str):
        return get_world(given)
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
        raise InvalidInput(
            "world 'delayed': `world` must be a world, its name, or a table with its `name` and parameters", got=given
        )
    parts = dict(given)
    return get_world(str(parts.pop("name")), **parts)
