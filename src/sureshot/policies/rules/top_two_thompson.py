"""top-two-thompson: Thompson sampling for finding the best, which doubts its own leader (Russo 2016).

A draw of the weights names a leader. With probability ``beta`` it is tried; else the weights are drawn again until
another alternative leads, and that challenger is tried. Plain Thompson sampling would spend nearly all trials on the
leader once it is nearly sure; this one keeps asking who could beat it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members, sample_scores
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["TopTwoThompson", "log_chance_of_beating"]

#: Draws in search of a challenger, batch after batch; beyond, one is named without drawing.
BATCHES = (8, 32, 128, 512)


def log_chance_of_beating(belief: Belief | Mixture, X: Array, leader: int) -> Array:
    """The log probability that each alternative is better than the leader, (M,): ``log Σ v Φ(Δmu/√(Δx'SΔx))``.

    The leader itself and its copies come last.

    >>> from sureshot import core
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> np.exp(log_chance_of_beating(core.gaussian([1.0, 0.0], [1.0, 3.0]), X, 0)[1]).round(3)
    np.float64(0.309)
    """
    copies = (X[leader] == X).all(axis=1)
    each = []
    for weight, one in members(belief):
        mu, _, root, extra = one.scores(X)
        wide = np.sum((root - root[leader]) ** 2, axis=1) + extra + extra[leader]  # what they do not share
        wide = np.where(copies, 0.0, wide)
        gap = mu - mu[leader]
        each.append(np.log(max(weight, 1e-300)) + special.log_ndtr(gap / np.sqrt(np.maximum(wide, 1e-200))))
    total = np.maximum(special.logsumexp(each, axis=0), -1e300)
    return np.asarray(np.where(copies, total.min() * 2.0 - 1.0, total))


@dataclass(frozen=True)
class TopTwoThompson(Policy):
    """The leader of a draw with probability ``beta``, else the leader of a draw that has another one.

    If 680 draws find no challenger, it is the alternative most likely to beat the leader.
    """

    beta: float = 0.5
    name: ClassVar[str] = "top-two-thompson"
    randomised: ClassVar[bool] = True
    because: ClassVar[str] = (
        "it led under one draw of what is believed, or was the first to beat the leader in further draws"
    )

    def __post_init__(self) -> None:
        checked.number(self, "beta", low=0.0, high=1.0)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The scores ``w·x`` under the draw that decides."""
        belief, X = situation.belief, situation.X
        ((_, (first,)),) = sample_scores(belief, X, rng, 1)
        leader = int(first.argmax())
        if rng.random() < self.beta:
            return np.asarray(first)
        other = (X[leader] != X).any(axis=1)
        if not other.any():
            return np.asarray(first)
        challenge = _challenge(belief, X, other, rng)
        return log_chance_of_beating(belief, X, leader) if challenge is None else challenge


def _challenge(belief: Belief | Mixture, X: Array, other: NDArray[np.bool_], rng: np.random.Generator) -> Array | None:
    """The scores of a draw in which one of the others leads. Draws of a batch are exchangeable only after a shuffle
    (those of one member stand together): so one of those that do is drawn, which has the law of the first that does.
    """
    for size in BATCHES:
        scores = np.concatenate([f for _, f in sample_scores(belief, X, rng, size)])
        found = np.flatnonzero(other[scores.argmax(axis=1)])
        if len(found):
            return np.asarray(scores[found[rng.integers(len(found))]])
    return None
