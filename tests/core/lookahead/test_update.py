"""The look-ahead by update: compiled against the definition in NumPy, on hundreds of random states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot import core
from sureshot.core.lookahead import finals, gradient, knowledge_gradient, threads, update

KINDS = [
    ("logit", "laplace", "full"),
    ("logit", "laplace", "diagonal"),
    ("probit", "laplace", "full"),
    ("probit", "laplace", "diagonal"),
    ("probit", "adf", "full"),
    ("probit", "adf", "diagonal"),
]


def random_state(seed: int) -> tuple[core.Mixture, np.ndarray]:
    """Beliefs of several kinds side by side after some outcomes, wide and narrow, and a pool with duplicates."""
    rng = np.random.default_rng(seed)
    size, d = int(rng.integers(1, 60)), int(rng.integers(1, 8))
    X = rng.normal(size=(size, d)) * 10.0 ** rng.uniform(-1, 1)
    if seed % 3 == 0:
        X = X[rng.integers(0, size // 2 + 1, size)]
    n = 0 if seed % 5 == 0 else int(rng.integers(0, 30))
    rows, outcomes = X[rng.integers(0, size, n)], rng.integers(0, 2, n)
    parts = []
    for k in rng.permutation(len(KINDS))[: rng.integers(1, 6)]:
        link, method, form = KINDS[k]
        prior = core.prior(d, precision=10.0 ** rng.uniform(-2, 2), link=link, method=method, covariance=form)
        parts.append(core.observe_many(prior, rows, outcomes)[0])
    return core.mixture(parts, rng.uniform(0.01, 1.0, len(parts))), X


def by_definition(belief: core.Belief | core.Mixture, X: np.ndarray, **options: object) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradient, "can_compile", lambda _: False)
        return knowledge_gradient(belief, X, lookahead="update", **options)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_compiled_equals_the_definition_for_a_mixture(seed: int) -> None:
    belief, X = random_state(seed)
    assert update.can_compile(belief)
    found = knowledge_gradient(belief, X, lookahead="update")
    np.testing.assert_allclose(found, by_definition(belief, X), rtol=0, atol=1e-12)


def one_state(seed: int, link: str, method: str, form: str, shape: str) -> tuple[core.Belief, np.ndarray]:
    """A pool of some shape and one belief after some outcomes."""
    rng = np.random.default_rng(seed)
    size, d = int(rng.integers(1, 600)), int(rng.integers(1, 12))
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


@pytest.mark.parametrize(("link", "method", "form"), KINDS)
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), shape=st.sampled_from(["plain", "one", "line", "duplicates", "dominant", "fresh"])
)
def test_compiled_equals_the_definition_for_one_belief(
    link: str, method: str, form: str, seed: int, shape: str
) -> None:
    belief, X = one_state(seed, link, method, form, shape)
    found = knowledge_gradient(belief, X, lookahead="update")
    np.testing.assert_allclose(found, by_definition(belief, X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["one", "mixture"])
def test_groups_of_finals_are_averaged(kind: str) -> None:
    belief, X = random_state(8) if kind == "mixture" else one_state(8, *KINDS[1], "plain")
    rng = np.random.default_rng(0)
    groups = finals([rng.normal(size=(m, belief.d)) for m in (1, 4, 6)], [1, 2, 3], d=belief.d)
    np.testing.assert_allclose(
        knowledge_gradient(belief, X, lookahead="update", finals=groups),
        by_definition(belief, X, finals=groups),
        rtol=0,
        atol=1e-12,
    )


def test_members_that_are_certain_of_opposite_things() -> None:
    """Scores far beyond where a probability is 0 or 1 to the last bit."""
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 2.0]])
    belief = core.mixture([core.gaussian([900.0, -900.0], [1e-3, 1e-3]), core.gaussian([-2000.0, 1.0], [0.5, 2.0])])
    np.testing.assert_allclose(
        knowledge_gradient(belief, X, lookahead="update"), by_definition(belief, X), rtol=0, atol=1e-12
    )


def test_pools_of_every_size_of_feature() -> None:
    """Means to 1e3, variances from 1e-12 to 1e12, and far beyond what single precision holds."""
    rng = np.random.default_rng(8)
    for n in range(20):
        X = rng.normal(size=(60, 4)) * 10.0 ** rng.uniform(-6, 4 if n else 18, size=(60, 1))
        one, other = (core.gaussian(rng.normal(size=4), 10.0 ** rng.uniform(-3, 3, size=4)) for _ in range(2))
        for belief in (one, core.mixture([one, other])):
            values = knowledge_gradient(belief, X, lookahead="update")
            assert np.isfinite(values).all()
            np.testing.assert_allclose(values, by_definition(belief, X), rtol=0, atol=1e-8)


def test_other_links_take_the_definition() -> None:
    assert not update.can_compile(core.prior_mixture(2, precisions=[1.0], links=["logit", "cloglog"]))
    assert update.can_compile(core.prior(2))


@pytest.mark.parametrize("precisions", [[1.0], [0.3, 3.0]])
def test_bits_do_not_depend_on_the_number_of_threads(precisions: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(threads.THREADED, 3))
    belief, _ = core.observe_many(core.prior_mixture(3, precisions=precisions), X[:15], rng.integers(0, 2, 15))
    results = []
    for count in (1, 2, 3):
        monkeypatch.setattr(threads, "_cores", lambda count=count: count)
        results.append(knowledge_gradient(belief, X, lookahead="update"))
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])
