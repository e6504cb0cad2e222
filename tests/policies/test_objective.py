"""Scores for each objective, pending trials and costs, against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sureshot import core, policies
from sureshot.core.lookahead.pending import EXACT, MOST_PENDING, SAMPLED, outstanding
from sureshot.errors import InvalidInput

RNG = np.random.default_rng(5)
POOL = RNG.uniform(-2, 2, size=(6, 3))
BELIEF, _ = core.observe_many(core.prior(3, link="probit"), POOL[[0, 3]], [1, 0])


def test_online_adds_the_success_itself() -> None:
    values = policies.knowledge_gradient(BELIEF, POOL)
    online = policies.online_knowledge_gradient(BELIEF, POOL, tau=4.0)
    np.testing.assert_allclose(online, core.predictive(BELIEF, POOL) + 4.0 * values, atol=1e-15)


def test_the_horizon_is_a_number_the_trials_left_or_a_discount() -> None:
    assert policies.horizon(tau=2.5) == 2.5
    assert policies.horizon(trials_left=7) == 7.0
    assert policies.horizon(discount=0.75) == pytest.approx(sum(0.75**k for k in range(1, 500)))


def test_costs_divide_the_value() -> None:
    cost = np.array([1.0, 2.0, 0.5, 1.0, 4.0, 1.0])
    np.testing.assert_allclose(
        policies.knowledge_gradient(BELIEF, POOL, cost=cost), policies.knowledge_gradient(BELIEF, POOL) / cost
    )


@pytest.mark.parametrize("lookahead", ["exact", "update"])
def test_pending_trials_are_averaged_over_all_their_outcomes(lookahead: str) -> None:
    waiting = POOL[[1, 4]]
    truth = np.zeros(len(POOL))
    for outcomes in product((0, 1), repeat=2):
        belief, weight = BELIEF, 1.0
        for x, y in zip(waiting, outcomes, strict=True):
            p = core.predictive(belief, x[None])[0]
            weight *= p if y else 1 - p
            belief, _ = core.observe(belief, x, y)
        truth += weight * policies.knowledge_gradient(belief, POOL, lookahead=lookahead)
    found = policies.knowledge_gradient(BELIEF, POOL, lookahead=lookahead, pending=waiting)
    np.testing.assert_allclose(found, truth, atol=1e-10)


def test_scenario_weights_sum_to_one_and_are_sampled_beyond_the_stated_number() -> None:
    exact = outstanding(BELIEF, np.tile(POOL[0], (EXACT, 1))).scenarios
    assert len(exact) == 2**EXACT
    assert sum(one.weight for one in exact) == pytest.approx(1.0)
    many = np.tile(POOL[0], (EXACT + 1, 1))
    drawn = outstanding(BELIEF, many, rng=np.random.default_rng(1)).scenarios
    assert len(drawn) == SAMPLED
    # the first outcome of the drawn scenarios is distributed as predicted: mean of the beliefs' means agrees
    mean = np.mean([one.belief.mean @ POOL[0] for one in drawn])
    spread = np.std([one.belief.mean @ POOL[0] for one in drawn]) / np.sqrt(SAMPLED)
    expected = sum(w * (b.mean @ POOL[0]) for w, b, _ in outstanding(BELIEF, many[:EXACT]).scenarios)
    assert abs(mean - expected) < 4 * spread


def test_sampled_scenarios_are_those_of_every_combination_on_average() -> None:
    waiting = POOL[[0, 1, 2, 3, 4, 5, 0, 1]]
    truth = np.zeros(len(POOL))
    for outcomes in product((0, 1), repeat=len(waiting)):
        belief, info = core.observe_many(BELIEF, waiting, outcomes)
        truth += np.exp(info.evidence.sum()) * policies.knowledge_gradient(belief, POOL)
    found = np.array(
        [
            policies.knowledge_gradient(BELIEF, POOL, pending=waiting, rng=np.random.default_rng(seed))
            for seed in range(240)
        ]
    )
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - truth) < 4 * error).all()
    assert (error < 0.05 * truth.max()).all()


def test_one_after_the_other_is_as_all_at_once() -> None:
    waiting = POOL[[0, 1, 2, 3, 4, 5, 0, 1]]
    rng = np.random.default_rng(4)
    step = outstanding(BELIEF, waiting[:3], rng=rng)
    for x in waiting[3:]:
        step = step.and_of(x, rng)
    whole = outstanding(BELIEF, waiting, rng=np.random.default_rng(4))
    np.testing.assert_array_equal(step.rows, waiting)
    assert [one.outcomes for one in step.scenarios] == [one.outcomes for one in whole.scenarios]
    assert {one.weight for one in step.scenarios} == {1 / SAMPLED}
    for one in step.scenarios[:4]:
        belief, _ = core.observe_many(BELIEF, waiting, one.outcomes)
        np.testing.assert_allclose(one.belief.mean, belief.mean, atol=1e-12)


def test_too_large_a_batch_is_refused_before_anything_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.policies.decision.scores", lambda *_, **__: pytest.fail("it had begun"))
    words = "at most 100 trials may be pending when one is chosen, got 2 and 100 asked for at once: ask for fewer"
    with pytest.raises(InvalidInput, match=words):
        policies.decide("kg", policies.situation(BELIEF, POOL, pending=POOL[:2]), 1, q=100)


def test_sampled_pending_trials_follow_the_generator() -> None:
    many = np.tile(POOL[0], (EXACT + 2, 1))
    first, again = (
        policies.knowledge_gradient(BELIEF, POOL, pending=many, rng=np.random.default_rng(3)) for _ in range(2)
    )
    assert np.array_equal(first, again)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: policies.knowledge_gradient(BELIEF, POOL, cost=[1, 1, 1, 1, 1, -1]), "above 0, got -1"),
        (lambda: policies.knowledge_gradient(BELIEF, POOL, cost=[1.0, 2.0]), "each of the 6 alternatives"),
        (lambda: policies.knowledge_gradient(BELIEF, POOL, pending=np.ones((2, 2))), r"got \(2, 2\)"),
        (lambda: policies.knowledge_gradient(BELIEF, POOL, pending=np.ones((7, 3))), "give a random generator"),
        (
            lambda: policies.knowledge_gradient(BELIEF, POOL, pending=np.ones((MOST_PENDING + 1, 3))),
            f"at most {MOST_PENDING} trials may be pending when one is chosen, got {MOST_PENDING + 1}",
        ),
        (lambda: policies.online_knowledge_gradient(BELIEF, POOL, tau=-1.0), "at least 0, got -1"),
        (lambda: policies.horizon(discount=1.0), r"\[0, 1\), got 1"),
        (lambda: policies.horizon(), "exactly one of"),
        (lambda: policies.horizon(tau=1, trials_left=3), "exactly one of"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(call: object, message: str) -> None:
    before = BELIEF.mean.copy(), BELIEF.spread.copy()
    with pytest.raises(InvalidInput, match=message):
        call()
    assert np.array_equal(before[0], BELIEF.mean)
    assert np.array_equal(before[1], BELIEF.spread)
