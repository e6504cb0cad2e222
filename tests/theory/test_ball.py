"""The ball's probability against mpmath, the chi-square distribution and draws."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy import stats

from sureshot.errors import InvalidInput
from sureshot.theory import ball_probability, ball_radius, log_ball_probability


def by_mpmath(d: int, radius: float) -> mpmath.mpf:
    """log P(|Z| <= radius), by 150 digits, so that what is missing from 1 is there too."""
    with mpmath.workdps(150):
        inside = mpmath.gammainc(mpmath.mpf(d) / 2, 0, mpmath.mpf(radius) ** 2 / 2, regularized=True)
        return mpmath.log(inside)


@pytest.mark.parametrize("d", [1, 2, 3, 11, 60, 501])
@pytest.mark.parametrize("radius", [1e-200, 1e-6, 1 / 16, 0.7, 1.0, 1.5, 3.0, 7.5, 22.0])
def test_its_logarithm_is_right_from_the_far_tail_to_nearly_one(d, radius):
    true = by_mpmath(d, radius)
    assert log_ball_probability(d, radius) == pytest.approx(float(true), rel=2e-13, abs=1e-300)


@pytest.mark.parametrize("d", [1, 2, 5, 11])
def test_it_is_the_chi_distribution_function_and_what_draws_say(d):
    radius = np.linspace(0.05, 6.0, 40)
    np.testing.assert_allclose([ball_probability(d, r) for r in radius], stats.chi.cdf(radius, d), rtol=1e-11)
    inside = np.linalg.norm(np.random.default_rng(d).standard_normal((40_000, d)), axis=1) <= 2.0
    assert ball_probability(d, 2.0) == pytest.approx(inside.mean(), abs=4 * inside.std() / 200)


def test_a_radius_whose_square_overflows_holds_everything():
    assert log_ball_probability(2, 1e200) == 0.0


def test_its_ends():
    assert (ball_probability(3, 0.0), log_ball_probability(3, 0.0)) == (0.0, -math.inf)
    assert (ball_probability(3, math.inf), log_ball_probability(3, math.inf)) == (1.0, 0.0)
    assert ball_probability(2000, 1.0) == 0.0
    assert -7000 < log_ball_probability(2000, 1.0) < -5000


def test_erratum_10_the_theorem_speaks_of_next_to_nothing():
    """P_d(M) for the paper's own prior, λ = 1, in the dimension of its largest data set with a constant."""
    from sureshot import core

    radius = ball_radius(core.prior(11, precision=1.0))
    assert radius == 1 / 16
    assert 4e-18 < ball_probability(11, radius) < 5e-18
    assert ball_probability(2, radius) < 0.002


@pytest.mark.parametrize("radius", [-1.0, math.nan, "wide", None, True])
def test_a_radius_is_a_number_of_at_least_zero(radius):
    with pytest.raises(InvalidInput, match="`radius` must be a number of at least 0, got"):
        ball_probability(2, radius)


@pytest.mark.parametrize("d", [0, 1.5, True])
def test_dimensions_are_whole(d):
    with pytest.raises(InvalidInput, match="`d` must be a whole number of weights, at least 1"):
        log_ball_probability(d, 1.0)
