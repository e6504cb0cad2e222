"""glm-ucb: an upper confidence bound on the success probability itself (Filippi, Cappé, Garivier & Szepesvári 2010).

Their rule is ``argmax σ(θ·x) + rho(n)·√(x' M⁻¹ x)``, with θ the maximum likelihood estimate and M the sum of x x' over
what was tried. Here θ is the belief's mean m and M⁻¹ its covariance S, so the prior is the ridge and each trial counts
by the information in its outcome; and ``rho = alpha·k`` with k the steepest slope of the link (1/4 for logit), which
makes ``alpha·k·√s`` a bound of what ``alpha`` standard deviations of the score can do to the probability. Their rho(n)
has k in it too, but grows like √(d log n · log(dN)) with constants that make it far larger than 1: what they prove of
the regret does not hold here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.links import Link
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["GlmUcb", "optimistic_probability", "steepest"]


@cache
def steepest(link: Link) -> float:
    """The largest slope of the link, from a fine grid (1e-7 of it for links about one unit wide).

    >>> from sureshot import core
    >>> round(steepest(core.LOGIT), 6), round(steepest(core.PROBIT), 6), round(steepest(core.CLOGLOG), 6)
    (0.25, 0.398942, 0.367879)
    """
    f = np.linspace(-10.0, 10.0, 20_001)
    return float((link.probability(f) * link.success.score(f)).max())


def optimistic_probability(belief: Belief | Mixture, X: Array, alpha: float) -> Array:
    """``σ(mu) + alpha·k·√s`` of each alternative, (M,); of a mixture, the weighted mean of its beliefs'.

    >>> from sureshot import core
    >>> optimistic_probability(core.prior(1), np.array([[0.0], [2.0]]), 1.0)
    array([0.5, 1. ])
    """
    total = np.zeros(len(X))
    for weight, one in members(belief):
        mu, s = one.moments(X)
        total += weight * (one.link.probability(mu) + alpha * steepest(one.link) * np.sqrt(s))
    return total


@dataclass(frozen=True)
class GlmUcb(Policy):
    """``σ(mu) + alpha·k·√s``, k the steepest slope of the link."""

    alpha: float = 1.0
    name: ClassVar[str] = "glm-ucb"
    because: ClassVar[str] = "its chance may turn out highest: it has the largest upper bound"

    def __post_init__(self) -> None:
        checked.number(self, "alpha", low=0.0)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The bound; it may exceed 1."""
        return optimistic_probability(situation.belief, situation.X, self.alpha)
