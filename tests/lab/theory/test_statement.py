from __future__ import annotations

import numpy as np
import pytest

from sureshot.lab.report.verdicts import Estimate, band_of, mean_of
from sureshot.lab.theory.statement import equals, never, small


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.005, 0.009, "holds"),
        (-0.009, -0.002, "holds"),  # not 0, and of no account
        (-0.005, 0.011, "can't be told"),
        (-0.02, 0.02, "can't be told"),
        (0.011, 0.03, "does not hold"),
        (-0.03, -0.011, "does not hold"),
        (-0.01, 0.0, "can't be told"),  # the margin itself is not within
        (float("-inf"), float("inf"), "can't be told"),
    ],
)
def test_two_numbers_are_equal_but_for_a_margin(low, high, expected):
    assert equals(Estimate((low + high) / 2, low, high), within=0.01) == expected
    moved = Estimate(1 + (low + high) / 2, 1 + low, 1 + high)
    if expected != "can't be told":
        assert equals(moved, to=1.0, within=0.01) == expected


def test_a_verdict_of_equality_errs_rarely():
    """Of means whose truth lies on the margin at most 2.5 % are called equal, and as many not."""
    rng = np.random.default_rng(2)
    found = [equals(band_of(rng.normal(0.3, 1.0, 40), seed=1, name=str(i)), within=0.3 + 1e-12) for i in range(300)]
    assert found.count("holds") <= 15  # 7.5 expected; more in one such test of a hundred
    assert found.count("does not hold") <= 15
    sharp = [equals(band_of(rng.normal(0.0, 0.1, 40), seed=1, name=str(i)), within=0.3) for i in range(20)]
    assert sharp == ["holds"] * 20


def test_one_case_is_enough_against_never():
    assert never(1, 10_000)[0] == "does not hold"
    told, often = never(0, 50)
    assert told == "holds"
    assert often.high == pytest.approx(1.96**2 / (50 + 1.96**2), abs=1e-3)  # Wilson by hand


def test_a_band_is_the_interval_of_the_mean_with_fewer_resamples():
    values = np.random.default_rng(1).exponential(1.0, 60)
    band, full = band_of(values, seed=1, name="a"), mean_of(values, seed=1, name="a")
    assert band.p is None
    assert band.value == pytest.approx(values.mean(), abs=1e-15)
    assert (band.low, band.high) == pytest.approx((full.low, full.high), abs=0.15 * (full.high - full.low))


def test_small_numbers_are_told_from_none():
    assert (small(0.0), small(0.00004), small(0.0001), small(-0.02)) == (
        "0.00 points",
        "4e-03 points",
        "0.01 points",
        "-2.00 points",
    )
