"""The bivariate normal distribution function against mpmath and SciPy."""

from __future__ import annotations

import mpmath as mp
import numpy as np
from scipy import special, stats

from sureshot.core.numerics.bivariate import bivariate_cdf
from sureshot.core.numerics.compiled.bivariate import bivariate_covariance


def truth(a: float, b: float, rho: float) -> float:
    """One-dimensional integral at 20 digits (thirty give the same to 1e-25), cut where the integrand turns."""
    with mp.workdps(20):
        a, b, rho = mp.mpf(a), mp.mpf(b), mp.mpf(rho)
        if abs(rho) == 1:
            return float(mp.ncdf(min(a, b)) if rho > 0 else max(mp.ncdf(a) - mp.ncdf(-b), 0))
        root = mp.sqrt(1 - rho**2)
        turn = b / rho if rho else mp.mpf(0)
        cuts = sorted(
            {mp.mpf(-40), a}
            | {c for c in (turn - 8 * root, turn, turn + 8 * root, mp.mpf(-8), mp.mpf(0)) if -40 < c < a}
        )
        return float(mp.quad(lambda x: mp.npdf(x) * mp.ncdf((b - rho * x) / root), cuts))


def test_absolute_error_is_below_1e_15_everywhere() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 60)) * rng.choice([0.3, 2.0, 8.0], size=60)
    rho = np.concatenate(
        [rng.uniform(-1, 1, 40), 1 - 10.0 ** rng.uniform(-12, -1, 9), -1 + 10.0 ** rng.uniform(-12, -1, 9), [1, -1]]
    )
    exact = np.array([truth(*v) for v in zip(a, b, rho, strict=True)])
    np.testing.assert_allclose(bivariate_cdf(a, b, rho), exact, rtol=0, atol=2e-15)
    compiled = [bivariate_covariance(*v) for v in zip(a, b, rho, strict=True)]
    np.testing.assert_allclose(compiled + special.ndtr(a) * special.ndtr(b), exact, rtol=0, atol=2e-15)


def test_it_agrees_with_scipy() -> None:
    for a, b, rho in [(0.3, -1.2, 0.6), (2.0, 2.5, -0.9), (-1.0, 0.4, 0.97)]:
        peer = stats.multivariate_normal(cov=[[1, rho], [rho, 1]], abseps=1e-13, releps=1e-13).cdf([a, b])
        assert abs(bivariate_cdf(a, b, rho) - peer) < 1e-10


def test_far_tails_and_certain_sides() -> None:
    np.testing.assert_allclose(bivariate_cdf(40.0, 0.3, 0.5), special.ndtr(0.3), rtol=1e-15)
    assert bivariate_cdf(-40.0, 0.3, 0.5) == 0.0
    a = np.linspace(-30, 30, 61)
    total = bivariate_cdf(a, 0.7, 0.4) + bivariate_cdf(-a, 0.7, -0.4)
    np.testing.assert_allclose(total, special.ndtr(0.7), rtol=0, atol=1e-15)  # both outcomes: no subtraction needed
