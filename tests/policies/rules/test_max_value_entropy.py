"""Max-value entropy: truncated means against SciPy's integrals, the score put together by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from sureshot import core
from sureshot.core.beliefs.mixture import sample_components
from sureshot.core.lookahead import finals
from sureshot.policies import get_policy, scores, situation
from sureshot.policies.rules.max_value_entropy import mean_below

RNG = np.random.default_rng(13)
POOL = np.column_stack([np.ones(5), RNG.uniform(-3, 3, (5, 2))])
MIXED, _ = core.observe_many(
    core.mixture([core.prior(3), core.prior(3, precision=0.2, link="cloglog", covariance="diagonal")], [2, 1]),
    POOL[:2],
    [1, 0],
)


def _parts(link: core.Link, mu: float, s: float, edge: float) -> tuple[float, float]:
    """E[σ(f); f <= edge] and P(f <= edge), by SciPy."""
    sd = math.sqrt(s)

    def integrand(f: float) -> float:
        return (
            float(link.probability(np.array(f))) * math.exp(-0.5 * ((f - mu) / sd) ** 2) / sd / math.sqrt(2 * math.pi)
        )

    low = mu - 10 * sd
    cuts = [c for c in (mu - sd, mu, mu + sd, -5.0, 0.0, 3.0) if low < c < edge]
    below = integrate.quad(integrand, low, edge, points=cuts or None, limit=200)[0] if low < edge else 0.0
    return below, float(stats.norm.cdf(edge, mu, sd))


@pytest.mark.parametrize("link", list(core.LINKS))
@pytest.mark.parametrize(("mu", "s"), [(0.0, 1e-4), (-1.0, 0.5), (1.0, 4.0), (0.5, 400.0)])
def test_the_mean_below_is_the_integral(link: str, mu: float, s: float) -> None:
    known = core.get_link(link)
    bounds = mu + math.sqrt(s) * np.array([-1.5, 0.0, 0.7, 2.0])
    found = mean_below(core.gaussian([mu], [s], link=link), np.ones((1, 1)), [bounds])[0]
    for bound, got in zip(bounds, found, strict=True):
        below, mass = _parts(known, mu, s, bound)
        assert got == pytest.approx(below / mass, abs=0.01)


def test_without_a_bound_the_mean_is_the_prediction() -> None:
    found = mean_below(MIXED, POOL, [np.array([np.inf, 900.0])] * 2)
    for column in found.T:
        assert column == pytest.approx(core.predictive(MIXED, POOL), abs=1e-3)
    assert (mean_below(MIXED, POOL, [np.array([-900.0, -np.inf])] * 2) <= 1e-12).all()


@pytest.mark.parametrize("belief", [MIXED, MIXED.beliefs[0]])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_score_is_its_definition(belief: core.Belief | core.Mixture, grouped: bool) -> None:
    groups = [POOL] if not grouped else [POOL[:2], POOL[1:]]
    share = [1.0] if not grouped else [0.25, 0.75]
    drawn = sample_components(belief, np.random.default_rng(3), 8)
    members = (
        [(1.0, belief)] if isinstance(belief, core.Belief) else list(zip(belief.weights, belief.beliefs, strict=True))
    )
    want = stats.bernoulli(core.predictive(belief, POOL)).entropy()
    for group, weight in zip(groups, share, strict=True):
        tops = np.concatenate([one.link.probability((w @ group.T).max(axis=1)) for one, w in drawn])
        for i, x in enumerate(POOL):
            for top in tops:
                parts = [
                    (v, _parts(one.link, x @ one.mean, x @ one.cov @ x, float(one.link.inverse(top))))
                    for v, one in members
                ]
                mean = sum(v * part[0] for v, part in parts) / sum(v * part[1] for v, part in parts)
                want[i] -= weight / len(tops) * float(stats.bernoulli(mean).entropy())
    given = {"finals": finals(groups, share, d=3), "contextual": True} if grouped else {}
    now = situation(belief, POOL, **given)
    found = scores(get_policy("max-value-entropy", draws=8), now, np.random.default_rng(3))
    assert found == pytest.approx(want, abs=0.01)


def test_a_tight_belief_says_nothing_more() -> None:
    belief = core.gaussian([0.3, 1.0, -0.5], [1e-12, 1e-12, 1e-12])
    assert scores(get_policy("max-value-entropy"), situation(belief, POOL), RNG) == pytest.approx(np.zeros(5), abs=1e-4)


@pytest.mark.parametrize("link", list(core.LINKS))
def test_the_best_may_be_all_but_sure(link: str) -> None:
    """Where the largest probability is 1 to the last digit, its score still is a number."""
    belief = core.gaussian([0.0, 0.0], [400.0, 400.0], link=link)
    found = scores(get_policy("max-value-entropy"), situation(belief, [[1.0, 0.0], [0.0, 1.0], [0.0, 0.01]]), RNG)
    assert found[:2].min() > 0.01
    assert found[2] < found[:2].min()
