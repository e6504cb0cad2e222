import numpy as np
import pytest
from scipy import stats

from sureshot.errors import InvalidInput
from sureshot.lab.report.comparisons import BETTER, UNTOLD, WORSE, average_differences, differences, leaders, ratios
from sureshot.lab.report.panels import panels
from tests.lab.made_rows import made_rows
from tests.lab.report.test_statistics import one

SHIFTS = {"kg": 0.0, "better": -0.05, "same": 0.0, "worse": 0.05}
WORLDS = {"one": 0.3, "two": 0.6}
ROWS = made_rows(SHIFTS, worlds=WORLDS)


def values(rows, world, policy, n):
    own = rows[(rows.world == world) & (rows.policy == policy) & (rows.n == n)]
    return own.sort_values("run").oc.to_numpy()


def test_differences_are_paired():
    row = one(differences(ROWS, "kg", at=[2]), world="one", policy="worse")
    gaps = values(ROWS, "one", "worse", 2) - values(ROWS, "one", "kg", 2)
    theirs = stats.bootstrap((gaps,), np.mean, method="BCa", rng=np.random.default_rng(2)).confidence_interval
    assert row.difference == pytest.approx(gaps.mean())
    np.testing.assert_allclose((row.low, row.high), theirs, atol=0.03 * (theirs.high - theirs.low))
    assert row.p == pytest.approx(stats.ttest_1samp(gaps, 0.0).pvalue, abs=0.01)
    apart = stats.ttest_ind(values(ROWS, "one", "worse", 2), values(ROWS, "one", "kg", 2)).pvalue
    assert apart > 0.1  # without pairing the same runs say nothing


def test_what_is_there_is_found_and_what_is_not_is_not():
    for table in (differences(ROWS, "kg", at=[2, "area"]), average_differences(ROWS, "kg", at=[2, "area"])):
        for policy, verdict in (("better", BETTER), ("same", UNTOLD), ("worse", WORSE)):
            assert set(table[table.policy == policy].verdict) == {verdict}
        assert "kg" not in set(table.policy)
        assert (table.p_holm >= table.p).all()


def test_where_more_is_better():
    rows = ROWS.assign(successes=-ROWS.oc)
    table = differences(rows, "kg", "successes", at=[4])
    assert set(table[table.policy == "better"].verdict) == {BETTER}
    assert (table[table.policy == "better"].difference > 0).all()


def test_wrong_verdicts_are_rare_in_a_whole_family():
    wrong = 0
    for seed in range(100):
        rows = made_rows(dict.fromkeys("abcde", 0.0), runs=30, budget=1, seed=seed)
        wrong += (differences(rows, "a", at=[1], resamples=199).verdict != UNTOLD).any()
    assert wrong / 100 < 0.1  # 5 %, and 2.3 standard errors


def test_average_difference_draws_within_worlds():
    row = one(average_differences(ROWS, "kg", at=[3]), policy="same")
    gaps = [values(ROWS, world, "same", 3) - values(ROWS, world, "kg", 3) for world in WORLDS]
    theirs = stats.bootstrap(
        gaps, lambda x, y, axis: (x.mean(axis=axis) + y.mean(axis=axis)) / 2, method="BCa", rng=np.random.default_rng(3)
    ).confidence_interval
    assert row.difference == pytest.approx(np.mean([one.mean() for one in gaps]))
    np.testing.assert_allclose((row.low, row.high), theirs, atol=0.04 * (theirs.high - theirs.low))
    assert row.world == "average"


def test_ratio_in_one_world_is_scipys():
    rows = ROWS[ROWS.world == "one"]
    above, below = values(rows, "one", "worse", 1), values(rows, "one", "kg", 1)
    theirs = stats.bootstrap(
        (above, below),
        lambda x, y, axis: x.mean(axis=axis) / y.mean(axis=axis),
        paired=True,
        vectorized=True,
        method="BCa",
        rng=np.random.default_rng(4),
    ).confidence_interval
    row = one(ratios(rows, "kg", at=[1]), policy="worse")
    assert row.ratio == pytest.approx(above.mean() / below.mean())
    np.testing.assert_allclose((row.low, row.high), theirs, atol=0.04 * (theirs.high - theirs.low))


def test_the_ratio_over_worlds_is_that_of_the_averages():
    costs = {(w, p): values(ROWS, w, p, 1).mean() for w in WORLDS for p in ("worse", "kg")}
    row = one(ratios(ROWS, "kg", at=[1]), policy="worse")
    total = sum(costs[w, "worse"] for w in WORLDS) / sum(costs[w, "kg"] for w in WORLDS)
    assert row.ratio == pytest.approx(total)
    assert row.low < total < row.high


def test_ratio_interval_covers_the_truth():
    missed = 0
    for seed in range(100):
        rows = made_rows({"kg": 0.0, "half": -0.4}, worlds={"a": 0.6, "b": 0.6}, runs=40, budget=1, seed=seed)
        row = ratios(rows, "kg", at=[1], resamples=499).iloc[0]
        missed += not row.low <= 0.4 / 0.8 <= row.high
    assert 0.01 < missed / 100 < 0.11


def test_leaders_are_the_best_and_those_like_it():
    both = panels(ROWS)
    everyone = both[0].contenders
    assert leaders(both[:1], everyone, 3, more_is_better=False).tolist() == [False, True, False, False]
    assert leaders(both, everyone, "area", more_is_better=False).tolist() == [False, True, False, False]
    tied = panels(made_rows({"a": 0.0, "b": 0.0, "c": 0.3}))
    assert leaders(tied, tied[0].contenders, 3, more_is_better=False).tolist() == [True, True, False]
    assert leaders(tied, tied[0].contenders, 3, more_is_better=True).tolist() == [False, False, True]
    assert leaders(tied, tied[0].contenders[:1], 3, more_is_better=True).tolist() == [True]


def test_large_families_can_still_be_told():
    rows = made_rows({"kg": 0.0, **{f"p{i}": 0.2 for i in range(20)}}, runs=30, budget=40)
    table = differences(rows, "kg", at=range(1, 41), resamples=199)
    assert len(table) == 800
    assert set(table.verdict) == {WORSE}


def test_what_is_refused():
    with pytest.raises(InvalidInput, match="only contender"):
        differences(ROWS[ROWS.policy == "kg"], "kg", at=[1])
    partly = ROWS[~((ROWS.policy == "kg") & (ROWS.world == "two"))]
    with pytest.raises(InvalidInput, match="'kg/full' has not played world 'two'"):
        differences(partly, "kg", at=[1])
    with pytest.raises(InvalidInput, match=r"needs a cost above 0, and in 'one', 'two' it has none"):
        ratios(ROWS.assign(oc=0.0), "kg", at=[1])
