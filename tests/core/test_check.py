"""Bad input: the rule, the value and the fix in the message, the right type, and nothing changed."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from sureshot import core
from sureshot.errors import InvalidInput, SureshotError, UnknownName

NAN, INF = float("nan"), float("inf")


@pytest.fixture(params=["full", "diagonal", "mixture"])
def belief(request):
    prior = core.prior_mixture(2) if request.param == "mixture" else core.prior(2, covariance=request.param)
    return core.observe(prior, [1.0, 0.5], 1)[0]


def snapshot(belief) -> list[np.ndarray]:
    if isinstance(belief, core.Mixture):
        return [belief.log_weights.copy(), *(a for b in belief.beliefs for a in snapshot(b))]
    return [belief.mean.copy(), belief.spread.copy(), belief.cov.copy()]


OBSERVATIONS = {
    "NaN feature": ([1.0, NAN], 1, None, r"`x` must be finite, got x\[1\]=nan: remove or impute"),
    "infinite feature": ([-INF, 0.0], 1, None, r"`x` must be finite, got x\[0\]=-inf"),
    "too many features": ([1.0, 2.0, 3.0], 1, None, r"`x` must have shape \(2,\).*got \(3,\)"),
    "a matrix for a vector": ([[1.0, 2.0]], 1, None, r"`x` must have shape \(2,\).*got \(1, 2\)"),
    "a number for a vector": (1.0, 1, None, r"`x` must have shape \(2,\).*got \(\)"),
    "words for features": (["a", "b"], 1, None, r"`x` must be an array of numbers.*encode categories"),
    "ragged features": ([[1.0], [2.0, 3.0]], 1, None, r"`x` must be an array of numbers"),
    "a missing feature": ([1.0, None], 1, None, r"`x` must"),
    "numbers as text among objects": (np.array(["1", 2.0], dtype=object), 1, None, r"`x` must be an array of numbers"),
    "complex features": ([1j, 1.0], 1, None, r"`x` must be an array of numbers"),
    "outcome 2": ([1.0, 2.0], 2, None, r"`y` must be 0 \(failure\) or 1 \(success\), got y=2.*`of`"),
    "outcome -1": ([1.0, 2.0], -1, None, r"`y` must be 0 \(failure\) or 1 \(success\), got y=-1"),
    "outcome 0.5": ([1.0, 2.0], 0.5, None, r"`y` must be 0 \(failure\) or 1 \(success\), got y=0.5"),
    "outcome yes": ([1.0, 2.0], "yes", None, r"`y` must be an array of numbers"),
    "outcome None": ([1.0, 2.0], None, None, r"`y` must be"),
    "outcome NaN": ([1.0, 2.0], NAN, None, r"`y` must be 0 \(failure\) or 1 \(success\), got y=nan"),
    "two outcomes for one": ([1.0, 2.0], [0, 1], None, r"`y` must hold one number for each of the 1"),
    "k > n": ([1.0, 2.0], 4, 3, r"`y` must lie between 0 and `of`, got y=4 successes of=3: check"),
    "k < 0": ([1.0, 2.0], -1, 3, r"`y` must lie between 0 and `of`, got y=-1"),
    "no trials": ([1.0, 2.0], 0, 0, r"`of` must be at least 1 trial, got of=0"),
    "half a trial": ([1.0, 2.0], 1, 1.5, r"`of` must be a whole number, got of=1.5"),
    "trials as words": ([1.0, 2.0], 1, "three", r"`of` must be an array of numbers"),
}


@pytest.mark.parametrize("case", OBSERVATIONS)
def test_a_bad_observation_is_refused_and_changes_nothing(belief, case) -> None:
    x, y, of, message = OBSERVATIONS[case]
    before = snapshot(belief)
    with pytest.raises(InvalidInput, match=message) as caught:
        core.observe(belief, x, y, of=of)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, SureshotError)
    for was, now in zip(before, snapshot(belief), strict=True):
        np.testing.assert_array_equal(was, now)


def test_one_bad_row_refuses_the_whole_history(belief) -> None:
    before = snapshot(belief)
    X = np.ones((5, 2))
    with pytest.raises(InvalidInput, match=r"got y\[3\]=7"):
        core.observe_many(belief, X, [0, 1, 0, 7, 1])
    X[4, 1] = NAN
    with pytest.raises(InvalidInput, match=r"got X\[4, 1\]=nan"):
        core.observe_many(belief, X, [0, 1, 0, 1, 1])
    with pytest.raises(InvalidInput, match="each of the 5 observations, got shape"):
        core.observe_many(belief, np.ones((5, 2)), [0, 1])
    with pytest.raises(InvalidInput, match=r"`X` must have shape \(n, 2\).*got \(5, 3\)"):
        core.observe_many(belief, np.ones((5, 3)), np.ones(5))
    for was, now in zip(before, snapshot(belief), strict=True):
        np.testing.assert_array_equal(was, now)


@pytest.mark.parametrize("use", [core.predictive, core.interval])
def test_bad_alternatives_are_refused(belief, use) -> None:
    with pytest.raises(InvalidInput, match=r"got X\[0, 1\]=inf"):
        use(belief, [[1.0, INF]])
    with pytest.raises(InvalidInput, match=r"shape \(n, 2\)"):
        use(belief, [1.0, 2.0])


@pytest.mark.parametrize("precision", [0.0, -1.0, NAN, INF, [1.0, -2.0], [1.0, 0.0], 1e-320])
def test_a_precision_must_be_above_zero_and_finite(precision) -> None:
    with pytest.raises(InvalidInput, match=r"`precision` must be .*above"):
        core.prior(2, precision=precision)


@pytest.mark.parametrize(
    ("precision", "message"), [([1.0, 2.0, 3.0], r"shape \(2,\), got shape \(3,\)"), ("1", "numbers")]
)
def test_a_precision_must_fit_the_weights(precision, message) -> None:
    with pytest.raises(InvalidInput, match=message):
        core.prior(2, precision=precision)


@pytest.mark.parametrize("d", [0, -1, 2.0, "2", True, None])
def test_the_number_of_weights_must_be_a_whole_number_above_zero(d) -> None:
    with pytest.raises(InvalidInput, match="`d` must be a whole number of weights, at least 1, got d="):
        core.prior(d)


def test_a_prior_mean_must_fit_and_be_finite() -> None:
    with pytest.raises(InvalidInput, match=r"`mean` must have shape \(2,\)"):
        core.prior(2, mean=[0.0])
    with pytest.raises(InvalidInput, match=r"got mean\[1\]=nan"):
        core.prior(2, mean=[0.0, NAN])


COVARIANCES = {
    "indefinite": (
        [[1.0, 2.0], [2.0, 1.0]],
        "must be positive definite, got a smallest eigenvalue of -1.*small multiple",
    ),
    "singular": ([[1.0, 1.0], [1.0, 1.0]], "must be positive definite"),
    "zero": ([[0.0, 0.0], [0.0, 0.0]], "must be positive definite"),
    "negative": ([[-1.0, 0.0], [0.0, 1.0]], "must be positive definite"),
    "asymmetric": ([[1.0, 0.5], [0.4, 1.0]], r"must be a symmetric \(2, 2\) matrix.*\(cov \+ cov.T\) / 2"),
    "not square": ([[1.0, 0.0]], r"must be a symmetric \(2, 2\) matrix, got shape \(1, 2\)"),
    "too large": (np.eye(3), r"must have shape \(n, 2\)"),
    "NaN": ([[1.0, NAN], [NAN, 1.0]], r"must be finite, got cov\[0, 1\]=nan"),
    "a zero variance": ([1.0, 0.0], "must be finite and above 0, got 0"),
    "a negative variance": ([1.0, -1.0], "must be finite and above 0, got -1"),
    "too many variances": ([1.0, 1.0, 1.0], r"shape \(2,\), got shape \(3,\)"),
}


@pytest.mark.parametrize("case", COVARIANCES)
def test_a_covariance_must_be_one(case) -> None:
    cov, message = COVARIANCES[case]
    with pytest.raises(InvalidInput, match=message) as caught:
        core.gaussian([0.0, 0.0], cov)
    assert "`cov`" in str(caught.value)


def test_unknown_names_list_the_choices_and_the_nearest() -> None:
    with pytest.raises(
        UnknownName, match=r"unknown link 'logti': choose one of 'cloglog'.*Did you mean 'logit'\?"
    ) as caught:
        core.prior(2, link="logti")
    assert isinstance(caught.value, LookupError)
    with pytest.raises(UnknownName, match=r"unknown covariance 'diag': choose one of 'diagonal', 'full'"):
        core.prior(2, covariance="diag")
    with pytest.raises(UnknownName, match=r"unknown method 'ADF': choose one of 'adf', 'ep', 'laplace'"):
        core.prior(2, link="probit", method="ADF")


def test_features_so_large_that_their_squares_overflow_are_refused() -> None:
    """Finite, but x'cov x is not: the belief would turn to NaN."""
    for covariance in ("full", "diagonal"):
        before = core.prior(2, covariance=covariance)
        with pytest.raises(InvalidInput, match=r"overflow, got .* scale the features"):
            core.observe(before, [1e200, 1.0], 1)
        np.testing.assert_array_equal(before.mean, np.zeros(2))


def test_numbers_of_any_kind_are_welcome() -> None:
    want = core.observe(core.prior(2), [1.0, 2.0], 1)[0].mean
    for x in ([1, 2], (1.0, 2.0), np.array([1, 2], dtype=np.int8), np.array([1, 2], dtype=np.float32), [Decimal(1), 2]):
        np.testing.assert_array_equal(core.observe(core.prior(2), x, 1)[0].mean, want)
