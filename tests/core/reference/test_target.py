"""Scores in as few directions as they span: the covariances of the scores themselves, own effects included."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sureshot import core
from sureshot.core.reference.target import tried

RNG = np.random.default_rng(7)
X = RNG.standard_normal((5, 8))
POOL = np.vstack([RNG.standard_normal((3, 8)), X[[3, 0]]])
COV = np.cov(RNG.standard_normal((8, 30)))


def beliefs() -> dict[str, core.Belief]:
    full = core.gaussian(np.arange(8.0) / 5, COV)
    columns = core.prior(8, columns=[0, 2, 5], precision=[1.0, 2.0, 3.0], own=0.7)
    own = core.prior(8, own=0.7)
    return {
        "full": full,
        "diagonal": core.prior(8, covariance="diagonal", precision=np.arange(1.0, 9.0)),
        "few weights": core.prior(8, columns=[1, 2], precision=0.4),
        "own effects": columns,
        "own effects known before": own.knowing(X[:2]),
    }


def covariance(belief: core.Belief, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """By the definition: features that are read, and the same own effect for equal rows."""
    look = belief.reading
    if look is None:
        return A @ belief.cov @ B.T
    f = len(look.columns)
    same = (A[:, None] == B[None]).all(axis=2)
    return A[:, look.columns] @ belief.cov[:f, :f] @ B[:, look.columns].T + look.own * same


@pytest.mark.parametrize("name", beliefs())
def test_covariances_and_means(name: str) -> None:
    belief = beliefs()[name]
    made = tried(belief, X, np.ones(5), np.zeros(5))
    R, expected = made.target.rows, covariance(belief, X, X)
    assert made.target.size <= 5
    np.testing.assert_allclose(R @ R.T, expected, rtol=0.0, atol=1e-12)
    seen = made.seen(POOL)
    assert seen.along @ R.T == pytest.approx(covariance(belief, POOL, X), abs=1e-12)
    whole = (seen.along**2).sum(axis=1) + seen.rest
    assert whole == pytest.approx(np.diag(covariance(belief, POOL, POOL)), abs=1e-12)
    assert (seen.rest[3:] == 0.0).all()  # those that were tried
    assert seen.mean == pytest.approx(belief.moments(POOL)[0], abs=1e-14)
    assert made.target.base == pytest.approx(belief.moments(X)[0], abs=1e-14)


def test_more_alternatives_than_weights_take_a_dimension_for_each_weight() -> None:
    belief = core.gaussian(np.zeros(8), COV)
    many = RNG.standard_normal((30, 8))
    made = tried(belief, many, np.ones(30), np.zeros(30))
    assert made.target.size == 8
    seen = made.seen(POOL)
    assert seen.along @ made.target.rows.T == pytest.approx(covariance(belief, POOL, many), abs=1e-12)
    assert (seen.rest == 0.0).all()


def test_more_own_effects_than_a_belief_keeps_are_all_there() -> None:
    belief = replace(core.prior(2, own=1.0))
    many = RNG.standard_normal((400, 2))
    made = tried(belief, many, np.ones(400), np.zeros(400))
    assert made.target.rows @ made.target.rows.T == pytest.approx(covariance(belief, many, many), abs=1e-10)
