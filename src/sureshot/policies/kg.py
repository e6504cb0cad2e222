"""kg and kg-exact: the knowledge gradient, by the belief's update or exactly (paper, section 5; MATHS, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import Lookahead
from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.stable import Array
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["Kg", "KgExact", "valued"]


def valued(situation: Situation, lookahead: Lookahead) -> Array:
    """The knowledge gradient of each alternative, per cost; online ``p + tau·KG``."""
    values = one_step(situation.belief, situation.X, lookahead=lookahead, finals=situation.finals)
    if situation.objective == "online":
        return situation.probability + situation.tau * values
    return values if situation.cost is None else values / situation.cost


@dataclass(frozen=True)
class Kg(Policy):
    """Algorithms 2, 3 and 4 of the paper: what one more outcome is worth, looking ahead by the belief's update.

    A mixture of beliefs has no update of its own in closed form: there each member looks ahead by its update.
    """

    name: ClassVar[str] = "kg"
    abilities: ClassVar[Abilities] = Abilities(cost=True)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value of one more outcome."""
        return valued(situation, "update")


@dataclass(frozen=True)
class KgExact(Policy):
    """The exact one-step look-ahead: never negative, and no approximation in what an outcome would teach."""

    name: ClassVar[str] = "kg-exact"
    abilities: ClassVar[Abilities] = Abilities(cost=True)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value of one more outcome."""
        return valued(situation, "exact")
