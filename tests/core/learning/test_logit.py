"""What either outcome teaches under logit: several at a time, one at a time, and the definition agree."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot.core import LOGIT
from sureshot.core.learning.step import learn
from sureshot.core.numerics import twins

pytestmark = pytest.mark.skipif(not twins.available(), reason="compiled code only")


@pytest.mark.parametrize(
    ("size", "low", "high"), [(5.0, -1.0, 2.5), (15.0, -8.0, 4.0), (1e4, -12.0, 12.0), (1e60, -200.0, 60.0)]
)
def test_a_pool_learns_what_each_alternative_would(size: float, low: float, high: float) -> None:
    from sureshot.core.learning.compiled.step import learn_pool

    rng = np.random.default_rng(5)
    mu, s = rng.uniform(-size, size, 500), 10.0 ** rng.uniform(low, high, 500)
    mu[:2], s[1:3] = 0.0, 0.0
    gain, curvature = np.empty((2, 500)), np.empty((2, 500))
    learn_pool(twins.code_of(LOGIT), False, mu, s, gain, curvature)
    for y in (0, 1):
        r, t, _, _ = learn(LOGIT, "laplace", mu, s, y)
        np.testing.assert_allclose(gain[y], r, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(curvature[y], t, rtol=1e-10, atol=1e-14)
