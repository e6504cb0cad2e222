"""kg: the knowledge gradient, looking ahead by the belief's own update (paper, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.stable import Array
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["Kg", "worth"]


def worth(values: Array, situation: Situation) -> Array:
    """What values of information are worth here: per cost offline, ``p + tau·value`` online."""
    if situation.objective == "online":
        return situation.probability + situation.tau * values
    return values if situation.cost is None else values / situation.cost


@dataclass(frozen=True)
class Kg(Policy):
    """Algorithms 2, 3 and 4 of the paper: what one more outcome is worth, looking ahead by the belief's update.

    A mixture of beliefs has no update of its own in closed form: there each member looks ahead by its update.
    """

    name: ClassVar[str] = "kg"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value of one more outcome."""
        values = one_step(situation.belief, situation.X, lookahead="update", finals=situation.finals)
        return worth(values, situation)
