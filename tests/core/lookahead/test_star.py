"""KG(*) against its definition: draws of weights for the whole, quadrature for the parts."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.core.lookahead import finals, knowledge_gradient, knowledge_gradient_star, star
from sureshot.core.lookahead.compared import Group
from sureshot.errors import InvalidInput

RNG = np.random.default_rng(9)
POOL = RNG.uniform(-2, 2, size=(7, 2))


def belief_of(link: str, mixed: bool = False) -> core.Belief | core.Mixture:
    belief: core.Belief | core.Mixture = core.prior(2, link=link)
    if mixed:
        belief = core.prior_mixture(2, precisions=[0.2, 2.0], links=[link, "probit"])
    return core.observe_many(belief, POOL[[0, 3, 5]], [1, 0, 1])[0]


@pytest.mark.parametrize(("link", "tolerance"), [("logit", 3e-8), ("probit", 3e-8), ("cloglog", 1e-6)])
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
    np.testing.assert_allclose(compiled.values, plain.values, rtol=0, atol=1e-7)
    np.testing.assert_allclose(
        grouped.values,
        knowledge_gradient_star(belief, POOL, trials_left=9, finals=groups).values,
        rtol=0,
        atol=1e-7,
    )


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "loglog"])
def test_pruned_equals_the_definition_on_random_states(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wide and narrow beliefs, mixed links, duplicates, an alternative of zeros, a pool of one, no outcome yet."""
    most = 8 if "loglog" in link else 64  # 20 probits and narrow ones, by the definition
    for seed in range(4 if "loglog" in link else 12):
        rng = np.random.default_rng(seed)
        d, size = int(rng.integers(1, 5)), 1 + 2 * seed
        X = rng.normal(size=(size, d)) * 10.0 ** rng.uniform(-1.5, 1.2)
        if seed % 3 == 0:
            X = X[rng.integers(0, size // 2 + 1, size)]
        if seed % 4 == 0:
            X[0] = 0.0
        belief: core.Belief | core.Mixture = core.prior(d, precision=10.0 ** rng.uniform(-1.5, 2), link=link)
        if seed % 2:
            belief = core.prior_mixture(d, precisions=[0.1, 1.0, 20.0], links=[link, "probit"][: seed % 3 + 1])
        n = 0 if seed % 5 == 1 else seed
        belief, _ = core.observe_many(belief, X[rng.integers(0, size, n)], rng.integers(0, 2, n))
        found = knowledge_gradient_star(belief, X, trials_left=most)
        with monkeypatch.context() as patch:
            patch.setattr(star, "can_expand", lambda _: False)
            plain = knowledge_gradient_star(belief, X, trials_left=most)
        np.testing.assert_allclose(found.values, plain.values, rtol=0, atol=1e-7, err_msg=str(seed))


def test_a_prior_for_those_who_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five strengths side by side, the widest of them very wide: before any outcome (all alternatives alike after m/2
    successes) and after a few.
    """
    rng = np.random.default_rng(3)
    X = np.column_stack([np.ones(60), rng.normal(size=(60, 10))])
    monkeypatch.setattr(star, "MOST_REPEATS", 16)
    for n in (0, 1, 12):
        belief, _ = core.observe_many(core.auto_prior(11), X[:n], rng.integers(0, 2, n))
        found = knowledge_gradient_star(belief, X)
        some = rng.integers(0, 60, 4)
        plain = star._plain(belief, X[some], Group(1.0, X, some), found.trials)
        np.testing.assert_allclose(found.values[some], plain, rtol=0, atol=2e-8)


@pytest.mark.parametrize(
    ("mean", "variance"),
    [
        ([0.3, -0.2], [1e-6, 2e-6]),  # nodes of each candidate's own
        ([0.3, -0.2], [1e-4, 30.0]),  # and beside them shared ones
        ([90.0, -70.0], [4.0, 900.0]),  # scores beyond the last shared node
        ([0.0, 0.0], [1.0, 1e-12]),
    ],
)
def test_narrow_far_and_uneven_scores(
    mean: list[float], variance: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    X = np.vstack([rng.uniform(-2, 2, size=(12, 2)), [[1.0, 0.0], [0.0, 1.0], [1e-3, 1.0], [1.0, 1.001]]])
    other = core.gaussian(mean[::-1], variance[::-1])
    for belief in (core.gaussian(mean, variance), core.mixture([other, core.gaussian(mean, variance)], [0.4, 0.6])):
        found = knowledge_gradient_star(belief, X, trials_left=8)
        with monkeypatch.context() as patch:
            patch.setattr(star, "can_expand", lambda _: False)
            plain = knowledge_gradient_star(belief, X, trials_left=8)
        np.testing.assert_allclose(found.values, plain.values, rtol=0, atol=1e-7)


def test_sixty_four_trials_against_mpmath() -> None:
    """Two alternatives, logit, to 20 digits: Σ_k max_x' E[Binom(k; 64, σ(f)) p(x'|f)]. The scores are independent, so
    p(x'|f) = p(x') for the other one; expectations by the trapezoid rule, which converges geometrically here.
    """
    mean, variance = [0.4, 0.1], [0.5, 1.5]
    found = knowledge_gradient_star(core.gaussian(mean, variance), np.eye(2), trials_left=64)
    with mpmath.workdps(20):
        z = [mpmath.mpf(n) / 8 for n in range(-60, 61)]
        mass = [mpmath.npdf(at) / 8 for at in z]
        sigma = [
            [1 / (1 + mpmath.exp(-m - mpmath.sqrt(s) * at)) for at in z] for m, s in zip(mean, variance, strict=True)
        ]
        chance = [mpmath.fdot(mass, row) for row in sigma]
        for x in range(2):
            total = -max(chance)
            for k in range(65):
                ways = mpmath.binomial(64, k)
                outcome = [w * ways * p**k * (1 - p) ** (64 - k) for w, p in zip(mass, sigma[x], strict=True)]
                total += max(mpmath.fdot(outcome, sigma[x]), mpmath.fsum(outcome) * chance[1 - x])
            assert found.values[x, -1] == pytest.approx(float(total), abs=1e-8)


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_one_repeat_is_the_knowledge_gradient_and_more_never_lose(link: str) -> None:
    belief = belief_of(link)
    found = knowledge_gradient_star(belief, POOL, trials_left=64)
    np.testing.assert_allclose(found.values[:, 0], knowledge_gradient(belief, POOL), rtol=0, atol=3e-8)
    assert (np.diff(found.values, axis=1) > -3e-8).all()
    np.testing.assert_allclose(found.score, (found.values / found.trials).max(axis=1))


def test_it_sees_value_where_one_step_sees_none() -> None:
    """No single outcome can change the choice, sixteen can."""
    pool = np.array([[1.0, 0.0], [0.0, 1.0]])
    belief = core.gaussian([1.0, 0.0], [0.2, 0.2], link="probit")
    found = knowledge_gradient_star(belief, pool, trials_left=16)
    assert knowledge_gradient(belief, pool).max() == 0.0
    assert found.score.min() > 1e-6  # and the value is certain: the tolerance is 1e-7
    assert found.repeats.min() > 1


def test_the_trials_left_bound_the_repeats() -> None:
    assert knowledge_gradient_star(belief_of("logit"), POOL, trials_left=1).trials.tolist() == [1]
    assert knowledge_gradient_star(belief_of("logit"), POOL, trials_left=7).trials.tolist() == [1, 2, 4]
    with pytest.raises(InvalidInput, match="at least 1, got trials_left=0"):
        knowledge_gradient_star(belief_of("logit"), POOL, trials_left=0)


def test_copies_of_an_alternative_are_worth_the_same() -> None:
    rng = np.random.default_rng(4)
    X = np.column_stack([np.ones(12), rng.normal(size=(12, 2))])
    belief, _ = core.observe_many(core.auto_prior(3, pool=X), X[:6], [1, 0, 1, 1, 0, 0])
    who = rng.integers(12, size=40)
    once, often = (knowledge_gradient_star(belief, rows, trials_left=8).values for rows in (X[np.unique(who)], X[who]))
    np.testing.assert_allclose(often, once[np.searchsorted(np.unique(who), who)], rtol=0, atol=1e-9)
