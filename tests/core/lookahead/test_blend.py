"""A mixture by its members' updates, compiled, against the definition in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot import core
from sureshot.core.lookahead import blend, finals, gradient, knowledge_gradient
from sureshot.core.lookahead import pool as pools

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


def by_definition(belief: core.Mixture, X: np.ndarray, **options: object) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradient, "can_blend", lambda _: False)
        return knowledge_gradient(belief, X, lookahead="update", **options)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_compiled_equals_the_definition(seed: int) -> None:
    belief, X = random_state(seed)
    assert blend.can_blend(belief)
    found = knowledge_gradient(belief, X, lookahead="update")
    np.testing.assert_allclose(found, by_definition(belief, X), rtol=0, atol=1e-12)


def test_groups_of_finals_are_averaged() -> None:
    belief, X = random_state(8)
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


def test_other_links_take_the_definition() -> None:
    assert not blend.can_blend(core.prior_mixture(2, precisions=[1.0], links=["logit", "cloglog"]))
    assert not blend.can_blend(core.prior(2))


def test_bits_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(pools.THREADED // 2, 3))
    belief, _ = core.observe_many(core.prior_mixture(3, precisions=[0.3, 3.0]), X[:15], rng.integers(0, 2, 15))
    results = []
    for count in (1, 2, 3):
        monkeypatch.setattr(pools, "_threads", lambda count=count: count)
        results.append(knowledge_gradient(belief, X, lookahead="update"))
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])
