"""Beliefs are frozen values with a covariance that is what was asked for."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sureshot import core
from sureshot.core.beliefs.belief import factorise


def random_cov(d: int, seed: int) -> np.ndarray:
    half = np.random.default_rng(seed).standard_normal((d, d + 2))
    return half @ half.T


def test_one_precision_is_for_every_weight() -> None:
    belief = core.prior(3, precision=4.0)
    np.testing.assert_array_equal(belief.cov, 0.25 * np.eye(3))
    np.testing.assert_array_equal(belief.mean, np.zeros(3))
    assert belief.covariance == "full"


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_each_weight_can_have_its_own_precision_and_mean(covariance) -> None:
    belief = core.prior(3, precision=[1.0, 2.0, 4.0], mean=[1.0, 2.0, 3.0], covariance=covariance)
    np.testing.assert_array_equal(belief.variance, [1.0, 0.5, 0.25])
    np.testing.assert_allclose(belief.cov, np.diag([1.0, 0.5, 0.25]), rtol=1e-15)
    np.testing.assert_array_equal(belief.mean, [1.0, 2.0, 3.0])
    assert belief.covariance == covariance
    assert belief.d == 3


@pytest.mark.parametrize("d", [1, 2, 7, 40])
def test_a_given_covariance_is_kept(d: int) -> None:
    cov = random_cov(d, seed=d)
    belief = core.gaussian(np.arange(d), cov)
    np.testing.assert_allclose(belief.cov, cov, rtol=0, atol=1e-12 * np.abs(cov).max())
    np.testing.assert_allclose(belief.variance, np.diag(cov), rtol=1e-12)
    assert belief.covariance == "full"


def test_given_variances_make_a_diagonal_belief() -> None:
    belief = core.gaussian([0.0, 1.0], [2.0, 3.0], link="probit", method="adf")
    assert (belief.covariance, belief.factor) == ("diagonal", None)
    np.testing.assert_array_equal(belief.cov, np.diag([2.0, 3.0]))


def test_the_factors_are_unit_lower_triangular_with_positive_spread() -> None:
    cov = random_cov(6, seed=0)
    spread, factor = factorise(cov)
    assert (spread > 0).all()
    np.testing.assert_array_equal(np.diag(factor), np.ones(6))
    np.testing.assert_array_equal(np.triu(factor, 1), np.zeros((6, 6)))
    np.testing.assert_allclose(factor.T @ np.diag(spread) @ factor, cov, atol=1e-12)


@given(st.integers(1, 6), st.integers(0, 10_000), st.booleans())
def test_moments_and_root_agree_with_the_covariance(d: int, seed: int, full: bool) -> None:
    rng = np.random.default_rng(seed)
    cov = random_cov(d, seed) if full else np.diag(rng.uniform(0.1, 3.0, d))
    belief = core.gaussian(rng.standard_normal(d), cov if full else np.diag(cov))
    X = rng.standard_normal((5, d))
    mu, s = belief.moments(X)
    np.testing.assert_allclose(mu, X @ belief.mean, atol=1e-13)
    np.testing.assert_allclose(s, np.einsum("ij,jk,ik->i", X, cov, X), rtol=1e-9)
    root = belief.scores(X).root
    np.testing.assert_allclose(root @ root.T, X @ cov @ X.T, atol=1e-9 * (1 + np.abs(cov).max() * d))


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_nothing_in_a_belief_can_be_written_to(covariance) -> None:
    before = core.prior(2, covariance=covariance)
    after, _ = core.observe(before, [1.0, 2.0], 1)
    for belief in (before, after):
        arrays = [belief.mean, belief.spread] + ([belief.factor] if covariance == "full" else [])
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 7.0
        with pytest.raises(dataclasses.FrozenInstanceError):
            belief.mean = np.zeros(2)


def test_a_belief_owns_its_arrays() -> None:
    mean, cov = np.zeros(2), np.eye(2)
    belief = core.gaussian(mean, cov)
    mean[:] = 9.0
    cov[:] = 9.0
    np.testing.assert_array_equal(belief.mean, np.zeros(2))
    np.testing.assert_allclose(belief.cov, np.eye(2))


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_an_update_leaves_the_belief_before_as_it_was(covariance) -> None:
    before = core.prior(3, covariance=covariance, link="cloglog")
    mean, cov = before.mean.copy(), before.cov.copy()
    after, _ = core.observe(before, [1.0, -1.0, 2.0], 0)
    np.testing.assert_array_equal(before.mean, mean)
    np.testing.assert_array_equal(before.cov, cov)
    assert not np.array_equal(after.mean, mean)


def test_a_belief_says_what_it_is() -> None:
    belief = core.prior(4, covariance="diagonal", link="probit", method="adf")
    assert repr(belief) == "Belief(d=4, diagonal, link='probit', method='adf')"
