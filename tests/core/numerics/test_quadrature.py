"""The two rules of :mod:`sureshot.core.numerics.quadrature` against Gauss-Legendre between cuts, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from sureshot.core.learning.compiled import evidence
from sureshot.core.learning.roots import map_score
from sureshot.core.links import CLOGLOG, LINKS, LOGIT
from sureshot.core.numerics import quadrature
from sureshot.core.numerics.quadrature import binomial_moments, log_outcome, outcome_probability
from sureshot.core.numerics.twins import code_of

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
LINK = pytest.mark.parametrize("link", LINKS.values(), ids=str)


@LINK
def test_success_and_failure_share_all_probability(link) -> None:
    mu, s = np.meshgrid(np.linspace(-30, 30, 31), [0.0, 1e-3, 0.5, 0.999, 1.0, 30.0, 1e6])
    total = outcome_probability(link, mu, s, 1) + outcome_probability(link, mu, s, 0)
    np.testing.assert_allclose(total, 1.0, atol=1e-13)


@LINK
def test_the_two_regimes_meet(link) -> None:
    """Just below and just above s = 1 other nodes are used; the answers differ by what the change of s explains."""
    mu = np.linspace(-8, 8, 33)
    below, above = (outcome_probability(link, mu, s) for s in (np.nextafter(1.0, 0.0), 1.0))
    np.testing.assert_allclose(above, below, atol=1e-13)


def test_many_alternatives_are_looked_at_in_blocks(monkeypatch) -> None:
    mu, s = np.random.default_rng(0).standard_normal((2, 100)) ** 2
    whole = outcome_probability(LOGIT, mu, s)
    monkeypatch.setattr(quadrature, "BLOCK", 7)
    np.testing.assert_allclose(outcome_probability(LOGIT, mu, s), whole, rtol=1e-14)


def test_small_probabilities_are_relatively_accurate() -> None:
    """A logit success at N(-25, 0.5): E[σ] = e^(-25 + 0.25) but for a relative e^-24."""
    assert outcome_probability(LOGIT, -25.0, 0.5) == pytest.approx(np.exp(-24.75), rel=1e-9)
    z, _ = map_score(LOGIT, -60.0, 0.5, 1)
    log_p = log_outcome(LOGIT, -60.0, 0.5, 1, float(z), float(LOGIT.curvature(z, 1)))
    assert log_p == pytest.approx(-59.75, abs=1e-9)


def compiled_moments(link, mu, s, y, of, z, t):
    return evidence.binomial_moments(code_of(link), mu, s, float(y), float(of - y), z, t)


@LINK
@pytest.mark.parametrize("moments", [binomial_moments, compiled_moments])
@pytest.mark.parametrize(("y", "of"), [(0, 3), (3, 3), (2, 9), (450, 1000), (1000, 1000)])
@pytest.mark.parametrize(("mu", "s"), [(0.0, 1.0), (-2.0, 30.0), (1.0, 1e-4), (0.5, 400.0)])
def test_evidence_and_moments_given_counts(link, moments, y, of, mu, s) -> None:
    z, _ = map_score(link, mu, s, y, of)
    z, t = float(z), float(link.curvature(z, y, of))
    log_mass, mean, variance = moments(link, mu, s, y, of, z, t)
    sd = np.sqrt(s)
    log_top = float(link.log_likelihood(z, y, of)) + stats.norm.logpdf(z, mu, sd)

    width = 1 / np.sqrt(t + 1 / s)
    cuts = np.unique(np.concatenate([np.arange(-12, 13) * width, np.arange(-9, 10) * sd, np.arange(-30, 31)]))
    cuts = z + cuts[np.abs(cuts) <= 12 * sd]
    half, middle = np.diff(cuts) / 2, (cuts[:-1] + cuts[1:]) / 2
    f = middle[:, None] + half[:, None] * NODES
    mass = np.exp(link.log_likelihood(f, y, of) + stats.norm.logpdf(f, mu, sd) - log_top) * WEIGHTS * half[:, None]
    m0, m1, m2 = (float((mass * (f - z) ** k).sum()) for k in range(3))
    assert log_mass == pytest.approx(np.log(m0) + log_top, abs=1e-8)
    assert mean == pytest.approx(z + m1 / m0, abs=1e-7 * sd)
    assert variance == pytest.approx(m2 / m0 - (m1 / m0) ** 2, rel=1e-6)


def test_nodes_of_a_logit_lie_densely_enough(monkeypatch) -> None:
    """Ten times as many, over a wider range, say the same to 1e-11; so does compiled code, of many tries too."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        of = int(np.exp(rng.uniform(0.7, 9.0)))
        y = int(rng.choice([0, of, rng.integers(0, of + 1)]))
        mu, s = float(3.0 * rng.standard_normal()), float(np.exp(rng.uniform(-6.0, 5.0)))
        z = float(map_score(LOGIT, mu, s, y, of)[0])
        case = LOGIT, mu, s, y, of, z, float(LOGIT.curvature(z, y, of))
        found = binomial_moments(*case), compiled_moments(*case)
        with monkeypatch.context() as patch:
            for name, value in (("LOGIT_STEP", 0.04), ("FEWEST_NODES", 400), ("DROP", 60.0)):
                patch.setattr(quadrature, name, value)
            log_mass, mean, variance = binomial_moments(*case)
        for one in found:
            assert one[0] == pytest.approx(log_mass, abs=1e-11 * max(1.0, abs(log_mass)))
            assert one[1] == pytest.approx(mean, abs=1e-11 * (1.0 + abs(mean)))
            assert one[2] == pytest.approx(variance, rel=1e-9)


