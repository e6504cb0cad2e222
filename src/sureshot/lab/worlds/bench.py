"""bench: simulated experiments as benches are, a grid of named parameters with one kind of truth.

Parameters, levels and truth are drawn anew for each run. The scores of a kind
(:mod:`~sureshot.lab.worlds.bench_shapes`) become chances by ``σ(a + b·score)``, with a and b such that the best chance
and the mean chance are exactly as stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from scipy import optimize, special

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.worlds.bench_grid import draw_grid
from sureshot.lab.worlds.bench_shapes import KINDS
from sureshot.lab.worlds.parameters import choice
from sureshot.space import Space

__all__ = ["SUCCESS", "Bench", "bench_worlds", "calibrated"]

#: How likely success is: the chance of the best alternative, and the mean over all.
SUCCESS: Mapping[str, tuple[float, float]] = MappingProxyType({"common": (0.95, 0.4), "rare": (0.5, 0.05)})


def calibrated(scores: Array, best: float, mean: float) -> Array:
    """``σ(a + b·score)``, b > 0, with the largest chance ``best`` and the mean chance ``mean``.

    The mean falls as b grows: from ``best`` down to ``best`` times the share of the alternatives with the top score.

    >>> chances = calibrated(np.array([0.0, 1.0, 2.0]), 0.5, 0.25)
    >>> float(chances.max().round(6)), float(chances.mean().round(6))
    (0.5, 0.25)
    """
    below = scores - scores.max()  # 0 for the best; minus infinity for what never works
    alive = below > -np.inf
    lowest, highest = best * np.mean(below == 0.0), best * np.mean(alive)
    if not lowest < mean < highest:
        raise InvalidInput(
            f"`mean` must lie between {lowest:.3g} (all but the top scores fail) and {highest:.3g} (all alike), "
            f"got {mean:.3g}."
        )
    start = special.logit(best)

    def chances(log_b: float) -> Array:
        found = np.zeros(len(scores))
        found[alive] = special.expit(start + np.exp(log_b) * below[alive])
        return found

    return chances(optimize.brentq(lambda log_b: chances(log_b).mean() - mean, -30.0, 30.0, xtol=1e-12))


@dataclass(frozen=True)
class Bench(World):
    """A grid of two to five named parameters, 40 to 600 alternatives, with one ``kind`` of truth.

    ``success="common"``: the best works with 0.95, the mean is 0.4; ``"rare"``: 0.5 and 0.05.

    >>> Bench("interior").label, Bench("pair", success="rare").label
    ('bench-interior-common', 'bench-pair-rare')
    """

    name: ClassVar[str] = "bench"
    kind: str = "interior"
    success: str = "common"

    def __post_init__(self) -> None:
        choice(self, "kind", KINDS)
        choice(self, "success", SUCCESS)

    @property
    def label(self) -> str:
        """The name, the kind and how likely success is."""
        return f"{self.name}-{self.kind}-{self.success}"

    def pool(self, rng: np.random.Generator) -> tuple[Space, Array]:
        """The alternatives of one run, and the chance of each, (M,)."""
        kind, (best, mean) = KINDS[self.kind], SUCCESS[self.success]
        space = draw_grid(rng, parameters=kind.parameters, numbers=kind.numbers)
        return space, calibrated(kind.scores(space, rng, mean / best), best, mean)

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """A new grid and a new truth."""
        space, chances = self.pool(rng)
        return truth(space.design().matrix(space), chances, budget=budget, space=space, shape=KINDS[self.kind].shape)


def bench_worlds() -> tuple[Bench, ...]:
    """Every kind of bench, with common and with rare success.

    >>> [world.label for world in bench_worlds()][:3]
    ['bench-straight-common', 'bench-straight-rare', 'bench-interior-common']
    """
    return tuple(Bench(kind, success) for kind in KINDS for success in SUCCESS)
