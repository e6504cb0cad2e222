"""A chance is between 0 and 1: every link and form, mixtures, extreme scores and variances, millions of outcomes."""

from __future__ import annotations

from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot.core import LINKS, fit, interval, mixture, observe_many, predictive, prior, prior_mixture
from sureshot.core.beliefs.predictive import chance_quantiles, success_probability
from sureshot.core.lookahead import joint
from sureshot.core.lookahead.gradient import lookahead_of, outlook

#: Each link's forms.
FORMS = [
    (name, form)
    for name, link in LINKS.items()
    for form in (None, "quadrature", *(["mixture"] if link.probits else []), *(["kappa"] if name == "logit" else []))
]
MEANS = np.array([0.0, 1e-300, 1e-9, 0.3, 1.0, 3.0, 8.0, 17.0, 40.0, 300.0, 710.0, 1e4, 1e9, 1e100, 1e154])
SPREADS = np.array([0.0, 1e-300, 1e-12, 0.01, 0.5, 0.999, 1.0, 7.0, 1e3, 1e8, 1e16, 1e100, 1e300])


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_extreme_scores(name: str, form: Any) -> None:
    mu, s = (np.array(one) for one in zip(*product([*MEANS, *-MEANS], SPREADS), strict=True))
    p = success_probability(LINKS[name], mu, s, form=form)
    assert np.isfinite(p).all()
    assert p.min() >= 0.0
    assert p.max() <= 1.0
    order = np.argsort(mu[s == 0.5])
    assert (np.diff(p[s == 0.5][order]) >= -1e-15).all()


def _exact(name: str, mu: float, s: float) -> float:
    """By mpmath, to 25 digits."""
    with mpmath.workdps(25):
        sigma = {
            "logit": lambda f: 1 / (1 + mpmath.exp(-f)),
            "probit": mpmath.ncdf,
            "cloglog": lambda f: -mpmath.expm1(-mpmath.exp(f)),
            "loglog": lambda f: mpmath.exp(-mpmath.exp(-f)),
        }[name]
        sd = mpmath.sqrt(s)
        knots = sorted(
            {-14.0, -6.0, 0.0, 6.0, 14.0, *(x for x in (-mu / float(sd), (3 - mu) / float(sd)) if abs(x) < 14)}
        )
        return float(mpmath.quad(lambda v: mpmath.npdf(v) * sigma(mu + sd * v), knots))


@pytest.mark.parametrize("name", ["logit", "probit", "cloglog", "loglog"])
@pytest.mark.parametrize(("mu", "s"), [(0.3, 0.2), (-3.0, 4.0), (8.0, 1.0), (8.0, 400.0), (-20.0, 2500.0), (3.5, 0.01)])
def test_against_mpmath(name: str, mu: float, s: float) -> None:
    link, exact = LINKS[name], _exact(name, mu, s)
    got = success_probability(link, np.array([mu]), np.array([s]), form="quadrature")[0]
    assert got == pytest.approx(exact, abs=1e-12)
    assert link.probits is not None
    mixed = success_probability(link, np.array([mu]), np.array([s]), form="mixture")[0]
    assert mixed == pytest.approx(exact, abs=link.probits.error + 1e-13)


def test_a_mixture_after_a_great_many_outcomes() -> None:
    """Log evidences of -1e7 leave nine digits to a sum: a cloglog mixture once predicted 1.00000000093."""
    X = np.column_stack([np.ones(6), np.linspace(-1.0, 1.0, 6)])
    y = np.round(np.linspace(0.2, 0.9, 6) * 1e6).astype(int)
    for name, learn in product(
        LINKS, (lambda b: fit(b, X, y, of=10**6).belief, lambda b: observe_many(b, X, y, of=10**6)[0])
    ):
        after = learn(prior_mixture(2, links=[name], method="ep", precisions=(0.1, 0.4, 1.6)))
        assert after.weights.sum() == pytest.approx(1.0, abs=1e-15)
        assert np.logaddexp.reduce(after.log_weights) == pytest.approx(0.0, abs=1e-15)
        p = predictive(after, 1e3 * X)
        assert p.max() <= 1.0
        np.testing.assert_allclose(predictive(after, X), y / 1e6, atol=0.12)


chances = st.floats(1e-12, 1.0)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(LINKS)), chances, st.floats(-1e6, 1e6), st.floats(1e-9, 1e9)), min_size=1,
             max_size=12),
    st.sampled_from(["full", "diagonal"]),
    st.floats(0.0, 10.0),
)  # fmt: skip
def test_any_mixture(parts: list[tuple[str, float, float, float]], covariance: Any, own: float) -> None:
    beliefs = [
        prior(2, link=link, precision=1.0 / spread, mean=[mean, -mean], covariance=covariance, own=own)
        for link, _, mean, spread in parts
    ]
    belief = mixture(beliefs, [weight for _, weight, _, _ in parts])
    X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -2.0], [1e3, 1e-3]])
    p, (low, high) = predictive(belief, X), interval(belief, X)
    for one in (p, low, high, joint.predicted(belief, X, "update"), joint.predicted(belief, X, lookahead_of(belief))):
        assert ((one >= 0.0) & (one <= 1.0)).all()
    assert (low <= high).all()
    for row, chance in outlook(belief, X, 1):
        assert 0 <= row < 4
        assert 0.0 <= chance <= 1.0


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("score", [-50.0, -8.0, 0.0, 8.0, 50.0])
@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_an_interval_holds_its_chance(name: str, score: float, covariance: Any) -> None:
    wide = prior(1, link=name, mean=[score], precision=1.0 / 400.0, covariance=covariance)
    for belief in (wide, mixture([wide, prior(1, link=name, mean=[-score], precision=0.1)], [0.99, 0.01])):
        (p,), (low,), (high,) = predictive(belief, [[1.0]]), *interval(belief, [[1.0]])
        assert 0.0 <= low <= p <= high <= 1.0
        ends = chance_quantiles(belief, np.array([[1.0]]), np.array([-1.959963984540054, 1.959963984540054]))[:, 0]
        assert low == min(ends[0], p)
        assert high == max(ends[1], p)


def test_a_skewed_belief_by_hand() -> None:
    """A score of -50 ± 20 by probit: Φ(-50/√401) = 0.63 %, beyond the quantile Φ(-50 + 1.96·20) = 4e-28."""
    belief = prior(1, link="probit", mean=[-50.0], precision=1.0 / 400.0)
    (low,), (high,) = interval(belief, [[1.0]])
    assert high == pytest.approx(0.006266, abs=1e-5)
    assert low < 1e-300
