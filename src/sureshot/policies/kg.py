"""kg: the knowledge gradient, looking ahead by the belief's own update (paper, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.lookahead import Finals
from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.lookahead.joint import predicted, refuse_overflow
from sureshot.core.mixture import Mixture
from sureshot.core.stable import Array
from sureshot.policies.after import predicted_after
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["Kg", "by_update", "worth"]


def worth(values: Array, situation: Situation) -> Array:
    """What values of information are worth here: per cost offline, ``p + tau·value`` online."""
    if situation.objective == "online":
        return situation.probability + situation.tau * values
    return values if situation.cost is None else values / situation.cost


def by_update(mixture: Mixture, X: Array, finals: Finals | None) -> Array:
    """The knowledge gradient by the updates of a mixture's beliefs, (M,): that of
    ``core.lookahead.knowledge_gradient(lookahead="update")``, in blocks small enough to stay in cache.
    """
    after = or_pool(finals, X)
    refuse_overflow(mixture, X)
    refuse_overflow(mixture, after.rows)
    first = after.starts[:-1]
    values = np.full(
        len(X), -float(after.weights @ np.maximum.reduceat(predicted(mixture, after.rows, "update"), first))
    )
    for block, _, chance, p in predicted_after(mixture, X, after.rows):
        best = p.max(axis=1) if len(first) == 1 else np.maximum.reduceat(p, first, axis=1) @ after.weights
        values[block] += chance * best
    return values


@dataclass(frozen=True)
class Kg(Policy):
    """Algorithms 2, 3 and 4 of the paper: what one more outcome is worth, looking ahead by the belief's update.

    A mixture of beliefs has no update of its own in closed form: there each member looks ahead by its update.
    """

    name: ClassVar[str] = "kg"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The value of one more outcome."""
        belief, X = situation.belief, situation.X
        if isinstance(belief, Mixture):
            return worth(by_update(belief, X, situation.finals), situation)
        return worth(one_step(belief, X, lookahead="update", finals=situation.finals), situation)
