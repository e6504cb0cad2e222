"""Asymptotic normality by many runs, and the mass at the best alternative where it has a closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special, stats

from sureshot import core
from sureshot.errors import InvalidInput
from sureshot.theory import fisher_information, mass_at_best, maximum_likelihood, wald


def test_the_tail_is_that_of_chi_square():
    rng = np.random.default_rng(0)
    for d in (1, 2, 5, 11):
        half = rng.standard_normal((d, d))
        F, w, true = half @ half.T, rng.standard_normal(d), rng.standard_normal(d)
        found = wald(w, true, F)
        quadratic = sum(F[i, j] * (w - true)[i] * (w - true)[j] for i in range(d) for j in range(d))
        assert found.statistic == pytest.approx(quadratic, rel=1e-10)
        assert found.tail == pytest.approx(stats.chi2.sf(quadratic, d), rel=1e-10)
    assert wald([1.0], [1.0], [[3.0]]) == (0.0, 1.0)
    assert wald([100.0], [0.0], [[1.0]]).tail == 0.0


@pytest.mark.parametrize("link", ["logit", "cloglog"])
def test_over_many_runs_the_tail_is_uniform(link):
    """150 histories of 300 outcomes. A Kolmogorov-Smirnov test at 0.1 %, fixed seeds; with half the information it
    fails by far.
    """
    rng = np.random.default_rng(9)
    X, w = rng.standard_normal((300, 2)), np.array([0.5, -0.7])
    F, p = fisher_information(X, w, link=link), core.get_link(link).probability(X @ w)
    estimates = [maximum_likelihood(X, rng.random(300) < p, link=link).weights for _ in range(150)]
    assert stats.kstest([wald(one, w, F).tail for one in estimates], "uniform").pvalue > 1e-3
    assert stats.kstest([wald(one, w, F / 2).tail for one in estimates], "uniform").pvalue < 1e-6


def gaussians():
    rng = np.random.default_rng(1)
    for d in (1, 3):
        half = rng.standard_normal((d, d))
        yield core.gaussian(rng.standard_normal(d), half @ half.T + 0.1 * np.eye(d)), rng.standard_normal((2, d))
        yield core.gaussian(rng.standard_normal(d), rng.uniform(0.1, 2.0, d)), rng.standard_normal((2, d))


def test_of_two_alternatives_it_has_a_closed_form():
    """P(w·(x - x') >= 0) = Φ(m·(x - x') / sd)."""
    z = []
    for k, (belief, X) in enumerate(gaussians()):
        for best in (0, 1):
            apart = X[best] - X[1 - best]
            true = stats.norm.cdf(belief.mean @ apart / np.sqrt(apart @ belief.cov @ apart))
            found = mass_at_best(belief, X, best, np.random.default_rng(k), draws=20_000)
            z.append((found.mass - true) / found.error)
            assert found.error == pytest.approx(np.sqrt(found.mass * (1 - found.mass) / 20_000), rel=1e-12)
    assert np.abs(z).max() < 4


def test_the_error_that_it_states_is_its_error():
    """Of 200 runs of 500 draws, 95 % are within 1.96 errors: above 178 of them with 99.9 %."""
    belief, X = core.gaussian([0.3, -0.2], [[1.0, 0.4], [0.4, 2.0]]), np.array([[1.0, 0.5], [0.0, 1.0]])
    apart = X[0] - X[1]
    true = stats.norm.cdf(belief.mean @ apart / np.sqrt(apart @ belief.cov @ apart))
    rng = np.random.default_rng(3)
    found = [mass_at_best(belief, X, 0, rng, draws=500) for _ in range(200)]
    inside = sum(abs(one.mass - true) < 1.96 * one.error for one in found)
    assert 178 < inside < 200


def test_of_three_alternatives_it_is_an_integral():
    """Independent scores N(m_i, v_i): ∫ φ(f) Π Φ of the others."""
    m, v = np.array([0.4, 0.0, 0.7]), np.array([1.0, 2.0, 0.3])
    belief = core.gaussian(m, v)

    def density(f):
        others = special.ndtr((f - m[1:]) / np.sqrt(v[1:])).prod()
        return stats.norm.pdf(f, m[0], np.sqrt(v[0])) * others

    true, _ = integrate.quad(density, -8, 8)
    found = mass_at_best(belief, np.eye(3), 0, np.random.default_rng(5), draws=40_000)
    assert abs(found.mass - true) < 4 * found.error
    total = sum(mass_at_best(belief, np.eye(3), i, np.random.default_rng(5)).mass for i in range(3))
    assert total == pytest.approx(1.0, abs=1e-12)  # the same draws: one of them is the best in each


def test_of_a_mixture_it_is_the_weighted_mean():
    beliefs = [core.gaussian([1.0, 0.0], [1.0, 1.0]), core.gaussian([-1.0, 0.5], [0.2, 0.3], link="probit")]
    X = np.array([[1.0, 0.0], [0.0, 1.0]])
    each = [stats.norm.cdf((one.mean[0] - one.mean[1]) / np.sqrt(one.variance.sum())) for one in beliefs]
    found = mass_at_best(core.mixture(beliefs, [3, 1]), X, 0, np.random.default_rng(7), draws=40_000)
    assert abs(found.mass - (0.75 * each[0] + 0.25 * each[1])) < 4 * found.error


def test_an_effect_of_an_alternative_s_own_counts():
    """Two rows with the same mean, one feature apart by nothing but their own effects: the variances add up."""
    belief = core.prior(1, precision=1.0, mean=[1.0], own=2.0)
    true = stats.norm.cdf(1.0 / np.sqrt(1.0 + 2 * 2.0))  # scores w + a and 0 + b
    found = mass_at_best(belief, [[1.0], [0.0]], 0, np.random.default_rng(8), draws=40_000)
    assert abs(found.mass - true) < 4 * found.error


def test_copies_share_the_first_place():
    belief, X = core.prior(2), [[1.0, 1.0], [1.0, 1.0], [0.0, 0.1]]
    masses = [mass_at_best(belief, X, i, np.random.default_rng(2)).mass for i in range(3)]
    assert masses[0] == masses[1]
    assert masses[0] + masses[2] == pytest.approx(1.0, abs=1e-12)


def test_it_settles_on_the_true_best_as_outcomes_come():
    rng = np.random.default_rng(10)
    X, w = rng.standard_normal((6, 2)), np.array([1.0, -0.5])
    best = int((X @ w).argmax())
    at = np.arange(6000) % 6
    y = (rng.random(6000) < special.expit(X[at] @ w)).astype(int)
    mass = [
        mass_at_best(core.observe_many(core.prior(2), X[at[:n]], y[:n])[0], X, best, np.random.default_rng(1)).mass
        for n in (0, 60, 6000)
    ]
    assert mass[0] < 0.5
    assert mass[2] > 0.99


B, X2, RNG = core.prior(2), [[1.0, 0.0], [0.0, 1.0]], np.random.default_rng(0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mass_at_best(B, X2, 2, RNG), "`best` must be a row of `X`, 0 to 1, got 2"),
        (lambda: mass_at_best(B, X2, -1, RNG), "`best` must be a row of `X`, 0 to 1, got -1"),
        (lambda: mass_at_best(B, X2, True, RNG), "`best` must be a row of `X`"),
        (lambda: mass_at_best(B, X2, 0.5, RNG), "`best` must be a row of `X`"),  # type: ignore[arg-type]
        (lambda: mass_at_best(B, np.empty((0, 2)), 0, RNG), "`X` must hold at least one alternative"),
        (lambda: mass_at_best(B, [[1.0]], 0, RNG), r"`X` must have shape \(n, 2\)"),
        (lambda: mass_at_best(B, X2, 0, RNG, draws=0), "`draws` must be a whole number"),
        (lambda: mass_at_best(B, X2, 0, 5), "`rng` must be a generator, got 5"),  # type: ignore[arg-type]
        (lambda: mass_at_best("x", X2, 0, RNG), "`belief` must be a belief, got str"),  # type: ignore[arg-type]
        (lambda: wald([1.0], [1.0, 2.0], np.eye(2)), r"`w` must have shape \(2,\)"),
        (lambda: wald([1.0, 1.0], [1.0], np.eye(2)), r"`w_true` must have shape \(2,\)"),
        (lambda: wald([1.0], [1.0], [[-1.0]]), "`information` must have no negative eigenvalue"),
        (lambda: wald([1.0], [np.inf], [[1.0]]), "`w_true` must be finite"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
