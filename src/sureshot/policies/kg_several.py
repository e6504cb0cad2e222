"""kg-several: the value of a few trials of one alternative, taken as one measurement of its score.

Between the knowledge gradient (one outcome) and KG(*) (any number, each counted out): a look a few trials ahead is less
myopic than one, and a single Gaussian measurement makes it as quick (``core.lookahead.several`` has the formula).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead.several import knowledge_gradient_several
from sureshot.core.stable import Array
from sureshot.policies import checked
from sureshot.policies.kg import worth
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["KgSeveral"]


@dataclass(frozen=True)
class KgSeveral(Policy):
    """``KG_m / m`` with m = ``trials``, or what is left of them."""

    trials: int = 2
    name: ClassVar[str] = "kg-several"
    abilities: ClassVar[Abilities] = Abilities(cost=True)

    def __post_init__(self) -> None:
        checked.whole(self, "trials", low=1, high=1_000)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value per trial."""
        m = self.trials if situation.trials_left is None else max(min(self.trials, situation.trials_left), 1)
        values = knowledge_gradient_several(situation.belief, situation.X, trials=m, finals=situation.finals)
        return worth(values / m, situation)
