"""A whole history fitted together: exact where it should be, free of order, and the same by either path."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot import core
from sureshot.core.beliefs import belief
from sureshot.core.learning import batch, propagation
from sureshot.core.learning.compiled import propagation as twin
from sureshot.errors import InvalidInput

LINK = pytest.mark.parametrize("link", core.LINKS)
FORM = pytest.mark.parametrize("form", ["full", "diagonal"])


def history(seed: int, n: int, d: int, size: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes of ``n`` trials of ``size`` alternatives."""
    rng = np.random.default_rng(seed)
    pool = rng.standard_normal((size or n, d))
    X = pool[rng.integers(0, len(pool), n)]
    return X, (rng.random(n) < 1 / (1 + np.exp(-X @ rng.standard_normal(d)))).astype(int)


def assert_same(one: core.Belief, other: core.Belief, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(one.mean, other.mean, atol=tolerance)
    np.testing.assert_allclose(one.cov, other.cov, atol=tolerance)


def grid_posterior(prior: core.Belief, X, y, of) -> tuple[float, np.ndarray, np.ndarray]:
    """Log evidence, mean and covariance of two weights, by sums over a fine grid."""
    step = np.linspace(-8, 8, 401)
    u = np.stack(np.meshgrid(step, step, indexing="ij"), axis=-1).reshape(-1, 2)
    w = prior.mean + u @ np.linalg.cholesky(prior.cov).T
    log_mass = -0.5 * (u * u).sum(1) - np.log(2 * np.pi) + prior.link.log_likelihood(w @ X.T, y, of).sum(axis=1)
    mass = np.exp(log_mass) * (step[1] - step[0]) ** 2
    mean = mass @ w / mass.sum()
    return float(np.log(mass.sum())), mean, (w - mean).T @ ((w - mean) * mass[:, None]) / mass.sum()


@LINK
def test_it_comes_close_to_the_posterior_and_its_evidence(link) -> None:
    for seed in range(5):
        X, _ = history(seed, 8, 2)
        of = np.arange(8) % 3 + 1
        y = np.random.default_rng(seed).binomial(of, 0.5)
        prior = core.gaussian([0.3, -0.2], [[1.0, 0.4], [0.4, 2.0]], link=link, method="ep")
        found = core.fit(prior, X, y, of=of)
        log_z, mean, cov = grid_posterior(prior, X, y, of)
        assert found.converged
        assert found.evidence == pytest.approx(log_z, abs=0.01)
        np.testing.assert_allclose(found.belief.mean, mean, atol=0.03)
        np.testing.assert_allclose(found.belief.cov, cov, atol=0.05)


@LINK
@FORM
@pytest.mark.parametrize(("y", "of"), [(0, 1), (1, 1), (3, 7)])
def test_one_alternative_is_fitted_exactly(link, form, y, of) -> None:
    """Then there is one site, its cavity is the prior, and a sweep is one moment matching."""
    prior = core.prior(3, precision=[0.5, 1.0, 2.0], mean=[0.1, 0.2, -0.4], link=link, covariance=form, method="ep")
    x = np.array([1.0, -2.0, 0.5])
    found, (observed, info) = core.fit(prior, [x], [y], of=[of]), core.observe(prior, x, y, of=of)
    assert_same(found.belief, observed)
    assert found.evidence == pytest.approx(float(info.evidence), abs=1e-9)
    assert found.belief.method == "ep"


@LINK
@FORM
def test_the_order_of_outcomes_does_not_matter_to_the_last_bit(link, form) -> None:
    X, y = history(3, 40, 4, size=25)
    prior = core.prior(4, link=link, covariance=form, method="ep", own=0.3)
    one = core.fit(prior, X, y)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(40)
        other = core.fit(prior, X[order], y[order])
        np.testing.assert_array_equal(other.belief.mean, one.belief.mean)
        np.testing.assert_array_equal(other.belief.cov, one.belief.cov)
        assert other.evidence == one.evidence


@given(seed=st.integers(0, 9999), link=st.sampled_from(list(core.LINKS)), form=st.sampled_from(["full", "diagonal"]))
@settings(max_examples=30)
def test_compiled_and_numpy_fit_the_same(seed, link, form) -> None:
    rng = np.random.default_rng(seed)
    X, y = history(seed, int(rng.integers(1, 12)), int(rng.integers(1, 20)))
    prior = core.prior(X.shape[1], link=link, covariance=form, method="ep", own=float(rng.choice([0.0, 0.4])))
    quick = core.fit(prior, X, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "code_of", lambda _: None)
        slow = core.fit(prior, X, y)
    assert_same(quick.belief, slow.belief, 1e-7)
    assert quick.evidence == pytest.approx(slow.evidence, abs=1e-8)
    assert quick.sweeps == slow.sweeps


def test_fewer_scores_than_weights_are_fitted_in_their_own_directions() -> None:
    rows = np.random.default_rng(0).standard_normal((5, 9))
    rows[3] = rows[1] + rows[2]  # dependent rows have a zero on the diagonal
    for made in (propagation.triangle(rows), twin.triangle(rows)):
        np.testing.assert_allclose(made @ made.T, rows @ rows.T, atol=1e-12)
        np.testing.assert_allclose(np.triu(made, 1), 0.0, atol=1e-12)
    X, y = history(2, 6, 30)
    narrow = core.fit(core.prior(30, method="ep"), X, y)
    whole = core.fit(core.prior(30, method="ep"), np.vstack([X, np.zeros((40, 30))]), np.append(y, np.zeros(40, int)))
    assert_same(narrow.belief, whole.belief, 1e-7)


@FORM
def test_counts_are_their_outcomes(form) -> None:
    X = np.array([[1.0, 0.0], [1.0, 1.0]])
    prior = core.prior(2, covariance=form, method="ep")
    counted = core.fit(prior, X, [2, 0], of=[3, 2])
    single = core.fit(prior, X[[0, 1, 0, 0, 1]], [1, 0, 1, 0, 0])
    assert_same(counted.belief, single.belief, 0.0)


@FORM
def test_a_fit_that_begins_where_the_last_one_ended_comes_to_the_same(form) -> None:
    X, y = history(5, 40, 6)
    prior = core.prior(6, covariance=form, method="ep", own=0.2)
    before = core.fit(prior, X[:-1], y[:-1])
    cold, warm = core.fit(prior, X, y), core.fit(prior, X, y, start=before.sites)
    assert_same(warm.belief, cold.belief, 1e-6)
    assert warm.evidence == pytest.approx(cold.evidence, abs=1e-6)
    again = core.fit(prior, X, y, start=warm.sites)
    assert again.sweeps < warm.sweeps <= cold.sweeps


@LINK
@pytest.mark.parametrize("method", ["laplace", "adf", "ep"])
@pytest.mark.parametrize("most", [256, 3])
def test_an_own_effect_is_a_feature_that_no_other_alternative_has(link, method, most, monkeypatch) -> None:
    """Also beyond MOST_OWN, where it has no weight: its variance is in the score, and features learn the same."""
    monkeypatch.setattr(belief, "MOST_OWN", most)
    rng = np.random.default_rng(4)
    pool = rng.standard_normal((8, 3))
    X = np.repeat(pool, [1, 2, 1, 3, 1, 1, 2, 1], axis=0)
    y = rng.integers(0, 2, len(X))
    same = (X[:, None] == pool).all(axis=2).astype(float)
    plain = core.prior(11, precision=np.append(np.ones(3), np.full(8, 2.0)), link=link, method=method)
    known = core.prior(3, link=link, method=method, own=0.5)
    wide, own = core.fit(plain, np.hstack([X, same]), y), core.fit(known, X, y)
    np.testing.assert_allclose(own.belief.mean[:3], wide.belief.mean[:3], atol=1e-6)
    np.testing.assert_allclose(own.belief.cov[:3, :3], wide.belief.cov[:3, :3], atol=1e-6)
    assert own.evidence == pytest.approx(wide.evidence, abs=1e-6)
    if most > 8:
        whole = np.hstack([pool, np.eye(8)])
        for ours, theirs in zip(own.belief.moments(pool), wide.belief.moments(whole), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-6)


@LINK
@FORM
@pytest.mark.parametrize("method", ["laplace", "adf"])
def test_one_outcome_after_another_learns_own_effects_too(link, form, method) -> None:
    X, y = history(6, 20, 3, size=7)
    pool = np.unique(X, axis=0)
    same = (X[:, None] == pool).all(axis=2).astype(float)
    precision = np.append(np.ones(3), np.full(len(pool), 4.0))
    plain = core.prior(3 + len(pool), precision=precision, link=link, method=method, covariance=form)
    wide, wide_info = core.observe_many(plain, np.hstack([X, same]), y)
    one = core.prior(3, link=link, method=method, own=0.25, covariance=form)
    for x, outcome in zip(X, y, strict=True):
        one, info = core.observe(one, x, outcome)
    np.testing.assert_allclose(one.moments(pool)[0], wide.moments(np.hstack([pool, np.eye(len(pool))]))[0], atol=1e-9)
    np.testing.assert_allclose(one.moments(pool)[1], wide.moments(np.hstack([pool, np.eye(len(pool))]))[1], atol=1e-9)
    assert info.evidence == pytest.approx(wide_info.evidence[-1], abs=1e-9)


def test_a_mixture_is_weighted_by_evidence() -> None:
    X, y = history(7, 25, 3)
    prior = core.mixture([core.prior(3, precision=p, method="ep", own=o) for p, o in ((1, 0), (9, 0.5))], [3, 1])
    found = core.fit(prior, X, y)
    each = [core.fit(one, X, y) for one in prior.beliefs]
    log_weights = np.log([0.75, 0.25]) + [one.evidence for one in each]
    np.testing.assert_allclose(found.belief.log_weights, log_weights - np.logaddexp.reduce(log_weights), atol=1e-12)
    assert found.evidence == pytest.approx(np.logaddexp.reduce(log_weights))
    for one, alone in zip(found.belief.beliefs, each, strict=True):
        assert_same(one, alone.belief, 0.0)
    warm = core.fit(prior, X, y, start=found.sites)
    np.testing.assert_allclose(warm.belief.weights, found.belief.weights, atol=1e-6)
    after, _ = core.observe(found.belief, X[0], 1)  # one more outcome is one moment matching in each
    assert after.beliefs[0].method == "ep"
    assert_same(after.beliefs[1], core.observe(found.belief.beliefs[1], X[0], 1)[0], 0.0)


def test_methods_may_stand_side_by_side_in_a_mixture() -> None:
    X, y = history(7, 10, 3)
    found = core.fit(core.mixture([core.prior(3, method=how) for how in ("laplace", "adf", "ep")]), X, y)
    assert found.sites is None
    assert np.ptp(found.belief.log_weights) < 0.2  # three estimates of the same evidence
    assert (found.sweeps > 1, found.converged) == (True, True)


@LINK
@pytest.mark.parametrize("method", ["adf", "ep"])
def test_a_diagonal_fit_has_the_means_and_variances_of_a_full_one(link, method, monkeypatch) -> None:
    """It drops the correlations once, at the end; where there are too many, after each outcome."""
    X, y = history(6, 12, 4)
    made = {"link": link, "method": method, "own": 0.3}
    full, diagonal = (core.fit(core.prior(4, covariance=form, **made), X, y) for form in ("full", "diagonal"))
    assert (diagonal.belief.covariance, diagonal.evidence) == ("diagonal", full.evidence)
    np.testing.assert_allclose(diagonal.belief.mean, full.belief.mean, atol=1e-12)
    np.testing.assert_allclose(diagonal.belief.variance, full.belief.variance, rtol=1e-12)
    monkeypatch.setattr(batch, "MOST_CORRELATED", 3)
    many = core.fit(core.prior(4, covariance="diagonal", **made), X, y)
    assert (many.sweeps, many.converged) == (1, method == "adf")
    assert np.abs(many.belief.mean - full.belief.mean).max() > 0.01


def test_one_pass_beyond_a_stated_number(monkeypatch) -> None:
    X, y = history(8, 30, 3)
    monkeypatch.setattr(batch, "MOST_SITES", 5)
    found = core.fit(core.prior(3, method="ep"), X, y)
    assert (found.sites, found.sweeps, found.converged, found.belief.method) == (None, 1, False, "ep")
    single = core.fit(core.prior(3, method="adf"), X, y)
    assert_same(found.belief, single.belief, 0.0)
    assert (single.sweeps, single.converged) == (1, True)


@LINK
@FORM
def test_wild_priors_and_outcomes_give_sound_beliefs(link, form) -> None:
    """Precisions from 1e-8 to 1e3, features from 0.01 to 100, all failures, all successes: finite, and the outcomes
    never surer than certain. With a full covariance every fit comes to rest.
    """
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(1, 40)), int(rng.integers(1, 7))
        X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-2, 2)
        if seed % 3 == 0:
            X[:, 0] = 1.0
        y = (rng.random(n) < rng.choice([0.0, 0.05, 0.5, 1.0])).astype(int)
        found = core.fit(
            core.prior(d, precision=10.0 ** rng.uniform(-8, 3), link=link, covariance=form, method="ep"), X, y
        )
        assert np.isfinite(found.belief.mean).all()
        assert np.isfinite(found.belief.cov).all()
        assert (found.belief.spread > 0).all()
        assert found.evidence < 1e-9
        assert found.converged


