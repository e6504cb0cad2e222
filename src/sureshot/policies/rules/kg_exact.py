"""kg-exact: the knowledge gradient by the exact look-ahead (docs/knowledge-gradient.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.numerics.stable import Array
from sureshot.policies.policy import Abilities
from sureshot.policies.rules.kg import LookAhead, of_candidates, worth
from sureshot.policies.situation import Situation

__all__ = ["KgExact"]


@dataclass(frozen=True)
class KgExact(LookAhead):
    """The exact one-step look-ahead: never negative, and no approximation in what an outcome would teach."""

    name: ClassVar[str] = "kg-exact"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True, any_link=False)
    because: ClassVar[str] = "one more outcome of it is expected to teach most"

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value of one more outcome."""
        return of_candidates(
            situation, lambda now: worth(one_step(now.belief, now.X, lookahead="exact", finals=now.finals), now)
        )
