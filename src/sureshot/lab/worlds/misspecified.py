"""misspecified-prior: weights that are not what a prior around zero supposes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.worlds.parameters import number, settle
from sureshot.lab.worlds.synthetic import Synthetic

__all__ = ["MisspecifiedPrior"]


@dataclass(frozen=True)
class MisspecifiedPrior(Synthetic):
    """``w = (shift + stretch·e) / √precision``, e normal, or Student's t with ``tails`` degrees of freedom.

    As usual here the weights lie around 1, not 0, and closer together than a unit prior supposes. ``stretch=5,
    shift=0``: another scale. ``tails=2, shift=0, stretch=1``: a few weights far larger than the rest. ``base=-4`` is
    added to the weight of the constant: successes are rare.

    >>> MisspecifiedPrior(d=3, shift=0, tails=2).label
    'misspecified-prior-d3-shift0-tails2'
    """

    name: ClassVar[str] = "misspecified-prior"
    shift: float = 1.0
    stretch: float = 0.5
    tails: float = math.inf
    base: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(
            self,
            shift=number(self, "shift"),
            stretch=number(self, "stretch", above=0.0),
            tails=number(self, "tails", above=0.0, finite=False),
            base=number(self, "base"),
        )

    def weights(self, rng: np.random.Generator, width: int) -> Array:
        """Shifted, stretched, with heavy tails."""
        drawn = rng.normal(size=width) if math.isinf(self.tails) else rng.standard_t(self.tails, width)
        found = (self.shift + self.stretch * drawn) / math.sqrt(self.precision)
        if self.intercept:
            found[0] += self.base
        return np.asarray(found)
