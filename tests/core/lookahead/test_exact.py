"""The compiled exact look-ahead against the definition in NumPy: random states, mixtures, links side by side."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from sureshot import core
from sureshot.core.lookahead import exact, finals, gradient, knowledge_gradient, threads

TOLERANCE = {"logit": 1e-10, "probit": 1e-13, "cloglog": 1e-7, "loglog": 1e-7}


def by_definition(belief: core.Belief | core.Mixture, X: np.ndarray, **options: object) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradient, "can_expand", lambda _: False)
        return knowledge_gradient(belief, X, **options)


def random_state(seed: int, link: str, size: int, kind: str) -> tuple[core.Belief | core.Mixture, np.ndarray]:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    X = rng.normal(size=(size, d)) * 10.0 ** rng.uniform(-1, 1)
    if seed % 3 == 0 and size > 1:
        X = X[rng.integers(0, size // 2, size)]  # duplicates
    if seed % 4 == 0:
        X[0] = 0.0  # an alternative that is all zeros
    n = int(rng.integers(0, 12))
    belief: core.Belief | core.Mixture
    if kind == "mixture":
        belief = core.prior_mixture(d, precisions=[0.05, 1.0, 20.0], links=[link, "probit"])
    else:
        belief = core.prior(d, precision=10.0 ** rng.uniform(-2, 2), link=link, covariance=kind)
    belief, _ = core.observe_many(belief, X[rng.integers(0, size, n)], rng.integers(0, 2, n))
    return belief, X


@pytest.mark.parametrize("kind", ["full", "diagonal", "mixture"])
@pytest.mark.parametrize("link", list(TOLERANCE))
def test_compiled_equals_the_definition(link: str, kind: str) -> None:
    slow = link in ("cloglog", "loglog")  # 400 bivariate integrals a pair, by the definition
    for seed in range(3 if slow else 10):
        size = 1 + seed if slow else 1 + 2 * seed
        belief, X = random_state(seed, link, size, kind)
        np.testing.assert_allclose(
            knowledge_gradient(belief, X), by_definition(belief, X), rtol=0, atol=TOLERANCE[link], err_msg=str(seed)
        )


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "auto"])
def test_pruned_equals_unpruned(link: str) -> None:
    """Every pair settled in full, against the scan with its bounds: exactly the same."""
    from sureshot.core.lookahead.compiled.exact import settled_pair

    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 6)) * 2
        prior = core.auto_prior(6) if link == "auto" else core.prior(6, link=link)
        n = 10 if seed else 0
        belief, _ = core.observe_many(prior, X[:n], rng.integers(0, 2, n))
        state = exact.ready(belief)
        here, _ = exact.expanded(state, X)
        best, _ = exact.best_joint(state, here, here, np.arange(150))
        truth = np.full((150, 2), -1.0)
        for i in range(150):
            for j in range(150):
                value = settled_pair(state.constants, state.weights, here, here, np.arange(150), i, j)
                truth[i] = np.maximum(truth[i], [here.mean[j] - value, value])
        assert np.array_equal(best, truth)


def test_many_probits_at_once() -> None:
    """Against SciPy, tails and far beyond them included."""
    from sureshot.core.lookahead.compiled.hermite import add_probits

    f = np.concatenate([np.linspace(-12, 12, 4001), [-1e6, -60.0, 60.0, 1e6]])
    total = np.full(f.size, 0.5)
    add_probits(total, f, f.size, 0.7, 0.3, 1.1, 1.0)
    np.testing.assert_allclose(total, special.ndtr((0.3 + 0.7 * f) * 1.1), rtol=0, atol=5e-11)
    add_probits(total, f, 0, 0.7, 0.3, 1.1, 1.0)  # none of them
    np.testing.assert_allclose(total, special.ndtr((0.3 + 0.7 * f) * 1.1), rtol=0, atol=5e-11)


def test_bits_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(threads.THREADED + 10, 4))
    belief, _ = core.observe_many(core.prior(4), X[:15], rng.integers(0, 2, 15))
    results = []
    for count in (1, 2, 3):
        monkeypatch.setattr(threads, "_cores", lambda count=count: count)
        results.append(knowledge_gradient(belief, X))
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


def test_wide_beliefs_and_close_alternatives_are_integrated_directly() -> None:
    """Where the series is slow: variances to 1e4, correlations to 1 - 1e-6; against the definition."""
    rng = np.random.default_rng(2)
    for link in ("logit", "probit"):
        X = rng.normal(size=(8, 2))
        X[1] = X[0] * (1 + 1e-6)
        X[2] = X[0] + 1e-3
        belief = core.prior(2, precision=1e-4, link=link)
        np.testing.assert_allclose(knowledge_gradient(belief, X), by_definition(belief, X), rtol=0, atol=1e-9)


def test_groups_of_finals_go_through_the_same_scan() -> None:
    belief, X = random_state(5, "logit", 9, "mixture")
    rng = np.random.default_rng(0)
    groups = finals([rng.normal(size=(m, belief.d)) for m in (1, 4, 6)], [1, 2, 3], d=belief.d)
    np.testing.assert_allclose(
        knowledge_gradient(belief, X, finals=groups), by_definition(belief, X, finals=groups), rtol=0, atol=1e-10
    )


def test_a_pool_of_thousands_has_no_pair_table_and_no_negative_value() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(3000, 10))
    belief, _ = core.observe_many(core.prior(10), X[:30], rng.integers(0, 2, 30))
    values = knowledge_gradient(belief, X)
    assert values.min() >= 0.0
    rows = rng.integers(0, 3000, 5)
    whole = finals([X], d=10)
    np.testing.assert_allclose(knowledge_gradient(belief, X[rows], finals=whole), values[rows], rtol=0, atol=1e-10)


@pytest.mark.parametrize("link", [core.LOGIT, core.CLOGLOG, core.LOGLOG], ids=lambda link: link.name)
def test_the_closed_form_of_a_square_is_off_by_what_is_said(link: core.Link) -> None:
    table, f = link.probits, np.linspace(-40.0, 40.0, 80_001)
    assert table is not None

    def mixed(at: np.ndarray) -> np.ndarray:
        return special.ndtr((at[:, None] - table.shifts) / table.scales) @ table.weights

    u = (f[:, None] - table.shifts) / table.scales
    closed = {
        core.LOGIT: mixed(f) - np.exp(-0.5 * u * u) / np.sqrt(2.0 * np.pi) @ (table.weights / table.scales),
        core.CLOGLOG: 2.0 * mixed(f) - mixed(f + np.log(2.0)),
        core.LOGLOG: mixed(f - np.log(2.0)),
    }[link]
    found = 1.01 * np.abs(mixed(f) ** 2 - closed).max() + 1e-15
    assert found == pytest.approx(exact.SQUARE_ERRORS[link], rel=1e-6)
