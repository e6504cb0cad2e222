from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from sureshot.lab.report.verdicts import Estimate, mean_of, share_of, verdict

LOWER, HIGHER, ACROSS = Estimate(-2.0, -3.0, -1.0, 0.01), Estimate(2.0, 1.0, 3.0, 0.01), Estimate(-1.0, -3.0, 1.0, 0.01)


@pytest.mark.parametrize(
    ("found", "claim", "expected"),
    [
        (LOWER, "below", "holds"),
        (HIGHER, "below", "does not hold"),
        (ACROSS, "below", "can't be told"),
        (LOWER, "above", "does not hold"),
        (HIGHER, "above", "holds"),
        (ACROSS, "above", "can't be told"),
        (Estimate(-2.0, -3.0, -1.0, 0.05), "below", "can't be told"),  # the corrected p-value has the last word
        (Estimate(-2.0, -3.0, -1.0, 0.0499), "below", "holds"),
        (Estimate(-2.0, -3.0, -1.0), "below", "holds"),  # a probability has no p-value
        (Estimate(0.0, 0.0, 0.0, 1.0), "below", "can't be told"),
        (Estimate(-2.0, -3.0, 0.0), "below", "can't be told"),  # it may be 0
        (Estimate(-2.0, -3.0, -1.0, float("nan")), "below", "can't be told"),
    ],
)
def test_verdict(found, claim, expected):
    assert verdict(found, claim=claim) == expected


def test_verdict_against_another_number_than_0():
    assert verdict(Estimate(0.6, 0.51, 0.7), claim="above", of=0.5) == "holds"
    assert verdict(Estimate(0.6, 0.49, 0.7), claim="above", of=0.5) == "can't be told"
    assert verdict(Estimate(0.3, 0.2, 0.49), claim="above", of=0.5) == "does not hold"


def test_two_runs_that_agree_tell_nothing():
    found = mean_of(np.array([-0.2, -0.3]), seed=1, name="two")
    assert found.high < 0
    assert found.p == pytest.approx(0.5, abs=0.02)  # two of four ways to flip two signs
    assert verdict(found, claim="below") == "can't be told"


def test_the_mean_has_scipys_interval_and_the_p_value_of_all_flips():
    gaps = np.random.default_rng(3).exponential(1.0, 12) - 0.45
    found = mean_of(gaps, seed=7, name="gaps")
    other = stats.bootstrap((gaps,), np.mean, method="BCa", n_resamples=40_000, rng=np.random.default_rng(4))
    flips = np.array([np.mean(np.array(signs) * gaps) for signs in product((-1, 1), repeat=len(gaps))])
    exact = np.mean(np.abs(flips) >= abs(gaps.mean()) - 1e-12)
    assert found.value == pytest.approx(gaps.mean())
    width = other.confidence_interval.high - other.confidence_interval.low
    assert found.low == pytest.approx(other.confidence_interval.low, abs=0.03 * width)
    assert found.high == pytest.approx(other.confidence_interval.high, abs=0.03 * width)
    assert found.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9999))


def test_a_mean_is_the_same_for_the_same_seed_only():
    gaps = np.random.default_rng(3).normal(size=40)
    assert mean_of(gaps, seed=1, name="a") == mean_of(gaps, seed=1, name="a")
    assert mean_of(gaps, seed=1, name="a") != mean_of(gaps, seed=2, name="a")


@pytest.mark.parametrize(("won", "runs"), [(0, 7), (7, 7), (38, 100), (1, 2)])
def test_a_share_has_scipys_wilson_interval(won, runs):
    found, other = share_of(won, runs), stats.binomtest(won, runs).proportion_ci(method="wilson")
    assert (found.value, found.low, found.high) == pytest.approx((won / runs, other.low, other.high), abs=1e-12)
