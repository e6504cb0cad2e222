"""The evidence against quadrature, for all links, and how sure it says it is."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.reference.evidence import by_importance
from sureshot.core.reference.gaussian import near, standard
from sureshot.core.reference.target import Target, tried
from tests.core.reference.exactly import weighed

X = np.array([[1.0, -1.2], [1.0, 0.4], [1.0, 1.5], [0.3, -2.0]])
WON, LOST = np.array([0.0, 2.0, 7.0, 1.0]), np.array([3.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize("link", core.LINKS)
def test_two_weights(link: str) -> None:
    root = np.array([[1.5, 0.0], [0.6, 1.1]])
    made = Target(core.LINKS[link], np.zeros(4), X @ root, WON, LOST)
    found = by_importance(made, near(made), np.random.default_rng(1), 20_000)
    w, share, exact = weighed(link, root, X, WON, LOST)
    assert found.error < 0.01
    assert abs(found.log - exact) < 3.5 * found.error  # wrongly once in 2,000 times, for each link
    assert found.effective > 10_000
    assert found.shares @ (found.u @ root.T) == pytest.approx(share @ w, abs=0.03)


def test_a_hundred_dimensions_that_are_independent() -> None:
    """Then the evidence is a product, of one dimension each."""
    won = np.arange(100.0) % 3
    made = Target(core.LOGIT, np.zeros(100), 1.5 * np.eye(100), won, 2.0 - won)
    found = by_importance(made, near(made), np.random.default_rng(2), 8_000)
    each = [
        weighed("logit", np.array([[1.5]]), np.ones((1, 1)), np.array([k]), np.array([2.0 - k]))[2] for k in range(3)
    ]
    assert abs(found.log - sum(each[int(k)] for k in won)) < 3.5 * found.error
    assert found.effective > 1_000


def test_a_proposal_far_off_says_so() -> None:
    made = Target(core.LOGIT, np.zeros(30), 8.0 * np.eye(30), np.full(30, 40.0), np.full(30, 2.0))
    found = by_importance(made, standard(30), np.random.default_rng(3), 4_000)
    assert found.effective < 50
    assert found.error > 0.1


def test_the_stated_error_is_that_of_repetitions() -> None:
    made = Target(core.LOGIT, np.zeros(4), X, WON, LOST)
    centre = near(made).wider(1.6)
    found = [by_importance(made, centre, np.random.default_rng(seed), 400) for seed in range(200)]
    spread = np.std([one.log for one in found])
    assert np.mean([one.error for one in found]) == pytest.approx(spread, rel=0.2)  # 200 give it to 5 %


def test_own_effects_take_a_dimension_each() -> None:
    """One alternative tried, with one weight and an effect of its own: one dimension, of the sum of both variances."""
    made = tried(core.prior(1, precision=0.5, own=1.3), np.ones((1, 1)), np.array([2.0]), np.array([1.0])).target
    assert abs(made.rows) == pytest.approx(np.array([[np.sqrt(3.3)]]), abs=1e-12)
    found = by_importance(made, near(made), np.random.default_rng(5), 20_000)
    exact = weighed("logit", np.array([[np.sqrt(3.3)]]), np.ones((1, 1)), np.array([2.0]), np.array([1.0]))[2]
    assert abs(found.log - exact) < 3.5 * found.error
