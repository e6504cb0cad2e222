"""Draws against the distributions that they are promised to have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from sureshot.lab.worlds import get_world

#: A draw that is what it should be fails once in a thousand seeds; the seeds here are fixed.
RARE = 1e-3


def drawn(name: str, runs: int = 400, **given: object) -> list:
    world = get_world(name, **given)
    return [world.draw(np.random.default_rng([7, run]), 5) for run in range(runs)]


@pytest.mark.parametrize(("d", "M"), [(2, 200), (3, 300), (10, 200), (15, 200)])
def test_the_paper_has_so_many_alternatives(d: int, M: int) -> None:
    (found,) = drawn("synthetic", 1, d=d)
    assert found.X.shape == (1, M, d + 1)
    assert found.probability.shape == (1, 1, M)
    assert (found.X[0, :, 0] == 1).all()


def test_features_are_uniform_on_the_cube() -> None:
    X = np.concatenate([found.X[0, :, 1:] for found in drawn("synthetic", 30, d=3)])
    for column in X.T:
        assert stats.kstest(column, stats.uniform(-3, 6).cdf).pvalue > RARE
    assert np.abs(np.corrcoef(X.T) - np.eye(3)).max() < 4 / np.sqrt(len(X))
    assert len(np.unique(X[:, 0])) == len(X)  # new rows in every run


@pytest.mark.parametrize("precision", [1.0, 25.0])
def test_weights_come_from_the_prior(precision: float) -> None:
    w = np.array([found.weights for found in drawn("synthetic", d=3, M=1, precision=precision)])
    for column in w.T:
        assert stats.kstest(column, stats.norm(0, precision**-0.5).cdf).pvalue > RARE
    assert np.abs(np.corrcoef(w.T) - np.eye(4)).max() < 4 / np.sqrt(len(w))


LINKS = {
    "logit": lambda f: 1 / (1 + np.exp(-f)),
    "probit": stats.norm.cdf,
    "cloglog": lambda f: 1 - np.exp(-np.exp(f)),
    "loglog": lambda f: np.exp(-np.exp(-f)),
}


@pytest.mark.parametrize("link", LINKS)
def test_probabilities_follow_from_weights_and_link(link: str) -> None:
    (found,) = drawn("synthetic", 1, d=2, link=link)
    scores = [sum(x * w for x, w in zip(row, found.weights, strict=True)) for row in found.X[0]]
    np.testing.assert_allclose(found.probability[0, 0], LINKS[link](np.array(scores)), rtol=1e-9, atol=1e-14)


def test_without_a_constant() -> None:
    (found,) = drawn("synthetic", 1, d=2, intercept=False)
    assert found.X.shape == (1, 200, 2)
    assert not found.intercept
    assert found.weights.shape == (2,)


def test_noisy_is_near_a_half() -> None:
    scores = [special.logit(found.probability[0, 0]) for found in drawn("noisy", 100)]
    expected = np.sqrt((1 + 10 * 3) / 100)  # var w = 1/100; E x² = 3 for each of 10 features, 1 for the constant
    assert np.sqrt(np.mean(np.square(scores))) == pytest.approx(expected, rel=0.06)
    p = np.concatenate([found.probability[0, 0] for found in drawn("noisy", 100)])
    assert np.quantile(np.abs(p - 0.5), 0.9) < 0.25


@pytest.mark.parametrize(
    ("given", "law"),
    [
        ({}, stats.norm(1.0, 0.5)),
        ({"shift": 0, "stretch": 5, "precision": 4}, stats.norm(0.0, 2.5)),
        ({"shift": 0, "stretch": 1, "tails": 2}, stats.t(2)),
    ],
)
def test_misspecified_weights(given: dict, law: object) -> None:
    w = np.array([found.weights for found in drawn("misspecified-prior", d=3, M=1, **given)])
    for column in w.T:
        assert stats.kstest(column, law.cdf).pvalue > RARE


def test_a_low_base_makes_successes_rare() -> None:
    plain = drawn("misspecified-prior", 5, d=3)
    rare = drawn("misspecified-prior", 5, d=3, base=-4)
    for one, other in zip(plain, rare, strict=True):
        np.testing.assert_allclose(other.weights - one.weights, [-4, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize("df", [1.0, 3.0])
def test_the_t_link_is_students_distribution(df: float) -> None:
    (found,) = drawn("wrong-link", 1, d=2, link="t", df=df)
    np.testing.assert_allclose(found.probability[0, 0], stats.t(df).cdf(found.X[0] @ found.weights), rtol=1e-9)


def test_the_wrong_link_is_cloglog_as_usual() -> None:
    (found,) = drawn("wrong-link", 1)
    np.testing.assert_allclose(found.probability[0, 0], LINKS["cloglog"](found.X[0] @ found.weights), atol=1e-12)


@pytest.mark.parametrize("rho", [0.9, -0.5])
def test_correlated_features_are_uniform_and_tied(rho: float) -> None:
    X = np.concatenate([found.X[0, :, 1:] for found in drawn("correlated", 50, d=4, correlation=rho)])
    for column in X.T:
        assert stats.kstest(column, stats.uniform(-3, 6).cdf).pvalue > RARE
    # uniforms made from normals of correlation r have correlation (6/π) asin(r/2)
    expected = [[6 / np.pi * np.arcsin(rho ** abs(i - j) / 2) for i in range(4)] for j in range(4)]
    np.testing.assert_allclose(np.corrcoef(X.T), expected, atol=0.03)


def test_weights_drift_as_a_random_walk() -> None:
    world = get_world("drifting", d=2, M=30, rate=0.3, precision=4.0)
    runs = [world.draw(np.random.default_rng([3, run]), 20) for run in range(200)]
    assert runs[0].probability.shape == (21, 1, 30)
    steps = np.concatenate([np.diff(found.weights, axis=0) for found in runs]).ravel()
    assert stats.kstest(steps, stats.norm(0, 0.3 / 2).cdf).pvalue > RARE
    assert stats.kstest([found.weights[0, 1] for found in runs], stats.norm(0, 0.5).cdf).pvalue > RARE
    for n in (0, 7, 20):
        np.testing.assert_allclose(runs[0].at(n)[0], special.expit(runs[0].X[0] @ runs[0].weights[n]), rtol=1e-12)
    assert (runs[0].at(25) == runs[0].at(20)).all()


def test_a_longer_budget_goes_on_where_a_shorter_one_ends() -> None:
    world = get_world("drifting", d=2)
    short, long = (world.draw(np.random.default_rng(5), budget) for budget in (10, 30))
    np.testing.assert_allclose(short.probability, long.probability[:11], rtol=1e-12)


def test_no_drift_is_no_drift() -> None:
    found = get_world("drifting", rate=0).draw(np.random.default_rng(5), 10)
    np.testing.assert_allclose(found.probability, np.broadcast_to(found.probability[0], (11, 1, 200)), rtol=1e-12)


def test_delays_are_those_asked_for() -> None:
    fixed = get_world("delayed", world="synthetic", delay=3).draw(np.random.default_rng(0), 50)
    assert (fixed.delays == 3).all()
    varied = get_world("delayed", world="synthetic", delay=3, law="geometric").draw(np.random.default_rng(0), 20_000)
    found = np.bincount(varied.delays, minlength=8)[:8] / 20_000
    np.testing.assert_allclose(found, [0.25 * 0.75**k for k in range(8)], atol=0.012)
    assert varied.delays.mean() == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize("inner", ["synthetic", "drifting", "loans"])
def test_a_delay_changes_nothing_else(inner: str) -> None:
    world = get_world(inner)
    late = get_world("delayed", world=world, delay=4).draw(np.random.default_rng(2), 12)
    plain = world.draw(np.random.default_rng(2), 12)
    assert (plain.delays == 0).all()
    np.testing.assert_array_equal(late.X, plain.X)
    np.testing.assert_array_equal(late.probability, plain.probability)
    np.testing.assert_array_equal(late.arrivals, plain.arrivals)
