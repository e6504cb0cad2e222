"""random: every alternative with the same probability. The baseline that each policy must beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Random"]


@dataclass(frozen=True)
class Random(Policy):
    """Pure exploration."""

    name: ClassVar[str] = "random"
    randomised: ClassVar[bool] = True
    because: ClassVar[str] = "it was drawn at random"

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The same for all: the tie falls at random."""
        return np.zeros(len(situation.X))
