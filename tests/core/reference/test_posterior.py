"""The whole of it: chances, intervals and weights of mixtures against quadrature and importance sampling."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.reference import posterior
from sureshot.core.reference.posterior import drawn_exactly
from tests.core.reference.exactly import probability, weighed
from tests.core.truth import by_importance, problem

X = np.array([[1.0, -1.2], [1.0, 0.4], [1.0, 1.5], [0.3, -2.0]])
POOL = np.vstack([X, [[1.0, 0.0], [0.5, 3.0], [1.0, -3.0]]])
WON, LOST = np.array([0.0, 2.0, 7.0, 1.0]), np.array([3.0, 1.0, 0.0, 0.0])

#: Errors come from 8 groups, so a difference over its error has a t distribution of 7 degrees of freedom: beyond 7 once
#: in 5,000 times.
CLEAR = 7.0


def exactly(link: str, precision: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Success probabilities over the pool at every point of a grid, shares, and the log evidence."""
    w, share, log = weighed(link, np.eye(2) / np.sqrt(precision), X, WON, LOST)
    return probability(link, w @ POOL.T), share, log


@pytest.mark.parametrize("link", core.LINKS)
def test_one_belief_of_two_weights(link: str) -> None:
    p, share, log = exactly(link, 0.4)
    prior = core.prior(2, precision=0.4, link=link, covariance="diagonal")  # the form after outcomes does not matter
    found = drawn_exactly(prior, X, WON, LOST, POOL, np.random.default_rng(1))
    chance = found.chance()
    assert (abs(chance.value - share @ p) < CLEAR * chance.error + 1e-5).all()
    assert chance.error.max() < 0.006
    (member,) = found.members
    assert abs(member.log_evidence - log) < 3.5 * member.log_evidence_error
    assert (member.weight, member.polya_gamma) == (1.0, link == "logit")
    assert member.r_hat < 1.05
    for level, value, error in zip((0.025, 0.975), *_pair(found.quantiles((0.025, 0.975))), strict=True):
        for k in range(len(POOL)):
            order = np.argsort(p[:, k])
            exact = p[order, k][np.searchsorted(np.cumsum(share[order]), level)]
            assert abs(value[k] - exact) < CLEAR * error[k] + 2e-3
    low, high = np.full(len(POOL), 0.3), np.full(len(POOL), 0.9)
    inside = found.inside(low, high)
    assert (abs(inside.value - share @ ((p >= 0.3) & (p <= 0.9))) < CLEAR * inside.error + 5e-3).all()


def _pair(found: posterior.Estimate) -> tuple[np.ndarray, np.ndarray]:
    return found.value, found.error


def test_a_mixture_of_known_weights_and_two_links() -> None:
    kinds = [("logit", 0.2), ("logit", 4.0), ("probit", 0.2)]
    given = np.array([0.5, 0.3, 0.2])
    prior = core.mixture([core.prior(2, precision=s, link=link) for link, s in kinds], given)
    found = drawn_exactly(prior, X, WON, LOST, POOL, np.random.default_rng(2))
    each = [exactly(*kind) for kind in kinds]
    weights = given * np.exp([log for _, _, log in each])
    weights /= weights.sum()
    for member, weight in zip(found.members, weights, strict=True):
        assert abs(member.weight - weight) < CLEAR * member.weight_error + 1e-6
        assert member.weight_error < 0.004
    chance = found.chance()
    exact = sum(weight * (share @ p) for weight, (p, share, _) in zip(weights, each, strict=True))
    assert (abs(chance.value - exact) < CLEAR * chance.error + 1e-5).all()
    beyond = found.beyond(2, 0)
    assert abs(beyond.value - (exact[2] - exact[0])) < CLEAR * beyond.error
    assert beyond.value == pytest.approx(chance.value[2] - chance.value[0])


def test_a_member_that_does_not_matter_gets_no_chains() -> None:
    beside = core.mixture([core.prior(2), core.gaussian([-30.0, 30.0], 0.01 * np.eye(2))])
    found = drawn_exactly(beside, X, WON, LOST, POOL, np.random.default_rng(3))
    assert found.members[1].weight < 1e-6
    assert (found.members[0].draws, found.members[1].draws) == (len(found.p), 0)


