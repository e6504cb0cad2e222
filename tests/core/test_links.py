"""Every link against mpmath at 50 digits and more, from the middle to scores of 1e8.

The truths are written from the definition of each link (a probability, its complement and its first two derivatives)
with enough digits that nothing cancels, not from the stable forms under test.
"""

from __future__ import annotations

import pickle
import sys

import mpmath as mp
import numpy as np
import pytest

from sureshot import core
from sureshot.core import links
from sureshot.core.links import LINKS, Link, get_link, register_link
from sureshot.core.numerics import stable
from sureshot.errors import InvalidInput, UnknownName

SIZES = (1e-300, 1e-8, 1e-3, 0.09, 0.11, 0.5, 1.0, 2.0, 5.0, 7.99, 8.01, 12.0, 25.0, 36.0, 37.0, 38.5)
SIZES += (100.0, 700.0, 709.5, 745.0, 1e3, 1e4, 1e8)
SCORES = (0.0, *SIZES, *(-f for f in SIZES))
SMALLEST, LARGEST = sys.float_info.min, sys.float_info.max
TOLERANCE = 1e-12
NAMES = ("logit", "probit", "cloglog", "loglog")


def normal_terms(z: mp.mpf) -> tuple[mp.mpf, mp.mpf, mp.mpf]:
    """Log Φ(z), φ/Φ and (φ/Φ)(φ/Φ + z); 80 digits beyond the ones that cancel."""
    with mp.workdps(80):
        log_cdf = mp.log1p(-mp.ncdf(-z)) if z > 0 else mp.log(mp.ncdf(z))
        v = mp.npdf(z) / mp.ncdf(z)
        return log_cdf, v, v * (v + z)


def complementary_terms(f: mp.mpf) -> tuple[mp.mpf, mp.mpf, mp.mpf]:
    """log(1 - exp(-u)), u = exp(f), and its derivatives in f: far right all are below the smallest float64, and
    far left they are f, 1 and u/2 to a relative u.
    """
    if f > 20:
        return mp.mpf(0), mp.mpf(0), mp.mpf(0)
    u = mp.exp(f)
    if f < -1000:
        return f, mp.mpf(1), u / 2
    with mp.workdps(80 + int(abs(f))):
        probability = -mp.expm1(-u)
        slope = u * mp.exp(-u)  # of the probability; its own slope is slope (1 - u)
        score = slope / probability
        return mp.log(probability), score, score**2 - slope * (1 - u) / probability


def truth(name: str, score: float) -> dict[str, mp.mpf]:
    with mp.workdps(50):
        f = mp.mpf(score)
        if name == "logit":
            p, q = 1 / (1 + mp.exp(-f)), 1 / (1 + mp.exp(f))
            wins, losses = (-mp.log1p(mp.exp(-f)), q, p * q), (-mp.log1p(mp.exp(f)), -p, p * q)
            return _named(p, wins, losses)
        if name == "probit":
            wins, (log_q, v, t) = normal_terms(f), normal_terms(-f)
            return _named(mp.ncdf(f), wins, (log_q, -v, t))
        if name == "loglog":
            log_q, r, t = complementary_terms(-f)
            u = mp.exp(-f) if f > -1e3 else mp.inf
            return _named(mp.exp(-u), (-u, u, u), (log_q, -r, t))
        u = mp.exp(f) if f < 1e3 else mp.inf
        return _named(-mp.expm1(-u) if u < mp.inf else mp.mpf(1), complementary_terms(f), (-u, -u, u))


def _named(p: mp.mpf, wins: tuple[mp.mpf, ...], losses: tuple[mp.mpf, ...]) -> dict[str, mp.mpf]:
    names = ("log_likelihood", "score", "curvature")
    named = {f"success.{n}": v for n, v in zip(names, wins, strict=True)}
    return {"probability": p, **named, **{f"failure.{n}": v for n, v in zip(names, losses, strict=True)}}


def assert_true(got: float, true: mp.mpf, what: str) -> None:
    if abs(true) < SMALLEST:
        assert abs(got) <= SMALLEST * 1.0001, f"{what}: {got} should vanish"
    elif abs(true) > LARGEST:
        assert got == (np.inf if true > 0 else -np.inf), f"{what}: {got} should be infinite"
    else:
        assert abs(mp.mpf(got) - true) <= TOLERANCE * abs(true), f"{what}: {got}, should be {mp.nstr(true, 17)}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("score", SCORES)
