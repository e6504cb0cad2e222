"""The registry: names, parameters, refusals."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from sureshot import policies
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import POLICIES, Policy, Situation, get_policy, policy_of, register_policy
from sureshot.policies.named import parameters

EXPECTED = {
    "random", "greedy", "epsilon-greedy", "most-uncertain", "disc", "expected-improvement", "thompson",
    "top-two-thompson", "ucb", "glm-ucb", "information-directed", "bald", "max-value-entropy", "kg", "kg-exact",
    "kg-star", "draw-then-kg", "online-kg",
}  # fmt: skip


def test_every_policy_is_there() -> None:
    assert set(POLICIES) == EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_policy_stands_in_the_module_of_its_name(name: str) -> None:
    module = inspect.getmodule(POLICIES[name])
    assert module is not None
    assert module.__name__ == f"sureshot.policies.rules.{name.replace('-', '_')}"


def test_parameters_and_their_defaults() -> None:
    assert parameters(POLICIES["disc"]) == {"alpha": 1.0}
    assert parameters(POLICIES["expected-improvement"]) == {"best": "measured"}
    assert parameters(POLICIES["kg"]) == {}
    assert get_policy("ucb", alpha=2) == policies.get_policy("ucb", alpha=2.0)


def test_misses_name_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'top-two-thompson'"):
        get_policy("top-two-thomson")
    with pytest.raises(UnknownName, match=r"unknown parameter of policy 'ucb' 'alfa'.*Did you mean 'alpha'"):
        get_policy("ucb", alfa=1.0)
    with pytest.raises(InvalidInput, match="'kg' has no parameters"):
        get_policy("kg", alpha=1.0)
    with pytest.raises(InvalidInput, match="`alpha` of policy 'ucb' must be a finite number between 0 and 30, got -1"):
        get_policy("ucb", alpha=-1)
    with pytest.raises(InvalidInput, match="`draws` of policy 'information-directed' must be a whole number"):
        get_policy("information-directed", draws=20.5)


def test_a_policy_of_ones_own_is_known_by_its_name_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.policies.registry.POLICIES", dict(POLICIES))

    @register_policy
    @dataclass(frozen=True)
    class First(Policy):
        name: ClassVar[str] = "first"

        def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
            return -np.arange(len(situation.X), dtype=float)

    assert get_policy("first") == First()
    with pytest.raises(InvalidInput, match="'first' is already known"):
        register_policy(First)


def test_a_line_says_each_thing_once() -> None:
    with pytest.raises(
        InvalidInput, match="the name of a policy stands first, got 'name' again in 'ucb name=thompson'"
    ):
        policy_of("ucb name=thompson")
    with pytest.raises(InvalidInput, match=r"a parameter must be given once, got 'alpha' again in .*: remove one"):
        policy_of("ucb alpha=1 alpha=2")


def test_auto_stands_for_the_default_where_there_is_one() -> None:
    assert policy_of("auto", default="kg-star").name == policy_of({"name": "auto"}, default="kg-star").name == "kg-star"
    with pytest.raises(InvalidInput, match=r"'auto' has no parameters, got 'repeats': name the policy, 'kg' here"):
        policy_of("auto repeats=3", default="kg")
    with pytest.raises(UnknownName, match=r"unknown policy 'atuo': choose one of 'auto', .* Did you mean 'auto'"):
        policy_of("atuo", default="kg")
    with pytest.raises(UnknownName, match="unknown policy 'auto'"):
        policy_of("auto")  # a study names its policies
