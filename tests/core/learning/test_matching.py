"""Moment matching against integrals on a fine grid of scores, for every link, near and far."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from sureshot import core
from sureshot.core.learning.compiled.matching import match as twin
from sureshot.core.learning.compiled.step import learn_pool
from sureshot.core.learning.matching import match, match_counts
from sureshot.core.numerics.twins import CODES

LINK = pytest.mark.parametrize("link", core.LINKS)
FORM = pytest.mark.parametrize("form", ["full", "diagonal"])


def by_grid(link: str, mu: float, s: float, won: int, lost: int) -> tuple[float, float, float]:
    """Log Z, r = shift/s and t = 1/variance - 1/s, by the trapezoid rule in logs over 40 deviations round the top."""
    known = core.LINKS[link]
    f = np.linspace(mu - 60 * np.sqrt(s) - 60, mu + 60 * np.sqrt(s) + 60, 400_001)
    for _ in range(2):  # the second time only where there is mass
        log_mass = known.log_likelihood(f, won, won + lost) - (f - mu) ** 2 / (2 * s)
        kept = f[log_mass > log_mass.max() - 60]
        f = np.linspace(kept[0], kept[-1], 400_001)
    log_mass = known.log_likelihood(f, won, won + lost) - (f - mu) ** 2 / (2 * s)
    mass = np.exp(log_mass - log_mass.max())
    log_z = log_mass.max() + np.log(mass.sum() * (f[1] - f[0])) - 0.5 * np.log(2 * np.pi * s)
    mean = mass @ f / mass.sum()
    variance = mass @ (f - mean) ** 2 / mass.sum()
    return log_z, (mean - mu) / s, 1 / variance - 1 / s


def own_link() -> core.Link:
    """Logit, without its mixture of probits."""
    return core.Link("own", core.LOGIT.probability, core.LOGIT.inverse, core.LOGIT.success, core.LOGIT.failure)


@LINK
@pytest.mark.parametrize("s", [0.01, 0.5, 3.0, 200.0])
@pytest.mark.parametrize("depth", [-30.0, -6.0, -2.0, 0.0, 1.0, 5.0])
@pytest.mark.parametrize("y", [0, 1])
def test_one_outcome_gives_the_score_its_exact_moments(link, s, depth, y) -> None:
    mu = depth * np.sqrt(1 + s)
    log_z, r, t = by_grid(link, mu, s, y, 1 - y)
    for got in (match(core.LINKS[link], mu, s, y), twin(CODES[core.LINKS[link]], mu, s, 1.0 * y, 1.0 - y)):
        assert got[2] == pytest.approx(log_z, rel=1e-6, abs=1e-6)
        assert got[0] * np.sqrt(s) == pytest.approx(r * np.sqrt(s), rel=1e-5, abs=3e-6)
        assert got[1] * s == pytest.approx(t * s, rel=1e-4, abs=1e-5)


@LINK
@pytest.mark.parametrize(("won", "lost"), [(3, 0), (2, 5), (0, 40), (700, 300)])
@pytest.mark.parametrize(("mu", "s"), [(0.3, 1.0), (-4.0, 9.0), (2.0, 0.05)])
def test_counts_give_the_score_its_exact_moments(link, won, lost, mu, s) -> None:
    log_z, r, t = by_grid(link, mu, s, won, lost)
    for got in (
        match_counts(core.LINKS[link], mu, s, float(won), float(lost)),
        twin(CODES[core.LINKS[link]], mu, s, float(won), float(lost)),
    ):
        assert got[2] == pytest.approx(log_z, rel=1e-9)
        assert got[0] * s == pytest.approx(r * s, rel=1e-7, abs=1e-8)
        assert got[1] * s == pytest.approx(t * s, rel=1e-6, abs=1e-8)


@LINK
@pytest.mark.parametrize("s", [1e-3, 1.0, 1e3, 1e6, 1e12])
@pytest.mark.parametrize("y", [0, 1])
def test_far_out_it_stays_finite_and_a_variance_never_grows(link, s, y) -> None:
    """mu/√s up to 40 and scores up to 1e7: the gain points to the outcome, the variance left is between 0 and s."""
    mu = np.concatenate([np.linspace(-40, 40, 41) * np.sqrt(s), np.linspace(-300, 300, 41)])
    r, t, log_z, _ = match(core.LINKS[link], mu, np.full(82, s), y)
    assert np.isfinite(r).all()
    assert np.isfinite(log_z).all()
    assert (log_z <= 0).all()
    assert ((t >= 0) & np.isfinite(t)).all()
    assert (r * (2 * y - 1) >= -1e-9 / np.sqrt(s)).all()
    for i in range(0, 82, 5):
        quick = twin(CODES[core.LINKS[link]], mu[i], s, 1.0 * y, 1.0 - y)
        assert quick[0] * s == pytest.approx(r[i] * s, rel=1e-6, abs=1e-9 * (1 + abs(mu[i])))
        assert quick[2] == pytest.approx(log_z[i], rel=1e-9, abs=1e-12)


@LINK
def test_a_pool_is_matched_as_its_alternatives_are(link) -> None:
    mu, s = (a.ravel() for a in np.meshgrid(np.linspace(-30, 30, 31), [1e-3, 1.0, 20.0, 1e4]))
    gain, curvature = np.empty((2, 2, len(mu)))
    learn_pool(CODES[core.LINKS[link]], True, mu, s, gain, curvature)
    for y in (0, 1):
        r, t, _, _ = match(core.LINKS[link], mu, s, y)
        np.testing.assert_allclose(gain[y] * s, r * s, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(curvature[y] * s, t * s, rtol=1e-6, atol=1e-9)


def test_a_link_of_ones_own_is_matched_by_quadrature() -> None:
    mu, s = np.meshgrid(np.linspace(-30, 30, 25), [1e-10, 1e-4, 0.3, 1.0, 50.0, 1e4])
    for y in (0, 1):
        r, t, log_z, _ = match(own_link(), mu, s, y)
        want = match(core.LOGIT, mu, s, y)
        np.testing.assert_allclose(r * np.sqrt(s), want[0] * np.sqrt(s), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(t * s, want[1] * s, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(log_z, want[2], rtol=1e-5, atol=1e-6)


@LINK
@FORM
def test_weights_get_the_moments_of_the_posterior(link, form) -> None:
    """Two weights on a fine grid: exact mean and covariance after one outcome, or their variances if diagonal."""
    mean, cov, x = np.array([0.4, -0.7]), np.array([[2.0, 0.6], [0.6, 1.0]]), np.array([1.0, -0.8])
    if form == "diagonal":
        cov = np.diag(np.diag(cov))
    step = np.linspace(-9, 9, 361)
    u = np.stack(np.meshgrid(step, step, indexing="ij"), axis=-1).reshape(-1, 2)
    w = mean + u @ np.linalg.cholesky(cov).T
    for y, of in ((0, 1), (1, 1), (2, 5)):
        mass = np.exp(-0.5 * (u * u).sum(1) + core.LINKS[link].log_likelihood(w @ x, y, of))
        mass /= mass.sum()
        first = mass @ w
        second = (w - first).T @ ((w - first) * mass[:, None])
        before = core.gaussian(mean, cov if form == "full" else np.diag(cov), link=link, method="adf")
        after, _ = core.observe(before, x, y, of=of)
        np.testing.assert_allclose(after.mean, first, atol=2e-6)
        if form == "full":
            np.testing.assert_allclose(after.cov, second, atol=2e-6)
        else:
            np.testing.assert_allclose(after.variance, np.diag(second), atol=2e-6)


@LINK
@FORM
def test_ten_thousand_equal_outcomes_stay_finite_and_predict_as_their_count_does(link, form) -> None:
    n, x = 10_000, np.array([1.0, 0.5])
    for y in (0, 1):
        prior = core.prior(2, precision=0.25, link=link, covariance=form, method="adf")
        one_by_one, info = core.observe_many(prior, np.tile(x, (n, 1)), np.full(n, y))
        assert np.isfinite(info.evidence).all()
        together = core.fit(core.prior(2, precision=0.25, link=link, method="ep"), np.tile(x, (n, 1)), np.full(n, y))
        v = float(prior.moments(x[None])[1][0])
        log_z, r, t = by_grid(link, 0.0, v, y * n, (1 - y) * n)
        assert together.evidence == pytest.approx(log_z, abs=1e-6)  # counted together they are exact
        mu, s = together.belief.moments(x[None])
        assert (mu[0], s[0]) == (pytest.approx(r * v, rel=1e-6), pytest.approx(v / (1 + t * v), rel=1e-6))
        assert core.predictive(one_by_one, [x])[0] == pytest.approx(core.predictive(together.belief, [x])[0], abs=3e-3)


@pytest.mark.parametrize("method", ["adf", "ep"])
def test_two_thousand_failures_under_a_flat_prior_predict_failure(method) -> None:
    """Recursive Laplace says 0.49 here: its first step lands where nothing more is learned."""
    rng = np.random.default_rng(1)
    X = np.c_[np.ones(2000), rng.standard_normal((2000, 2))]
    said = {}
    for how in ("laplace", method):
        belief, _ = core.observe_many(core.prior(3, precision=1e-8, method=how), X, np.zeros(2000, int))
        said[how] = core.predictive(belief, [[1.0, 0.0, 0.0]])[0]
    assert said["laplace"] > 0.4
    assert said[method] < 0.01


def test_the_gain_is_the_slope_of_the_evidence() -> None:
    for link in core.LINKS.values():
        for y in (0, 1):
            high, low = (match(link, 0.7 + h, 2.0, y)[2] for h in (1e-4, -1e-4))
            assert match(link, 0.7, 2.0, y)[0] == pytest.approx((high - low) / 2e-4, rel=1e-5)


def test_probit_is_the_papers_closed_form() -> None:
    r, _, log_z, steps = match(core.PROBIT, 0.8, 3.0, 0)
    z = -0.8 / 2.0
    v = np.exp(-z * z / 2) / np.sqrt(2 * np.pi) / special.ndtr(z)
    assert (r, log_z, steps) == (pytest.approx(-v / 2.0), pytest.approx(np.log(special.ndtr(z))), 0)
