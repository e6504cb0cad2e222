import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from sureshot.errors import InvalidInput, UnknownName
from sureshot.lab.report.panels import ContenderName, find_contender, labels, panels, who_played
from sureshot.lab.report.statistics import average_means, found, means, scorecard
from tests.lab.made_rows import made_rows

ROWS = made_rows({"kg": 0.0, "random": 0.2}, worlds={"one": 0.3, "two": 0.6})


def one(table, **where):
    for name, value in where.items():
        table = table[table[name] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_means_are_those_of_pandas_with_scipys_interval():
    table = means(ROWS, at=[3, "area"])
    assert len(table) == 2 * 2 * 2
    for world in ("one", "two"):
        for policy in ("kg", "random"):
            own = ROWS[(ROWS.world == world) & (ROWS.policy == policy)]
            for n, values in ((3, own[own.n == 3].oc), (("area"), own.groupby("run").oc.mean())):
                row = one(table, world=world, policy=policy, n=n)
                assert row["mean"] == pytest.approx(values.mean())
                assert row.runs == 60
                rng = np.random.default_rng(0)
                theirs = stats.bootstrap((values.to_numpy(),), np.mean, method="BCa", rng=rng).confidence_interval
                np.testing.assert_allclose((row.low, row.high), theirs, atol=0.03 * (theirs.high - theirs.low))


def test_all_steps_unless_said_and_the_other_recommendation():
    table = means(ROWS, "oc_plugin", resamples=99)
    assert sorted(set(table.n)) == [1, 2, 3, 4]
    np.testing.assert_allclose(table["mean"], means(ROWS, resamples=99)["mean"] + 0.1)


def test_a_world_says_the_same_whoever_else_is_there():
    alone = means(ROWS[ROWS.world == "two"].sample(frac=1, random_state=1), at=[2], resamples=99)
    both = means(ROWS, at=[2], resamples=99)
    for policy in ("kg", "random"):
        ours = one(alone, policy=policy)
        pd.testing.assert_series_equal(ours, one(both, world="two", policy=policy), check_names=False)


def test_average_over_worlds_draws_within_worlds():
    row = one(average_means(ROWS, at=[3]), policy="kg")
    parts = [ROWS[(ROWS.world == w) & (ROWS.policy == "kg") & (ROWS.n == 3)].oc.to_numpy() for w in ("one", "two")]
    theirs = stats.bootstrap(
        parts,
        lambda x, y, axis: (x.mean(axis=axis) + y.mean(axis=axis)) / 2,
        method="BCa",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert row["mean"] == pytest.approx((parts[0].mean() + parts[1].mean()) / 2)
    np.testing.assert_allclose((row.low, row.high), theirs, atol=0.03 * (theirs.high - theirs.low))


def test_how_often_the_best_was_found():
    pd.testing.assert_frame_equal(means(ROWS, "found_best", at=[4]), found(ROWS, at=[4]))
    row = one(found(ROWS, at=[4]), world="one", policy="kg")
    assert (row["mean"], row.runs) == (0.25, 60)
    np.testing.assert_allclose((row.low, row.high), proportion_confint(15, 60, method="wilson"))


def test_scorecard():
    table = scorecard(ROWS)
    assert len(table) == 4
    row, own = one(table, world="two", policy="random"), ROWS[(ROWS.world == "two") & (ROWS.policy == "random")]
    assert row.area == pytest.approx(own.oc.mean())
    assert row["last"] == pytest.approx(own[own.n == 4].oc.mean())
    assert (row.successes, row.successes_low, row.n) == (3, 3, 4)
    assert row.found_low < row.found == 0.25 < row.found_high
    assert row.seconds == pytest.approx(0.0025)


def test_only_runs_that_all_have_played_to_the_end():
    late = ROWS[~((ROWS.policy == "kg") & (ROWS.run == 7) & (ROWS.n == 4))]
    for panel in panels(late):
        assert 7 not in panel.runs
        assert len(panel.runs) == 59
    values = panels(late)[0].values
    assert values.shape == (59, 2, 4)
    assert values[6, 1, 2] == one(ROWS, world="one", policy="random", run=6, n=3).oc


def test_names_of_contenders():
    everyone = [ContenderName("kg", "paper"), ContenderName("kg", "full"), ContenderName("random", "full")]
    assert find_contender("random", everyone) == everyone[2]
    assert find_contender("kg/full", everyone) == everyone[1]
    assert list(labels(everyone).values()) == ["kg/paper", "kg/full", "random/full"]
    assert list(labels(everyone[1:]).values()) == ["kg", "random"]
    with pytest.raises(InvalidInput, match="several beliefs: choose one of 'kg/paper', 'kg/full'"):
        find_contender("kg", everyone)
    with pytest.raises(UnknownName, match="Did you mean 'random/full'"):
        find_contender("random/ful", everyone)


def test_categories_as_parquet_gives_them():
    rows = ROWS.astype({"world": "category", "policy": "category", "belief": "category"})
    assert who_played(rows) == [ContenderName("kg", "full"), ContenderName("random", "full")]
    pd.testing.assert_frame_equal(means(rows, at=[2], resamples=99), means(ROWS, at=[2], resamples=99))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ROWS.iloc[:0], "no rows yet"),
        (pd.concat([ROWS, ROWS]), "two studies"),
        (ROWS[ROWS.run == 0], "has 1 runs"),
    ],
)
def test_rows_that_are_refused(rows, words):
    with pytest.raises(InvalidInput, match=words):
        means(rows)


def test_what_cant_be_asked():
    with pytest.raises(InvalidInput, match=r"from 1 to 4, got 9"):
        means(ROWS, at=[9])
    with pytest.raises(UnknownName, match="unknown measure 'ocs'"):
        means(ROWS, "ocs")
