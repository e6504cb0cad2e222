from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sureshot.lab.paper.claims import (
    beats_rivals,
    beats_ucb,
    error_claim,
    most,
    rival_claims,
    scene_claims,
)
from sureshot.lab.paper.scenes import Watched
from sureshot.lab.paper.setting import BEAT_UCB, POLICIES, RIVALS, WHEN, Scene
from sureshot.lab.report.statistics import AVERAGE
from sureshot.lab.report.verdicts import mean_of
from tests.lab.made_rows import made_rows

SCENE = Scene(figure=1, d=2, M=6, trials=2, found_after=2, error_after=3)
BUDGET = 30
#: Costs above that of kg: it is better than some, worse than one, and the same as one.
SHIFTS = {"random": 0.2, "most-uncertain": 0.1, "disc": -0.1, "expected-improvement": 0.0, "thompson": 0.08, "ucb": 0.3}


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
