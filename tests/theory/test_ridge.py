"""Bias and variance of the penalised estimate: against its numeric derivative, and against many fits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, special

from sureshot import core
from sureshot.errors import InvalidInput
from sureshot.theory import fisher_information, ridge_bias, ridge_variance


def design(n=60, seed=2):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 3)) * [1.0, 0.5, 2.0], np.array([0.5, -0.8, 0.3])


@pytest.mark.parametrize(("precision", "mean"), [(1.0, None), (25.0, None), ([0.5, 4.0, 9.0], [0.2, 0.1, -1.0])])
def test_both_are_those_of_the_estimate_made_linear_by_finite_differences(precision, mean):
    """Σ (p + e - σ(Xw)) x - λ (w - w*) - t λ (w* - m) = 0 has the solution w* at e = 0, t = 0, and is the equation of
    the estimate at t = 1 with e = y - p. Its derivatives in t and in each e are taken numerically, by solving it.
    """
    X, w = design()
    strength = np.broadcast_to(precision, 3)
    away = strength * (w - (np.zeros(3) if mean is None else mean))
    p = special.expit(X @ w)

    def solved(t, e):
        def slope(v):
            return X.T @ (p + e - special.expit(X @ v)) - strength * (v - w) - t * away

        return optimize.root(slope, w, tol=1e-14).x

    h, none = 1e-4, np.zeros(len(X))
    bias = (solved(h, none) - solved(-h, none)) / (2 * h)
    each = [(solved(0, h * e) - solved(0, -h * e)) / (2 * h) for e in np.eye(len(X))]
    variance = sum(q * np.outer(g, g) for q, g in zip(p * (1 - p), each, strict=True))  # outcomes are independent
    F = fisher_information(X, w)
    np.testing.assert_allclose(ridge_bias(F, w, precision, mean=mean), bias, rtol=1e-5)
    np.testing.assert_allclose(ridge_variance(F, precision), variance, rtol=1e-4, atol=1e-10)


def test_both_are_what_many_fits_show_and_with_two_lambda_they_are_not():
    """200 histories of 600 outcomes, fitted by the core; λ large enough that 2λ is far off."""
    rng = np.random.default_rng(4)
    X, w = design(600)
    lam, p = 40.0, special.expit(X @ w)
    fits = np.array([core.fit(core.prior(3, precision=lam), X, rng.random(600) < p).belief.mean for _ in range(200)])
    F = fisher_information(X, w)
    seen, error = fits.mean(axis=0) - w, np.sqrt(fits.var(axis=0) / 200)
    bias, variance = ridge_bias(F, w, lam), ridge_variance(F, lam)
    assert (np.abs(seen - bias) < 4 * error + 0.08 * np.abs(bias)).all()  # 8 %: it is of first order
    assert (np.abs(seen - ridge_bias(F, w, 2 * lam)) > 8 * error).any()
    spread = np.linalg.solve(variance, np.cov(fits.T))
    # a mean of 200 squares has relative sd √(2/200) = 10 % along each direction; first order takes a few percent more
    assert (np.abs(np.linalg.eigvals(spread).real - 1) < 0.35).all()
    printed = np.linalg.solve(ridge_variance(F, 2 * lam), np.cov(fits.T))
    assert np.linalg.eigvals(printed).real.max() > 1.5


def test_they_vanish_as_information_grows():
    F, w = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([1.0, -2.0])
    for n in (1e3, 1e5):
        np.testing.assert_allclose(ridge_bias(n * F, w, 3.0) * n, -3.0 * np.linalg.solve(F, w), rtol=20 / n)
        np.testing.assert_allclose(ridge_variance(n * F, 3.0) * n, np.linalg.inv(F), rtol=20 / n)
    assert ridge_bias(np.zeros((2, 2)), w, 3.0).tolist() == [-1.0, 2.0]  # nothing seen: the estimate is the prior mean


F, W = [[2.0, 0.0], [0.0, 1.0]], [1.0, 1.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ridge_bias(F, W, 0.0), "`precision` must be finite and above 0, got 0.0"),
        (lambda: ridge_variance(F, -1.0), "`precision` must be finite and above 0, got -1.0"),
        (lambda: ridge_variance(F, np.inf), "`precision` must be finite and above 0"),
        (lambda: ridge_bias(F, W, [1.0, 2.0, 3.0]), r"`precision` must be one number or have shape \(2,\)"),
        (lambda: ridge_bias(F, [1.0], 1.0), r"`w_true` must have shape \(2,\)"),
        (lambda: ridge_bias(F, [1.0, np.nan], 1.0), "`w_true` must be finite"),
        (lambda: ridge_bias(F, W, 1.0, mean=[0.0]), r"`mean` must have shape \(2,\)"),
        (lambda: ridge_variance([1.0, 2.0], 1.0), r"`information` must have shape \(n, d\)"),
        (lambda: ridge_variance([[1.0, 2.0]], 1.0), r"`information` must be a square matrix, got shape \(1, 2\)"),
        (lambda: ridge_variance([[1.0, 2.0], [0.0, 1.0]], 1.0), r"`information` must be symmetric: use \(F \+ F.T\)"),
        (lambda: ridge_variance([[1.0, 0.0], [0.0, -1.0]], 1.0), "`information` must have no negative eigenvalue, got"),
        (lambda: ridge_variance([[np.inf]], 1.0), "`information` must be finite"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
