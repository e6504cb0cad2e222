"""Small worlds and policies for tests; importable, so that other processes can have them too."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core import LOGIT
from sureshot.lab import Truth, World, truth
from sureshot.policies import Abilities, Policy, Situation

COMPARED = ["study", "world", "policy", "belief", "run", "n", "pick", "outcome", "oc", "oc_plugin", "successes"]
COMPARED += ["regret", "predicted", "true", "max_kg", "found_best"]  # all but seconds


@dataclass(frozen=True)
class Little(World):
    """A few alternatives, a constant and ``d`` features; perhaps cases, a drift, a delay."""

    d: int = 2
    M: int = 12
    cases: int = 1
    drift: float = 0.0
    delay: int = 0

    @property
    def label(self) -> str:
        return f"little d={self.d} cases={self.cases} drift={self.drift:g} delay={self.delay}"

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        ones = np.ones((self.cases, self.M, 1))
        X = np.concatenate([ones, rng.uniform(-3, 3, (self.cases, self.M, self.d))], axis=2)
        weights = rng.standard_normal(self.d + 1)
        steps = budget + 1 if self.drift else 1
        walk = weights + self.drift * np.cumsum(rng.standard_normal((steps, self.d + 1)), axis=0)
        return truth(
            X,
            LOGIT.probability(np.einsum("cmk,tk->tcm", X, walk)),
            budget=budget,
            arrivals=rng.integers(self.cases, size=budget),
            judged=np.arange(self.cases),
            delays=self.delay,
            contextual=self.cases > 1,
        )


@dataclass(frozen=True)
class Fixed(Policy):
    """Always the same alternative, perhaps slowly."""

    row: int = 0
    pause: float = 0.0
    name: ClassVar[str] = "fixed"
    abilities: ClassVar[Abilities] = Abilities(contextual=False, pending=False)

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        time.sleep(self.pause)
        return (np.arange(len(situation.X)) == self.row).astype(float)


HOARD: list[np.ndarray] = []


@dataclass(frozen=True)
class Hoards(Fixed):
    """Takes memory and keeps it, as compiling does."""

    name: ClassVar[str] = "hoards"
    megabytes: int = 200

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        HOARD.append(np.ones((self.megabytes, 2**17)))
        return super().scores(situation, rng)


@dataclass(frozen=True)
class TwoStarts(Policy):
    """Needs two random trials first."""

    name: ClassVar[str] = "two-starts"
    abilities: ClassVar[Abilities] = Abilities(starts=2)

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        assert len(situation.outcomes) >= 2
        return -np.arange(len(situation.X), dtype=float)
