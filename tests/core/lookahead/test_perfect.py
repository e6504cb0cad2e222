"""What perfect knowledge would change, against quadrature."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core import auto_prior
from sureshot.core.lookahead.perfect import perfect_knowledge


def test_perfect_knowledge_of_two_by_quadrature() -> None:
    belief = core.gaussian([0.4, 0.0], [[0.3, 0.0], [0.0, 1.0]], link="probit")
    grid = np.linspace(-8, 8, 801)
    mass = np.exp(-0.5 * grid**2)
    mass /= mass.sum()
    first, second = (core.PROBIT.probability(m + np.sqrt(v) * grid) for m, v in ((0.4, 0.3), (0.0, 1.0)))
    top = (np.maximum.outer(first, second) * np.multiply.outer(mass, mass)).sum()
    p = core.predictive(belief, np.eye(2))
    draws = perfect_knowledge(belief, np.eye(2), 0, np.random.default_rng(1), size=200_000)
    assert abs(draws.evpi - (top - p[0])) < 4 * draws.evpi_error
    chance = (np.multiply.outer(mass, mass) * (first[:, None] >= second)).sum()
    assert draws.chance_best == pytest.approx(chance, abs=0.01)


def test_rows_that_differ_in_no_feature_share_the_first_place() -> None:
    X = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert perfect_knowledge(auto_prior(2), X, 0, np.random.default_rng(1)).chance_best == 1.0
