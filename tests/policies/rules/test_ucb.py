"""Upper confidence bounds, of scores and of probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.policies import get_policy, scores, situation
from sureshot.policies.rules.glm_ucb import steepest

RNG = np.random.default_rng(4)
POOL = np.column_stack([np.ones(6), RNG.uniform(-3, 3, (6, 2))])


def _by_hand(belief: core.Belief) -> tuple[np.ndarray, np.ndarray]:
    return POOL @ belief.mean, np.sqrt([x @ belief.cov @ x for x in POOL])


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 2.5])
def test_ucb_is_mean_and_deviations_of_the_score(covariance: str, alpha: float) -> None:
    belief, _ = core.observe_many(core.prior(3, covariance=covariance), POOL[:3], [1, 0, 0])  # type: ignore[arg-type]
    mu, sd = _by_hand(belief)
    assert scores(get_policy("ucb", alpha=alpha), situation(belief, POOL), RNG) == pytest.approx(mu + alpha * sd)


@pytest.mark.parametrize("alpha", [0.0, 1.0, 2.0, 20.0])
def test_of_a_mixture_it_is_the_quantile_of_the_score(alpha: float) -> None:
    belief, _ = core.observe_many(core.auto_prior(3), POOL[:3], [1, 0, 0])
    found = scores(get_policy("ucb", alpha=alpha), situation(belief, POOL), RNG)
    for x, bound in zip(POOL, found, strict=True):
        beyond = sum(
            weight * stats.norm(x @ one.mean, np.sqrt(x @ one.cov @ x)).sf(bound)
            for weight, one in zip(belief.weights, belief.beliefs, strict=True)
        )
        assert beyond == pytest.approx(stats.norm.sf(alpha), rel=1e-8)


def test_of_mixed_links_it_is_the_quantile_of_the_probability() -> None:
    belief = core.mixture([core.prior(3, link=link) for link in core.LINKS], [1, 2, 1, 1])
    belief, _ = core.observe_many(belief, POOL[:3], [1, 0, 0])
    found = core.get_link("logit").probability(
        scores(get_policy("ucb", alpha=stats.norm.ppf(0.9)), situation(belief, POOL), RNG)
    )
    _, upper = core.interval(belief, POOL, level=0.8)
    assert found == pytest.approx(upper, abs=1e-10)


@pytest.mark.parametrize(
    ("link", "slope"),
    [("logit", 0.25), ("probit", 1 / np.sqrt(2 * np.pi)), ("cloglog", np.exp(-1)), ("loglog", np.exp(-1))],
)
def test_glm_ucb_bounds_the_probability_by_the_steepest_slope(link: str, slope: float) -> None:
    belief, _ = core.observe_many(core.prior(3, link=link), POOL[:3], [1, 0, 0])
    mu, sd = _by_hand(belief)
    at = {
        "logit": lambda f: 1 / (1 + np.exp(-f)),
        "probit": stats.norm.cdf,
        "cloglog": lambda f: 1 - np.exp(-np.exp(f)),
        "loglog": lambda f: np.exp(-np.exp(-f)),
    }[link]
    found = scores(get_policy("glm-ucb", alpha=1.5), situation(belief, POOL), RNG)
    assert found == pytest.approx(at(mu) + 1.5 * slope * sd, abs=1e-7)
    assert (found >= at(mu + 1.5 * sd) - 1e-7).all()
    assert steepest(core.get_link(link)) == pytest.approx(slope, rel=1e-6)


def test_glm_ucb_of_a_mixture_is_the_mean_of_its_members() -> None:
    members = [core.prior(3, precision=0.3), core.prior(3, link="probit")]
    each = [scores(get_policy("glm-ucb"), situation(one, POOL), RNG) for one in members]
    mixed = scores(get_policy("glm-ucb"), situation(core.mixture(members, [1, 3]), POOL), RNG)
    assert mixed == pytest.approx(0.25 * each[0] + 0.75 * each[1])
