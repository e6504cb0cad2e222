"""kg: the knowledge gradient, looking ahead by the belief's own update (paper, section 5)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import Lookahead
from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.numerics.stable import Array
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["NOTHING", "Kg", "LookAhead", "worth"]

#: Values this small can't be told from 0: what is left of an approximation.
NOTHING = 1e-9


def worth(values: Array, situation: Situation) -> Array:
    """What values of information are worth here: per cost offline, ``p + tau·value`` online."""
    told = np.where(np.abs(values) > NOTHING, values, 0.0)
    if situation.objective == "online":
        return situation.probability + situation.tau * told
    return told if situation.cost is None else np.asarray(told / situation.cost)


class LookAhead(Policy):
    """A policy that compares every alternative with every final choice: too much work for a huge pool, so it scores
    the candidates alone. With a few finals its own scores are quick enough to narrow such a pool by.
    """

    @abstractmethod
    def values(self, now: Situation) -> Array:
        """The score of each alternative, (M,)."""

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The values of the candidates; all others get the least of them."""
        rows = situation.candidates
        if rows is None:
            return self.values(situation)
        found = self.values(situation.only(rows))
        every = np.full(len(situation.X), found.min())
        every[rows] = found
        return every

    def quick(self, situation: Situation, rng: np.random.Generator) -> Array | None:
        """Its own scores."""
        return self.scores(situation, rng)


@dataclass(frozen=True)
class Kg(LookAhead):
    """Algorithms 2, 3 and 4 of the paper: what one more outcome is worth, looking ahead by the belief's update.

    A mixture of beliefs has no update of its own in closed form: there each member looks ahead by its update.
    """

    name: ClassVar[str] = "kg"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True)
    because: ClassVar[str] = "one more outcome of it is expected to teach most"
    lookahead: ClassVar[Lookahead] = "update"

    def values(self, now: Situation) -> Array:
        """The value of one more outcome."""
        return worth(one_step(now.belief, now.X, lookahead=self.lookahead, finals=now.finals), now)
