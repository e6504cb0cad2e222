"""ucb: the alternative with the highest upper confidence bound of its score (paper, section 6; Auer 2002).

For one belief ``mu + alpha·√s``, which is the Φ(alpha) quantile of the score ``w·x``; of a mixture, that quantile
(:func:`sureshot.core.beliefs.predictive.score_quantiles`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.beliefs.predictive import score_quantiles
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Ucb", "upper_bound"]


def upper_bound(belief: Belief | Mixture, X: Array, alpha: float) -> Array:
    """The Φ(alpha) quantile of the score of each alternative, (M,).

    >>> from sureshot import core
    >>> upper_bound(core.prior(2), np.array([[1.0, 0.0], [1.0, 1.0]]), 2.0).round(3)
    array([2.   , 2.828])
    """
    return np.asarray(score_quantiles(belief, X, np.array([alpha]))[0])


@dataclass(frozen=True)
class Ucb(Policy):
    """``mu + alpha·√s``: optimism in the face of uncertainty."""

    alpha: float = 1.0
    name: ClassVar[str] = "ucb"
    because: ClassVar[str] = "its score may turn out highest: it has the largest upper bound"

    def __post_init__(self) -> None:
        checked.number(self, "alpha", low=0.0, high=30.0)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The upper bound."""
        return upper_bound(situation.belief, situation.X, self.alpha)
