"""The belief as a study names it."""

import numpy as np
import pytest

from sureshot.core import predictive
from sureshot.errors import SureshotError
from sureshot.lab import BeliefRecipe
from sureshot.lab.worlds.bench import Bench
from sureshot.lab.worlds.registry import get_world


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("straight", "straight"), ("interior", "curved"), ("odd-level", "curved"), ("ridge", "pairs"), ("pair", "pairs")],
)
def test_a_belief_that_is_told_the_shape_is_that_of_a_campaign_with_it(kind: str, shape: str) -> None:
    truth = Bench(kind).draw(np.random.default_rng(1), 5)
    X, told = BeliefRecipe("told", shape="told").begin(truth)
    same, named = BeliefRecipe("named", shape=shape).begin(truth)
    assert np.array_equal(X, same)
    assert len(told.beliefs) == len(named.beliefs)
    assert np.array_equal(predictive(told, X[0]), predictive(named, X[0]))


def test_where_nobody_knows_the_shape_it_is_auto() -> None:
    truth = get_world("synthetic", d=3).draw(np.random.default_rng(1), 5)
    assert truth.shape is None
    _, told = BeliefRecipe("told", shape="told").begin(truth)
    _, auto = BeliefRecipe("auto").begin(truth)
    assert len(told.beliefs) == len(auto.beliefs)


def test_an_unknown_shape_is_refused_by_name() -> None:
    with pytest.raises(SureshotError, match="told"):
        BeliefRecipe("x", shape="tolld")
