"""``open_or_create``: the campaign that is there, if it is the one that is described."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sureshot import Campaign, Space
from sureshot.errors import Conflict, InvalidInput
from sureshot.space import Actions
from sureshot.storage import Storage, open_storage

SAID: dict[str, Any] = {
    "budget": 30,
    "shape": "curved",
    "success": "ok",
    "policy": "ucb alpha=2",
    "cost": 0.002,
    "seed": 7,
}


def test_it_is_made_once_and_opened_afterwards(space: Space, store: Storage) -> None:
    first = Campaign.open_or_create("tubes", space, storage=store, **SAID)
    first.tell_new(0, "ok")
    again = Campaign.open_or_create("tubes", space, storage=store, **SAID)
    assert again.history() == first.history()
    assert again.spec.to_dict() == first.spec.to_dict()
    bare = Campaign.open_or_create(
        "tubes", Space.grid(power=[8, 10, 12, 14], ethylene="10:40:10 sccm", catalyst="Fe,Co"), storage=store
    )
    assert bare.spec.budget == 30  # what is not said may be anything
    assert len(store.campaigns()) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"budget": 20}, r"budget \(there 30, here 20\)"),
        ({"budget": None}, r"budget \(there 30, here None\)"),
        ({"shape": "straight"}, r"model \(there shape curved, here shape straight\)"),
        ({"formula": "power"}, r"model \(there shape curved, here formula power\)"),
        ({"success": "fine"}, r"success \(there ok, here fine\)"),
        ({"failure": "broken"}, r"failure \(there failure, here broken\)"),
        ({"policy": "thompson"}, r"policy \(there ucb alpha=2, here thompson scale=1\)"),
        ({"cost": 0.01}, "cost"),
        ({"seed": 8}, r"seed \(there 7, here 8\)"),
        ({"objective": "online"}, r"objective \(there offline, here online\)"),
        ({"link": "probit"}, r"link \(there logit, here probit\)"),
        ({"prior": 2.0}, r"prior \(there auto, here 2.0\)"),
        ({"budget": 20, "seed": 8}, r"budget \(there 30, here 20\); seed \(there 7, here 8\)"),
    ],
)
def test_a_difference_in_what_is_said_is_named(space: Space, memory: Storage, change: Any, words: str) -> None:
    Campaign.create("tubes", space, storage=memory, **SAID)
    with pytest.raises(Conflict, match=f"'tubes' is there already and differs in {words}: say it as it is there"):
        Campaign.open_or_create("tubes", space, storage=memory, **change)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Space.grid(power=[8, 10], gas=["Ar", "He"]), r"the levels of power \(there 8, 10, 12, here 8, 10\)"),
        (Space.grid(power="8,10,12 W", gas=["Ar", "He"]), r"the levels of power \(there 8, 10, 12, here 8, 10, 12 W\)"),
        (Space.grid(power=[8, 10, 12]), r"the parameters \(there power, gas, here power\)"),
        (Space.grid(power=[8, 10, 12], gas=["Ar", "He"], where="power < 12 or gas == 'Ar'"), "number of alternatives"),
    ],
)
def test_other_alternatives_are_named(memory: Storage, other: Space, words: str) -> None:
    Campaign.create("tubes", Space.grid(power=[8, 10, 12], gas=["Ar", "He"]), storage=memory)
    with pytest.raises(Conflict, match=f"differs in .*{words}"):
        Campaign.open_or_create("tubes", other, storage=memory)


def test_cases_are_compared(memory: Storage) -> None:
    actions = Actions(["wait", "treat"])
    Campaign.create("desk", actions, context={"age": (18, 90), "ward": ["A", "B"]}, storage=memory)
    Campaign.open_or_create("desk", actions, context={"age": (18, 90), "ward": ["A", "B"]}, storage=memory)
    with pytest.raises(Conflict, match="differs in context"):
        Campaign.open_or_create("desk", actions, context={"age": (0, 90), "ward": ["A", "B"]}, storage=memory)


def test_left_to_sureshot_is_no_difference(space: Space, memory: Storage) -> None:
    Campaign.create("tubes", space, storage=memory, **SAID)
    Campaign.open_or_create("tubes", space, policy="auto", shape=None, link=None, seed=None, storage=memory)


def test_what_is_wrong_is_refused_as_ever(space: Space, memory: Storage, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="budget"):
        Campaign.open_or_create("tubes", space, budget=0, storage=memory)
    assert memory.campaigns() == ()
    with pytest.raises(InvalidInput, match="budget"):
        Campaign.open_or_create("tubes", space, budget=0, storage=tmp_path / "store.db")
    assert not (tmp_path / "store.db").exists()
    with closing(Campaign.open_or_create("tubes", space, budget=1, storage=tmp_path / "store.db").storage) as store:
        assert len(store.campaigns()) == 1


def test_several_at_once_get_one_campaign(space: Space, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_storage(path).close()

    def made(_: int) -> str:
        campaign = Campaign.open_or_create("tubes", space, budget=30, storage=path)
        digest = campaign.export()["digest"]
        campaign.storage.close()
        return str(digest)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(made, range(8)))) == 1
