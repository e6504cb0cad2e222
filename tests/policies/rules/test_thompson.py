"""Policies that draw: each choice as often as theory says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.policies import get_policy, scores, situation
from sureshot.policies.rules.top_two_thompson import log_chance_of_beating
from tests.policies.picks import pick

RNG = np.random.default_rng(6)
POOL = np.array([[1.0, 0.0, 0.0], [0.3, 1.0, 0.0], [0.0, 0.4, 1.0], [-1.0, -1.0, 0.5]])
BELIEF = core.gaussian([0.5, 0.2, 0.1], [[1.0, 0.3, 0.0], [0.3, 0.8, 0.2], [0.0, 0.2, 1.5]])
DRAWS = 4000


def _frequencies(name: str, belief: core.Belief | core.Mixture, pool: np.ndarray = POOL, **given: float) -> np.ndarray:
    rng = np.random.default_rng(12)
    policy, now = get_policy(name, **given), situation(belief, pool)
    return np.bincount([pick(policy, now, rng) for _ in range(DRAWS)], minlength=len(pool)) / DRAWS


def _best(belief: core.Belief, pool: np.ndarray = POOL) -> np.ndarray:
    """How likely each alternative is the best: draws of SciPy's multivariate normal."""
    weights = stats.multivariate_normal(belief.mean, belief.cov).rvs(200_000, random_state=1)
    return np.bincount((weights @ pool.T).argmax(axis=1), minlength=len(pool)) / 200_000


def _close(found: np.ndarray, want: np.ndarray) -> None:
    assert (np.abs(found - want) < 4.5 * np.sqrt(want * (1 - want) / DRAWS) + 0.003).all(), (found, want)


def test_thompson_tries_each_as_often_as_it_is_the_best() -> None:
    _close(_frequencies("thompson", BELIEF), _best(BELIEF))


def test_thompson_draws_wider_by_its_scale() -> None:
    _close(_frequencies("thompson", BELIEF, scale=2.0), _best(core.gaussian(BELIEF.mean, 4.0 * BELIEF.cov)))
    still = scores(get_policy("thompson", scale=0.0), situation(BELIEF, POOL), RNG)
    assert still == pytest.approx(POOL @ BELIEF.mean)


def test_thompson_of_a_mixture_draws_a_member_first() -> None:
    other = core.gaussian([-1.0, 0.0, 1.0], [0.2, 0.2, 0.2], link="cloglog")
    want = 0.75 * _best(BELIEF) + 0.25 * _best(other)
    _close(_frequencies("thompson", core.mixture([BELIEF, other], [3, 1])), want)


@pytest.mark.parametrize("beta", [0.5, 0.0, 1.0])
def test_top_two_tries_the_leader_or_who_leads_in_another_draw(beta: float) -> None:
    """Russo (2016): β α_i + (1 - β) Σ_{j ≠ i} α_j α_i/(1 - α_j), α how likely each is the best."""
    alpha = _best(BELIEF)
    challenge = np.array([sum(alpha[j] * alpha[i] / (1 - alpha[j]) for j in range(4) if j != i) for i in range(4)])
    _close(_frequencies("top-two-thompson", BELIEF, beta=beta), beta * alpha + (1 - beta) * challenge)


def test_top_two_of_a_mixture_has_no_favourite_among_its_members() -> None:
    other = core.gaussian([-1.0, 0.0, 1.0], [0.2, 0.2, 0.2])
    alpha = 0.5 * _best(BELIEF) + 0.5 * _best(other)
    challenge = np.array([sum(alpha[j] * alpha[i] / (1 - alpha[j]) for j in range(4) if j != i) for i in range(4)])
    _close(_frequencies("top-two-thompson", core.mixture([BELIEF, other]), beta=0.0), challenge)


def test_top_two_never_challenges_with_a_copy_of_the_leader() -> None:
    pool = np.vstack([POOL[:2], POOL[0]])
    alpha = _best(BELIEF, POOL[:2])
    found = _frequencies("top-two-thompson", BELIEF, pool, beta=0.0)
    _close(np.array([found[0] + found[2], found[1]]), alpha[::-1])


def test_a_leader_without_challengers_is_challenged_by_who_is_likeliest_to_beat_it() -> None:
    belief = core.gaussian([50.0, 20.0, 10.0], [1.0, 1.0, 400.0])
    pool = np.eye(3)
    found = log_chance_of_beating(belief, pool, 0)
    assert found[1:] == pytest.approx([stats.norm.logcdf(-30 / np.sqrt(2)), stats.norm.logcdf(-40 / np.sqrt(401))])
    assert found[0] < found[1:].min()
    sure = core.gaussian([50.0, 20.0, 10.0], [1e-4, 1e-4, 36.0])
    assert _frequencies("top-two-thompson", sure, pool)[2] == pytest.approx(0.5, abs=0.04)


def test_epsilon_greedy_strays_as_often_as_it_says() -> None:
    found = _frequencies("epsilon-greedy", BELIEF, epsilon=0.4)
    best = core.predictive(BELIEF, POOL).argmax()
    want = np.full(4, 0.1)
    want[best] += 0.6
    _close(found, want)


def test_random_is_uniform_and_greedy_is_the_recommendation() -> None:
    _close(_frequencies("random", BELIEF), np.full(4, 0.25))
    assert scores(get_policy("greedy"), situation(BELIEF, POOL), RNG) == pytest.approx(core.predictive(BELIEF, POOL))


def test_most_uncertain_without_repeats_comes_back_to_what_was_tried_last() -> None:
    tried = np.array([True, False, False, True])
    now = situation(BELIEF, POOL, rows=POOL[[0, 3]], outcomes=[1, 0])
    p = core.predictive(BELIEF, POOL)
    assert scores(get_policy("most-uncertain"), now, RNG) == pytest.approx(-np.abs(p - 0.5))
    found = scores(get_policy("most-uncertain", repeats=False), now, RNG)
    assert found[tried].max() < found[~tried].min()
    assert found[~tried] == pytest.approx(-np.abs(p - 0.5)[~tried])
