"""Every policy passes the conformance suite, a policy of one's own may run it, and it catches broken ones."""

# ruff: noqa: ARG002 - every policy gets the generator, few need it

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from sureshot.errors import InvalidInput
from sureshot.policies import POLICIES, Abilities, Policy, Situation, get_policy
from sureshot.testing import PolicyConformance

REFUSED = {
    "epsilon-greedy": ({"epsilon": -0.1}, {"epsilon": 1.1}),
    "most-uncertain": ({"repeats": 1}, {"repeats": "no"}),
    "disc": ({"alpha": -1.0}, {"alpha": None}, {"alpha": True}),
    "expected-improvement": ({"best": "some"},),
    "thompson": ({"scale": -1.0},),
    "top-two-thompson": ({"beta": -0.1}, {"beta": 1.5}),
    "ucb": ({"alpha": -1.0}, {"alpha": 31.0}),
    "glm-ucb": ({"alpha": -1.0},),
    "information-directed": ({"draws": 0}, {"draws": 100.0}),
    "max-value-entropy": ({"draws": 0}, {"draws": 2.5}),
    "kg-star": ({"repeats": 0}, {"repeats": 65}),
    "online-kg": ({"tau": -1.0}, {"tau": float("nan")}, {"lookahead": "guess"}),
}


def _suite(name: str) -> type[PolicyConformance]:
    return type(
        f"Test_{name.replace('-', '_')}",
        (PolicyConformance,),
        {"policy": get_policy(name), "refused": REFUSED.get(name, ())},
    )


for _name in POLICIES:
    _made = _suite(_name)
    globals()[_made.__name__] = _made


def _tests(suite: type[PolicyConformance]) -> list[str]:
    return [name for name in dir(suite) if name.startswith("test_")]


# Broken policies, each wrong in one way, and the test that must catch it.


@dataclass(frozen=True)
class Broken(Policy):
    name: ClassVar[str] = "broken"

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return situation.probability.copy()


@dataclass(frozen=True)
class WrongShape(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return situation.probability[:-1].copy()


@dataclass(frozen=True)
class NotFinite(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return np.where(situation.tried, -np.inf, situation.probability)


@dataclass(frozen=True)
class Warns(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return np.nan_to_num(np.log(situation.X @ np.zeros(situation.X.shape[1])))


@dataclass(frozen=True)
class NeedsHistory(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        last = situation.rows[-1] if len(situation.rows) else np.array([np.nan])
        return situation.probability + last.sum()


@dataclass(frozen=True)
class OwnChance(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return np.random.default_rng().random(len(situation.X))


@dataclass(frozen=True)
class HandsOutItsInput(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return situation.probability


@dataclass(frozen=True)
class Scribbles(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        situation.outcomes[:] = 1
        return situation.probability.copy()


@dataclass(frozen=True)
class Remembers(Broken):
    seen: list[int] = field(default_factory=list, compare=False)

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        self.seen.append(1)
        return situation.probability.copy()


@dataclass(frozen=True)
class ByPosition(Broken):
    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return np.arange(len(situation.X), dtype=float)


@dataclass(frozen=True)
class DrawsByPosition(Broken):
    randomised: ClassVar[bool] = True

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return rng.random(len(situation.X)) ** np.arange(1, len(situation.X) + 1)


@dataclass(frozen=True)
class IgnoresCosts(Broken):
    abilities: ClassVar[Abilities] = Abilities(cost=True)


@dataclass(frozen=True)
class NoObjective(Broken):
    abilities: ClassVar[Abilities] = Abilities(offline=False, online=False)


@dataclass
class NotFrozen(Policy):
    name: ClassVar[str] = "not-frozen"

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:
        return situation.probability.copy()


@dataclass(frozen=True)
class BadName(Broken):
    name: ClassVar[str] = "Bad Name"


@dataclass(frozen=True)
class Unchecked(Broken):
    alpha: float = 1.0


@dataclass(frozen=True)
class UnnamedError(Broken):
    alpha: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, float) or not np.isfinite(self.alpha):
            raise InvalidInput("that is no good.")


def _local() -> Policy:
    @dataclass(frozen=True)
    class Local(Broken):
        pass

    return Local()


@pytest.mark.parametrize(
    ("made", "test", "says"),
    [
        (WrongShape, "test_scores_are_finite_one_for_each_alternative", r"of 6 alternatives, got numbers of shape \("),
        (NotFinite, "test_scores_are_finite_one_for_each_alternative", "must give one finite score for each of 6"),
        (Warns, "test_scores_are_finite_one_for_each_alternative", "must not warn"),
        (NeedsHistory, "test_nothing_is_tried_yet", "got nan for alternative 0"),
        (OwnChance, "test_the_same_generator_gives_the_same_scores", "same generator"),
        (HandsOutItsInput, "test_asking_changes_nothing", "array of their own"),
        (Scribbles, "test_asking_changes_nothing", "`outcomes` of the situation was changed"),
        (Remembers, "test_asking_changes_nothing", "must not change the policy"),
        (ByPosition, "test_the_order_of_the_pool_does_not_matter", "must move with their alternatives"),
        (ByPosition, "test_copies_of_one_alternative", "must score alike"),
        (DrawsByPosition, "test_the_order_of_the_pool_does_not_matter", "in another order"),
        (IgnoresCosts, "test_costs", "abilities.cost is declared"),
        (NoObjective, "test_its_abilities_are_declared", "at least one objective"),
        (NotFrozen, "test_it_is_a_frozen_dataclass_with_a_name", "must be frozen"),
        (BadName, "test_it_is_a_frozen_dataclass_with_a_name", "must be like 'kg-exact'"),
        (Unchecked, "test_bad_parameters_are_refused_at_construction", "must be refused"),
        (UnnamedError, "test_bad_parameters_are_refused_at_construction", "must name the parameter"),
        (_local, "test_it_can_be_sent_to_another_process", "must be picklable"),
    ],
)
def test_a_broken_policy_is_caught(made: Callable[[], Policy], test: str, says: str) -> None:
    suite = type("Suite", (PolicyConformance,), {"policy": made()})
    with pytest.raises(AssertionError, match=says):
        getattr(suite(), test)()


def test_a_sound_policy_of_ones_own_passes_all() -> None:
    suite = type("Suite", (PolicyConformance,), {"policy": Broken()})
    assert len(_tests(suite)) == 20
    for name in _tests(suite):
        getattr(suite(), name)()
