"""The special functions that are not SciPy's, against it and mpmath."""

import mpmath as mp
import numpy as np
import pytest
from scipy import special as scipy

from sureshot.core.numerics import special, twins

SCORES = np.concatenate([np.linspace(-37.0, 37.0, 593), [-700.0, -40.0, -1e-9, 0.0, 1e-300, 40.0, 700.0]])


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", ["expit", "ndtr"])
def test_relatively_accurate_in_both_tails(name, compiled, monkeypatch):
    monkeypatch.setattr(twins, "available", lambda: compiled)
    scores = SCORES if name == "expit" else SCORES[np.abs(SCORES) < 38.0]
    with mp.workdps(50):
        exact = {"expit": lambda z: 1 / (1 + mp.exp(-z)), "ndtr": mp.ncdf}[name]
        truth = np.array([float(exact(mp.mpf(float(z)))) for z in scores])
    np.testing.assert_allclose(getattr(special, name)(scores), truth, rtol=1e-12)


def test_logit_is_the_inverse_of_expit():
    p = np.concatenate([[1e-300, 1e-20], np.linspace(0.001, 0.999, 999), [1 - 1e-15]])
    np.testing.assert_allclose(special.logit(p), scipy.logit(p), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(special.expit(special.logit(p)), p, rtol=1e-13)


@pytest.mark.parametrize("name", ["expit", "logit", "ndtr"])
def test_any_shape_and_the_ends(name):
    ours, theirs = getattr(special, name), getattr(scipy, name)
    for given in (0.25, [0.25, 0.5], np.full((2, 3), 0.25), np.full((4, 3), 0.25)[::2].T, np.empty((0, 2))):
        found = ours(given)
        assert np.shape(found) == np.shape(given)
        np.testing.assert_allclose(found, theirs(given), rtol=1e-14)
    ends = [0.0, 1.0] if name == "logit" else [-np.inf, np.inf]
    assert ours(ends).tolist() == theirs(ends).tolist()
