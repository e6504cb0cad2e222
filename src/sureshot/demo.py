"""The demo: a simulated nanotube campaign, from the first trial to the recommendation, kept in a real store.

A :class:`World` knows the truth and answers; :func:`run` never looks at it but for the outcome of the trial that the
campaign asked for. World and campaign draw from streams of their own, so another campaign would meet the same world.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sureshot import core
from sureshot.campaign import Campaign, Recommendation, Trial
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput
from sureshot.space import Space
from sureshot.storage import Storage

__all__ = ["FAILURE", "SUCCESS", "Reveal", "Step", "World", "begin", "nanotubes", "reveal", "run"]

#: The grid: laser power, ethylene flow, catalyst.
POWERS = (8, 10, 12, 14)
ETHYLENE = (10, 20, 30, 40)
CATALYSTS = ("Fe", "Co")

SUCCESS, FAILURE = "single-walled", "double-walled"


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """A space of alternatives and the hidden truth about them."""

    seed: int
    space: Space
    truth: Array  # (M,): the success probability of each alternative, which no campaign may see


@dataclass(frozen=True, slots=True)
class Step:
    """One trial of the campaign, and how the world answered."""

    trial: Trial
    success: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """What to go with and, since this is a simulation, what is true."""

    recommendation: Recommendation
    true_probability: float  # of what is recommended
    best: str  # the true best ...
    best_probability: float  # ... and how often it succeeds
    average_probability: float  # of the whole pool: what choosing blindly would give

    @property
    def found(self) -> bool:
        """Whether nothing is truly better than what is recommended."""
        return self.true_probability == self.best_probability


def nanotubes(seed: int) -> World:
    """32 ways to grow a nanotube, and a truth drawn by the seed: normal weights of the default features.

    >>> world = nanotubes(1)
    >>> world.space.label(0), len(world.truth)
    ('power 8, ethylene 10, catalyst Fe', 32)
    """
    if seed < 0:
        raise InvalidInput(f"`seed` must be a whole number of at least 0, got seed={seed}.")
    space = Space.grid(power=POWERS, ethylene=ETHYLENE, catalyst=CATALYSTS)
    X = space.design().matrix(space)
    weights = _stream(seed, 0).standard_normal(X.shape[1])
    return World(seed, space, core.LOGIT.probability(X @ weights))


def begin(world: World, *, trials: int, storage: Storage | str | os.PathLike[str]) -> Campaign:
    """A campaign over the world's alternatives, with nothing recorded yet."""
    if trials < 1:
        raise InvalidInput(f"`trials` must be at least 1, got trials={trials}: 30 is a fair budget.")
    return Campaign.create(
        "nanotubes",
        world.space,
        success=SUCCESS,
        failure=FAILURE,
        budget=trials,
        seed=world.seed,
        storage=storage,
    )


def run(world: World, campaign: Campaign) -> Iterator[Step]:
    """The campaign to the end of its budget, one trial at a time: asked, answered by the world, told.

    >>> world = nanotubes(1)
    >>> campaign = begin(world, trials=3, storage=":memory:")
    >>> [step.trial.number for step in run(world, campaign)], campaign.status().told
    ([1, 2, 3], 3)
    """
    nature = _stream(world.seed, 1)
    budget = campaign.spec.budget or 0
    while campaign.status().used < budget:
        trial = campaign.ask()
        success = bool(nature.random(len(world.truth))[trial.alternative] < world.truth[trial.alternative])
        campaign.tell(trial, SUCCESS if success else FAILURE)
        yield Step(trial, success)


def reveal(world: World, campaign: Campaign) -> Reveal:
    """What the campaign would go with, beside the truth."""
    choice = campaign.best()
    top = int(np.argmax(world.truth))
    return Reveal(
        choice,
        float(world.truth[choice.alternative]),
        world.space.label(top),
        float(world.truth[top]),
        float(world.truth.mean()),
    )


def _stream(seed: int, which: int) -> np.random.Generator:
    """The streams of the world: 0 draws the truth, 1 the answers. The campaign's own derive from its seed and log."""
    return np.random.default_rng(np.random.SeedSequence(seed).spawn(2)[which])