@pytest.mark.parametrize("link", core.LINKS)
def test_eleven_weights_against_importance_sampling(link: str) -> None:
    pool, _, X11, y = problem(link, 3, 11, 30, 1.0)
    prior = core.prior(11, link=link)
    p, log, effective = by_importance(prior, X11, y, pool, np.random.default_rng(1), draws=24_000)
    found = drawn_exactly(prior, X11, y.astype(float), 1.0 - y, pool, np.random.default_rng(4), draws=16_000)
    assert effective > 5_000
    assert found.members[0].log_evidence == pytest.approx(log, abs=0.06)
    chance = found.chance()
    assert (abs(chance.value - p) < CLEAR * chance.error + 0.01).all()  # 0.01: three errors of the other's
    assert np.abs(chance.value - p).mean() < 2.0 * chance.error.mean() + 0.001


def test_own_effects_of_tried_and_untried() -> None:
    """One weight and own effects: for the alternative tried, its score is one number; for its like, two."""
    prior = core.prior(2, columns=[0], precision=0.5, own=1.3)
    rows, pool = np.array([[1.0, 5.0]]), np.array([[1.0, 5.0], [1.0, 6.0]])
    found = drawn_exactly(prior, rows, np.array([4.0]), np.array([1.0]), pool, np.random.default_rng(5))
    w, share, _ = weighed("logit", np.diag(np.sqrt([2.0, 1.3])), np.ones((1, 2)), np.array([4.0]), np.array([1.0]))
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    other = (probability("logit", w[:, :1] + np.sqrt(1.3) * nodes) @ weights) / weights.sum()
    exact = share @ np.stack([probability("logit", w.sum(axis=1)), other], axis=1)
    chance = found.chance()
    assert (abs(chance.value - exact) < CLEAR * chance.error + 1e-5).all()


def test_the_stated_errors_are_those_of_repetitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posterior, "LEAST_STEPS", 40)
    monkeypatch.setattr(posterior, "BURN", 10)
    prior = core.mixture([core.prior(2, precision=0.2), core.prior(2, precision=4.0)])
    found = [drawn_exactly(prior, X, WON, LOST, POOL[:1], np.random.default_rng(s), draws=1000) for s in range(20)]
    values = np.array([one.chance().value[0] for one in found])
    errors = np.array([one.chance().error[0] for one in found])
    ratio = values.std(ddof=1) / np.sqrt(np.mean(errors**2))
    assert 0.55 < ratio < 1.55  # 19 and 140 degrees of freedom: outside once in 500 times


def test_the_same_generator_gives_the_same_and_shuffling_changes_nothing() -> None:
    prior = core.mixture([core.prior(2), core.prior(2, precision=9.0)])
    order = np.array([2, 0, 3, 1])
    one = drawn_exactly(prior, X, WON, LOST, POOL, np.random.default_rng(6), draws=1000)
    other = drawn_exactly(prior, X[order], WON[order], LOST[order], POOL, np.random.default_rng(6), draws=1000)
    assert (one.p == other.p).all()
    assert one.members == other.members


def test_progress_and_no_outcome_at_all() -> None:
    seen: list[tuple[int, int]] = []
    prior = core.mixture([core.prior(2), core.prior(2, precision=9.0)])
    none = drawn_exactly(
        prior,
        np.zeros((0, 2)),
        np.zeros(0),
        np.zeros(0),
        POOL,
        np.random.default_rng(7),
        draws=1000,
        progress=lambda done, of: seen.append((done, of)),
    )
    assert seen == [(1, 2), (2, 2)]
    assert none.chance().value == pytest.approx(np.full(len(POOL), 0.5), abs=1e-6)
    assert [one.weight for one in none.members] == pytest.approx([0.5, 0.5])


def test_a_link_without_a_mixture_of_probits() -> None:
    logit = core.LOGIT
    own = core.Link("my logit", logit.probability, logit.inverse, logit.success, logit.failure)
    p, share, _ = exactly("logit", 0.4)
    found = drawn_exactly(core.prior(2, precision=0.4, link=own), X, WON, LOST, POOL, np.random.default_rng(8))
    chance = found.chance()
    assert (abs(chance.value - share @ p) < CLEAR * chance.error + 1e-5).all()
    assert not found.members[0].polya_gamma
