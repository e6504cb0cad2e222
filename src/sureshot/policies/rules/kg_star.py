"""kg-star: KG(*), the value of trying one alternative several times in a row, per trial (docs/knowledge-gradient.md).

The cure for a knowledge gradient that is 0 everywhere because no single outcome can change the choice (Frazier & Powell
2010): several outcomes may.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.lookahead import knowledge_gradient_star
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.lookahead.repeated import knowledge_gradient_several
from sureshot.core.lookahead.star import MOST_REPEATS, Star
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct
from sureshot.policies import checked
from sureshot.policies.policy import Abilities
from sureshot.policies.rules.kg import LookAhead, worth
from sureshot.policies.situation import Situation

__all__ = ["KgStar", "of_most_promising", "one_or_several"]

#: The trials of one alternative that a quick look takes together.
TOGETHER = (4, 32)


def one_or_several(situation: Situation, *trials: int) -> Array:
    """A quick look at what a trial adds to the final choice: one alone, exactly, or each of so many ``trials`` (or of
    those left) as one measurement (:mod:`sureshot.core.lookahead.repeated`), whichever is more.
    """
    now, X, finals = situation.belief, situation.X, situation.finals
    best = one_step(now, X, lookahead="exact", finals=finals)
    for m in sorted({situation.trials_ahead(one) for one in trials} - {1}):
        best = np.maximum(best, knowledge_gradient_several(now, X, trials=m, finals=finals) / m)
    return best


def of_most_promising(situation: Situation, size: int) -> tuple[NDArray[np.intp], Star]:
    """The rows that a quick look finds best, ``size`` of them and copies once, and KG(*) of these."""
    _, copies = distinct(situation.X)
    order = np.argsort(-worth(one_or_several(situation, *TOGETHER), situation), kind="stable")
    once = np.unique(copies[order], return_index=True)[1]
    rows = order[np.sort(once)[:size]]
    left, after = situation.trials_ahead(MOST_REPEATS), or_pool(situation.finals, situation.X)
    return rows, knowledge_gradient_star(situation.belief, situation.X[rows], trials_left=left, finals=after)


@dataclass(frozen=True)
class KgStar(LookAhead):
    """``max_m KG_m/m`` over m = 1, 2, 4, ... up to ``repeats`` and to the trials left, by the exact look-ahead."""

    repeats: int = MOST_REPEATS
    name: ClassVar[str] = "kg-star"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True, any_link=False)
    because: ClassVar[str] = "one or several more trials of it are expected to teach most per trial"

    def __post_init__(self) -> None:
        checked.whole(self, "repeats", low=1, high=MOST_REPEATS)

    def values(self, now: Situation) -> Array:
        """The best value per trial; of those that can't have the largest, about the least that it is."""
        left = now.trials_ahead(self.repeats)
        star = knowledge_gradient_star(
            now.belief, now.X, trials_left=left, finals=now.finals, rank=lambda values: worth(values, now)
        )
        return worth(star.score, now)

    def value(self, situation: Situation, score: float) -> float | None:
        """Its score, offline and without costs, if it looks as far ahead."""
        alone = situation.objective == "offline" and situation.cost is None and self.repeats == MOST_REPEATS
        return score if alone else None

    def quick(self, situation: Situation, rng: np.random.Generator) -> Array | None:
        """One trial exactly, or a few as one measurement."""
        return worth(one_or_several(situation, *(m for m in TOGETHER if m <= self.repeats)), situation)
