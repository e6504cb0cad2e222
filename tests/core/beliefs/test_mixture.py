"""Mixtures: weighted by the probability each belief gave to what was seen, predicting and sampled as one."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.beliefs import predictive
from sureshot.core.beliefs.mixture import PRECISIONS
from sureshot.errors import InvalidInput

X = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0], [1.0, 0.7]])
Y = np.array([0, 1, 1, 0])


def three() -> core.Mixture:
    beliefs = [
        core.prior(2, precision=4.0),
        core.prior(2, link="probit"),
        core.prior(2, precision=0.25, link="cloglog"),
    ]
    return core.mixture(beliefs, [1, 2, 1])


def test_weights_are_prior_weights_times_the_probability_each_belief_gave() -> None:
    """By hand: each belief's predictive probability of each outcome before it was seen."""
    mixture = three()
    weights = np.array([0.25, 0.5, 0.25])
    beliefs = list(mixture.beliefs)
    for x, y in zip(X, Y, strict=True):
        for k, belief in enumerate(beliefs):
            p = core.predictive(belief, [x], form="quadrature")[0]
            weights[k] *= p if y else 1 - p
            beliefs[k], _ = core.observe(belief, x, y)
    after, info = core.observe_many(mixture, X, Y)
    np.testing.assert_allclose(after.weights, weights / weights.sum(), rtol=1e-9)
    assert info.evidence.sum() == pytest.approx(np.log(weights.sum()), abs=1e-9)
    for mine, its in zip(beliefs, after.beliefs, strict=True):
        np.testing.assert_allclose(mine.mean, its.mean, rtol=1e-12)


def test_the_evidence_of_a_mixture_is_the_probability_it_predicted() -> None:
    mixture = three()
    for x, y in zip(X, Y, strict=True):
        p = core.predictive(mixture, [x], form="quadrature")[0]
        mixture, info = core.observe(mixture, x, y)
        assert np.exp(info.evidence) == pytest.approx(p if y else 1 - p, abs=1e-10)


def test_a_mixture_folds_a_history_as_it_takes_it_one_by_one() -> None:
    together, infos = core.observe_many(three(), X, Y)
    one = three()
    for i in range(4):
        one, info = core.observe(one, X[i], Y[i])
        assert infos.evidence[i] == pytest.approx(info.evidence, abs=1e-13)
        np.testing.assert_array_equal(infos.shift[i], info.shift)
    np.testing.assert_allclose(one.weights, together.weights, rtol=1e-12)
    assert infos.shift.shape == infos.curvature.shape == infos.iterations.shape == (4, 3)


@pytest.mark.parametrize("link", core.LINKS)
def test_a_mixture_of_one_is_that_belief(link) -> None:
    belief, info = core.observe_many(core.prior(2, link=link), X, Y)
    mixture, mixed = core.observe_many(core.mixture([core.prior(2, link=link)]), X, Y)
    np.testing.assert_array_equal(mixture.beliefs[0].mean, belief.mean)
    np.testing.assert_allclose(mixed.evidence, info.evidence, atol=1e-14)
    np.testing.assert_allclose(core.predictive(mixture, X), core.predictive(belief, X), rtol=1e-14)
    np.testing.assert_allclose(core.interval(mixture, X), core.interval(belief, X), atol=1e-12)
    one, other = (core.sample_weights(b, np.random.default_rng(0), 5) for b in (mixture, belief))
    assert one.shape == other.shape == (5, 2)


def test_a_mixture_predicts_the_weighted_mean() -> None:
    mixture = three()
    each = np.stack([core.predictive(b, X) for b in mixture.beliefs])
    np.testing.assert_allclose(core.predictive(mixture, X), [0.25, 0.5, 0.25] @ each, rtol=1e-14)


@pytest.mark.parametrize("form", [None, "mixture", "quadrature"])
def test_a_large_pool_is_predicted_belief_by_belief_and_a_small_one_together(monkeypatch, form) -> None:
    X = np.random.default_rng(2).standard_normal((40, 3))
    mixed, _ = core.observe(core.auto_prior(3, pool=X), X[3], 1)
    together = core.predictive(mixed, X, form=form)
    monkeypatch.setattr(predictive, "_TOGETHER", 39)
    np.testing.assert_allclose(core.predictive(mixed, X, form=form), together, rtol=1e-14)


