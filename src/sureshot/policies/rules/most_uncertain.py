"""most-uncertain: the alternative whose outcome is hardest to predict (paper, section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["MostUncertain", "most_uncertain"]


def most_uncertain(probability: Array) -> Array:
    """``-|p - 1/2|``.

    >>> most_uncertain(np.array([0.1, 0.6]))
    array([-0.4, -0.1])
    """
    return -np.abs(probability - 0.5)


@dataclass(frozen=True)
class MostUncertain(Policy):
    """Uncertainty sampling; an alternative may be tried again unless ``repeats`` is False."""

    repeats: bool = True
    name: ClassVar[str] = "most-uncertain"
    because: ClassVar[str] = "its chance is nearest to one half"

    def __post_init__(self) -> None:
        checked.flag(self, "repeats")

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """By the predicted probability; what was tried comes last without repeats."""
        found = most_uncertain(situation.probability)
        return found if self.repeats else np.where(situation.tried, found - 1.0, found)
