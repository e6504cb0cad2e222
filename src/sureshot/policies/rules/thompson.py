"""thompson: the best alternative under weights drawn from the belief (Thompson 1933; Chapelle & Li 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.mixture import sample_scores
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Thompson"]


@dataclass(frozen=True)
class Thompson(Policy):
    """``w ~ N(m, scale² S)``, then ``argmax w·x``. Each alternative is tried as often as it is believed the best."""

    scale: float = 1.0
    name: ClassVar[str] = "thompson"
    randomised: ClassVar[bool] = True
    because: ClassVar[str] = "it was the best under one draw of what is believed"

    def __post_init__(self) -> None:
        checked.number(self, "scale", low=0.0)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The scores ``w·x`` under one draw; of a mixture, one belief is drawn first."""
        ((_, drawn),) = sample_scores(situation.belief, situation.X, rng, 1, scale=self.scale)
        return np.asarray(drawn[0])
