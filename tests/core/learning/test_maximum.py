"""The fit over all data at once against scikit-learn, statsmodels and SciPy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import optimize
from sklearn.linear_model import LogisticRegression

from sureshot import core

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # statsmodels' own, at import
    import statsmodels.api as sm

FAMILY = {
    "logit": sm.families.links.Logit,
    "probit": sm.families.links.Probit,
    "cloglog": sm.families.links.CLogLog,
    "loglog": sm.families.links.LogLog,
}


def data(n: int = 120, d: int = 3, seed: int = 8) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    X[:, 0] = 1.0
    return X, (rng.random(n) < 1 / (1 + np.exp(-X @ [0.3, 1.0, -0.7]))).astype(int)


@pytest.mark.parametrize("precision", [0.01, 1.0, 30.0])
def test_logit_is_scikit_learns_ridge(precision) -> None:
    X, y = data()
    sk = LogisticRegression(C=1 / precision, fit_intercept=False, solver="newton-cholesky", tol=1e-12).fit(X, y)
    fitted = core.fit(core.prior(3, precision=precision), X, y).belief
    np.testing.assert_allclose(fitted.mean, sk.coef_[0], atol=1e-7)
    p = sk.predict_proba(X)[:, 1]
    hessian = precision * np.eye(3) + X.T @ ((p * (1 - p))[:, None] * X)
    np.testing.assert_allclose(fitted.cov, np.linalg.inv(hessian), rtol=1e-6)


@pytest.mark.parametrize("link", FAMILY)
def test_a_flat_prior_gives_statsmodels_maximum_likelihood(link) -> None:
    X, y = data()
    model = sm.GLM(y, X, family=sm.families.Binomial(link=FAMILY[link]()))
    result = model.fit(tol=1e-12, maxiter=200)
    fitted = core.fit(core.prior(3, precision=1e-9, link=link), X, y).belief
    np.testing.assert_allclose(fitted.mean, result.params, atol=1e-6)
    observed = -model.hessian(result.params, observed=True)
    np.testing.assert_allclose(np.linalg.inv(fitted.cov), observed, rtol=1e-5)


@pytest.mark.parametrize("link", FAMILY)
def test_a_given_prior_and_counts_against_scipy(link) -> None:
    rng = np.random.default_rng(1)
    X, of = rng.standard_normal((15, 2)), rng.integers(1, 8, 15)
    y = rng.binomial(of, 0.4)
    mean, cov = np.array([0.5, -1.0]), np.array([[1.0, 0.6], [0.6, 2.0]])
    precision = np.linalg.inv(cov)
    family = FAMILY[link]()

    def loss(w):
        p = np.clip(family.inverse(X @ w), 1e-15, 1 - 1e-15)
        return 0.5 * (w - mean) @ precision @ (w - mean) - y @ np.log(p) - (of - y) @ np.log1p(-p)

    found = optimize.minimize(
        loss, mean, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 2000}
    )
    fitted = core.fit(core.gaussian(mean, cov, link=link), X, y, of=of).belief
    np.testing.assert_allclose(fitted.mean, found.x, atol=1e-5)
    hessian = np.linalg.inv(fitted.cov)
    for i, j in ((0, 0), (0, 1), (1, 1)):
        a, b, h = np.eye(2)[i], np.eye(2)[j], 1e-3
        w = fitted.mean
        bend = loss(w + h * a + h * b) - loss(w + h * a - h * b) - loss(w - h * a + h * b) + loss(w - h * a - h * b)
        assert hessian[i, j] == pytest.approx(bend / (4 * h * h), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("form", ["full", "diagonal"])
@pytest.mark.parametrize("link", FAMILY)
def test_one_outcome_fits_as_it_is_observed(link, form) -> None:
    prior = core.prior(3, precision=[0.5, 1.0, 2.0], mean=[0.1, 0.2, -0.4], link=link, covariance=form)
    x = np.array([1.0, -2.0, 0.5])
    for y, of in ((0, 1), (1, 1), (3, 5)):
        fitted, observed = core.fit(prior, [x], [y], of=[of]).belief, core.observe(prior, x, y, of=of)[0]
        np.testing.assert_allclose(fitted.mean, observed.mean, atol=1e-9)
        np.testing.assert_allclose(fitted.cov, observed.cov, atol=1e-9)


def test_a_diagonal_fit_keeps_the_diagonal_of_the_precision() -> None:
    X, y = data()
    full, diagonal = (core.fit(core.prior(3, covariance=form), X, y).belief for form in ("full", "diagonal"))
    np.testing.assert_allclose(diagonal.mean, full.mean, atol=1e-9)
    np.testing.assert_allclose(1 / diagonal.variance, np.diag(np.linalg.inv(full.cov)), rtol=1e-9)


@pytest.mark.parametrize("link", FAMILY)
def test_the_order_of_outcomes_does_not_matter_to_the_fit(link) -> None:
    X, y = data(40)
    order = np.random.default_rng(0).permutation(40)
    prior = core.prior(3, link=link)
    one, other = core.fit(prior, X, y).belief, core.fit(prior, X[order], y[order]).belief
    np.testing.assert_allclose(other.mean, one.mean, atol=1e-10)
    np.testing.assert_allclose(other.cov, one.cov, atol=1e-10)


def test_counts_fit_as_their_outcomes_do() -> None:
    X = np.array([[1.0, 0.0], [1.0, 1.0]])
    counted = core.fit(core.prior(2), X, [2, 0], of=[3, 2]).belief
    single = core.fit(core.prior(2), X[[0, 0, 0, 1, 1]], [1, 1, 0, 0, 0]).belief
    np.testing.assert_allclose(counted.mean, single.mean, atol=1e-10)
    np.testing.assert_allclose(counted.cov, single.cov, atol=1e-10)


def test_the_recursion_comes_close_to_the_fit_and_closer_with_the_full_covariance() -> None:
    """What the recursive update loses by forgetting, in units of the posterior's own deviations."""
    X, y = data(200)
    exact = core.fit(core.prior(3), X, y).belief
    off = {}
    for form in ("full", "diagonal"):
        recursive, _ = core.observe_many(core.prior(3, covariance=form), X, y)
        gap = recursive.mean - exact.mean
        off[form] = np.sqrt(gap @ np.linalg.solve(exact.cov, gap))
    assert off["full"] < 1.0
    assert off["full"] < off["diagonal"]