@pytest.mark.parametrize("kind", ["correlated", "full", "diagonal", "mixture"])
def test_draws_of_the_weights_have_the_moments_of_the_belief(kind) -> None:
    n = 40_000
    if kind == "mixture":
        belief, _ = core.observe_many(three(), X, Y)
        means = np.stack([b.mean for b in belief.beliefs])
        mean = belief.weights @ means
        cov = sum(
            w * (b.cov + np.outer(b.mean - mean, b.mean - mean))
            for w, b in zip(belief.weights, belief.beliefs, strict=True)
        )
    elif kind == "correlated":
        mean, cov = np.array([1.0, -2.0]), np.array([[4.0, 1.8], [1.8, 1.0]])
        belief = core.gaussian(mean, cov)
    else:
        belief, _ = core.observe_many(core.prior(2, covariance=kind), X, Y)
        mean, cov = belief.mean, belief.cov
    draws = core.sample_weights(belief, np.random.default_rng(1), n)
    assert draws.shape == (n, 2)
    np.testing.assert_allclose(draws.mean(0), mean, atol=4 * np.sqrt(np.diag(cov).max() / n))
    np.testing.assert_allclose(np.cov(draws.T), cov, atol=8 * np.diag(cov).max() / np.sqrt(n))


@pytest.mark.parametrize("kind", ["full", "diagonal", "mixture"])
def test_sampled_probabilities_average_to_the_predictive_and_fill_the_interval(kind) -> None:
    n = 40_000
    prior = three() if kind == "mixture" else core.prior(2, covariance=kind, link="loglog")
    belief, _ = core.observe_many(prior, X, Y)
    p = core.sample_probabilities(belief, X, np.random.default_rng(7), size=n)
    assert p.shape == (n, 4)
    np.testing.assert_allclose(p.mean(0), core.predictive(belief, X), atol=4 * 0.5 / np.sqrt(n))
    low, high = core.interval(belief, X, level=0.8)
    off = 4 * np.sqrt(0.1 * 0.9 / n)
    np.testing.assert_allclose((p < low).mean(0), 0.1, atol=off)
    np.testing.assert_allclose((p > high).mean(0), 0.1, atol=off)


def test_draws_depend_on_the_generator_alone() -> None:
    one, two = (core.sample_weights(three(), np.random.default_rng(3), 10) for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("precision", [1 / 16, 1.0, 16.0])
def test_the_weight_goes_to_the_precision_the_world_was_made_with(precision) -> None:
    """Over 60 worlds drawn from N(0, 1/precision), the evidence summed over worlds is largest there."""
    rng = np.random.default_rng(2024)
    grid = (1 / 64, 1 / 16, 1 / 4, 1.0, 4.0, 16.0, 64.0)
    total = np.zeros(len(grid))
    for _ in range(60):
        w = rng.standard_normal(4) / np.sqrt(precision)
        design = rng.standard_normal((80, 4))
        y = rng.random(80) < 1 / (1 + np.exp(-design @ w))
        after, _ = core.observe_many(core.prior_mixture(4, precisions=grid), design, y)
        total += after.log_weights
    assert grid[int(total.argmax())] == precision


def test_the_default_grid_has_every_pair_of_precision_and_link() -> None:
    mixture = core.prior_mixture(2, links=["logit", "cloglog"])
    assert [(b.link.name, 1 / b.variance[0]) for b in mixture.beliefs[:3]] == [
        ("logit", PRECISIONS[0]),
        ("cloglog", PRECISIONS[0]),
        ("logit", PRECISIONS[1]),
    ]
    np.testing.assert_allclose(mixture.weights, 1 / 14)
    assert mixture.d == 2


def test_a_mixture_stays_normalised_after_outcomes_it_thought_impossible() -> None:
    sure = [core.prior(1, precision=1e6, mean=[m]) for m in (500.0, 600.0)]
    after, info = core.observe_many(core.mixture(sure), np.ones((5, 1)), np.zeros(5))
    assert np.exp(after.log_weights).sum() == pytest.approx(1.0, abs=1e-12)
    assert np.isfinite(info.evidence).all()
    assert after.weights[0] > 1 - 1e-9


def test_mixtures_of_nothing_or_of_different_weights_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one belief"):
        core.mixture([])
    with pytest.raises(InvalidInput, match=r"same width, got \[2, 3\]"):
        core.mixture([core.prior(3), core.prior(2)])
    with pytest.raises(InvalidInput, match="above 0, got 0"):
        core.mixture([core.prior(2), core.prior(2)], [1.0, 0.0])
    with pytest.raises(InvalidInput, match=r"shape \(2,\), got shape \(3,\)"):
        core.mixture([core.prior(2), core.prior(2)], [1.0, 1.0, 1.0])
    with pytest.raises(InvalidInput, match="empty list"):
        core.prior_mixture(2, precisions=[])


def test_a_mixture_says_what_it_holds() -> None:
    assert repr(core.mixture([core.prior(1), core.prior(1)])).startswith("Mixture(0.50: Belief(d=1, full")
