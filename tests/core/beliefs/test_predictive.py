"""Predictive probabilities against SciPy's adaptive quadrature, and intervals against exact quantiles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special, stats

from sureshot import core
from sureshot.core.beliefs.predictive import success_probability
from sureshot.errors import InvalidInput, UnknownName

PLAIN = {
    "logit": special.expit,
    "probit": special.ndtr,
    "cloglog": lambda f: -np.expm1(-np.exp(np.minimum(f, 700.0))),
    "loglog": lambda f: np.exp(-np.exp(np.minimum(-f, 700.0))),
}
MUS = (-50.0, -8.0, -1.3, 0.0, 0.4, 3.0, 20.0, 50.0)
VARIANCES = (0.0, 1e-6, 0.3, 0.99, 1.0, 4.0, 100.0, 1e4)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


def by_pieces(link: str, mu: float, s: float) -> float:
    """∫ σ(mu + √s v) φ(v) dv by Gauss-Legendre between the places where either factor turns."""
    sd = np.sqrt(s)
    turns = (np.arange(-40.0, 41.0) - mu) / sd if s > 0 else []
    cuts = np.unique(np.clip(np.concatenate([np.arange(-10.0, 11.0), turns]), -10.0, 10.0))
    half, middle = np.diff(cuts) / 2, (cuts[:-1] + cuts[1:]) / 2
    v = middle[:, None] + half[:, None] * NODES
    return float(half @ (PLAIN[link](mu + sd * v) * np.exp(-0.5 * v * v) / np.sqrt(2 * np.pi)) @ WEIGHTS)


@pytest.mark.parametrize("link", PLAIN)
@pytest.mark.parametrize(("mu", "s"), [(0.4, 0.3), (-1.3, 4.0), (3.0, 30.0)])
def test_the_yardstick_agrees_with_scipys_adaptive_rule(link, mu, s) -> None:
    density = stats.norm(mu, np.sqrt(s)).pdf
    want, _ = integrate.quad(lambda f: PLAIN[link](f) * density(f), -60, 60, points=[-5, 0, 5], limit=300)
    assert by_pieces(link, mu, s) == pytest.approx(want, abs=1e-8)


@pytest.fixture(scope="module")
def truth() -> dict[str, np.ndarray]:
    return {link: np.array([[by_pieces(link, m, s) for s in VARIANCES] for m in MUS]) for link in PLAIN}


def got(link: str, form: str | None = None) -> np.ndarray:
    mu, s = np.meshgrid(MUS, VARIANCES, indexing="ij")
    return success_probability(core.LINKS[link], mu.ravel(), s.ravel(), form=form).reshape(mu.shape)


@pytest.mark.parametrize(
    ("link", "form", "tolerance"),
    [
        ("probit", None, 1e-13),
        ("probit", "exact", 1e-13),
        ("logit", None, 1e-8),
        ("logit", "mixture", 1e-9),
        ("logit", "quadrature", 1e-12),
        ("probit", "quadrature", 1e-12),
        ("cloglog", None, 1e-12),
        ("cloglog", "mixture", 1e-6),
        ("loglog", None, 1e-12),
        ("loglog", "quadrature", 1e-12),
    ],
)
def test_each_form_is_as_close_as_it_says(link, form, tolerance, truth) -> None:
    np.testing.assert_allclose(got(link, form), truth[link], rtol=0, atol=tolerance)


def test_the_papers_kappa_form_is_off_by_up_to_0015(truth) -> None:
    mu, s = np.meshgrid(np.linspace(0, 20, 81), np.logspace(-1, 3, 41))
    kappa, mixture = (success_probability(core.LOGIT, mu, s, form=form) for form in ("kappa", "mixture"))
    worst = np.abs(kappa - mixture).max()
    assert 0.012 < worst < 0.0185
    assert np.abs(got("logit", "kappa") - truth["logit"]).max() > 1e5 * np.abs(got("logit") - truth["logit"]).max()


def test_a_belief_predicts_through_the_moments_of_the_scores() -> None:
    belief = core.gaussian([0.5, -1.0], [[2.0, 0.5], [0.5, 1.0]])
    X = np.array([[1.0, 1.0], [0.0, 0.0], [3.0, -2.0]])
    for p, x in zip(core.predictive(belief, X), X, strict=True):
        assert p == pytest.approx(by_pieces("logit", x @ belief.mean, x @ belief.cov @ x), abs=1e-8)


def test_no_alternatives_have_no_probabilities() -> None:
    assert core.predictive(core.prior(2), np.empty((0, 2))).shape == (0,)


@pytest.mark.parametrize("link", PLAIN)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_an_interval_holds_its_level(link, level) -> None:
    """The ends are the link at the quantiles of the score, which is N(0.3 x, 1.7 x²)."""
    low, high = core.interval(core.gaussian([0.3], [1.7], link=link), [[1.0], [-0.5]], level=level)
    for i, x in enumerate((1.0, -0.5)):
        score = stats.norm(0.3 * x, np.sqrt(1.7) * abs(x))
        assert low[i] == pytest.approx(PLAIN[link](score.ppf((1 - level) / 2)), rel=1e-9)
        assert high[i] == pytest.approx(PLAIN[link](score.isf((1 - level) / 2)), rel=1e-9)


def test_the_interval_of_a_mixture_has_its_mass_between_the_ends() -> None:
    parts = [core.gaussian([-2.0], [0.1]), core.gaussian([1.0], [2.0], link="probit")]
    mixture = core.mixture(parts, [0.3, 0.7])
    low, high = core.interval(mixture, [[1.0]], level=0.9)

    def mass_below(p):
        return 0.3 * stats.norm(-2, np.sqrt(0.1)).cdf(special.logit(p)) + 0.7 * stats.norm(1, np.sqrt(2)).cdf(
            special.ndtri(p)
        )

    assert mass_below(low[0]) == pytest.approx(0.05, abs=1e-10)
    assert mass_below(high[0]) == pytest.approx(0.95, abs=1e-10)


def test_an_alternative_without_features_has_an_interval_of_one_point() -> None:
    for belief in (core.prior(2), core.prior_mixture(2)):
        low, high = core.interval(belief, np.zeros((1, 2)))
        np.testing.assert_allclose([low[0], high[0]], 0.5, atol=1e-12)


def test_a_form_that_does_not_fit_the_link_is_refused_with_those_that_do() -> None:
    X = np.zeros((1, 2))
    with pytest.raises(InvalidInput, match=r"form 'kappa' does not fit the link 'probit': use 'exact'.*'quadrature'"):
        core.predictive(core.prior(2, link="probit"), X, form="kappa")
    with pytest.raises(InvalidInput, match="form 'exact' does not fit the link 'logit'"):
        core.predictive(core.prior(2), X, form="exact")
    with pytest.raises(UnknownName, match=r"unknown form 'kapa'.*Did you mean 'kappa'\?"):
        core.predictive(core.prior(2), X, form="kapa")


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 95, float("nan")])
def test_a_level_outside_zero_and_one_is_refused(level) -> None:
    with pytest.raises(InvalidInput, match="`level` must lie between 0 and 1"):
        core.interval(core.prior(1), [[1.0]], level=level)
