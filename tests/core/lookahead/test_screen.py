"""The screen in single precision: its bounds hold, and who it leaves is settled as all values are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot import core
from sureshot.core import compiled
from sureshot.core.lookahead import knowledge_gradient, leaders
from sureshot.core.lookahead import pool as pools
from sureshot.core.lookahead.screen import screened, settled

pytestmark = pytest.mark.skipif(not compiled.available(), reason="compiled code only")

KINDS = [("logit", "laplace"), ("probit", "laplace"), ("probit", "adf")]
FORMS = ["full", "diagonal"]


def state(seed: int, link: str, method: str, form: str, size: float) -> tuple[core.Belief, np.ndarray]:
    """A pool whose features are about ``size``, and a belief after some outcomes."""
    rng = np.random.default_rng(seed)
    M, d = int(rng.integers(1, 400)), int(rng.integers(1, 20))
    X = rng.normal(size=(M, d)) * size * 10.0 ** rng.uniform(-1, 1, size=(M, 1))
    n = int(rng.integers(0, 80))
    belief = core.prior(d, precision=10.0 ** rng.uniform(-2, 2), link=link, method=method, covariance=form)
    return core.observe_many(belief, X[rng.integers(0, M, n)], rng.integers(0, 2, n))[0], X


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("link", "method"), KINDS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1e-6, 1e-2, 1.0, 1e2, 1e5]))
def test_bounds_hold_and_the_decision_is_that_of_all_values(
    link: str, method: str, form: str, seed: int, size: float
) -> None:
    belief, X = state(seed, link, method, form, size)
    values = knowledge_gradient(belief, X, lookahead="update")
    screen = screened(belief, X, np.inf, 1)  # nobody is given up
    now = screen.rows.chances.max()
    assert (values + now <= screen.most + 1e-12).all()
    assert screen.least <= values.max() + now + 1e-12
    best = settled(screen, np.arange(len(X)), np.inf)
    assert best is not None
    scores = pools.best_scores(belief, X, X)
    np.testing.assert_allclose(
        np.copysign(np.sqrt(np.abs(best)), best), scores, rtol=1e-9, atol=1e-12 * np.abs(scores).max()
    )
    found = leaders(belief, X, lookahead="update")
    sure = values >= values.max() - 0.9e-9  # a value at the very edge of a tie may round to either side
    assert set(np.flatnonzero(sure)) <= set(found.rows)
    assert set(found.rows) <= set(np.flatnonzero(values >= values.max() - 1.1e-9))
    assert found.value == pytest.approx(values.max(), abs=1e-13)


def test_single_precision_tells_all_but_a_few_apart() -> None:
    """What the speed rests on: of 1,000 alternatives after 50 outcomes, a handful are left to double precision."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-3.0, 3.0, (1000, 20))
    for form in FORMS:
        belief, _ = core.observe_many(core.prior(20, covariance=form), X[:50], rng.integers(0, 2, 50))
        screen = screened(belief, X, 1e-9, 1)
        assert np.count_nonzero(screen.most >= screen.least - 1e-9) < 10


def test_a_pool_that_nothing_can_change_is_all_tied() -> None:
    """No outcome changes the choice, every value is what it is now: single precision can't tell, double does."""
    X = np.vstack([[[10.0, 0.0]], np.random.default_rng(2).normal(size=(300, 2)) * [0.1, 1e-3]])
    belief = core.gaussian([1.0, 0.0], [1e-9, 1e-9])
    assert np.array_equal(leaders(belief, X, lookahead="update").rows, np.arange(301))


def test_scores_beyond_single_precision_are_left_to_double() -> None:
    """A prior so wide that 1 - kappa rho is below single precision: everyone is open, and the answer is right."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 3))
    belief = core.prior(3, precision=1e-12, link="probit")
    values = knowledge_gradient(belief, X, lookahead="update")
    found = leaders(belief, X, lookahead="update")
    assert np.array_equal(found.rows, np.flatnonzero(values >= values.max() - 1e-9))
