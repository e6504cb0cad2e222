"""The demo: a simulated nanotube campaign, from the first trial to the recommendation, on the core alone.

A :class:`World` knows the truth and answers; :func:`run` never looks at it but for the outcome of the trial it
makes. World and policy draw from streams of their own, so another policy would meet the same world.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from sureshot import core, policies
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["Recommendation", "Trial", "World", "best", "nanotubes", "run"]

#: The grid: laser power, ethylene flow, catalyst.
POWERS = (8, 10, 12, 14)
ETHYLENE = (10, 20, 30, 40)
CATALYSTS = ("Fe", "Co")

#: Draws of the weights behind "best of all with chance ...": a standard error of half a point at most.
DRAWS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """A pool of alternatives and the hidden truth about them."""

    seed: int
    alternatives: tuple[str, ...]
    X: Array  # (M, d): 1, power, ethylene (both standardised), catalyst is Co
    truth: Array  # (M,): the success probability of each alternative, which no policy may see


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One trial: what the belief said before it, how it ended, and the belief after it."""

    number: int  # from 1
    alternative: str
    probability: float  # predicted, with the ends of its 95 % interval
    low: float
    high: float
    value: float  # the knowledge gradient: what the trial was expected to add to the final choice
    success: bool
    belief: core.Belief


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to go with, how sure that is, and, since this is a simulation, what is true."""

    alternative: str
    probability: float
    low: float
    high: float
    chance_best: float
    true_probability: float
    best_alternative: str
    best_probability: float
    average_probability: float  # of the whole pool: what choosing blindly would give


def nanotubes(seed: int) -> World:
    """32 ways to grow a nanotube, and a truth drawn from the prior by the seed.

    >>> world = nanotubes(1)
    >>> world.alternatives[0], world.X.shape
    ('power 8, ethylene 10, catalyst Fe', (32, 4))
    """
    rng, _ = _streams(seed)
    grid = list(product(POWERS, ETHYLENE, CATALYSTS))
    text = tuple(f"power {p}, ethylene {e}, catalyst {c}" for p, e, c in grid)
    numbers = np.array([(p, e) for p, e, _ in grid], dtype=float)
    standard = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)
    cobalt = np.array([c == "Co" for _, _, c in grid], dtype=float)
    X = np.column_stack([np.ones(len(grid)), standard, cobalt])
    weights = rng.standard_normal(X.shape[1])
    return World(seed, text, X, core.LOGIT.probability(X @ weights))


def run(world: World, *, trials: int) -> Iterator[Trial]:
    """A campaign by the knowledge gradient, one trial at a time.

    >>> [trial.success for trial in run(nanotubes(1), trials=3)]
    [True, False, True]
    """
    if trials < 1:
        raise InvalidInput(f"`trials` must be at least 1, got trials={trials}: 30 is a fair budget.")
    return _run(world, trials)


def _run(world: World, trials: int) -> Iterator[Trial]:
    nature, chooser = _streams(world.seed)
    nature.standard_normal(world.X.shape[1])  # the truth, drawn already
    belief = core.prior(world.X.shape[1])
    for number in range(1, trials + 1):
        decision = policies.decide(belief, world.X, rng=chooser)
        i = decision.alternative
        success = bool(nature.random(len(world.truth))[i] < world.truth[i])
        belief, _ = core.observe(belief, world.X[i], success)
        yield Trial(
            number, world.alternatives[i], decision.probability, *decision.interval, decision.value, success, belief
        )


def best(world: World, belief: core.Belief) -> Recommendation:
    """The alternative with the largest predicted probability (paper, Lemma 1), beside the truth."""
    probability = core.predictive(belief, world.X)
    i, top = int(np.argmax(probability)), int(np.argmax(world.truth))
    low, high = (ends[i] for ends in core.interval(belief, world.X))
    drawn = core.sample_probabilities(belief, world.X, np.random.default_rng(world.seed), size=DRAWS)
    return Recommendation(
        world.alternatives[i],
        float(probability[i]),
        float(low),
        float(high),
        float(np.mean(np.argmax(drawn, axis=1) == i)),
        float(world.truth[i]),
        world.alternatives[top],
        float(world.truth[top]),
        float(world.truth.mean()),
    )


def _streams(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """The world's stream and the policy's."""
    if seed < 0:
        raise InvalidInput(f"`seed` must be a whole number of at least 0, got seed={seed}.")
    world, policy = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(world), np.random.default_rng(policy)
