"""kg-several: the value of a few trials of one alternative, or of one, whichever is more per trial.

Between the knowledge gradient (one outcome) and KG(*) (any number, each computed): a look a few trials ahead is less
myopic than one, and as a single Gaussian measurement of the score it is as quick (``core.lookahead.repeated`` has the
formula). One trial is looked at exactly; at first, when one outcome teaches a lot, it alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.lookahead.repeated import knowledge_gradient_several
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Abilities
from sureshot.policies.rules.kg import LookAhead, of_candidates, worth
from sureshot.policies.situation import Situation

__all__ = ["KgSeveral", "one_or_several"]


def one_or_several(situation: Situation, *trials: int) -> Array:
    """What a trial adds to the final choice: one alone, exactly, or each of so many ``trials`` (or of those left),
    whichever is more: where one outcome can't change the choice, several may.
    """
    now, X, finals = situation.belief, situation.X, situation.finals
    best = one_step(now, X, lookahead="exact", finals=finals)
    most = situation.trials_left
    for m in sorted({one if most is None else max(min(one, most), 1) for one in trials} - {1}):
        best = np.maximum(best, knowledge_gradient_several(now, X, trials=m, finals=finals) / m)
    return best


@dataclass(frozen=True)
class KgSeveral(LookAhead):
    """The larger of KG and ``KG_m / m``, m = ``trials`` or those left; KG alone until ``exact_first`` outcomes
    are known.
    """

    trials: int = 4
    exact_first: int = 8
    name: ClassVar[str] = "kg-several"
    abilities: ClassVar[Abilities] = Abilities(cost=True, any_link=False)
    because: ClassVar[str] = "one or a few more trials of it are expected to teach most per trial"

    def __post_init__(self) -> None:
        checked.whole(self, "trials", low=1, high=1_000)
        checked.whole(self, "exact_first", low=0, high=1_000_000)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value per trial."""
        trials = 1 if len(situation.outcomes) < self.exact_first else self.trials
        return of_candidates(situation, lambda now: worth(one_or_several(now, trials), now))
