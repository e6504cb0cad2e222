"""kg-several: the value of a few trials of one alternative, taken as one measurement of its score.

Between the knowledge gradient (one outcome) and KG(*) (any number, each counted out): a look a few trials ahead is less
myopic than one, and a single Gaussian measurement makes it as quick (``core.lookahead.several`` has the formula). At
first, when one outcome teaches a lot, one is what it looks at, by the exact look-ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.lookahead.several import knowledge_gradient_several
from sureshot.core.stable import Array
from sureshot.policies import checked
from sureshot.policies.kg import worth
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["KgSeveral"]


@dataclass(frozen=True)
class KgSeveral(Policy):
    """``KG_m / m``, m = ``trials`` or what is left of them; the exact KG until ``exact_first`` outcomes are known."""

    trials: int = 4
    exact_first: int = 8
    name: ClassVar[str] = "kg-several"
    abilities: ClassVar[Abilities] = Abilities(cost=True)

    def __post_init__(self) -> None:
        checked.whole(self, "trials", low=1, high=1_000)
        checked.whole(self, "exact_first", low=0, high=1_000_000)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value per trial."""
        now, X, finals = situation.belief, situation.X, situation.finals
        if len(situation.outcomes) < self.exact_first:
            return worth(one_step(now, X, lookahead="exact", finals=finals), situation)
        m = self.trials if situation.trials_left is None else max(min(self.trials, situation.trials_left), 1)
        return worth(knowledge_gradient_several(now, X, trials=m, finals=finals) / m, situation)
