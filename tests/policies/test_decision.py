"""A decision: what is chosen, and what a person is told about it."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core, policies
from sureshot.core.lookahead import finals
from sureshot.errors import InvalidInput, UnknownName

RNG = np.random.default_rng(11)
POOL = RNG.uniform(-3, 3, size=(12, 2))
BELIEF, _ = core.observe_many(core.prior(2), POOL[[0, 5, 7]], [1, 0, 1])


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_the_first_step_of_a_symmetric_prior_is_random_not_the_first_row() -> None:
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    picks = [
        policies.decide(core.prior(2), corners, rng=np.random.default_rng(seed)).alternative for seed in range(120)
    ]
    counts = np.bincount(picks, minlength=4)
    assert counts.min() > 11  # 30 expected each; 11 is 4 standard deviations away
    assert policies.decide(core.prior(2), corners, rng=rng()).tied == 4


def test_ties_are_absolute_and_within_epsilon_only() -> None:
    scores = np.array([0.5, 0.5 - 0.5e-9, 0.5 - 2e-9])
    picks = {policies.choose(scores, np.random.default_rng(seed)) for seed in range(50)}
    assert picks == {0, 1}


def test_a_decision_says_what_each_outcome_would_change() -> None:
    decision = policies.decide(BELIEF, POOL, rng=rng())
    values = policies.knowledge_gradient(BELIEF, POOL)
    assert decision.alternative == values.argmax()
    assert decision.value == pytest.approx(values.max(), abs=1e-12)
    assert decision.score == pytest.approx(values.max(), abs=1e-12)
    assert decision.now.alternative == core.predictive(BELIEF, POOL).argmax()
    order = np.argsort(values)
    assert decision.runner_up == order[-2]
    # the outlooks average to the value now plus the knowledge gradient: the definition, from the person's side
    p = decision.probability
    ahead = p * decision.on_success.probability + (1 - p) * decision.on_failure.probability
    assert ahead == pytest.approx(decision.now.probability + decision.value, abs=1e-9)


def test_the_outlook_is_what_the_outcome_really_leads_to() -> None:
    """Against weighted draws from the belief: P(x' succeeds | outcome)."""
    decision = policies.decide(BELIEF, POOL, rng=rng())
    drawn = core.sample_probabilities(BELIEF, POOL, np.random.default_rng(2), size=400_000)
    here = drawn[:, decision.alternative]
    for outlook, weight in ((decision.on_success, here), (decision.on_failure, 1 - here)):
        after = weight @ drawn / weight.sum()
        assert after[outlook.alternative] == pytest.approx(outlook.probability, abs=4e-3)
        assert after.max() == pytest.approx(outlook.probability, abs=4e-3)


def test_online_prefers_success_as_the_trials_run_out() -> None:
    greedy = core.predictive(BELIEF, POOL).argmax()
    last = policies.decide(BELIEF, POOL, rng=rng(), objective="online", trials_left=0)
    assert last.alternative == greedy
    patient = policies.decide(BELIEF, POOL, rng=rng(), objective="online", tau=1e6)
    assert patient.alternative == policies.knowledge_gradient(BELIEF, POOL).argmax()


def test_a_batch_takes_what_is_pending_into_account() -> None:
    batch = policies.decide_batch(BELIEF, POOL, 3, rng=rng())
    generator = rng()
    waiting = np.empty((0, 2))
    for decision in batch:
        alone = policies.decide(BELIEF, POOL, rng=generator, pending=waiting)
        assert alone.alternative == decision.alternative
        waiting = np.vstack([waiting, POOL[decision.alternative]])


def test_a_costly_trial_must_teach_more() -> None:
    best = policies.decide(BELIEF, POOL, rng=rng()).alternative
    cost = np.ones(len(POOL))
    cost[best] = 1e6
    dear = policies.decide(BELIEF, POOL, rng=rng(), cost=cost)
    assert dear.alternative != best
    assert dear.score == pytest.approx(policies.knowledge_gradient(BELIEF, POOL)[dear.alternative])


def test_a_pool_of_one_has_no_runner_up() -> None:
    decision = policies.decide(BELIEF, POOL[:1], rng=rng())
    assert (decision.alternative, decision.runner_up, decision.value) == (0, None, pytest.approx(0.0, abs=1e-12))


def test_a_constant_context_gives_the_context_free_decision_to_the_bit() -> None:
    actions = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    rows = core.in_context([0.4], actions)
    belief, _ = core.observe(core.prior(rows.shape[1]), rows[0], 1)
    free = policies.decide(belief, rows, rng=rng(), objective="online", tau=3.0)
    seen = finals([core.in_context([0.4], actions)] * 5, d=rows.shape[1])
    assert policies.decide(belief, rows, rng=rng(), objective="online", tau=3.0, finals=seen) == free


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


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"objective": "onlin"}, UnknownName, "Did you mean 'online'"),
        ({"objective": "online"}, InvalidInput, "exactly one of"),
        ({"objective": "online", "tau": -2.0}, InvalidInput, "at least 0, got -2"),
        ({"objective": "online", "tau": 1.0, "cost": np.ones(12)}, InvalidInput, "offline objective"),
        ({"tau": 1.0}, InvalidInput, "for objective='online'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        policies.decide(BELIEF, POOL, rng=rng(), **options)


def test_bad_contexts_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"one row of 3 features, got shape \(2,\)"):
        core.in_context([1.0, 2.0], [[1.0]], context_features=3)
    with pytest.raises(InvalidInput, match="at least one alternative"):
        core.in_context([1.0], np.empty((0, 2)))
    with pytest.raises(InvalidInput, match="whole number of trials"):
        policies.decide_batch(BELIEF, POOL, 0, rng=rng())
