"""kg-star: KG(*), the value of trying one alternative several times in a row, per trial (MATHS, section 6).

The cure for a knowledge gradient that is 0 everywhere because no single outcome can change the choice (Frazier & Powell
2010): several outcomes may.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import knowledge_gradient_star
from sureshot.core.lookahead.star import MOST_REPEATS
from sureshot.core.stable import Array
from sureshot.policies import checked
from sureshot.policies.kg import worth
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["KgStar"]


@dataclass(frozen=True)
class KgStar(Policy):
    """``max_m KG_m/m`` over m = 1, 2, 4, ... up to ``repeats`` and to the trials left, by the exact look-ahead."""

    repeats: int = MOST_REPEATS
    name: ClassVar[str] = "kg-star"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True)

    def __post_init__(self) -> None:
        checked.whole(self, "repeats", low=1, high=MOST_REPEATS)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The best value per trial; of those that can't have the largest, about the least that it is."""
        left = self.repeats if situation.trials_left is None else min(self.repeats, max(situation.trials_left, 1))
        star = knowledge_gradient_star(
            situation.belief,
            situation.X,
            trials_left=left,
            finals=situation.finals,
            rank=lambda values: worth(values, situation),
        )
        return worth(star.score, situation)
