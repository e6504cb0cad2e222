"""drifting: what works today works a little less tomorrow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.play.world import Truth, truth
from sureshot.lab.worlds.parameters import number, settle
from sureshot.lab.worlds.synthetic import Synthetic, with_constant

__all__ = ["Drifting", "random_walk"]


def random_walk(rng: np.random.Generator, start: Array, steps: int, size: float) -> Array:
    """``w_0 = start``, ``w_n = w_(n-1) + size·e_n``, (steps + 1, d)."""
    moves = rng.normal(0.0, size, (steps, len(start))) if size else np.zeros((steps, len(start)))
    return np.concatenate([start[None], start + np.cumsum(moves, axis=0)])


@dataclass(frozen=True)
class Drifting(Synthetic):
    """As ``synthetic``, but the weights walk at random: each trial moves them by ``rate`` prior standard deviations.

    The final choice is judged by the probabilities after the last trial. No belief here forgets, so old outcomes
    mislead it: the world measures how much.

    >>> Drifting(d=2, rate=0.2).label
    'drifting-d2-rate0.2'
    """

    name: ClassVar[str] = "drifting"
    rate: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, rate=number(self, "rate", least=0.0))

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """New rows, new weights and their walk: probabilities (budget + 1, 1, M)."""
        X = with_constant(self.rows(rng), self.intercept)
        start = self.weights(rng, X.shape[1])
        path = random_walk(rng, start, budget, self.rate * self.precision**-0.5)
        chance = self.probability(path @ X.T)[:, None, :]
        return truth(X, chance, budget=budget, intercept=self.intercept, weights=path)
