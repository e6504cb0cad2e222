"""A campaign in the simulated lab, from the first trial to the recommendation, through the real :class:`Campaign`.

The campaign has the default belief and the default policy, and sees nothing of the world but the outcomes of the trials
that it asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sureshot.campaign import Campaign, Recommendation, Trial
from sureshot.campaign.answers.wording import percent
from sureshot.demo.world import FAILURE, SUCCESS, World
from sureshot.errors import InvalidInput
from sureshot.said import Setting
from sureshot.storage import Storage

__all__ = ["TRIALS", "Reveal", "Step", "begin", "reveal", "run"]

#: A month at one trial a working day, and enough for one factor at a time to try each of its settings twice.
TRIALS = 25


@dataclass(frozen=True, slots=True)
class Step:
    """One trial of the campaign, and how the world answered."""

    trial: Trial
    success: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """What to choose and, since this is a simulation, what is true."""

    recommendation: Recommendation
    true_probability: float  # of what is recommended
    best: str  # the true best ...
    best_probability: float  # ... and how often it succeeds
    average_probability: float  # of the whole pool: what choosing blindly would give

    @property
    def found(self) -> bool:
        """Whether nothing is truly better than what is recommended."""
        return self.true_probability == self.best_probability

    @property
    def words(self) -> str:
        """The truth in a sentence or two."""
        verdict = (
            "nothing works better"
            if self.found
            else f"the best of all, {self.best}, works {percent(self.best_probability)}"
        )
        return (
            f"The truth: it works {percent(self.true_probability)} of the time; {verdict}. "
            f"A blind choice works {percent(self.average_probability)}."
        )


def begin(
    world: World,
    *,
    trials: int = TRIALS,
    storage: Storage | str | os.PathLike[str],
    name: str = "nanotubes",
) -> Campaign:
    """A campaign over the world's alternatives, with nothing recorded yet."""
    if trials < 1:
        raise InvalidInput(
            "`trials` must be at least 1", got=Setting("trials", trials), fix=f"{TRIALS} is a fair budget"
        )
    return Campaign.create(
        name,
        world.space,
        success=SUCCESS,
        failure=FAILURE,
        budget=trials,
        seed=world.seed,
        storage=storage,
    )


def run(world: World, campaign: Campaign) -> Iterator[Step]:
    """The campaign to the end of its budget, one trial at a time: asked, answered by the world, told.

    >>> from sureshot.demo.world import nanotubes
    >>> world = nanotubes(1)
    >>> campaign = begin(world, trials=2, storage=":memory:")
    >>> [step.trial.number for step in run(world, campaign)], campaign.status().told
    ([1, 2], 2)
    """
    budget = campaign.spec.budget or 0
    answers = world.answers(budget)
    while (used := campaign.status().used) < budget:
        trial = campaign.ask()
        success = bool(answers[used, trial.alternative])
        campaign.tell(trial, SUCCESS if success else FAILURE)
        yield Step(trial, success)


def reveal(world: World, campaign: Campaign) -> Reveal:
    """What the campaign recommends, beside the truth."""
    choice = campaign.best()
    top = int(np.argmax(world.truth))
    return Reveal(
        recommendation=choice,
        true_probability=float(world.truth[choice.alternative]),
        best=world.space.label(top),
        best_probability=float(world.truth[top]),
        average_probability=float(world.truth.mean()),
    )
