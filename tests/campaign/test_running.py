"""Experiments that are a function: asked, called, told."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

from sureshot import Campaign, Space
from sureshot.errors import InvalidInput, Recorded, UnknownName
from sureshot.space import Actions
from sureshot.storage import Storage


@pytest.fixture
def campaign(space: Space, memory: Storage) -> Campaign:
    return Campaign.create("simulated", space, budget=6, policy="random", seed=1, storage=memory)


def test_it_asks_calls_and_tells_as_one_would_by_hand(space: Space, campaign: Campaign) -> None:
    seen: list[dict[str, Any]] = []

    def works(levels: dict[str, Any]) -> bool:
        seen.append(levels)
        return bool(levels["power"] > 9)

    told: list[tuple[int, int, int]] = []
    rows = campaign.run(works, 4, author="robot", progress=lambda row, done, of: told.append((row.trial, done, of)))
    by_hand = Campaign.create("simulated", space, budget=6, policy="random", seed=1, storage=":memory:")
    for _ in range(4):
        trial = by_hand.ask(author="robot")
        by_hand.tell(trial, trial.levels["power"] > 9, author="robot")
    assert [row.levels for row in rows] == seen == [row.levels for row in by_hand.history()]
    assert [row.successes for row in rows] == [row.successes for row in by_hand.history()]
    assert {(row.opened_by, row.told_by) for row in rows} == {("robot", "robot")}
    assert told == [(1, 1, 4), (2, 2, 4), (3, 3, 4), (4, 4, 4)]


def test_it_ends_with_the_budget(campaign: Campaign) -> None:
    assert len(campaign.run(lambda _: "success", 2)) == 2
    assert len(campaign.run(lambda _: (3, 4), 99)) == 4
    assert campaign.history()[-1].outcome == "success in 3 of 4"
    assert campaign.run(lambda _: 1) == ()


def test_without_a_budget_it_must_be_told_how_often(space: Space, memory: Storage) -> None:
    open_end = Campaign.create("open", space, policy="random", storage=memory)
    with pytest.raises(InvalidInput, match="no budget: write n=30"):
        open_end.run(lambda _: 1)
    assert len(open_end.run(lambda _: 1, 3)) == 3


@pytest.mark.parametrize("n", [0, -1, 1.0, True, "3"])
def test_a_bad_number_is_refused(campaign: Campaign, n: Any) -> None:
    with pytest.raises(InvalidInput, match="`n` must be a whole number"):
        campaign.run(lambda _: 1, n)
    with pytest.raises(InvalidInput, match="`function` must take the levels"):
        campaign.run("function", 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("error", [ValueError("boom"), KeyboardInterrupt()])
def test_a_trial_whose_function_raises_is_withdrawn(campaign: Campaign, error: BaseException) -> None:
    calls = iter([1, 0, error])

    def breaks(_: dict[str, Any]) -> int:
        found = next(calls)
        if isinstance(found, BaseException):
            raise found
        return found

    with pytest.raises(type(error)) as caught:
        campaign.run(breaks)
    label = campaign.history()[-1].label
    assert caught.value.__notes__ == [f"in trial 3 of campaign 'simulated' ({label}), which is withdrawn"]
    assert [row.state for row in campaign.history()] == ["told", "told", "withdrawn"]
    assert campaign.history()[-1].notes == (f"the function raised {type(error).__name__}: {error}",)
    assert len(campaign.run(lambda _: 1)) == 4  # its place in the budget is free again


def test_what_is_no_outcome_is_treated_alike(campaign: Campaign) -> None:
    with pytest.raises(UnknownName, match="unknown outcome 'maybe'"):
        campaign.run(lambda _: "maybe")
    assert [row.state for row in campaign.history()] == ["withdrawn"]


def test_an_outcome_that_is_recorded_is_not_taken_back_where_something_fails_after_it(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = campaign.tell

    def told(*given: Any, **more: Any) -> Any:
        tell(*given, **more)
        raise Recorded("the server is gone")

    monkeypatch.setattr(campaign, "tell", told)
    with pytest.raises(Recorded):
        campaign.run(lambda _: True, 1)
    assert campaign.row(1).outcome == "success"


def test_cases_come_one_by_one(memory: Storage) -> None:
    desk = Campaign.create(
        "desk", Actions(["wait", "treat"]), context={"age": (18, 90)}, policy="random", storage=memory
    )
    got: list[tuple[Any, Any]] = []

    def works(levels: dict[str, Any], case: dict[str, Any]) -> bool:
        got.append((levels["action"], case["age"]))
        return True

    desk.run(works, 2, context={"age": 30})
    desk.run(works, 2, context=cycle([{"age": 40}, {"age": 50}]))
    desk.run(works, 1, context=lambda: {"age": 60})
    assert [age for _, age in got] == [30, 30, 40, 50, 60]
    assert [row.context for row in desk.history()] == [{"age": age} for _, age in got]
    with pytest.raises(InvalidInput, match="decides in a context: give"):
        desk.run(works, 1)


def test_a_campaign_without_cases_refuses_one(campaign: Campaign) -> None:
    with pytest.raises(InvalidInput, match="has no contexts, got one: leave `context` out"):
        campaign.run(lambda _: 1, 1, context={"age": 3})


def test_an_error_with_odd_letters_is_still_the_error_and_the_trial_is_withdrawn():
    campaign = Campaign.create("odd", Space.grid(power=[8, 10]), seed=1, storage=":memory:")

    def raising(_):
        raise ValueError("a\x00b\ud800")

    with pytest.raises(ValueError, match="a"):
        campaign.run(raising, 2)
    assert campaign.history()[0].state == "withdrawn"


def test_it_ends_with_the_cases():
    desk = Campaign.create("desk", Space.grid(action=["a", "b"]), context={"age": (18, 90)}, seed=1, storage=":memory:")
    rows = desk.run(lambda _, case: case["age"] > 30, 5, context=iter([{"age": 20}, {"age": 60}]))
    assert [row.context["age"] for row in rows] == [20, 60]
