"""The policy of a campaign: any that is registered, kept by name and parameters, explained, refused in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from sureshot import core
from sureshot.campaign import Campaign
from sureshot.campaign.model.situation import situation_of
from sureshot.core.links import LINKS
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import (
    POLICIES,
    Abilities,
    Policy,
    Situation,
    decide,
    default_policy,
    get_policy,
    register_policy,
)
from sureshot.policies.rules.ucb import upper_bound
from sureshot.space import Space
from sureshot.storage import Storage


@dataclass(frozen=True)
class Last(Policy):
    """The last alternatives of the pool first."""

    step: int = 1
    name: ClassVar[str] = "last"
    abilities: ClassVar[Abilities] = Abilities(online=False, contextual=False)
    because: ClassVar[str] = "it stands last"

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        return np.arange(len(situation.X)) // self.step * 1.0


@pytest.fixture
def last() -> Iterator[type[Policy]]:
    register_policy(Last)
    yield Last
    POLICIES.pop("last", None)


@pytest.mark.parametrize(
    "given", ["ucb alpha=2", {"name": "ucb", "alpha": 2}, get_policy("ucb", alpha=2)], ids=["line", "mapping", "made"]
)
def test_a_policy_is_kept_by_name_and_parameters(memory: Storage, space: Space, given: Any) -> None:
    made = Campaign.create("x", space, policy=given, seed=1, storage=memory)
    assert made.spec.to_dict()["policy"] == {"name": "ucb", "alpha": 2}
    opened = Campaign.open("x", memory)
    assert opened.spec.policy == get_policy("ucb", alpha=2)
    trial = opened.ask()
    bound = upper_bound(made.belief, made.spec.pool.matrix(), 2.0)
    assert bound[trial.alternative] == pytest.approx(bound.max())
    assert made.status().policy == {"name": "ucb", "alpha": 2}


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_every_policy_can_run_a_campaign_and_says_why(memory: Storage, space: Space, name: str) -> None:
    objective: Any = "offline" if POLICIES[name].abilities.offline else "online"
    made = Campaign.create("x", space, policy=name, objective=objective, budget=9, seed=1, storage=memory)
    for i in range(6):
        made.tell(made.ask(), i % 2)
    batch = made.ask_batch(2)
    for trial in batch:
        told = str(made.why(trial))
        assert f"{name} chose it: {POLICIES[name].because}." in told
        assert "Trial" in told
        assert trial.value >= 0.0
    assert POLICIES[name].because != Policy.because


def test_random_first_trials_are_explained_as_such(memory: Storage, space: Space) -> None:
    made = Campaign.create("x", space, policy="expected-improvement", seed=1, storage=memory)
    for _ in range(5):
        trial = made.ask()
        assert "expected-improvement begins with a few trials drawn at random, and this is one of them." in str(
            made.why(trial)
        )
        made.tell(trial, 1)
    assert "chose it: its chance is expected to exceed" in str(made.why(made.ask()))


def test_a_policy_of_ones_own(memory: Storage, space: Space, last: type[Policy]) -> None:
    made = Campaign.create("own", space, policy="last step=4", storage=memory)
    trial = made.ask()
    assert trial.alternative >= len(space) - 4
    assert "last chose it: it stands last. 4 alternatives were as good to try" in str(made.why())
    POLICIES.pop("last")
    with pytest.raises(InvalidInput, match=r"register its class first, register_policy\(Last\)"):
        Campaign.create("again", space, policy=last(), storage=memory)


def test_only_a_decision_needs_the_policy(memory: Storage, space: Space, last: type[Policy]) -> None:
    Campaign.create("own", space, policy="last step=4", seed=1, storage=memory).ask()
    POLICIES.pop("last")
    opened = Campaign.open("own", memory)
    with pytest.raises(UnknownName, match=r"by the policy 'last', which is not known here: .* or name that in SURESH"):
        opened.ask_batch(2)
    opened.tell(1, "success")
    opened.correct(1, "failure")
    opened.note("no policy here")
    assert opened.status().policy == {"name": "last", "step": 4}
    assert opened.history()[0].corrections == 1
    assert "last chose it" in str(opened.why(1))
    assert opened.best().label
    assert opened.advice().words
    assert opened.export()["spec"]["policy"] == {"name": "last", "step": 4}
    other = Campaign.create_from("other", opened, policy="kg")
    assert other.ask().number == 2
    assert opened.compare(other).campaigns[0].policy == "last"
    opened.withdraw(1)
    register_policy(last)
    assert opened.ask().alternative >= len(space) - 4


def test_a_policy_whose_parameters_changed_is_refused_when_it_is_to_decide(memory: Storage, space: Space) -> None:
    kept = Campaign.create("x", space, policy="ucb", storage=memory).spec.to_dict()
    memory.create_campaign("later", {**kept, "policy": {"name": "ucb", "beta": 2}}, seed=1)
    opened = Campaign.open("later", memory)
    assert opened.status().policy == {"name": "ucb", "beta": 2}
    with pytest.raises(UnknownName, match="by the policy 'ucb', which has other parameters now"):
        opened.ask()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"policy": "tompson"}, "Did you mean 'thompson'"),
        ({"policy": "ucb alfa=2"}, "Did you mean 'alpha'"),
        ({"policy": "ucb alpha=many"}, "`alpha` of policy 'ucb' must be a finite number"),
        ({"policy": {"alpha": 2}}, "a name, a mapping with a name, or a policy"),
        ({"policy": "online-kg"}, "'online-kg' can't deal with an offline objective"),
        ({"policy": "last", "objective": "online"}, "'last' can't deal with an online objective"),
        ({"policy": "last", "context": {"age": (1, 2)}}, "'last' can't deal with contexts"),
        ({"policy": "thompson", "cost": [1.0] * 32}, "'thompson' can't deal with costs"),
        ({"link": "own-logit"}, "can't deal with a link without a mixture of probits: choose another policy .'kg'"),
    ],
)
def test_what_a_policy_cannot_do_is_refused_when_the_campaign_is_made(
    memory: Storage, space: Space, last: type[Policy], given: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = replace(core.LOGIT, name="own-logit", probits=None)
    monkeypatch.setitem(LINKS, own.name, own)
    with pytest.raises((InvalidInput, UnknownName), match=says):
        Campaign.create("x", space, storage=memory, **given)
    assert memory.campaigns() == ()


def test_a_link_of_ones_own_serves_with_kg(memory: Storage, space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    own = replace(core.LOGIT, name="own-logit", probits=None)
    monkeypatch.setitem(LINKS, own.name, own)
    made = Campaign.create("x", space, policy="kg", link="own-logit", seed=1, storage=memory)
    made.tell(made.ask(), 1)
    assert made.ask().value > 0.0
    assert made.advice().go_on
    assert made.best().probability > 0.5


def test_campaigns_of_earlier_versions_use_the_default(memory: Storage, space: Space) -> None:
    made = Campaign.create("new", space, seed=1, storage=memory)
    kept, first = made.spec.to_dict(), made.ask()
    for version in (1, 2):
        old = {k: v for k, v in kept.items() if k != "policy"} | {"version": version}
        memory.create_campaign(f"old {version}", old, seed=1)
        opened = Campaign.open(f"old {version}", memory)
        assert opened.spec.policy == get_policy(default_policy(grid=opened.spec.pool.space.is_grid))
        assert opened.ask().alternative == first.alternative


def test_the_situation_holds_counts_pending_costs_and_what_is_left(memory: Storage, space: Space) -> None:
    made = Campaign.create("x", space, budget=9, cost=[2.0] * 32, seed=1, storage=memory)
    made.tell_new(3, 4, of=5)
    made.tell_new(3, 1)
    made.tell_new({"power": 9.5, "ethylene": 10, "catalyst": "Fe"}, 0)
    waiting = made.ask()
    made.withdraw(made.ask())
    X = made.spec.pool.matrix()
    now = situation_of(made.spec, made._log.ledger, made.belief, X, None)
    assert (now.outcomes.tolist(), now.of.tolist()) == ([4, 1, 0], [5, 1, 1])
    won, tries = now.counts
    assert (won[3], tries[3], tries.sum()) == (5, 6, 6)
    assert now.pending is not None
    assert now.pending.tolist() == X[[waiting.alternative]].tolist()
    assert (now.trials_left, now.objective, now.contextual, now.finals) == (8, "offline", False, None)
    assert now.cost is made.spec.costs
    (decision,) = decide(made.spec.policy, now, made._log.rng(made._log.ledger.last + 1, stream=0))
    trial = made.ask()
    assert (trial.alternative, trial.value) == (decision.alternative, decision.value)
