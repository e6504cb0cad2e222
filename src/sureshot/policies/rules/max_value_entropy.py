"""max-value-entropy: the alternative whose outcome says most about how good the best one is (Wang & Jegelka 2017).

With v* the largest success probability among the alternatives, the score is

    h(p(x)) - E_v*[ h( E[σ(f) | σ(f) <= v*] ) ],

h the entropy of an outcome: the mutual information of outcome and v*, if all that v* says about x is that it can't be
better. That is their approximation (max-value entropy search), with a Bernoulli outcome in place of a Gaussian one.
The true mutual information is another number: knowing v* also says something of how likely x is the best one. Under a
symmetric prior that makes it 0 everywhere, so it is no guide; the approximation is. It may be slightly negative.

v* is drawn with the weights. The inner mean is over :data:`NODES` equally likely values of the score, those below v*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members, sample_scores
from sureshot.core.links import Link
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.rules.bald import outcome_entropy
from sureshot.policies.situation import Situation

__all__ = ["NODES", "MaxValueEntropy", "mean_below"]

#: Values of a score that stand for its distribution.
NODES = 128
#: Less of a distribution than this lies below v*: all of it is at v*.
NOTHING = 1e-9


def mean_below(belief: Belief | Mixture, X: Array, bounds: Sequence[Array]) -> Array:
    """``E[σ(f) | f <= bound]`` for each alternative and each of S bounds, (M, S). Error below 0.01.

    ``bounds`` has the S scores for each belief of a mixture: where links differ, so do the scores of one probability.

    >>> from sureshot import core
    >>> mean_below(core.prior(1, link="probit"), np.array([[1.0]]), [np.array([0.0, 9.0])]).round(2)
    array([[0.25, 0.5 ]])
    """
    shape = len(X), len(bounds[0])
    quantiles = special.ndtri((np.arange(NODES) + 0.5) / NODES)
    below, mass, tops = np.zeros(shape), np.zeros(shape), np.ones(shape[1])
    for (weight, one), bound in zip(members(belief), bounds, strict=True):
        mu, s = one.moments(X)
        sd = np.sqrt(s)[:, None]
        summed = np.zeros((len(X), NODES + 1))
        np.cumsum(one.link.probability(mu[:, None] + sd * quantiles), axis=1, out=summed[:, 1:])
        with np.errstate(over="ignore"):
            share = special.ndtr((bound - mu[:, None]) / np.maximum(sd, 1e-300))  # P(f <= bound)
        place = share * NODES
        at = np.minimum(place.astype(np.intp), NODES - 1)
        low, high = (np.take_along_axis(summed, k, axis=1) for k in (at, at + 1))
        below += weight / NODES * (low + (place - at) * (high - low))
        mass += weight * share
        tops = one.link.probability(bound)
    return np.where(mass > NOTHING, np.minimum(below / np.maximum(mass, NOTHING), tops), tops)


def _read_as(link: Link, other: Link, scores: Array) -> Array:
    """The scores of one link that have the probabilities of these scores of another."""
    return scores if other is link else np.asarray(link.inverse(other.probability(scores)))


@dataclass(frozen=True)
class MaxValueEntropy(Policy):
    """What an outcome says about the largest success probability, over ``draws`` of it.

    With contexts, or other finals: that of each group of them, averaged by their weights.
    """

    draws: int = 32
    name: ClassVar[str] = "max-value-entropy"
    because: ClassVar[str] = "its outcome says most about how high the best chance is"

    def __post_init__(self) -> None:
        checked.whole(self, "draws", low=1, high=checked.MOST_DRAWS)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The information, estimated."""
        belief, X = situation.belief, situation.X
        after = or_pool(situation.finals, X)
        drawn = [
            (link, np.maximum.reduceat(f, after.starts[:-1], axis=1))  # (n, G) the best of each group
            for link, f in sample_scores(belief, after.rows, rng, self.draws)
        ]
        bounds = [np.concatenate([_read_as(one.link, link, f) for link, f in drawn]) for _, one in members(belief)]
        total = outcome_entropy(situation.probability)
        for g, weight in enumerate(after.weights):
            total -= weight * outcome_entropy(mean_below(belief, X, [f[:, g] for f in bounds])).mean(axis=1)
        return total
