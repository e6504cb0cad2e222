"""greedy: the alternative that is most likely to succeed by what is known. Pure exploitation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Greedy"]


@dataclass(frozen=True)
class Greedy(Policy):
    """``argmax p``: what would be recommended is tried."""

    name: ClassVar[str] = "greedy"
    because: ClassVar[str] = "it is the likeliest to succeed by what is known"

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The predicted success probability."""
        return situation.probability.copy()
