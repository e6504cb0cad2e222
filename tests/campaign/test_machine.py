"""Whatever is done in whatever order, the campaign is what a plain model says: a list of outcomes, refitted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sureshot import core
from sureshot.campaign import Campaign, belief_to_dict
from sureshot.campaign.answers.recommend import TWINS
from sureshot.core.beliefs.mixture import Mixture
from sureshot.errors import Conflict
from sureshot.space import Space, begin
from sureshot.storage import open_storage

SPACE = Space.grid(power=[8, 10, 12], catalyst=["Fe", "Co"])
_, X, BEGUN = begin(SPACE)


class Model:
    """Trials as a person would keep them on paper."""

    def __init__(self) -> None:
        self.trials: dict[int, list[Any]] = {}  # number -> [row, state, successes, of]
        self.order: list[int] = []  # in which they were told

    def numbers(self, *states: str) -> list[int]:
        return [n for n, trial in self.trials.items() if trial[1] in states]

    def belief(self) -> Mixture:
        told = [self.trials[n] for n in self.order if self.trials[n][1] == "told"]
        if not told:
            return BEGUN
        y, of = [t[2] for t in told], [t[3] for t in told]
        return core.fit(BEGUN, X[[t[0] for t in told]], y, of=of).belief


class CampaignMachine(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 2**31))
    def create(self, seed: int) -> None:
        self.store = open_storage(":memory:")
        self.campaign = Campaign.create("machine", SPACE, seed=seed, storage=self.store)
        self.model = Model()
        self.events = 0

    @precondition(lambda self: len(self.model.numbers("pending")) < 3)
    @rule()
    def ask(self) -> None:
        trial = self.campaign.ask()
        self.model.trials[trial.number] = [trial.alternative, "pending", None, None]
        self.events += 1

    @rule(data=st.data(), of=st.integers(1, 4))
    @precondition(lambda self: self.model.numbers("pending"))
    def tell(self, data: st.DataObject, of: int) -> None:
        number = data.draw(st.sampled_from(self.model.numbers("pending")))
        won = data.draw(st.integers(0, of))
        self.campaign.tell(number, won, of=of)
        self.model.trials[number][1:] = ["told", won, of]
        self.model.order.append(number)
        self.events += 1

    @rule(row=st.integers(0, len(SPACE) - 1), y=st.booleans())
    def tell_new(self, row: int, y: bool) -> None:
        number = self.campaign.tell_new(row, y).trial
        self.model.trials[number] = [row, "told", int(y), 1]
        self.model.order.append(number)
        self.events += 1

    @rule(data=st.data(), y=st.booleans())
    @precondition(lambda self: self.model.numbers("told"))
    def correct(self, data: st.DataObject, y: bool) -> None:
        number = data.draw(st.sampled_from(self.model.numbers("told")))
        self.campaign.correct(number, y)
        self.model.trials[number][2:] = [int(y), 1]
        self.events += 1

    @rule(data=st.data())
    @precondition(lambda self: self.model.numbers("told", "pending"))
    def withdraw(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.model.numbers("told", "pending")))
        self.campaign.withdraw(number)
        self.model.trials[number][1] = "withdrawn"
        self.events += 1

    @rule()
    def note(self) -> None:
        self.campaign.note("a remark")
        self.events += 1

    @rule(data=st.data())
    @precondition(lambda self: self.model.numbers("told", "withdrawn"))
    def refused(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.model.numbers("told", "withdrawn")))
        with pytest.raises(Conflict):
            self.campaign.tell(number, 1)

    @rule()
    def best(self) -> None:
        p = core.predictive(self.model.belief(), X)
        found = self.campaign.best()
        assert found.probability == p[found.alternative]
        assert found.alternative in np.flatnonzero(p >= p.max() - TWINS)  # of twins, the one that worked most often

    @rule()
    def open_again(self) -> None:
        self.campaign = Campaign.open(storage=self.store)

    @invariant()
    def as_on_paper(self) -> None:
        status = self.campaign.status()
        model = self.model
        assert status.events == self.events
        assert list(status.pending) == model.numbers("pending")
        assert (status.told, status.withdrawn) == (len(model.numbers("told")), len(model.numbers("withdrawn")))
        for row, (number, (alternative, state, won, of)) in zip(
            self.campaign.history(), sorted(model.trials.items()), strict=True
        ):
            assert (row.trial, row.alternative, row.state) == (number, alternative, state)
            assert (row.successes, row.of) == (won, of)
        assert belief_to_dict(self.campaign.belief) == belief_to_dict(model.belief())


CampaignMachine.TestCase.settings = settings(
    max_examples=15,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
TestMachine = CampaignMachine.TestCase
