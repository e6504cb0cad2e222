"""Draws from the likelier half until something has worked; then KG(*)."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.policies import decide, get_policy, situation
from sureshot.policies.rules.draw_then_kg import likelier_half
from sureshot.space import Space, begin

SPACE = Space.grid(power=range(8), time=range(5))
_, X, PRIOR = begin(SPACE)


def believed(rows: list[int], outcomes: list[int]) -> core.Mixture:
    return core.fit(PRIOR, X[rows], outcomes).belief if rows else PRIOR


def test_until_something_has_worked_every_likelier_alternative_may_come():
    rows = [0, 39, 17]
    now = situation(believed(rows, [0, 0, 0]), X, rows=X[rows], outcomes=[0, 0, 0], trials_left=20)
    policy = get_policy("draw-then-kg")
    scores = policy.scores(now, np.random.default_rng(0))
    likely = now.probability >= np.median(now.probability)
    np.testing.assert_array_equal(scores, likely.astype(float))
    assert scores[rows].max() == 0.0  # what failed is among the less likely
    drawn = {decide(policy, now, seed)[0].alternative for seed in range(200)}
    assert drawn <= set(np.flatnonzero(likely).tolist())
    assert len(drawn) > 15


@pytest.mark.parametrize("more", [{"objective": "online"}, {"contextual": True}])
def test_after_a_success_online_and_with_contexts_it_is_kg_star(more):
    rows, outcomes = [0, 17, 39], [0, 1, 0] if not more else [0, 0, 0]
    for options, y in (({}, [0, 1, 0]), (more, outcomes)):
        now = situation(believed(rows, y), X, rows=X[rows], outcomes=y, trials_left=9, **options)
        mine, star = (get_policy(name).scores(now, np.random.default_rng(0)) for name in ("draw-then-kg", "kg-star"))
        np.testing.assert_array_equal(mine, star)


def test_with_costs_it_is_drawn_from_what_is_likelier_for_its_cost():
    cost = np.linspace(1.0, 2.0, len(X))
    now = situation(PRIOR, X, trials_left=20, cost=cost)
    drawn = {decide("draw-then-kg", now, seed)[0].alternative for seed in range(100)}
    assert drawn <= set(range(20))  # all are as likely: the cheaper half
    assert len(drawn) > 12
    assert "likelier to work for its cost" in get_policy("draw-then-kg").reason(now)


def test_what_is_pending_counts_as_failed_before_the_first_success():
    """As one after the other, if all of them fail: drawn, not looked ahead from."""
    rows = [0, 39]
    now = situation(believed([17], [0]), X, rows=X[[17]], outcomes=[0], trials_left=20, pending=X[rows])
    belief = core.observe_many(believed([17], [0]), X[rows], [0, 0])[0]
    then = situation(belief, X, rows=X[[17, *rows]], outcomes=[0, 0, 0], trials_left=20)
    for seed in range(30):
        assert decide("draw-then-kg", now, seed)[0].alternative == decide("draw-then-kg", then, seed)[0].alternative
    batches = [decide("draw-then-kg", situation(PRIOR, X, trials_left=20), seed, 3) for seed in range(40)]
    for k in range(3):
        assert len({batch[k].alternative for batch in batches}) > 10
    won = situation(believed([17], [1]), X, rows=X[[17]], outcomes=[1], trials_left=20, pending=X[rows])
    mine, star = (decide(name, won, 3)[0] for name in ("draw-then-kg", "kg-star"))
    assert mine.alternative == star.alternative


def test_the_reason_is_the_one_that_counted():
    policy = get_policy("draw-then-kg")
    before, after = (situation(believed([3], [y]), X, rows=X[[3]], outcomes=[y], trials_left=9) for y in (0, 1))
    assert "drawn from the likelier half" in policy.reason(before)
    assert policy.reason(after) == get_policy("kg-star").because


def test_k_of_n_successes_end_the_search():
    now = situation(believed([3], [0]), X, rows=X[[3]], outcomes=[1], of=[5], trials_left=9)
    assert len(set(get_policy("draw-then-kg").scores(now, np.random.default_rng(0)).tolist())) > 2


def test_the_likelier_half_of_equals_is_all_of_them():
    np.testing.assert_array_equal(likelier_half(np.full(5, 0.3)), np.ones(5))
