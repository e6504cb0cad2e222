"""A decision: what is chosen, and what a person is told about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sureshot import core, policies
from sureshot.core.lookahead import finals, knowledge_gradient_star
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import Decision
from sureshot.policies.decision import trial_values

RNG = np.random.default_rng(11)
POOL = RNG.uniform(-3, 3, size=(12, 2))
BELIEF, _ = core.observe_many(core.prior(2), POOL[[0, 5, 7]], [1, 0, 1])


def decided(policy: str = "kg-exact", belief: core.Belief = BELIEF, X: np.ndarray = POOL, **given: Any) -> Decision:
    return policies.decide(policy, policies.situation(belief, X, **given), 0)[0]


def test_the_first_step_of_a_symmetric_prior_is_random_not_the_first_row() -> None:
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    now = policies.situation(core.prior(2), corners)
    counts = np.bincount([policies.decide("kg-exact", now, seed)[0].alternative for seed in range(120)], minlength=4)
    assert counts.min() > 11  # 30 expected each; 11 is 4 standard deviations away
    assert decided(belief=core.prior(2), X=corners).tied == 4


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_ties_are_beside_the_size_of_the_scores(unit: float) -> None:
    scores = unit * np.array([0.5, 0.5 - 0.5e-9, 0.5 - 2e-8])
    assert {policies.choose(scores, np.random.default_rng(seed)) for seed in range(50)} == {0, 1}


@pytest.mark.parametrize("policy", ["kg", "kg-exact", "kg-star", "draw-then-kg"])
def test_the_unit_of_cost_changes_no_decision(policy: str) -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = np.vstack([POOL, POOL[:3]])
        belief, _ = core.observe_many(core.prior(2), X[rng.integers(12, size=6)], rng.integers(2, size=6))
        cost = rng.uniform(1.0, 3.0, len(X))
        cost[12:] = cost[:3]
        first, *others = (decided(policy, belief, X, cost=unit * cost, trials_left=9) for unit in (1.0, 1e7, 1e-7))
        for one in others:
            assert (one.alternative, one.tied, one.runner_up) == (first.alternative, first.tied, first.runner_up)


def test_a_decision_says_what_each_outcome_would_change() -> None:
    decision = decided(trials_left=1)
    values = policies.knowledge_gradient(BELIEF, POOL)
    assert decision.alternative == values.argmax()
    assert decision.value == pytest.approx(values.max(), abs=1e-12)
    assert decision.score == pytest.approx(values.max(), abs=1e-12)
    assert decision.now.alternative == core.predictive(BELIEF, POOL).argmax()
    assert decision.runner_up == np.argsort(values)[-2]
    assert decision.looked_at is None
    # the outlooks average to the value now plus the knowledge gradient: the definition, from the person's side
    p = decision.probability
    ahead = p * decision.on_success.probability + (1 - p) * decision.on_failure.probability
    assert ahead == pytest.approx(decision.now.probability + decision.value, abs=1e-8)


def test_the_value_is_per_trial_whatever_the_policy() -> None:
    star = knowledge_gradient_star(BELIEF, POOL, trials_left=16).score
    for policy in ("thompson", "kg-star", "ucb alpha=3"):
        decision = decided(policy, trials_left=16)
        assert decision.value == pytest.approx(star[decision.alternative], abs=1e-9)


def test_the_value_is_averaged_over_what_is_pending() -> None:
    for policy in ("kg-exact", "greedy", "thompson"):
        decision = decided(policy, trials_left=1, pending=POOL[[2, 4]])
        values = policies.knowledge_gradient(BELIEF, POOL, pending=POOL[[2, 4]])
        assert decision.value == pytest.approx(values[decision.alternative], abs=1e-12)


def test_the_outlook_is_what_the_outcome_really_leads_to() -> None:
    """Against weighted draws from the belief: P(x' succeeds | outcome)."""
    decision = decided()
    drawn = core.sample_probabilities(BELIEF, POOL, np.random.default_rng(2), size=400_000)
    here = drawn[:, decision.alternative]
    for outlook, weight in ((decision.on_success, here), (decision.on_failure, 1 - here)):
        after = weight @ drawn / weight.sum()
        assert after[outlook.alternative] == pytest.approx(outlook.probability, abs=4e-3)
        assert after.max() == pytest.approx(outlook.probability, abs=4e-3)


def test_online_prefers_success_as_the_trials_run_out() -> None:
    last = decided("online-kg", objective="online", trials_left=1)
    assert last.alternative == core.predictive(BELIEF, POOL).argmax()
    patient = decided("online-kg tau=1e6", objective="online")
    assert patient.alternative == policies.knowledge_gradient(BELIEF, POOL).argmax()


@pytest.mark.parametrize("policy", ["kg-exact", "draw-then-kg", "greedy"])
def test_a_batch_takes_what_is_pending_into_account(policy: str) -> None:
    now = policies.situation(BELIEF, POOL, trials_left=9)
    generator = np.random.default_rng(0)
    for decision in policies.decide(policy, now, 0, q=3):
        (alone,) = policies.decide(policy, now, generator)
        assert (alone, alone.value) == (decision, decision.value)
        now = now.asked(POOL[alone.alternative])
    assert now.trials_left == 6


def test_a_costly_trial_must_teach_more() -> None:
    best = decided().alternative
    cost = np.ones(len(POOL))
    cost[best] = 1e6
    dear = decided(cost=cost)
    assert dear.alternative != best
    assert dear.score == pytest.approx(policies.knowledge_gradient(BELIEF, POOL)[dear.alternative])


def test_a_pool_of_one_has_no_runner_up() -> None:
    decision = decided(X=POOL[:1])
    assert (decision.alternative, decision.runner_up, decision.value) == (0, None, pytest.approx(0.0, abs=1e-12))


def test_some_candidates_are_compared_with_all() -> None:
    values = policies.knowledge_gradient(BELIEF, POOL)
    rows = np.argsort(values)[:4]
    for policy in ("kg-exact", "kg-star repeats=1"):
        decision = decided(policy, candidates=rows)
        assert decision.alternative == rows[-1]
        assert decision.runner_up == rows[-2]
        assert decision.score == pytest.approx(values[rows[-1]], abs=1e-9)


def test_random_first_trials_come_before_the_policys_own() -> None:
    now = policies.situation(BELIEF, POOL, rows=POOL[:2], outcomes=[1, 0], pending=POOL[:1])
    picks = [policies.decide("expected-improvement", now, seed, q=3) for seed in range(40)]
    assert all([one.start for one in batch] == [True, True, False] for batch in picks)
    assert len({batch[0].alternative for batch in picks}) > 8
    assert picks[0][0].tied == len(POOL)


def test_a_constant_context_gives_the_context_free_decision_to_the_bit() -> None:
    actions = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    rows = core.in_context([0.4], actions)
    belief, _ = core.observe(core.prior(rows.shape[1]), rows[0], 1)
    seen = finals([core.in_context([0.4], actions)] * 5, d=rows.shape[1])
    given: dict[str, Any] = {"objective": "online", "trials_left": 4}
    free, often = decided("online-kg", belief, rows, **given), decided("online-kg", belief, rows, finals=seen, **given)
    assert (often, often.value) == (free, free.value)


def test_values_averaged_over_contexts_differ_from_those_at_this_context() -> None:
    actions = np.array([[1.0], [-1.0]])
    rows = core.in_context([2.0], actions, interactions=True)
    belief = core.prior(rows.shape[1])
    others = finals([core.in_context([c], actions, interactions=True) for c in (-2.0, 0.1)], d=rows.shape[1])
    here = policies.knowledge_gradient(belief, rows)
    averaged = policies.knowledge_gradient(belief, rows, finals=others)
    assert abs(here - averaged).max() > 0.01


def test_erratum_13_without_interactions_every_context_has_the_same_best_action() -> None:
    actions = RNG.normal(size=(4, 2))
    contexts = RNG.normal(size=(30, 2))

    def best(interactions: bool) -> set[int]:
        width = core.context_width(2, 2, interactions=interactions)
        w = np.random.default_rng(3).normal(size=width)
        return {int((core.in_context(c, actions, interactions=interactions) @ w).argmax()) for c in contexts}

    assert len(best(False)) == 1
    assert len(best(True)) > 1


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidInput, match="whole number of trials"):
        policies.decide("kg", policies.situation(BELIEF, POOL), 0, q=0)
    with pytest.raises(UnknownName, match="Did you mean 'thompson'"):
        decided("tompson")
    with pytest.raises(UnknownName, match="alpha"):
        decided("ucb alfa=2")
    with pytest.raises(InvalidInput, match="name=value, got 'alpha'"):
        decided("ucb alpha")
    with pytest.raises(InvalidInput, match="`trials_left` or a `discount`"):
        decided("online-kg", objective="online")
    with pytest.raises(InvalidInput, match="'online-kg' can't deal with an offline objective"):
        decided("online-kg")
    with pytest.raises(InvalidInput, match="'expected-improvement' can't deal with costs"):
        decided("expected-improvement", cost=np.ones(12))


