"""The errata of docs/paper.md that touch the core, one test each: the corrected formula is right against independent
truth, and the formula as printed is not.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from sureshot import core
from sureshot.core.beliefs.predictive import success_probability
from sureshot.core.learning.roots import map_score
from sureshot.core.links import CLOGLOG, LOGIT, PROBIT

MEAN, VARIANCE, X1 = np.array([0.3, -0.5]), np.array([1.5, 0.8]), np.array([1.0, 2.0])


def test_erratum_1_alpha_squared_is_pi_over_8() -> None:
    """L349: σ(f) ≈ Φ(αf) with α² = π/8, from equal slopes at 0; the printed α = π/8 has another slope."""
    slope_of_logit, slope_of_normal = 0.25, stats.norm.pdf(0.0)
    alpha = np.sqrt(np.pi / 8)
    assert alpha * slope_of_normal == pytest.approx(slope_of_logit, rel=1e-15)
    f = np.linspace(-8, 8, 1601)
    assert np.abs(special.ndtr(alpha * f) - special.expit(f)).max() < 0.018
    assert np.abs(special.ndtr(np.pi / 8 * f) - special.expit(f)).max() > 0.09

    mu, s = 2.0, 9.0
    true, _ = integrate.quad(lambda f: special.expit(f) * stats.norm.pdf(f, mu, 3.0), -40, 40)
    ours = float(success_probability(LOGIT, np.array(mu), np.array(s), form="kappa"))
    printed = special.expit(mu / np.sqrt(1 + (np.pi / 8) ** 2 * s))  # κ built from the printed α
    assert abs(ours - true) < 0.015
    assert abs(printed - true) > 2 * abs(ours - true)


def test_erratum_2_the_map_is_a_maximum_and_the_precision_grows() -> None:
    """L286: argmax of Ψ, and q + t x² with t >= 0; as printed the minimum (there is none) and a loss of precision."""

    def psi(w):
        return -0.5 * ((w - MEAN) ** 2 / VARIANCE).sum() + np.log(special.expit(w @ X1))

    after, info = core.observe(core.gaussian(MEAN, VARIANCE), X1, 1)
    found = optimize.minimize(lambda w: -psi(w), MEAN, tol=1e-12)
    np.testing.assert_allclose(after.mean, found.x, atol=1e-5)
    assert psi(after.mean + 1e6) < psi(after.mean - 100) < psi(after.mean)  # no minimum: it falls without end

    h = 1e-4
    bend = [
        -(psi(after.mean + h * e) - 2 * psi(after.mean) + psi(after.mean - h * e)) / h**2 for e in np.eye(2)
    ]  # minus the second derivative of Ψ along each weight is the new precision
    np.testing.assert_allclose(1 / after.variance, bend, rtol=1e-5)
    assert info.curvature > 0
    printed = 1 / VARIANCE - info.curvature * X1**2
    assert (np.abs(printed - bend) > 0.4).all()


@pytest.mark.parametrize("y", [0, 1])
def test_erratum_3_the_probit_curvature_is_taken_at_y_times_the_score(y) -> None:
    """Algorithm 3: t = v(z)(v(z) + z) at z = ±w·x; with z = w·x for a failure too it is another number."""

    def log_likelihood(f):
        return stats.norm.logcdf(f) if y else stats.norm.logsf(f)

    after, info = core.observe(core.gaussian(MEAN, VARIANCE, link="probit"), X1, y)
    f, h = float(after.mean @ X1), 1e-4
    true = -(log_likelihood(f + h) - 2 * log_likelihood(f) + log_likelihood(f - h)) / h**2
    assert info.curvature == pytest.approx(true, rel=1e-6)

    def mills(z):
        return stats.norm.pdf(z) / stats.norm.cdf(z)

    v = mills(f if y else -f)
    printed = v * (v + f)
    if y:
        assert printed == pytest.approx(true, rel=1e-6)
    else:
        assert abs(printed - true) > 0.2


def test_erratum_4_assumed_density_filtering_works_element_by_element() -> None:
    """L291: mean + y (x∘var) v/sd and var - (x²∘var²) w/sd²: the moments of the tilted density, weight by weight."""
    after, _ = core.observe(core.gaussian(MEAN, VARIANCE, link="probit", method="adf"), X1, 0)
    grid = np.linspace(-9, 9, 361)
    u = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    w = MEAN + u * np.sqrt(VARIANCE)
    mass = np.exp(-0.5 * (u * u).sum(1)) * stats.norm.sf(w @ X1)
    mass /= mass.sum()
    mean = mass @ w
    variance = mass @ (w - mean) ** 2
    np.testing.assert_allclose(after.mean, mean, atol=1e-10)
    np.testing.assert_allclose(after.variance, variance, atol=1e-10)

    sd = np.sqrt(1 + X1**2 @ VARIANCE)
    z = -(MEAN @ X1) / sd
    v = stats.norm.pdf(z) / stats.norm.cdf(z)
    whole = X1 @ VARIANCE  # read as an inner product, one number moves every weight alike
    assert np.abs(MEAN - whole * v / sd - mean).max() > 0.3
    assert np.abs(VARIANCE - whole**2 * v * (v + z) / sd**2 - variance).max() > 0.3


def test_erratum_5_a_failure_is_not_a_success_of_the_mirrored_score() -> None:
    """L237: p(y|f) = σ(yf) needs a symmetric link; for cloglog a failure has probability 1 - σ(f)."""
    f = 0.7
    assert np.exp(CLOGLOG.log_likelihood(f, 0)) + CLOGLOG.probability(np.array(f)) == pytest.approx(1.0, abs=1e-15)
    printed = CLOGLOG.probability(np.array(-f)) + CLOGLOG.probability(np.array(f))
    assert abs(printed - 1.0) > 0.2

    after, _ = core.observe(core.gaussian(MEAN, VARIANCE, link="cloglog"), X1, 0)

    def map_of(log_failure):
        return optimize.minimize(
            lambda w: 0.5 * ((w - MEAN) ** 2 / VARIANCE).sum() - log_failure(w @ X1), MEAN, tol=1e-12
        ).x

    np.testing.assert_allclose(after.mean, map_of(lambda f: -np.exp(f)), atol=1e-5)
    assert np.abs(after.mean - map_of(lambda f: np.log(-np.expm1(-np.exp(-f))))).max() > 0.05


def test_erratum_6_the_root_may_lie_beyond_one() -> None:
    """L253-263: the bracket of p = |r| is [0, r(mu)]; a root in [0, 1], as for logit, is wrong for probit, and 1/p is
    never formed (p underflows to 0 where the outcome was certain).
    """
    mu, s = -6.0, 2.0

    def residual(p):  # p = r(mu + s p)
        z = mu + s * p
        return p - np.exp(stats.norm.logpdf(z) - stats.norm.logcdf(z))

    true = optimize.brentq(residual, 0.0, 10.0, xtol=1e-14)
    z, _ = map_score(PROBIT, mu, s, 1)
    assert (z - mu) / s == pytest.approx(true, rel=1e-12)
    assert true > 1
    assert residual(0.0) < 0
    assert residual(1.0) < 0  # no change of sign in [0, 1]: as printed there is no root
    assert residual(float(PROBIT.score(mu, 1))) > 0

    certain, _ = core.observe(core.gaussian([60.0], [1.0], link="probit"), [1.0], 1)
    assert PROBIT.score(60.0, 1) == 0.0
    assert certain.mean[0] == 60.0


def test_erratum_7_minus_log_one_plus_exp_is_the_log_of_sigma() -> None:
    """L250: -log(1 + exp(-f)) is log σ(f), which the MAP maximises with the log prior, and not σ(f)."""
    f = np.linspace(-5, 5, 11)
    formula = -np.log(1 + np.exp(-f))
    np.testing.assert_allclose(LOGIT.success.log_likelihood(f), formula, rtol=1e-13)
    np.testing.assert_allclose(np.exp(formula), LOGIT.probability(f), rtol=1e-13)
    assert (formula < 0).all()  # no probability


def test_erratum_8_the_belief_after_n_outcomes_has_seen_0_to_n_minus_1() -> None:
    """L105: D^n holds outcomes 0..n-1, so the belief that predicts outcome n has not seen it: the evidences multiply to
    the joint probability, and over all outcomes these sum to one. With outcome n inside they sum to more.
    """
    X = np.array([[1.0, 0.5], [1.0, -1.0], [0.3, 2.0]])
    total, printed = 0.0, 0.0
    for code in range(8):
        y = [code >> i & 1 for i in range(3)]
        belief, product = core.prior(2, link="probit"), 1.0
        _, info = core.observe_many(belief, X, y)
        for x, outcome in zip(X, y, strict=True):
            belief, _ = core.observe(belief, x, outcome)
            p = core.predictive(belief, [x])[0]
            product *= p if outcome else 1 - p
        total += np.exp(info.evidence.sum())
        printed += product
    assert total == pytest.approx(1.0, abs=1e-12)
    assert printed > 1.5


def test_erratum_9_the_ridge_bias_has_lambda_not_two_lambda() -> None:
    """L531: with the penalty (λ/2)|w|² the bias is -λ (F + λI)⁻¹ w* and the variance (F + λI)⁻¹ F (F + λI)⁻¹.

    400 data sets of 400 outcomes from one w*, each fitted at once; λ large enough that 2λ is far off.
    """
    rng = np.random.default_rng(17)
    w, lam = np.array([0.5, -0.4]), 25.0
    X = rng.standard_normal((400, 2))
    p = special.expit(X @ w)
    F = X.T @ ((p * (1 - p))[:, None] * X)
    prior = core.prior(2, precision=lam)
    fits = np.array([core.fit(prior, X, rng.random(400) < p).belief.mean for _ in range(400)])
    inverse = np.linalg.inv(F + lam * np.eye(2))
    bias, variance = -lam * inverse @ w, np.diag(inverse @ F @ inverse)
    error = np.sqrt(fits.var(axis=0) / len(fits))
    seen = fits.mean(axis=0) - w
    assert (np.abs(seen - bias) < 3 * error + 0.05 * np.abs(bias)).all()  # 5 %: the formula is of first order
    np.testing.assert_allclose(fits.var(axis=0), variance, rtol=0.25)
    printed = -2 * lam * np.linalg.inv(F + 2 * lam * np.eye(2)) @ w
    assert (np.abs(seen - printed) > 10 * error).all()
