"""epsilon-greedy: the alternative most likely to succeed, but a random one every now and then (Watkins 1989)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["EpsilonGreedy"]


@dataclass(frozen=True)
class EpsilonGreedy(Policy):
    """With probability ``epsilon`` each alternative alike, else ``argmax p``."""

    epsilon: float = 0.1
    name: ClassVar[str] = "epsilon-greedy"
    randomised: ClassVar[bool] = True
    because: ClassVar[str] = "it is the likeliest to succeed by what is known, or, now and then, one drawn at random"

    def __post_init__(self) -> None:
        checked.number(self, "epsilon", low=0.0, high=1.0)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The predicted success probability, or the same for all."""
        if rng.random() < self.epsilon:
            return np.zeros(len(situation.X))
        return situation.probability.copy()
