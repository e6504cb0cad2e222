"""ucb: the alternative with the highest upper confidence bound of its score (paper, section 6; Auer 2002).

For one belief ``mu + alpha·√s``, which is the Φ(alpha) quantile of the score ``w·x``. A mixture of beliefs has that
quantile too, though no formula for it: it is found by bisection. Where links differ between the beliefs of a mixture,
scores are not comparable, and it is the quantile of the success probability, put on the scale of the first link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Ucb", "upper_bound"]

#: Halvings of the bracket: from a width of 1,000 to 1e-12.
HALVINGS = 50


def upper_bound(belief: Belief | Mixture, X: Array, alpha: float) -> Array:
    """The Φ(alpha) quantile of the score of each alternative, (M,).

    >>> from sureshot import core
    >>> upper_bound(core.prior(2), np.array([[1.0, 0.0], [1.0, 1.0]]), 2.0).round(3)
    array([2.   , 2.828])
    """
    if isinstance(belief, Belief):
        mu, s = belief.moments(X)
        return np.asarray(mu + alpha * np.sqrt(s))
    moments = [one.moments(X) for one in belief.beliefs]
    mu, s = (np.stack(part) for part in zip(*moments, strict=True))  # (K, M)
    sd = np.sqrt(np.maximum(s, 1e-300))
    links = [one.link for one in belief.beliefs]
    first, weights = links[0], belief.weights
    own = mu + alpha * np.sqrt(s)
    mixed = any(link is not first for link in links)
    if mixed:
        own = np.stack([_read(first.inverse(link.probability(f))) for link, f in zip(links, own, strict=True)])
    low, high = own.min(axis=0), own.max(axis=0)
    tail = special.ndtr(-alpha)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        at: Array = middle
        if mixed:
            p = first.probability(middle)
            at = np.stack([_read(link.inverse(p)) for link in links])
        above = weights @ special.ndtr((mu - at) / sd)
        low, high = np.where(above > tail, middle, low), np.where(above > tail, high, middle)
    return np.asarray(0.5 * (low + high))


def _read(score: Array) -> Array:
    """The score of a probability that was rounded to 0 or 1 is far out, not infinite."""
    return np.clip(score, -1e3, 1e3)


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