def test_every_function_of_a_link_is_right_to_twelve_digits(name: str, score: float) -> None:
    link = LINKS[name]
    f = np.array([score])
    for what, true in truth(name, score).items():
        part, _, function = what.rpartition(".")
        owner = getattr(link, part) if part else link
        assert_true(float(getattr(owner, function)(f)[0]), true, f"{name} {what} at {score:g}")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("p", [1e-300, 1e-100, 1e-12, 0.01, 0.3, 0.5, 0.8, 1 - 1e-6, 1 - 2.0**-50])
def test_the_inverse_is_the_score_of_a_probability(name: str, p: float) -> None:
    got = float(LINKS[name].inverse(np.array([p]))[0])
    with mp.workdps(400):
        exact = mp.mpf(p)
        if name == "probit":
            # the exact root, by Newton's steps from the answer given: log Φ has the slope φ/Φ
            true = mp.mpf(got)
            for _ in range(4):
                true -= (mp.ncdf(true) - exact) / mp.npdf(true)
        else:
            true = {
                "logit": lambda: mp.log(exact / (1 - exact)),
                "cloglog": lambda: mp.log(-mp.log(1 - exact)),
                "loglog": lambda: -mp.log(-mp.log(exact)),
            }[name]()
        assert abs(mp.mpf(got) - true) <= TOLERANCE * (1 + abs(true))


@pytest.mark.parametrize("name", NAMES)
def test_probabilities_zero_and_one_have_infinite_scores(name: str) -> None:
    assert LINKS[name].inverse(np.array([0.0, 1.0])).tolist() == [-np.inf, np.inf]


def test_counts_weigh_the_two_outcomes() -> None:
    link = core.LOGIT
    for attribute in ("log_likelihood", "score", "curvature"):
        won, lost = (getattr(terms, attribute)(np.array(0.7)) for terms in (link.success, link.failure))
        assert getattr(link, attribute)(0.7, 3, 5) == pytest.approx(3 * won + 2 * lost, rel=1e-15)


def test_an_outcome_not_seen_has_no_say_where_it_is_infinite() -> None:
    """Three of three under cloglog at a score of 800: a failure there has log-likelihood -inf, times no failure."""
    assert core.CLOGLOG.log_likelihood(800.0, 3, 3) == 0.0
    assert core.CLOGLOG.score(800.0, 3, 3) == 0.0
    assert core.CLOGLOG.log_likelihood(800.0, 2, 3) == -np.inf


def test_many_scores_and_outcomes_broadcast() -> None:
    f, y = np.linspace(-3, 3, 7)[:, None], np.array([0, 1])
    table = core.CLOGLOG.score(f, y)
    assert table.shape == (7, 2)
    np.testing.assert_array_equal(table[:, 1], core.CLOGLOG.success.score(f[:, 0]))
    np.testing.assert_array_equal(table[:, 0], core.CLOGLOG.failure.score(f[:, 0]))


def test_the_curvature_of_probit_never_exceeds_one_nor_is_negative() -> None:
    """Rounding past one would turn the variance after an assumed-density update negative."""
    z = np.concatenate([-np.logspace(-3, 9, 20_001), np.logspace(-3, 9, 2_001)])
    slope = stable.inverse_mills_slope(z)
    assert (slope >= 0).all()
    assert (slope <= 1).all()


def test_a_link_is_found_by_name_and_a_miss_lists_the_choices_and_the_nearest() -> None:
    assert get_link("probit") is core.PROBIT
    assert get_link(core.PROBIT) is core.PROBIT
    with pytest.raises(UnknownName, match=r"unknown link 'probitt'.*'cloglog', 'logit'.*Did you mean 'probit'\?"):
        get_link("probitt")
    with pytest.raises(LookupError):
        get_link("nothing like it")


def test_a_registered_link_can_be_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "LINKS", dict(LINKS))
    own = Link("own", core.LOGIT.probability, core.LOGIT.inverse, core.LOGIT.success, core.LOGIT.failure)
    assert register_link(own) is own
    assert get_link("own") is own
    with pytest.raises(InvalidInput, match="'own', which is taken"):
        register_link(own)


def test_links_travel_by_name_and_say_it() -> None:
    assert pickle.loads(pickle.dumps(core.CLOGLOG)) is core.CLOGLOG
    assert repr(core.CLOGLOG) == "Link('cloglog')"