def test_bad_contexts_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"one row of features, got shape \(1, 2\)"):
        core.in_context([[1.0, 2.0]], [[1.0]])
    with pytest.raises(InvalidInput, match="at least one alternative"):
        core.in_context([1.0], np.empty((0, 2)))


@pytest.mark.parametrize("policy", ["kg-star", "draw-then-kg"])
@pytest.mark.parametrize("pending", [None, POOL[[2]], POOL[[2, 4]]])
def test_a_score_that_is_the_value_is_not_worked_out_again(
    policy: str, pending: np.ndarray | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = policies.situation(BELIEF, POOL, trials_left=9, pending=pending, rows=POOL[[1]], outcomes=[1])
    (decision,) = policies.decide(policy, now, 1)
    assert decision.waiting is not None
    wanted = trial_values(now, POOL[[decision.alternative]], decision.waiting)[0]
    monkeypatch.setattr("sureshot.policies.decision.trial_values", None)
    assert decision.value == pytest.approx(wanted, abs=1e-8)


def test_a_score_by_cost_online_or_of_a_shorter_look_is_no_value() -> None:
    costs = np.linspace(1.0, 2.0, len(POOL))
    for policy, more in (
        ("kg-star", {"cost": costs}),
        ("kg-star", {"objective": "online"}),
        ("kg-star repeats=2", {}),
        ("draw-then-kg", {}),  # nothing has worked: it draws
    ):
        now = policies.situation(BELIEF, POOL, trials_left=9, **more)
        (decision,) = policies.decide(policy, now, 1)
        assert decision.waiting is not None
        wanted = trial_values(now, POOL[[decision.alternative]], decision.waiting)[0]
        assert decision.value == pytest.approx(wanted, abs=1e-12)
