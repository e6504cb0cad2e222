"""A policy of one's own that can't give scores is refused when the campaign is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.errors import InvalidInput
from sureshot.policies import POLICIES, Abilities, Policy, Situation, register_policy
from sureshot.space import Actions, Space
from sureshot.storage import Storage

SPACE = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])


@dataclass(frozen=True)
class Own(Policy):
    name: ClassVar[str] = "own"
    abilities: ClassVar[Abilities] = Abilities(cost=True)
    says: ClassVar[Callable[[Situation], Any]]
    quickly: ClassVar[Callable[[Situation], Any]]
    seen: ClassVar[list[Situation]]

    def scores(self, situation: Situation, rng: np.random.Generator) -> Any:  # noqa: ARG002
        type(self).seen.append(situation)
        return type(self).says(situation)

    def quick(self, situation: Situation, rng: np.random.Generator) -> Any:  # noqa: ARG002
        return type(self).quickly(situation)


@pytest.fixture
def own() -> Iterator[Any]:
    Own.says, Own.quickly, Own.seen, Own.abilities = _fine, lambda _: None, [], Abilities(cost=True)
    register_policy(Own)
    yield Own
    POLICIES.pop("own")


def _fine(now: Situation) -> Any:
    return now.probability


def _later(now: Situation) -> Any:
    return now.probability if not len(now.outcomes) else now.probability[1:]


def _raises(now: Situation) -> Any:
    return now.nothing  # type: ignore[attr-defined]


def _hole(now: Situation) -> Any:
    return np.where(np.arange(len(now.X)) == 5, -np.inf, 0.0)


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (
            lambda _: [1.0] * 3,
            r"one finite score for each of 8 alternatives, got numbers of shape \(3,\): fix the policy",
        ),
        (lambda _: np.ones((8, 1)), r"got numbers of shape \(8, 1\)"),
        (lambda _: 1.0, r"got numbers of shape \(\)"),
        (lambda _: None, r"for each of 8 alternatives, got numbers of shape \(\)"),
        (lambda _: "high", "for each of 8 alternatives, got 'high'"),
        (lambda _: np.full(8, np.nan), "got nan for alternative 0"),
        (_hole, "got -inf for alternative 5"),
        (_later, r"got numbers of shape \(7,\)"),
        (_raises, "must give a score for each alternative of this campaign, got AttributeError: .* has no attribute"),
    ],
)
def test_scores_that_are_none(memory: Storage, own: Any, says: Any, why: str) -> None:
    own.says = says
    with pytest.raises(InvalidInput, match=why) as found:
        Campaign.create("x", SPACE, policy="own", storage=memory)
    assert memory.campaigns() == ()
    assert (found.value.field, found.value.value, bool(found.value.fix)) == ("policy", "own", True)


def test_a_quick_look_is_tried_too(memory: Storage, own: Any) -> None:
    own.quickly = lambda now: now.probability[:2]
    with pytest.raises(InvalidInput, match=r"one finite quick score for each of 8 alternatives, got .* \(2,\)"):
        Campaign.create("x", SPACE, policy="own", storage=memory)


def test_whole_numbers_and_lists_are_scores(memory: Storage, own: Any) -> None:
    own.says = lambda now: list(range(len(now.X)))
    assert Campaign.create("x", SPACE, policy="own", storage=memory).ask().alternative == 7


@pytest.mark.parametrize(
    "aim",
    [
        {"budget": 9, "cost": [1.0] * 8},
        {"objective": "online"},
        {"objective": "online", "budget": 9},
        {"context": {"age": (18, 90), "ward": ["A", "B"], "diabetic": bool}},
        {"context": {"age": (18, 90), "ward": ["A", "B"]}, "formula": "power", "context_formula": "ward"},
        {"context": {"age": (18, 90)}, "prior": 1.0},
    ],
)
def test_it_is_tried_in_a_situation_of_the_campaign(memory: Storage, own: Any, aim: dict[str, Any]) -> None:
    made = Campaign.create("x", SPACE, policy="own", storage=memory, **aim)
    begin, after = own.seen
    assert begin.objective == after.objective == aim.get("objective", "offline")
    assert begin.trials_left == aim.get("budget")
    assert (begin.cost is not None) == ("cost" in aim)
    assert begin.contextual == ("context" in aim)
    assert begin.X.shape == (8, made.spec.pool.design.width)
    assert (len(begin.outcomes), after.outcomes.tolist()) == (0, [1, 0])
    made.spec.policy.scores(begin, np.random.default_rng(0))


def test_one_that_starts_at_random_is_tried_after_its_start(memory: Storage, own: Any) -> None:
    own.abilities = Abilities(starts=5)
    Campaign.create("x", SPACE, policy="own", storage=memory)
    assert [len(one.outcomes) for one in own.seen] == [5]


def test_a_large_pool_is_tried_in_part(memory: Storage, own: Any) -> None:
    Campaign.create("x", Space.grid(a=list(range(20)), b=list(range(20))), policy="own", storage=memory)
    assert {len(one.X) for one in own.seen} == {37}
    Campaign.create("y", Actions(["a", "b"]), policy="own", storage=memory)


def test_scores_that_fail_later_are_refused_when_a_trial_is_chosen(memory: Storage, own: Any) -> None:
    made = Campaign.create("x", SPACE, policy="own", storage=memory)
    own.says = lambda now: np.full(len(now.X), np.nan)
    with pytest.raises(InvalidInput, match="got nan for alternative 0"):
        made.ask()
    assert made.history() == ()


def test_one_that_knows_no_pending_trials_asks_for_the_outcome_first(memory: Storage, own: Any) -> None:
    own.abilities = Abilities(pending=False)
    made = Campaign.create("x", SPACE, policy="own", storage=memory)
    with pytest.raises(InvalidInput, match=r"'own' can't deal with pending trials: ask for one trial at a time, and "):
        made.ask_batch(2)
    first = made.ask()
    with pytest.raises(InvalidInput, match=r"tell its outcome or withdraw it before you ask for the next\.$"):
        made.ask()
    made.tell(first, 1)
    assert made.ask().number == 2
