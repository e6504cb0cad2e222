"""KG(*) against its definition: draws of weights for the whole, quadrature for the parts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.core.lookahead import finals, knowledge_gradient, knowledge_gradient_star, star
from sureshot.errors import InvalidInput

RNG = np.random.default_rng(9)
POOL = RNG.uniform(-2, 2, size=(7, 2))


def belief_of(link: str, mixed: bool = False) -> core.Belief | core.Mixture:
    belief: core.Belief | core.Mixture = core.prior(2, link=link)
    if mixed:
        belief = core.prior_mixture(2, precisions=[0.2, 2.0], links=[link, "probit"])
    return core.observe_many(belief, POOL[[0, 3, 5]], [1, 0, 1])[0]


@pytest.mark.parametrize(("link", "tolerance"), [("logit", 1e-9), ("probit", 1e-11), ("cloglog", 1e-6)])
def test_values_equal_two_dimensional_quadrature(link: str, tolerance: float) -> None:
    belief = belief_of(link)
    sigma = core.LINKS[link].probability
    nodes = np.linspace(-9, 9, 301)
    weights = stats.norm.pdf(nodes) * (nodes[1] - nodes[0])
    cov = belief.cov
    for m, column in ((1, 0), (4, 2)):
        truth = np.empty(len(POOL))
        p = np.array([weights @ sigma(belief.mean @ x + np.sqrt(x @ cov @ x) * nodes) for x in POOL])
        for i, x in enumerate(POOL):
            s = x @ cov @ x
            chances = stats.binom.pmf(np.arange(m + 1)[:, None], m, sigma(belief.mean @ x + np.sqrt(s) * nodes))
            after = np.empty((m + 1, len(POOL)))
            for j, z in enumerate(POOL):
                c = x @ cov @ z
                rest = np.sqrt(max(z @ cov @ z - c * c / s, 0.0))
                inner = sigma(belief.mean @ z + c / np.sqrt(s) * nodes[:, None] + rest * nodes[None, :]) @ weights
                after[:, j] = chances @ (weights * inner)
            truth[i] = after.max(axis=1).sum() - p.max()
        found = knowledge_gradient_star(belief, POOL, trials_left=4).values[:, column]
        np.testing.assert_allclose(found, truth, rtol=0, atol=tolerance)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "loglog"])
def test_compiled_equals_plain_numpy(link: str, mixed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    belief = belief_of(link, mixed)
    compiled = knowledge_gradient_star(belief, POOL, trials_left=9)
    groups = finals([POOL[:3], POOL[3:]], [1, 2], d=2)
    grouped = knowledge_gradient_star(belief, POOL, trials_left=9, finals=groups)
    monkeypatch.setattr(star, "can_expand", lambda _: False)
    plain = knowledge_gradient_star(belief, POOL, trials_left=9)
    assert compiled.trials.tolist() == [1, 2, 4, 8]
    np.testing.assert_allclose(compiled.values, plain.values, rtol=0, atol=1e-7 if "loglog" in link else 1e-10)
    np.testing.assert_allclose(
        grouped.values,
        knowledge_gradient_star(belief, POOL, trials_left=9, finals=groups).values,
        rtol=0,
        atol=1e-7 if "loglog" in link else 1e-10,
    )


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_one_repeat_is_the_knowledge_gradient_and_more_never_lose(link: str) -> None:
    belief = belief_of(link)
    found = knowledge_gradient_star(belief, POOL, trials_left=64)
    np.testing.assert_allclose(found.values[:, 0], knowledge_gradient(belief, POOL), rtol=0, atol=1e-10)
    assert (np.diff(found.values, axis=1) > -1e-10).all()
    np.testing.assert_allclose(found.score, (found.values / found.trials).max(axis=1))


def test_it_sees_value_where_one_step_sees_none() -> None:
    """MATHS 6: no single outcome can change the choice, sixteen can."""
    pool = np.array([[1.0, 0.0], [0.0, 1.0]])
    belief = core.gaussian([1.0, 0.0], [0.2, 0.2], link="probit")
    found = knowledge_gradient_star(belief, pool, trials_left=16)
    assert knowledge_gradient(belief, pool).max() == 0.0
    assert found.score.min() > 1e-6  # and the value is certain: the tolerance is 1e-10
    assert found.repeats.min() > 1


def test_the_trials_left_bound_the_repeats() -> None:
    assert knowledge_gradient_star(belief_of("logit"), POOL, trials_left=1).trials.tolist() == [1]
    assert knowledge_gradient_star(belief_of("logit"), POOL, trials_left=7).trials.tolist() == [1, 2, 4]
    with pytest.raises(InvalidInput, match="at least 1, got 0"):
        knowledge_gradient_star(belief_of("logit"), POOL, trials_left=0)
