"""The prior for those who have none: what it supposes about the scores of a pool."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.auto import SCALES
from sureshot.errors import InvalidInput


def heavy(size: int = 200, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.column_stack([np.ones(size), rng.uniform(-1, 1, size), rng.standard_t(2, (size, 2))])


def test_by_reach_each_feature_acts_alike_over_its_largest_value() -> None:
    X = heavy()
    for belief in core.auto_prior(4, pool=X).beliefs:
        effect = np.abs(X).max(axis=0)[1:] * np.sqrt(belief.variance[1:])
        assert effect == pytest.approx(np.full(3, effect[0]))


def test_by_reach_the_mean_variance_of_the_scores_is_that_of_the_scale() -> None:
    X = heavy()
    for belief, scale in zip(core.auto_prior(4, pool=X).beliefs, SCALES, strict=True):
        variances = (X[:, 1:] ** 2 * belief.variance[1:]).sum(axis=1)
        assert variances.mean() == pytest.approx(1.0 / scale)
        assert belief.variance[0] == pytest.approx(1 / 0.3)


def test_by_reach_without_a_constant_and_with_a_feature_that_is_nowhere() -> None:
    X = np.column_stack([heavy()[:, 1:], np.zeros(200)])
    belief = core.auto_prior(4, intercept=False, pool=X).beliefs[2]
    assert np.isfinite(belief.variance).all()
    assert (X**2 * belief.variance).sum(axis=1).mean() == pytest.approx(1.0)


def test_a_pool_of_another_width_is_refused() -> None:
    with pytest.raises(InvalidInput, match="pool"):
        core.auto_prior(3, pool=heavy())
