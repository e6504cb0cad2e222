from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sureshot.lab.paper.claims import (
    Estimate,
    beats_rivals,
    beats_ucb,
    error_claim,
    mean_of,
    most,
    rival_claims,
    scene_claims,
    share_of,
    verdict,
)
from sureshot.lab.paper.scenes import Watched
from sureshot.lab.paper.setting import BEAT_UCB, POLICIES, RIVALS, WHEN, Scene
from sureshot.lab.report.statistics import AVERAGE
from tests.lab.made_rows import made_rows

SCENE = Scene(figure=1, d=2, M=6, trials=2, found_after=2, error_after=3)
LOWER, HIGHER, ACROSS = Estimate(-2.0, -3.0, -1.0, 0.01), Estimate(2.0, 1.0, 3.0, 0.01), Estimate(-1.0, -3.0, 1.0, 0.01)
BUDGET = 30
#: Costs above that of kg: it is better than some, worse than one, and the same as one.
SHIFTS = {"random": 0.2, "most-uncertain": 0.1, "disc": -0.1, "expected-improvement": 0.0, "thompson": 0.08, "ucb": 0.3}


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


def test_claims_of_a_scene():
    """Twenty runs that always try the boundary, find the best in 18 of them, and err more at the best in all."""
    rng = np.random.default_rng(5)
    found = np.zeros((20, 3), dtype=bool)
    found[:18, 1] = True
    seen = Watched(
        found,
        tried_near=np.full(20, 1.0),
        pool_near=rng.uniform(0.25, 0.35, 20),
        error_best=rng.uniform(0.2, 0.3, 20),
        error_mean=rng.uniform(0.1, 0.2, 20),
    )
    best, boundary = scene_claims(SCENE, seen, seed=1)
    error = error_claim(SCENE, seen, mean_of(seen.error_best - seen.error_mean, seed=1, name="error"))
    assert [claim.verdict for claim in (best, boundary, error)] == ["holds", "holds", "does not hold"]
    assert best.measured == "found in 90.0 % (69.9 to 97.2 %) of the runs"
    found[6:, 1] = False
    assert scene_claims(SCENE, seen, seed=1)[0].verdict == "can't be told"  # 6 of 20: up to 52 %
    found[4:, 1] = False
    assert scene_claims(SCENE, seen, seed=1)[0].verdict == "does not hold"  # 4 of 20: up to 42 %


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return made_rows({"kg": 0.0} | SHIFTS, worlds={"easy": 0.1, "hard": 0.5}, runs=40, budget=BUDGET, noise=0.05)


def test_the_known_answers_come_out(rows):
    found = beats_rivals(rows, "oc_plugin")
    assert len(found) == 3 * len(RIVALS) * len(WHEN)
    for one in found:
        shift = SHIFTS[one.than]
        expected = "holds" if shift > 0 else "does not hold" if shift < 0 else "can't be told"
        assert one.verdict == expected, one
        assert one.found.low <= one.found.value <= one.found.high
        assert one.found.value == pytest.approx(-shift, abs=0.03)


def test_each_comparison_is_the_paired_mean_with_scipys_interval(rows):
    wide = rows.pivot_table(index=["world", "run"], columns=["policy", "n"], values="oc_plugin")
    for one in beats_rivals(rows, "oc_plugin"):
        if one.world == AVERAGE or one.n != 10:
            continue
        gaps = (wide.loc[one.world, ("kg", 10)] - wide.loc[one.world, (one.than, 10)]).to_numpy()
        other = stats.bootstrap((gaps,), np.mean, method="BCa", rng=np.random.default_rng(1)).confidence_interval
        width = other.high - other.low
        assert one.found.value == pytest.approx(gaps.mean(), abs=1e-12)
        assert (one.found.low, one.found.high) == pytest.approx((other.low, other.high), abs=0.08 * width)


def test_the_average_counts_every_world_the_same(rows):
    found = {(one.world, one.than, one.n): one.found.value for one in beats_rivals(rows, "oc")}
    for rival in RIVALS:
        for when in WHEN:
            each = [found[world, rival, when] for world in ("easy", "hard")]
            assert found[AVERAGE, rival, when] == pytest.approx(np.mean(each), abs=1e-12)


def test_three_policies_against_ucb(rows):
    found = beats_ucb(rows, "oc_plugin")
    assert {one.policy for one in found} == set(BEAT_UCB)
    assert {one.verdict for one in found} == {"holds"}
    cheap = rows.assign(oc_plugin=np.where(rows["policy"] == "ucb", 0.0, rows["oc_plugin"]))
    assert {one.verdict for one in beats_ucb(cheap, "oc_plugin")} == {"does not hold"}


def test_holm_makes_many_comparisons_harder():
    """Forty runs that differ a little: alone the difference is told, as one of fifty it is not."""
    rng = np.random.default_rng(2)
    gap = rng.normal(0.36, 1.0, 40)
    base = made_rows(dict.fromkeys(POLICIES, 0.0), worlds={"w": 5.0}, runs=40, budget=BUDGET, noise=0.0)
    shift = np.where(base["policy"] == "ucb", gap[base["run"]], 0.0)
    rows = base.assign(oc=base["oc"] + shift)
    pair = rows[rows["policy"].isin(("kg", "ucb"))]
    assert stats.ttest_1samp(gap, 0).pvalue < 0.05
    alone = [one for one in beats_rivals(pair, "oc", at=[5]) if one.world == "w"]
    assert [one.verdict for one in alone] == ["holds"]
    noisy = rows.assign(oc=rows["oc"] + rng.normal(0, 1e-3, len(rows)))
    among = [one for one in beats_rivals(noisy, "oc") if one.world == "w" and one.than == "ucb" and one.n == 5]
    assert among[0].found.p > alone[0].found.p
    assert among[0].verdict == "can't be told"


def test_the_claims_count_the_comparisons(rows):
    own, ucb = beats_rivals(rows, "oc_plugin"), beats_ucb(rows, "oc_plugin")
    claims = rival_claims(own, ucb)
    assert len(claims) == len(WHEN) + len(RIVALS) + len(BEAT_UCB) + 2
    assert [claim.tally for claim in claims[: len(WHEN)]] == [
        Counter({"holds": 8, "does not hold": 2, "can't be told": 2})
    ] * len(WHEN)
    assert claims[0].measured == "of 12 comparisons 8 hold, 2 do not, 2 can't be told"
    assert {claim.verdict for claim in claims if claim.tally} == {"holds"}
    average = {claim.says: claim.verdict for claim in claims if claim.found}
    for rival, expected in (("random", "holds"), ("disc", "does not hold"), ("expected-improvement", "can't be told")):
        assert average[f"kg costs less than {rival}, averaged over worlds and trials"] == expected
    assert average["thompson costs less than ucb, averaged over worlds and trials"] == "holds"


@pytest.mark.parametrize(
    ("holds", "fails", "unknown", "expected"),
    [
        (5, 2, 2, "holds"),
        (4, 2, 2, "can't be told"),  # half is not most
        (0, 4, 4, "does not hold"),  # half fail: most can't hold
        (0, 3, 5, "can't be told"),
        (0, 0, 0, "can't be told"),
    ],
)
def test_most(holds, fails, unknown, expected):
    assert most(Counter({"holds": holds, "does not hold": fails, "can't be told": unknown})) == expected
