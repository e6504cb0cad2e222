"""bald: the alternative whose outcome says most about the weights (Houlsby, Huszár, Ghahramani & Lengyel 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import predictive
from sureshot.core.numerics.stable import Array
from sureshot.policies.entropy import expected_entropy, outcome_entropy
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Bald", "information"]


def information(belief: Belief | Mixture, X: Array) -> Array:
    """``I(y; w) = h(p) - E[h(σ(w·x))]`` in nats, (M,): what an outcome tells about the weights (and, of a mixture,
    about which belief is right). Error below 1e-9.

    >>> from sureshot import core
    >>> information(core.prior(1, link="probit"), np.array([[0.0], [1.0], [100.0]])).round(3)
    array([0.   , 0.193, 0.686])
    """
    noise = sum(weight * expected_entropy(one.link, *one.moments(X)) for weight, one in members(belief))
    return np.asarray(np.maximum(outcome_entropy(predictive(belief, X)) - noise, 0.0))


@dataclass(frozen=True)
class Bald(Policy):
    """Mutual information of outcome and weights: the disagreement of draws of the belief, not their common doubt."""

    name: ClassVar[str] = "bald"
    because: ClassVar[str] = "its outcome says most about what drives success"

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The information."""
        return information(situation.belief, situation.X)
