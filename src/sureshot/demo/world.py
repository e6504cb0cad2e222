"""A simulated nanotube lab: four parameters, as in the paper's first example, and a chance of success that bends.

The truth of a lab is drawn by its seed. Laser power and ethylene are best somewhere inside their ranges, pressure may
be best inside or at an end, and hydrogen only helps or only harms. Each trial of each alternative has its answer from
the start, whoever asks: another way of experimenting in the same lab gets the same answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.worlds.bench import calibrated
from sureshot.lab.worlds.bench_grid import steps
from sureshot.said import Setting
from sureshot.space import Space

__all__ = ["FAILURE", "SUCCESS", "World", "nanotubes"]

#: The grid. The paper names the parameters and gives no numbers; these are of a usual size for laser-heated growth.
POWER = (8, 10, 12, 14, 16)
ETHYLENE = (10, 20, 30, 40)
HYDROGEN = (0, 20, 40)
PRESSURE = (200, 400, 600)
UNITS = {"power": "W", "ethylene": "sccm", "hydrogen": "sccm", "pressure": "Torr"}

SUCCESS, FAILURE = "single-walled", "double-walled"

#: The chance of the best alternative, and the mean over all: most settings fail, a few work nearly always.
BEST, MEAN = 0.95, 0.3


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """A space of alternatives and the hidden truth about them."""

    seed: int
    space: Space
    truth: Array  # (M,): the success probability of each alternative, which no campaign may see

    def chance(self, alternative: int) -> float:
        """The true chance of one alternative."""
        return float(self.truth[alternative])

    def answers(self, trials: int) -> Array:
        """How each alternative would answer in each trial, (trials, M): 1 is a success, 0 a failure."""
        drawn = _stream(self.seed, 1).random((trials, len(self.truth)))
        return np.asarray(drawn < self.truth, dtype=float)


def nanotubes(seed: int) -> World:
    """180 ways to grow a nanotube, and a truth drawn by the seed.

    The log-odds are ``a - b·Σ w_j (u_j - t_j)²`` for power, ethylene and pressure, plus a slope in hydrogen, with each
    parameter's u from -1 to 1. Tops t lie in the middle half of the range (of pressure, anywhere in it), weights w
    between 0.5 and 1.5, and a and b are such that the best works with 0.95 and the mean is 0.3.

    >>> world = nanotubes(1)
    >>> world.space.label(0), len(world.truth), float(world.truth.max().round(2))
    ('power 8 W, ethylene 10 sccm, hydrogen 0 sccm, pressure 200 Torr', 180, 0.95)
    """
    if seed < 0:
        raise InvalidInput("`seed` must be a whole number of at least 0", got=Setting("seed", seed))
    space = Space.grid(power=POWER, ethylene=ETHYLENE, hydrogen=HYDROGEN, pressure=PRESSURE, units=UNITS)
    power, ethylene, hydrogen, pressure = map(steps, space.columns)
    rng = _stream(seed, 0)
    tops = rng.uniform([-0.5, -0.5, -1.0], [0.5, 0.5, 1.0])
    weights = rng.uniform(0.5, 1.5, size=4)
    scores = weights[3] * rng.choice([-1.0, 1.0]) * hydrogen / 2.0
    for place, top, weight in zip((power, ethylene, pressure), tops, weights[:3], strict=True):
        scores = scores - weight * (place - top) ** 2
    return World(seed, space, calibrated(scores, BEST, MEAN))


def _stream(seed: int, which: int) -> np.random.Generator:
    """The streams of the world: 0 draws the truth, 1 the answers. The campaign's own derive from its seed and log."""
    return np.random.default_rng(np.random.SeedSequence(seed).spawn(2)[which])
