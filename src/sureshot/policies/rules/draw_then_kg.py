"""draw-then-kg: draw until something has worked, then KG(*); for tables of candidates (docs/default.md).

While nothing has worked, any success is worth much the same, wherever it comes: what counts is to find one soon. A look
ahead prefers the alternatives farthest from all failures, which are the extreme ones, and there things work less often
than a belief supposes: people set their ranges, and choose their candidates, around what they expect to work. So until
the first success trials are drawn from the pool as it is, from the half of it that is likelier to work by what is
known, or by what that is for its cost. What is pending counts as failed: if it works, the search is over anyway. Then
:mod:`KG(*) <sureshot.policies.rules.kg_star>` decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.policies.policy import Abilities
from sureshot.policies.rules.kg_star import KgStar
from sureshot.policies.situation import Situation

__all__ = ["DrawThenKg", "likelier_half"]


def likelier_half(chance: Array) -> Array:
    """1 for each alternative that is at least as likely to work as half of them, else 0.

    >>> likelier_half(np.array([0.1, 0.4, 0.2, 0.4]))
    array([0., 1., 0., 1.])
    """
    return np.asarray(chance >= np.median(chance) * (1.0 - 1e-9), dtype=np.float64)


@dataclass(frozen=True)
class DrawThenKg(KgStar):
    """A draw from the likelier half of the alternatives until one has worked; then KG(*). Online, where a success on
    the way counts by itself, and with contexts, where cases differ, KG(*) from the beginning.
    """

    name: ClassVar[str] = "draw-then-kg"
    abilities: ClassVar[Abilities] = Abilities(cost=True, any_link=False)

    def reason(self, situation: Situation) -> str:
        """A draw, or KG(*)."""
        if _searching(situation):
            half = "likelier half of the alternatives"
            if situation.cost is not None:
                half = "half that is likelier to work for its cost"
            return f"nothing has worked yet, and it was drawn from the {half}"
        return self.because

    def takes_for_failed(self, situation: Situation) -> bool:
        """Before the first success: whatever is asked now is of use only if what is pending fails."""
        return _searching(situation)

    def values(self, now: Situation) -> Array:
        """The best value per trial; before the first success, 1 for the likelier half."""
        if _searching(now):
            return likelier_half(now.probability if now.cost is None else now.probability / now.cost)
        return super().values(now)

    def value(self, situation: Situation, score: float) -> float | None:
        """As for KG(*); a draw says nothing of it."""
        return None if _searching(situation) else super().value(situation, score)

    def quick(self, situation: Situation, rng: np.random.Generator) -> Array | None:
        """As for KG(*); before the first success no alternative needs a closer look."""
        return None if _searching(situation) else super().quick(situation, rng)


def _searching(situation: Situation) -> bool:
    """Whether nothing has worked yet, and a final choice is sought."""
    return situation.objective == "offline" and not situation.contextual and not situation.outcomes.any()