def test_separable_data_fit_because_the_prior_holds_them() -> None:
    X = np.c_[np.ones(40), np.linspace(-1, 1, 40)]
    for link in FAMILY:
        fitted = core.fit(core.prior(2, precision=1e-6, link=link), X, (X[:, 1] > 0).astype(int)).belief
        assert np.isfinite(fitted.mean).all()
        assert fitted.mean[1] > 10


def test_no_data_fit_the_prior() -> None:
    prior = core.gaussian([1.0, 2.0], [[2.0, 1.0], [1.0, 2.0]])
    fitted = core.fit(prior, np.empty((0, 2)), []).belief
    np.testing.assert_allclose(fitted.mean, prior.mean)
    np.testing.assert_allclose(fitted.cov, prior.cov)


@pytest.mark.parametrize(("link", "sign", "y"), [("cloglog", 1.0, 0), ("loglog", -1.0, 1)])
@pytest.mark.parametrize("form", ["full", "diagonal"])
@pytest.mark.parametrize("mu", [40.0, 800.0, 1e5])
def test_a_mean_score_whose_likelihood_overflows_is_come_back_from(link, sign, y, form, mu) -> None:
    """At a score of 800 the curvature of a cloglog failure is exp(800). One outcome has its MAP in the one-dimensional
    root; two outcomes of one alternative are one observation of two."""
    cov = np.array([1e6, 1e3]) if form == "diagonal" else np.array([[1e6, 1e3], [1e3, 1e3]])
    prior = core.gaussian([sign * mu, 0.0], cov, link=link)
    x = [1.0, 0.5]
    once, _ = core.observe(prior, x, 2 * y, of=2)
    both = core.fit(prior, [x, x], [y, y]).belief
    np.testing.assert_allclose(both.mean, once.mean, rtol=1e-8)
    np.testing.assert_allclose(both.variance, once.variance, rtol=1e-6)
    wide = core.fit(prior, [x, [1.0, -0.5], x], [y, 1 - y, y]).belief
    assert np.isfinite(wide.mean).all()
