"""The prior for those who have none: what it supposes about the scores of a pool."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.beliefs.auto import STRONG, WEAK
from sureshot.errors import InvalidInput

MIXING = np.array([[1.0, 0.8, 0.0], [0.0, 0.6, 0.3], [0.0, 0.0, 0.9]])


def correlated(size: int = 300, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.column_stack([np.ones(size), rng.standard_t(3, (size, 3)) @ MIXING * [1.0, 20.0, 0.1]])


def about_mean(X: np.ndarray) -> np.ndarray:
    return X[:, 1:] - X[:, 1:].mean(axis=0)


def test_the_mean_variance_of_the_scores_is_that_of_the_scale() -> None:
    X = correlated()
    made = core.auto_prior(4, pool=X)
    assert made.weights == pytest.approx(np.array([1, 1, 1, 2, 2, 2]) / 9)
    for belief, scale in zip(made.beliefs, STRONG + WEAK, strict=True):
        variances = np.einsum("ij,jk,ik->i", about_mean(X), belief.cov[1:, 1:], about_mean(X))
        assert variances.mean() == pytest.approx(1.0 / scale)
        assert belief.cov[0] == pytest.approx([1 / 0.3, 0, 0, 0])


def test_strong_effects_are_those_of_each_feature_by_itself() -> None:
    X = correlated()
    over = about_mean(X).std(axis=0) ** 0.25 * np.abs(about_mean(X)).max(axis=0) ** 0.75
    for belief in core.auto_prior(4, pool=X).beliefs[:3]:
        effects = over * np.sqrt(belief.variance[1:])
        assert effects == pytest.approx(np.full(3, effects[0]))
        assert belief.cov == pytest.approx(np.diag(belief.variance))


def test_weak_effects_are_alike_in_every_direction_of_the_pool() -> None:
    X = correlated()
    S = about_mean(X).T @ about_mean(X) / len(X)
    for belief, scale in zip(core.auto_prior(4, pool=X).beliefs[3:], WEAK, strict=True):
        assert belief.cov[1:, 1:] @ S == pytest.approx(np.eye(3) / (3 * scale), abs=1e-9)


def test_units_do_not_matter() -> None:
    X = correlated()
    units = np.array([1.0, 1e3, 1e-4, 7.0])
    for one, other in zip(core.auto_prior(4, pool=X).beliefs, core.auto_prior(4, pool=X * units).beliefs, strict=True):
        assert other.moments(X * units)[1] == pytest.approx(one.moments(X)[1], rel=1e-9)


def test_a_feature_told_twice_and_one_that_does_not_vary() -> None:
    X = correlated()
    X = np.column_stack([X, X[:, 1], np.full(len(X), 5.0)])
    for belief in core.auto_prior(6, pool=X).beliefs:
        assert (belief.spread > 0).all()
        assert np.isfinite(belief.cov).all()
        assert np.linalg.eigvalsh(belief.cov).min() > 0
    for one in ([[1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0]]):  # nothing varies at all
        assert np.isfinite(core.auto_prior(2, pool=one).beliefs[-1].cov).all()


def test_without_a_constant_spread_is_about_zero() -> None:
    X = correlated()[:, 1:] + 3.0
    for belief, scale in zip(core.auto_prior(3, intercept=False, pool=X).beliefs, STRONG + WEAK, strict=True):
        assert belief.moments(X)[1].mean() == pytest.approx(1.0 / scale)


def test_only_a_constant_has_nothing_to_weigh() -> None:
    (only,) = core.auto_prior(1, pool=[[1.0], [1.0]]).beliefs
    assert only.variance == pytest.approx(1 / 0.3)


def test_a_pool_of_another_width_and_a_diagonal_form_are_refused() -> None:
    with pytest.raises(InvalidInput, match="pool"):
        core.auto_prior(3, pool=correlated())
    with pytest.raises(InvalidInput, match="covariance='full', got 'diagonal'"):
        core.auto_prior(4, covariance="diagonal", pool=correlated())