def test_no_outcomes_leave_the_prior_as_it_is() -> None:
    prior = core.gaussian([1.0, 2.0], [[2.0, 1.0], [1.0, 2.0]], method="ep")
    found = core.fit(prior, np.empty((0, 2)), [])
    assert_same(found.belief, prior, 0.0)
    assert (found.evidence, found.sweeps, found.converged) == (0.0, 0, True)


def test_a_row_of_zeros_says_nothing_about_the_weights() -> None:
    found = core.fit(core.prior(2, method="ep"), [[0.0, 0.0]], [1])
    assert_same(found.belief, core.prior(2), 0.0)
    assert found.evidence == pytest.approx(np.log(0.5))


def test_sites_of_another_prior_are_refused() -> None:
    X, y = history(9, 10, 3)
    sites = core.fit(core.prior(3, method="ep"), X, y).sites
    with pytest.raises(InvalidInput, match="`start` must come from a fit of the same prior"):
        core.fit(core.prior(3, columns=[0, 1], method="ep"), X, y, start=sites)
    with pytest.raises(InvalidInput, match="`start` must hold sites of 2 beliefs"):
        core.fit(core.prior_mixture(3, precisions=[1, 2], method="ep"), X, y, start=sites)


def test_a_failed_fit_changes_nothing() -> None:
    prior = core.prior(2, method="ep")
    kept = copy.deepcopy(prior)
    with pytest.raises(InvalidInput, match=r"overflow, got .* scale the features"):
        core.fit(prior, [[1e200, 1.0]], [1])
    assert_same(prior, kept, 0.0)


def test_sites_of_fewer_outcomes_do_not_stay_under_a_wide_prior() -> None:
    """A site that is all but the whole precision of its score has no cavity that rounding would not decide, and stays.
    Handed over from a fit of half of the outcomes, it stood for these alone, and the fit said that it converged."""
    X, half, whole = np.array([[1.0, 2.0], [1.0, -1.0]]), np.array([40_000, 20_000]), np.array([80_000, 50_000])
    prior = core.prior(2, precision=1e-7, method="ep")
    first = core.fit(prior, X, half // 2, of=half)
    cold, warm = core.fit(prior, X, whole // 2, of=whole), core.fit(prior, X, whole // 2, of=whole, start=first.sites)
    assert warm.converged
    np.testing.assert_allclose(warm.belief.variance, cold.belief.variance, rtol=1e-6)
    np.testing.assert_allclose(warm.belief.moments(X)[1], 4.0 / whole, rtol=1e-3)
