"""Beliefs that read some of the features and suppose an own effect of each alternative: the same values as from beliefs
in which all that is written out, a column for each alternative.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sureshot import core
from sureshot.core import check
from sureshot.core.beliefs import belief as beliefs
from sureshot.core.beliefs.belief import Belief, Reading, factorise
from sureshot.core.lookahead import (
    exact,
    finals,
    gradient,
    knowledge_gradient,
    knowledge_gradient_star,
    outlook,
    repeated,
    star,
)
from sureshot.core.lookahead.compared import compared, stacked
from sureshot.core.lookahead.repeated import knowledge_gradient_several
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct

KINDS = [
    ("logit", "laplace", "full"),
    ("probit", "adf", "full"),
    ("logit", "laplace", "diagonal"),
    ("probit", "adf", "diagonal"),
]


def belief_about(X: Array, rng: np.random.Generator, kind: tuple[str, str, str]) -> Belief:
    """A belief in some columns, with an own effect of each row of which three are known."""
    link, method, form = kind
    d = X.shape[1]
    columns = np.sort(rng.permutation(d)[: rng.integers(1, d + 1)])
    own = float(rng.choice([0.0, 0.3, 2.0]))
    belief = core.prior(d, columns=columns, own=own, link=link, method=method, covariance=form)
    belief = belief.knowing(X[rng.integers(0, len(X), 3)])
    w = len(belief.mean)
    mean = check.frozen(rng.normal(size=w))
    if form == "diagonal":
        return replace(belief, mean=mean, spread=check.frozen(rng.uniform(0.1, 2.0, w)))
    half = rng.normal(size=(w, w))
    spread, factor = factorise(half @ half.T / w + 0.1 * np.eye(w))
    return replace(belief, mean=mean, spread=check.frozen(spread), factor=check.frozen(factor))


def written_out(belief: core.Mixture, X: Array) -> tuple[core.Mixture, Array]:
    """The same with features alone: for each belief the columns it reads and one for each alternative."""
    once, copies = distinct(X)
    features, plain = [], []
    for one in belief.beliefs:
        seen, extra = one.read(X[once])
        w, n = len(one.mean), len(once)
        features.append(np.concatenate([seen, np.eye(n)], axis=1))
        variance = np.maximum(extra, 1e-14)
        mean = np.append(one.mean, np.zeros(n))
        cov = np.append(one.spread, variance)
        if one.factor is not None:
            cov = np.diag(cov)
            cov[:w, :w] = one.cov
        plain.append(core.gaussian(mean, cov, link=one.link, method=one.method))
    ends = np.cumsum([part.shape[1] for part in features]).tolist()
    width = ends[-1]
    read = [
        replace(one, reading=Reading(width, np.arange(end - len(one.mean), end), 0.0, np.empty((0, width))))
        for one, end in zip(plain, ends, strict=True)
    ]
    return core.mixture(read, belief.weights), np.concatenate(features, axis=1)[copies]


def states(count: int, most: int = 90) -> list[tuple[core.Mixture, Array]]:
    found = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        size, d = int(rng.integers(2, most)), int(rng.integers(2, 6))
        X = rng.normal(size=(size, d))
        if seed % 2:
            X = X[rng.integers(0, size, size)]
        parts = [belief_about(X, rng, KINDS[k]) for k in rng.integers(0, len(KINDS), 1 + seed % 3)]
        found.append((core.mixture(parts, rng.uniform(0.1, 1.0, len(parts))), X))
    return found


@pytest.mark.parametrize("lookahead", ["exact", "update"])
def test_one_outcome_ahead(lookahead: str) -> None:
    for belief, X in states(24):
        plain, F = written_out(belief, X)
        found, truth = (knowledge_gradient(b, rows, lookahead=lookahead) for b, rows in ((belief, X), (plain, F)))
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)
        half = len(X) // 2 + 1
        found, truth = (
            knowledge_gradient(b, rows, lookahead=lookahead, finals=finals([rows[:half], rows[half - 1 :]], d=b.d))
            for b, rows in ((belief, X), (plain, F))
        )
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("lookahead", "compiled"), [("exact", "can_expand"), ("update", "can_compile")])
def test_compiled_equals_the_definition(lookahead: str, compiled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for belief, X in states(12, most=20):
        found = knowledge_gradient(belief, X, lookahead=lookahead)
        with monkeypatch.context() as patch:
            patch.setattr(gradient, compiled, lambda _: False)
            truth = knowledge_gradient(belief, X, lookahead=lookahead)
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-10 if lookahead == "exact" else 1e-12)


def test_several_outcomes_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    for belief, X in states(12):
        plain, F = written_out(belief, X)
        found, truth = (knowledge_gradient_star(b, rows, trials_left=8) for b, rows in ((belief, X), (plain, F)))
        np.testing.assert_allclose(found.values, truth.values, rtol=0, atol=1e-9)
        chosen = knowledge_gradient_star(belief, X, trials_left=8, rank=lambda score: score)
        assert chosen.score.max() == pytest.approx(truth.score.max(), abs=1e-9)
        found, truth = (knowledge_gradient_several(b, rows, trials=3) for b, rows in ((belief, X), (plain, F)))
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-9)
    belief, X = states(3, most=12)[2]
    found = knowledge_gradient_star(belief, X, trials_left=4)
    monkeypatch.setattr(star, "can_expand", lambda _: False)
    plain = knowledge_gradient_star(belief, X, trials_left=4)
    np.testing.assert_allclose(found.values, plain.values, rtol=0, atol=1e-7)


def test_the_outlook() -> None:
    for belief, X in states(12):
        plain, F = written_out(belief, X)
        for index in range(0, len(X), 7):
            for (row, p), (row2, p2) in zip(outlook(belief, X, index), outlook(plain, F, index), strict=True):
                assert p == pytest.approx(p2, abs=1e-8)
                assert np.array_equal(X[row], X[row2])


def test_an_own_effect_makes_a_trial_tell_of_the_alternative_itself() -> None:
    """Nothing is read but a constant: without own effects all alternatives are alike, and no outcome changes that."""
    X = np.column_stack([np.ones(5), np.arange(5.0)])
    none, some = (core.prior(2, columns=[0], own=own) for own in (0.0, 1.0))
    assert knowledge_gradient(none, X).max() < 1e-11
    assert knowledge_gradient(some, X).min() > 0.02


def test_rows_stand_once_and_candidates_know_their_twins() -> None:
    X = np.array([[1.0, 0.0], [2.0, 0.0], [1.0, 0.0]])
    belief = core.mixture([core.prior(2, columns=[1], own=1.0), core.prior(2)])
    task = compared(belief, X, finals([X[[1, 1]], [[0.0, 5.0], [1.0, -0.0]]], [1, 3], d=2))
    assert task.copies.tolist() == [0, 1, 0]
    assert [group.twin.tolist() for group in task.groups] == [[-1, 0], [1, -1]]
    assert [len(group.rows) for group in task.groups] == [1, 2]
    scores = stacked(belief.beliefs, task.X)
    assert scores.root.shape == (2, 2, 2)
    assert scores.root[0].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert scores.s.tolist() == [[1.0, 1.0], [1.0, 4.0]]


def test_what_is_too_large_to_be_held_is_looked_at_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for belief, X in states(12):
        some = finals([X[: len(X) // 2 + 1], X[len(X) // 3 :]], d=belief.d)

        def looked(belief: core.Mixture = belief, X: Array = X, some: core.lookahead.Finals = some) -> list[Array]:
            fresh = core.mixture([replace(one) for one in belief.beliefs], belief.weights)  # that nothing is kept of
            moments = [part for one in fresh.beliefs for part in one.moments(X)]
            one = knowledge_gradient(fresh, X, finals=some)
            return [*moments, one, knowledge_gradient_several(fresh, X, trials=3, finals=some)]

        whole = looked()
        with monkeypatch.context() as patch:
            for module, name, most in ((exact, "HELD", 700), (repeated, "HELD", 1), (beliefs, "_MOST_KEPT", 11)):
                patch.setattr(module, name, most)
            patch.setattr(repeated, "PAIRS", 500)
            for found, truth in zip(looked(), whole, strict=True):
                np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)


def test_scores_under_drawn_weights_are_those_of_all_columns_written_out() -> None:
    for belief, X in states(12):
        rng = np.random.default_rng(5)
        for one in belief.beliefs:
            w = rng.normal(size=(3, len(one.mean)))
            seen, extra = one.read(X)
            found, own = one.under(w, X)
            np.testing.assert_allclose(found, w @ seen.T, rtol=0, atol=1e-12)
            assert own.tolist() == extra.tolist()
