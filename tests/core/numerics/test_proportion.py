import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from sureshot.core.numerics.proportion import wilson


def test_wilson_is_that_of_others():
    for won, n in ((0, 10), (3, 10), (10, 10), (250, 500)):
        low, high = wilson(won, n)
        np.testing.assert_allclose((low, high), proportion_confint(won, n, method="wilson"), atol=1e-12)
        scipys = stats.binomtest(won, n).proportion_ci(method="wilson")
        np.testing.assert_allclose((low, high), scipys, atol=1e-12)
