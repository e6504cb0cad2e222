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


def test_the_cheapest_of_the_likelier_half_is_drawn():
    cost = np.linspace(1.0, 2.0, len(X))
    now = situation(PRIOR, X, trials_left=20, cost=cost)
    assert decide("draw-then-kg", now, 1)[0].alternative == 0


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
