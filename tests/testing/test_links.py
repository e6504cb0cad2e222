"""The conformance suite of links passes every sound link and catches each kind of broken one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from sureshot import core
from sureshot.core.links import LINKS, Link, OutcomeTerms
from sureshot.core.numerics.probits import ProbitMixture
from sureshot.testing import LinkConformance


class TestLogit(LinkConformance):
    link = core.LOGIT


class TestProbit(LinkConformance):
    link = core.PROBIT


class TestCloglog(LinkConformance):
    link = core.CLOGLOG


class TestLoglog(LinkConformance):
    link = core.LOGLOG


def test_every_link_of_the_table_is_run() -> None:
    run = {TestLogit.link, TestProbit.link, TestCloglog.link, TestLoglog.link}
    assert set(LINKS.values()) == run


# A user's own: the squared logistic (type I generalised logistic), skewed and log-concave.
# σ = e², 1 - σ = (1 - e)(1 + e) with e = expit(f).


def _log_failure(f: np.ndarray) -> np.ndarray:
    return -np.logaddexp(0.0, f) + np.log1p(special.expit(f))


def _failure_score(f: np.ndarray) -> np.ndarray:
    e = special.expit(f)
    return -2.0 * e * e / (1.0 + e)


def _failure_curvature(f: np.ndarray) -> np.ndarray:
    e, rest = special.expit(f), special.expit(-f)
    return 2.0 * e * e * rest * (2.0 + e) / (1.0 + e) ** 2


def _inverse(p: np.ndarray) -> np.ndarray:
    root = np.sqrt(p)
    return np.log(root) - np.log((1.0 - p) / (1.0 + root))


SKEWED = Link(
    "squared-logistic",
    lambda f: special.expit(f) ** 2,
    _inverse,
    OutcomeTerms(
        lambda f: -2.0 * np.logaddexp(0.0, -f),
        lambda f: 2.0 * special.expit(-f),
        lambda f: 2.0 * special.expit(f) * special.expit(-f),
    ),
    OutcomeTerms(_log_failure, _failure_score, _failure_curvature),
)


class TestALinkOfOnesOwn(LinkConformance):
    link = SKEWED


def test_a_link_of_ones_own_is_registered_named_and_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.core.links.LINKS", dict(LINKS))
    core.register_link(SKEWED)
    X = np.array([[1.0, 0.5], [1.0, -1.0]])
    belief, info = core.observe_many(core.prior(2, link="squared-logistic"), X, [1, 0])
    assert belief.link is SKEWED
    assert core.predictive(belief, X)[0] > core.predictive(belief, X)[1]
    # half of the prior mass on either side of f = 0, and σ is a quarter there: the first outcome was a surprise
    assert 0.25 < np.exp(info.evidence[0]) < 0.4


# Broken links, each wrong in one way, and the test that must catch it.


def _times(terms: OutcomeTerms, part: str, by: float) -> OutcomeTerms:
    function = getattr(terms, part)
    return replace(terms, **{part: lambda f: by * function(f)})


def _broken(**changes: object) -> Link:
    return replace(core.LOGIT, name="broken", **changes)


def _scaled(slope: float) -> Link:
    """The logit with another slope: sound, but steeper than the quadrature of the core can see."""

    def terms(own: OutcomeTerms) -> OutcomeTerms:
        return OutcomeTerms(
            lambda f: own.log_likelihood(slope * f),
            lambda f: slope * own.score(slope * f),
            lambda f: slope**2 * own.curvature(slope * f),
        )

    return _broken(
        probability=lambda f: special.expit(slope * f),
        inverse=lambda p: special.logit(p) / slope,
        success=terms(core.LOGIT.success),
        failure=terms(core.LOGIT.failure),
        probits=None,
    )


def _cauchit() -> Link:
    """Heavy tails: monotone, symmetric, with right derivatives, and not log-concave."""

    def p(f: np.ndarray) -> np.ndarray:
        return np.arctan2(1.0, -f) / np.pi  # 1/2 + arctan(f)/π, from its small side

    def density(f: np.ndarray) -> np.ndarray:
        return 1.0 / (np.pi * (1.0 + f * f))

    def slope(f: np.ndarray) -> np.ndarray:
        return -2.0 * f / (np.pi * (1.0 + f * f) ** 2)

    win = OutcomeTerms(
        lambda f: np.log(p(f)),
        lambda f: density(f) / p(f),
        lambda f: (density(f) / p(f)) ** 2 - slope(f) / p(f),
    )
    lose = OutcomeTerms(
        lambda f: np.log(p(-f)),
        lambda f: -density(f) / p(-f),
        lambda f: (density(f) / p(-f)) ** 2 + slope(f) / p(-f),
    )
    return Link("cauchit", p, lambda q: np.tan(np.pi * (q - 0.5)), win, lose, symmetric=True)


def _naive() -> Link:
    """The logit written as the textbook has it: overflows in exp, takes the log of 0."""
    win = replace(core.LOGIT.success, log_likelihood=lambda f: np.log(1.0 / (1.0 + np.exp(-f))))
    return _broken(success=win)


WON, LOST = core.LOGIT.success, core.LOGIT.failure
BROKEN = {
    "a score off by a per mille": (_broken(success=_times(WON, "score", 1.001)), "the_scores_are"),
    "a score of the wrong sign": (_broken(failure=_times(LOST, "score", -1.0)), "the_scores_are"),
    "a curvature off by a per mille": (_broken(failure=_times(LOST, "curvature", 1.001)), "the_curvatures_are"),
    "a curvature of the wrong sign": (
        _broken(success=_times(WON, "curvature", -1.0)),
        "the_log_likelihoods_are_concave",
    ),
    "heavy tails": (_cauchit(), "the_log_likelihoods_are_concave"),
    "a falling probability": (_broken(probability=lambda f: special.expit(-f)), "the_probability_increases"),
    "a probability that stops at 0.99": (
        _broken(probability=lambda f: 0.99 * special.expit(f)),
        "the_probability_increases",
    ),
    "outcomes exchanged": (_broken(success=LOST, failure=WON), "the_log_likelihoods_are_the_logs"),
    "textbook formulas": (_naive(), "the_tails"),
    "NaN far out": (
        _broken(success=replace(WON, curvature=lambda f: np.where(np.abs(f) > 500, np.nan, WON.curvature(f)))),
        "the_tails",
    ),
    "an inverse of another link": (_broken(inverse=special.ndtri), "the_inverse"),
    "a false claim of symmetry": (replace(core.CLOGLOG, name="broken", symmetric=True), "the_flag"),
    "symmetry not told": (_broken(symmetric=False), "the_flag"),
    "functions that flatten": (_broken(probability=lambda f: special.expit(np.ravel(f))), "functions_keep"),
    "a step too steep to integrate": (_scaled(50.0), "the_predictive"),
    "a maximum elsewhere": (_broken(success=_times(WON, "log_likelihood", 3.0)), "an_update"),
    "probits that promise too much": (
        _broken(probits=ProbitMixture(np.ones(1), np.zeros(1), np.full(1, 1.702), 1e-3)),
        "the_mixture",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_link_is_caught(fault: str) -> None:
    link, test = BROKEN[fault]
    (method,) = (name for name in dir(LinkConformance) if name.startswith(f"test_{test}"))
    suite = type("Broken", (LinkConformance,), {"link": link})()
    with pytest.raises(AssertionError):
        getattr(suite, method)()


def test_a_steep_link_is_sound_but_for_the_quadrature() -> None:
    """What fails above fails for the width alone: at a slope of one and a half all is well."""
    suite = type("Steep", (LinkConformance,), {"link": _scaled(1.5)})()
    for name in dir(suite):
        if name.startswith("test_"):
            getattr(suite, name)()
