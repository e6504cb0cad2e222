"""Gibbs by Polya-Gamma variables: the moments of quadrature, the draws of slices, and what it says where it can't."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.core.reference import polya_gamma
from sureshot.core.reference.gaussian import near
from sureshot.core.reference.mixing import effective
from sureshot.core.reference.polya_gamma import by_polya_gamma, fits, installed
from sureshot.core.reference.slices import by_slices
from sureshot.core.reference.target import Target, tried
from sureshot.errors import InvalidInput, SureshotError
from tests.core.reference.exactly import weighed

#: Beyond so many standard errors, wrongly for one of the 8 means in 2,000 runs.
CLEAR = 4.0


def test_two_weights_some_of_them_tried_often_and_a_prior_mean() -> None:
    X = np.array([[1.0, -1.2], [1.0, 0.4], [1.0, 1.5]])
    won, lost = np.array([0.0, 9.0, 60.0]), np.array([1.0, 3.0, 9.0])
    root, mean = np.array([[1.5, 0.0], [0.6, 1.1]]), np.array([0.7, -0.4])
    made = Target(core.LOGIT, X @ mean, X @ root, won, lost)
    rng = np.random.default_rng(3)
    u = by_polya_gamma(made, rng.standard_normal((32, 2)), rng, 320)[20:]
    w, share, _ = weighed("logit", root, X, won, lost, base=X @ mean)
    drawn = u @ root.T
    for power in (1, 2):
        for k in range(2):
            found = drawn[:, :, k] ** power
            error = found.std() / np.sqrt(effective(found))
            assert abs(found.mean() - share @ w[:, k] ** power) < CLEAR * error


def test_it_draws_what_slices_draw() -> None:
    """Kolmogorov-Smirnov on thinned draws, of the ten scores that were tried: both samplers right, it fails once in a
    hundred seeds (Bonferroni).
    """
    rng = np.random.default_rng(4)
    X = np.column_stack([np.ones(10), rng.standard_normal((10, 5))])
    won = rng.integers(0, 4, 10).astype(float)
    made = tried(core.prior(6, precision=0.3, own=0.5), X, won, 3.0 - won).target
    start = rng.standard_normal((64, made.size))
    one = by_polya_gamma(made, start, rng, 300)[30::15] @ made.rows.T
    other = by_slices(made, start, rng, 150, about=near(made))[30::8] @ made.rows.T
    ps = [stats.ks_2samp(one[:, :, k].ravel(), other[:, :, k].ravel()).pvalue for k in range(10)]
    assert min(ps) > 0.01 / 10


def test_the_test_against_slices_can_fail() -> None:
    rng = np.random.default_rng(5)
    X, won = np.eye(2), np.array([4.0, 0.0])
    start = rng.standard_normal((64, 2))
    right = Target(core.LOGIT, np.zeros(2), X, won, 4.0 - won)
    wrong = Target(core.LOGIT, np.zeros(2), X, won, 5.0 - won)
    one = by_polya_gamma(right, start, rng, 300)[30::15]
    other = by_slices(wrong, start, rng, 150, about=near(right))[30::8]
    assert stats.ks_2samp(one[:, :, 1].ravel(), other[:, :, 1].ravel()).pvalue < 0.01


def test_for_logit_alone_and_few_dimensions() -> None:
    made = Target(core.LOGIT, np.zeros(1), np.ones((1, 1)), np.ones(1), np.zeros(1))
    assert fits(made)
    assert not fits(Target(core.LOGIT, np.zeros(1), np.ones((1, 1)), np.array([5000.0]), np.zeros(1)))
    assert not fits(Target(core.LOGIT, np.zeros(99), np.eye(99), np.ones(99), np.zeros(99)))
    other = Target(core.PROBIT, np.zeros(1), np.ones((1, 1)), np.ones(1), np.zeros(1))
    assert not fits(other)
    with pytest.raises(InvalidInput, match="Polya-Gamma variables are for the link 'logit', got 'probit'"):
        by_polya_gamma(other, np.zeros((1, 1)), np.random.default_rng(1), 1)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polyagamma", None)
    monkeypatch.setattr(polya_gamma, "find_spec", lambda _: None)
    made = Target(core.LOGIT, np.zeros(1), np.ones((1, 1)), np.ones(1), np.zeros(1))
    assert not installed()
    assert not fits(made)
    with pytest.raises(SureshotError, match=r"need polyagamma: pip install 'sureshot\[check\]'"):
        by_polya_gamma(made, np.zeros((1, 1)), np.random.default_rng(1), 1)
