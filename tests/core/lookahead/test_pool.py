"""The compiled scan against the definition, and the decision alone against all values, on hundreds of random states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot import core
from sureshot.core.lookahead import finals, gradient, knowledge_gradient, leaders
from sureshot.core.lookahead import pool as pools

KINDS = [("logit", "laplace"), ("probit", "laplace"), ("probit", "adf")]
FORMS = ["full", "diagonal"]


def random_state(seed: int, link: str, method: str, form: str, shape: str = "plain") -> tuple[core.Belief, np.ndarray]:
    """A pool of some shape and a belief after some outcomes, both from the seed."""
    rng = np.random.default_rng(seed)
    size, d = int(rng.integers(1, 300)), int(rng.integers(1, 12))
    if shape == "one":
        size = 1
    if shape == "line":
        d = 1
    X = rng.normal(size=(size, d)) * 10.0 ** rng.uniform(-1, 1)
    if shape == "duplicates":
        X = X[rng.integers(0, max(1, size // 4), size)]
    if shape == "dominant":
        X[0] *= 50.0
    n = 0 if shape == "fresh" else int(rng.integers(0, 60))
    belief = core.prior(d, precision=10.0 ** rng.uniform(-3, 2), link=link, method=method, covariance=form)
    belief, _ = core.observe_many(belief, X[rng.integers(0, size, n)], rng.integers(0, 2, n))
    return belief, X


def by_definition(belief: core.Belief, X: np.ndarray, **options: object) -> np.ndarray:
    """The same through NumPy alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradient, "can_scan", lambda _: False)
        return knowledge_gradient(belief, X, lookahead="update", **options)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("link", "method"), KINDS)
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), shape=st.sampled_from(["plain", "one", "line", "duplicates", "dominant", "fresh"])
)
def test_scan_equals_the_definition_and_the_decision_equals_all_values(
    link: str, method: str, form: str, seed: int, shape: str
) -> None:
    belief, X = random_state(seed, link, method, form, shape)
    values = knowledge_gradient(belief, X, lookahead="update")
    np.testing.assert_allclose(values, by_definition(belief, X), rtol=0, atol=1e-12)
    found = leaders(belief, X, lookahead="update")
    assert np.array_equal(found.rows, np.flatnonzero(values >= values.max() - 1e-9))
    assert found.value == pytest.approx(values.max(), abs=1e-15)
    others = np.delete(values, found.rows)
    if others.size:
        assert others.max() - 1e-15 <= found.rest < found.value - 1e-9 + 1e-15


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("link", "method"), KINDS)
@pytest.mark.parametrize("share", [0.0, 0.9, 9.0])
def test_dense_or_pruned_the_decision_is_the_same(
    link: str, method: str, form: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pool large enough to be sampled: always dense after the sample, by what it shows, and never dense."""
    monkeypatch.setattr(pools, "DENSE", share)
    for n in (0, 25):
        rng = np.random.default_rng(n)
        X = rng.normal(size=(700, 5))
        X[600:] = X[:100]  # ties
        belief = core.prior(5, link=link, method=method, covariance=form)
        belief, _ = core.observe_many(belief, X[:n], rng.integers(0, 2, n))
        values = knowledge_gradient(belief, X, lookahead="update")
        found = leaders(belief, X, lookahead="update")
        assert np.array_equal(found.rows, np.flatnonzero(values >= values.max() - 1e-9))
        assert found.value == pytest.approx(values.max(), abs=1e-15)
        assert found.rest >= np.delete(values, found.rows).max() - 1e-12


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("link", "method"), KINDS)
def test_no_pair_scores_above_its_bound(link: str, method: str, form: str) -> None:
    """MATHS 12, brute force: the pruning rests on it."""
    from scipy import special

    for seed in range(25):
        belief, X = random_state(seed, link, method, form)
        beta = np.pi / 8 if link == "logit" else 1.0
        _, rows, _ = pools._prepared(belief, X, X)
        mu, s = belief.moments(X)
        a, rho = mu / np.sqrt(1 + beta * s), beta * s / (1 + beta * s)
        squash = special.expit if link == "logit" else special.ndtr
        for i in range(0, len(X), 7):
            for y in (0, 1):
                after, _ = core.observe(belief, X[i], y)
                mean, variance = after.moments(X)
                score = mean / np.sqrt(1 + beta * variance)
                top = a + rows.reach[y, i] * np.sqrt(rho)
                bound = np.where(top > 0, top / np.sqrt(1 - rows.kappa[y, i] * rho), top)
                assert (squash(score) <= squash(bound) + 1e-9).all()


def test_bits_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2 * pools.THREADED, 6))
    belief, _ = core.observe_many(core.prior(6), X[:20], rng.integers(0, 2, 20))
    results, winners = [], []
    for count in (1, 2, 3):
        monkeypatch.setattr(pools, "_threads", lambda count=count: count)
        results.append(knowledge_gradient(belief, X, lookahead="update"))
        winners.append(leaders(belief, X, lookahead="update").rows)
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])
    assert all(np.array_equal(winners[0], rows) for rows in winners)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("link", "method"), KINDS)
def test_groups_of_finals_go_through_the_same_scan(link: str, method: str, form: str) -> None:
    belief, X = random_state(12, link, method, form)
    rng = np.random.default_rng(0)
    groups = finals([rng.normal(size=(m, belief.d)) for m in (1, 9, 40)], [1, 2, 3], d=belief.d)
    np.testing.assert_allclose(
        knowledge_gradient(belief, X, lookahead="update", finals=groups),
        by_definition(belief, X, finals=groups),
        rtol=0,
        atol=1e-12,
    )


def test_pools_of_every_size_of_feature() -> None:
    """Means to 1e3, variances from 1e-12 to 1e12: what float64 can hold, scan and definition agree on."""
    rng = np.random.default_rng(8)
    for _ in range(20):
        X = rng.normal(size=(60, 4)) * 10.0 ** rng.uniform(-6, 4, size=(60, 1))
        belief = core.gaussian(rng.normal(size=4), 10.0 ** rng.uniform(-3, 3, size=4), link="logit")
        values = knowledge_gradient(belief, X, lookahead="update")
        assert np.isfinite(values).all()
        np.testing.assert_allclose(values, by_definition(belief, X), rtol=0, atol=1e-8)
