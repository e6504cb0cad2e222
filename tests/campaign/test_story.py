"""A campaign from the first trial to the recommendation, the same on every store."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sureshot import core
from sureshot.campaign import Campaign, belief_to_dict
from sureshot.errors import Conflict
from sureshot.space import Space
from sureshot.storage import Storage, open_storage

TRUTH = {"Fe": -1.0, "Co": 0.8}


def outcome(levels: dict[str, Any], rng: np.random.Generator) -> str:
    score = TRUTH[levels["catalyst"]] + 0.4 * (levels["power"] - 11)
    return "single-walled" if rng.random() < 1 / (1 + np.exp(-score)) else "double-walled"


def story(store: Storage, space: Space) -> list[str]:
    """What a campaign says, line by line."""
    campaign = Campaign.create(
        "nanotubes", space, success="single-walled", failure="double-walled", budget=12, seed=11, storage=store
    )
    world = np.random.default_rng(4)
    said = []
    for _ in range(5):
        trial = campaign.ask(author="Ann")
        said += [str(trial), str(campaign.why())]
        said.append(str(campaign.tell(trial, outcome(trial.levels, world), author="Ben")))
    first, second, third = campaign.ask_batch(3)
    said += map(str, (first, second, third))
    campaign.tell(third, 1)  # out of order
    campaign.withdraw(second, note="the furnace was cold")
    campaign.tell(first.number, 2, of=3)
    campaign.correct(first, 1, of=3, note="counted again")
    campaign.tell_new({"power": 8, "ethylene": 10, "catalyst": "Fe"}, False)
    campaign.tell_new({"power": 11, "ethylene": 15, "catalyst": "Fe"}, True)
    campaign.note("new bottle of ethylene")
    table = space.to_frame().iloc[[3, 7]].assign(result=["single-walled", 0])
    said.append(str(campaign.import_table(table, outcome="result")))
    assert said[-1] == "2 outcomes recorded as trials 11 to 12."
    said += map(str, (campaign.ask(), campaign.best(), campaign.advice(), campaign.status(), *campaign.history()))
    campaign.verify()
    said.append(json.dumps(belief_to_dict(campaign.belief)))
    return said


@pytest.fixture(scope="module")
def told_in_memory() -> list[str]:
    space = Space.grid(power=[8, 10, 12, 14], ethylene="10:40:10 sccm", catalyst=["Fe", "Co"])
    return story(open_storage(":memory:"), space)


def test_the_same_story_on_every_store(store: Storage, space: Space, told_in_memory: list[str]) -> None:
    assert story(store, space) == told_in_memory


def test_a_campaign_opened_again_says_the_same(store: Storage, space: Space) -> None:
    story(store, space)
    one, other = Campaign.open("nanotubes", store), Campaign.open(storage=store)
    assert one.best() == other.best()
    assert one.history() == other.history()
    assert one.status() == other.status()
    assert one.status().told == 11
    assert one.status().notes == ("new bottle of ethylene",)
    assert one.history()[6].notes == ("the furnace was cold",)
    assert one.history()[6].state == "withdrawn"
    assert one.history()[5].corrections == 1
    assert one.history()[9].label == "power 11, ethylene 15 sccm, catalyst Fe"
    assert one.export() == other.export()
    assert json.loads(json.dumps(one.export())) == one.export()
    assert [e["number"] for e in one.export()["events"]] == list(range(1, one.status().events + 1))
    suggested = one.ask()
    assert other.status().pending[-1] == suggested.number
    assert other.trial(suggested.number) == suggested


def test_what_the_first_trial_looks_like(memory: Storage) -> None:
    space = Space.grid(power=[8, 10, 12, 14], ethylene=range(10, 41, 10), catalyst=["Fe", "Co"])
    campaign = Campaign.create(
        "nanotubes", space, success="single-walled", budget=30, seed=2, prior=1.0, storage=memory
    )
    trial = campaign.ask()
    assert str(trial).startswith(f"Trial 1 of 30: {space.label(trial.alternative)}; chance of single-walled 50 % (")
    assert "value of this trial +" in str(trial)
    assert trial.probability == pytest.approx(0.5)
    assert trial.to_dict()["on_success"]["alternative"] == trial.alternative
    assert json.dumps(trial.to_dict())


def test_learns_from_the_first_failures_and_may_repeat(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("dry", space, seed=5, storage=memory)
    for _ in range(6):
        trial = campaign.ask()
        campaign.tell(trial, "failure")
    assert campaign.best().probability < 0.45
    campaign.tell_new(3, 1)
    campaign.tell_new(3, 1)
    assert campaign.best().probability > 0.3
    assert campaign.status().told == 8


def test_rewind_is_the_campaign_as_it_stood(store: Storage, space: Space) -> None:
    campaign = Campaign.create("nanotubes", space, seed=3, storage=store)
    seen = []
    for i in range(4):
        campaign.tell(campaign.ask(), i % 2)
        seen.append((campaign.status().events, campaign.best(), campaign.history(), campaign.advice()))
    campaign.correct(1, 1)
    for events, best, history, advice in seen:
        then = campaign.rewind(events)
        assert (then.best(), then.history(), then.advice()) == (best, history, advice)
        assert then.status().viewed_at == events
    assert campaign.rewind(0).status().told == 0
    for write in (then.ask, lambda: then.tell(1, 1), lambda: then.note("x"), lambda: then.withdraw(1)):
        with pytest.raises(Conflict, match="to look at only"):
            write()
    assert campaign.status().events == 9


def test_the_budget(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("short", space, budget=3, seed=1, storage=memory)
    campaign.tell_new(0, 1)  # history is no part of the budget
    campaign.ask()
    with pytest.raises(Conflict, match="3 trials, 1 are used and 3 more"):
        campaign.ask_batch(3)
    second = campaign.ask()
    assert second.heading == "Trial 3 (2 of 3)"
    campaign.withdraw(second)
    campaign.ask_batch(2)
    with pytest.raises(Conflict, match="beyond_budget=True"):
        campaign.ask()
    assert "budget is used up" in str(campaign.advice())
    assert campaign.ask(beyond_budget=True).number == 6


def test_the_belief_is_that_of_the_core(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("plain", space, prior=2.0, link="probit", storage=memory, seed=1)
    for row, y in ((3, 1), (9, 0), (3, 1)):
        campaign.tell_new(row, y)
    X = space.design().matrix(space)
    expected = core.fit(core.prior(4, precision=2.0, link="probit", method="ep"), X[[3, 9, 3]], [1, 0, 1]).belief
    assert belief_to_dict(campaign.belief) == belief_to_dict(expected)


def test_the_order_of_outcomes_does_not_matter(memory: Storage, space: Space) -> None:
    told = [(3, 1, 1), (9, 0, 1), (3, 2, 3), (20, 1, 1), (9, 1, 2), (31, 0, 1)]
    beliefs = []
    for i, order in enumerate([range(6), [5, 2, 0, 4, 1, 3], range(5, -1, -1)]):
        campaign = Campaign.create(f"shuffled {i}", space, storage=memory, seed=1)
        for row, won, of in (told[k] for k in order):
            campaign.tell_new(row, won, of=of)
        beliefs.append(belief_to_dict(campaign.belief))
    assert beliefs[0] == beliefs[1] == beliefs[2]


def test_open_by_path(tmp_path: Path, space: Space) -> None:
    path = tmp_path / "lab.db"
    made = Campaign.create("nanotubes", space, storage=path, seed=1)
    made.tell_new(1, 1)
    again = Campaign.open(storage=str(path))
    assert again.best() == made.best()
    assert repr(again) == "Campaign('nanotubes', 32 alternatives, 1 trial)"
    for one in (made, again):
        with closing(one.storage):
            pass
