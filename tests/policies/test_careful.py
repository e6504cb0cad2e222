"""kg-careful: what it draws first, what counts of a value, and that it is KG(*) otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.lookahead import knowledge_gradient, knowledge_gradient_star
from sureshot.core.lookahead.several import knowledge_gradient_several
from sureshot.policies import Situation, get_policy, scores, situation
from sureshot.policies.kg_careful import counted, has_outliers, per_trial, unusual, usual, varying


def pool(seed: int, size: int = 60, d: int = 4) -> np.ndarray:
    """Usual rows, and one in ten five times as far out."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(size, d))
    X[: size // 10, 1:] *= 5.0
    X[:, 0] = 1.0
    return X


def after(outcomes: list[int], seed: int = 1, left: int | None = 20) -> Situation:
    X = pool(seed)
    rows = X[np.random.default_rng(seed + 1).integers(len(X), size=len(outcomes))]
    belief, _ = core.observe_many(core.auto_prior(4, pool=X), rows, outcomes)
    return situation(belief, X, rows=rows, outcomes=outcomes, trials_left=left)


def scored(now: Situation, **parameters: int) -> np.ndarray:
    return scores(get_policy("kg-careful", **parameters), now, np.random.default_rng(0))


def is_star(now: Situation, part: np.ndarray | float = 1.0) -> None:
    """Its scores are these parts of KG(*), each by itself; and of few candidates, the best of them the same."""
    star = part * knowledge_gradient_star(now.belief, now.X, trials_left=now.trials_left or 64).score
    np.testing.assert_allclose(scored(now, candidates=len(now.X)), star, rtol=1e-6, atol=1e-9)
    found = scored(now)
    assert found.argmax() == star.argmax()
    assert found.max() == pytest.approx(star.max(), rel=1e-6)


def test_unusual_is_the_squared_distance_of_mahalanobis() -> None:
    X = pool(3)
    Z = X[:, 1:] - X[:, 1:].mean(axis=0)
    far = np.einsum("ij,jk,ik->i", Z, np.linalg.inv(np.cov(Z.T, bias=True)), Z)
    np.testing.assert_allclose(unusual(X), far / far.mean(), rtol=1e-9)


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_unusual_does_not_depend_on_units(scale: float) -> None:
    X = pool(3)
    np.testing.assert_allclose(unusual(X * [1.0, 1.0, scale, 1.0]), unusual(X), rtol=1e-9)


def test_a_pool_without_any_difference_is_usual() -> None:
    assert usual(unusual(np.ones((5, 3)))).all()
    assert usual(unusual(np.array([[1.0, 2.0]]))).all()


def test_outliers_are_told_by_the_kurtosis_of_mardia() -> None:
    rng = np.random.default_rng(5)
    for X, expected in ((rng.normal(size=(400, 5)), False), (rng.uniform(size=(400, 5)), False), (pool(1), True)):
        Z = X - X.mean(axis=0)
        Z = Z[:, Z.any(axis=0)]
        k, far = Z.shape[1], np.einsum("ij,jk,ik->i", Z, np.linalg.inv(Z.T @ Z / len(Z)), Z)
        assert has_outliers(unusual(X), varying(X)) == (np.mean(far**2) > 2 * k * (k + 2)) == expected


@pytest.mark.parametrize("outcomes", [[], [1], [0], [0, 1], [1, 1]])
def test_the_first_trials_are_drawn_from_three_quarters_of_a_pool_with_outliers(outcomes: list[int]) -> None:
    now = after(outcomes)
    found = scored(now)
    assert set(found) == {0.0, 1.0}
    assert found.sum() == 45
    assert unusual(now.X)[found == 1.0].max() <= unusual(now.X)[found == 0.0].min()


def test_nothing_more_is_drawn_once_two_failed() -> None:
    is_star(after([0, 0]))


@pytest.mark.parametrize("left", [20, None])
def test_a_pool_without_outliers_begins_with_what_teaches_most(left: int | None) -> None:
    X = np.random.default_rng(6).uniform(-3.0, 3.0, (40, 4))
    is_star(situation(core.auto_prior(4, intercept=False, pool=X), X, trials_left=left))


def test_then_the_value_counts_whole_where_few_work() -> None:
    now = after([0, 0, 1, 0, 0])
    assert now.probability.mean() < 0.5
    is_star(now)


def averse(now: Situation) -> np.ndarray:
    """The formula, from its parts."""
    far = unusual(now.X)
    times = np.maximum(far / np.quantile(far, 0.75), 1.0)
    return times ** (-4 * (2 * now.probability.mean() - 1))


def test_where_most_work_the_unusual_counts_less() -> None:
    now = after([1, 1, 1, 1, 0])
    assert now.probability.mean() > 0.5
    is_star(now, averse(now))
    assert averse(now).min() < 0.5


def proven(now: Situation) -> np.ndarray:
    won = np.zeros(len(now.X))
    for i, row in enumerate(now.X):
        seen = [y for r, y in zip(now.rows, now.outcomes, strict=True) if np.array_equal(r, row)]
        won[i] = len(seen) if seen and all(seen) else 0
    return won


def one_or_four(now: Situation) -> np.ndarray:
    several = knowledge_gradient_several(now.belief, now.X, trials=4) / 4
    one = knowledge_gradient(now.belief, now.X, lookahead="exact")
    assert (several > one).any()
    assert (one > several).any()
    return np.maximum(several, one)


def test_where_few_work_what_never_failed_counts_whole() -> None:
    now = after([0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    assert now.probability.mean() < 0.5
    assert now.probability.max() < 0.8
    assert proven(now).any()
    is_star(now)
    np.testing.assert_allclose(
        scores(get_policy("kg-several"), now, np.random.default_rng(0)), one_or_four(now), rtol=1e-9
    )


def test_once_something_probably_works_what_never_failed_counts_less() -> None:
    now = after([1, 1, 0, 1, 1, 1, 1, 1, 1, 1])
    assert now.probability.max() > 0.8
    assert proven(now).any()
    is_star(now, averse(now) / (1 + proven(now) / 4))


def test_beside_the_candidates_the_quick_look_stands() -> None:
    now = after([0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    quick, some, every = one_or_four(now), scored(now, candidates=5), scored(now, candidates=60)
    best = np.argsort(-quick)[:5]
    np.testing.assert_allclose(some[best], every[best], rtol=1e-6)
    rest = np.delete(np.arange(60), best)
    np.testing.assert_allclose(some[rest], np.minimum(quick[rest], every[best].min()), rtol=1e-6)


def test_copies_count_as_one_candidate_and_are_worth_the_same() -> None:
    now = after([0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    twice = situation(
        now.belief, np.repeat(now.X, 3, axis=0), rows=now.rows, outcomes=now.outcomes, trials_left=now.trials_left
    )
    once, often = (per_trial(one, np.ones(len(one.X)), 5) for one in (now, twice))
    np.testing.assert_allclose(often, np.repeat(once, 3), rtol=1e-6)


def test_the_last_trial_is_by_the_exact_value_alone() -> None:
    now = after([0, 1, 0, 0, 1, 0, 0, 0, 1], left=1)
    exact = knowledge_gradient(now.belief, now.X, lookahead="exact")
    np.testing.assert_allclose(scored(now), exact, rtol=1e-9)


def test_one_failure_ends_a_run_of_successes() -> None:
    X = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    now = situation(core.prior(2), X, rows=X[[0, 1, 0, 1]], outcomes=[2, 1, 1, 2], of=[2, 1, 1, 4])
    won, tries = now.counts
    assert (won.tolist(), tries.tolist()) == ([3, 3, 0], [3, 5, 0])
    assert now.tried.tolist() == [True, True, False]


def test_a_trial_of_several_tries_is_one_outcome_and_fails_if_most_of_them_do() -> None:
    X = pool(1)
    for outcomes, of, drawn in (([9, 9], [10, 10], True), ([1, 4], [10, 10], False), ([1, 5], [10, 10], True)):
        belief, _ = core.observe_many(core.auto_prior(4, pool=X), X[10:12], outcomes, of=of)
        now = situation(belief, X, rows=X[10:12], outcomes=outcomes, of=of, trials_left=20)
        assert (set(scored(now)) == {0.0, 1.0}) == drawn


def test_something_always_counts() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        chance, far = rng.random(6), rng.exponential(size=6)
        assert counted(chance, far, 2, rng.integers(0, 5, 6).astype(float)).max() > 0.0