@pytest.mark.parametrize("s", [1e9, 1e20, 1e38, 1e60])
def test_however_wide_the_score_compiled_code_takes_as_many_nodes(s) -> None:
    z = float(map_score(LOGIT, 0.0, s, 3, 4)[0])
    case = LOGIT, 0.0, s, 3, 4, z, float(LOGIT.curvature(z, 3, 4))
    np.testing.assert_allclose(compiled_moments(*case), binomial_moments(*case), rtol=1e-6)


def test_counts_say_the_same_as_their_outcomes_in_the_limit_of_one_trial() -> None:
    for y in (0, 1):
        z, _ = map_score(CLOGLOG, 0.3, 2.0, y)
        log_mass, _, _ = binomial_moments(CLOGLOG, 0.3, 2.0, y, 1, float(z), float(CLOGLOG.curvature(z, y)))
        assert log_mass == pytest.approx(np.log(outcome_probability(CLOGLOG, 0.3, 2.0, y)), abs=1e-10)


def test_a_beta_binomial_by_another_road() -> None:
    """Under logit a score with the density of log(B/(1 - B)), B ~ Beta(a, b), is nearly Gaussian for large a and b; the
    evidence of k of n is then nearly B(a + k, b + n - k)/B(a, b).
    """
    a, b, k, n = 400.0, 600.0, 7, 12
    mu = special.digamma(a) - special.digamma(b)
    s = special.polygamma(1, a) + special.polygamma(1, b)
    z, _ = map_score(LOGIT, mu, s, k, n)
    log_mass, _, _ = binomial_moments(LOGIT, mu, float(s), k, n, float(z), float(LOGIT.curvature(z, k, n)))
    assert log_mass == pytest.approx(special.betaln(a + k, b + n - k) - special.betaln(a, b), abs=1e-5)


def test_without_spread_the_evidence_is_the_likelihood() -> None:
    assert binomial_moments(LOGIT, 0.4, 0.0, 2, 3, 0.4, 0.0) == (float(LOGIT.log_likelihood(0.4, 2, 3)), 0.4, 0.0)


@pytest.mark.parametrize(("mu", "s"), [(3e9, 1.0), (1.0, 1e-30), (-1e20, 1e20), (5.0, 1e-200)])
def test_beyond_the_reach_of_nodes_the_form_of_laplace_is_taken(mu, s) -> None:
    """A log integrand of 1e19, or a spread of 1e-15 about 1: its sum over nodes would be noise."""
    probit = LINKS["probit"]
    z, _ = map_score(probit, mu, s, 1, 2)
    t = float(probit.curvature(z, 1, 2))
    log_mass, mean, variance = binomial_moments(probit, mu, s, 1, 2, float(z), t)
    assert np.isfinite(log_mass)
    assert log_mass <= 0
    assert mean == z
    assert 0 < variance <= s * (1 + 1e-12)
