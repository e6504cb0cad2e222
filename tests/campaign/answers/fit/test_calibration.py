from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from sureshot import Campaign, Space
from sureshot.campaign.answers.fit.calibration import FEWEST, GROUPS, calibration


@cache
def told():
    """A trial that was asked and told."""
    campaign = Campaign.create("one", Space.grid(a=[1, 2]), policy="random", seed=1, storage=":memory:")
    campaign.tell(campaign.ask(), "success")
    return campaign.history()[0]


def row(number, p, successes, of=1, state="told"):
    """The same with another expectation and outcome."""
    return replace(told(), trial=number, probability=p, successes=successes, of=of, state=state)


def test_groups_hold_every_try_once_and_their_intervals_are_wilsons():
    rng = np.random.default_rng(2)
    rows = [row(i, float(p), int(rng.random() < p)) for i, p in enumerate(rng.random(83), start=1)]
    found = calibration(rows)
    assert len(found.groups) == GROUPS
    assert sum(one.tries for one in found.groups) == found.tries == 83
    assert sum(one.successes for one in found.groups) == found.successes
    assert all(one.tries >= FEWEST for one in found.groups)
    assert [one.expected for one in found.groups] == sorted(one.expected for one in found.groups)
    for one in (*found.groups, found):
        assert one.came == one.successes / one.tries
        np.testing.assert_allclose(one.interval, proportion_confint(one.successes, one.tries, method="wilson"))
    by_hand = np.mean([one.probability for one in rows])
    assert found.expected == pytest.approx(by_hand)


def test_several_tries_of_one_trial_count_as_so_many():
    found = calibration([row(1, 0.2, 1, of=6), row(2, 0.8, 7, of=8)])
    assert [(one.successes, one.tries) for one in found.groups] == [(1, 6), (7, 8)]
    assert [one.expected for one in found.groups] == pytest.approx([0.2, 0.8])
    assert found.expected == pytest.approx((0.2 * 6 + 0.8 * 8) / 14)


def test_equal_chances_stay_in_one_group():
    found = calibration([row(i, 0.5, i % 2) for i in range(40)])
    assert [(one.expected, one.tries) for one in found.groups] == [(0.5, 40)]


@pytest.mark.parametrize(("won", "verdict"), [(8, "The two agree."), (1, "That is less."), (16, "That is more.")])
def test_the_sentence_says_whether_both_agree(won, verdict):
    rows = [row(i, 0.45, int(i < won)) for i in range(16)]
    assert verdict in calibration(rows).words


def test_few_outcomes_give_a_sentence_and_no_groups():
    few = calibration([row(1, 0.4, 1), row(2, 0.6, 0)])
    assert few.groups == ()
    assert few.words == (
        "Of 2 tries that were asked for, 1 succeeded: 50 % (9-91 %), where 50 % was expected. The two agree. "
        "To say more, 10 tries are needed."
    )
    assert "1 try that was asked for" in calibration([row(1, 0.4, 1)]).words


def test_what_was_not_asked_or_not_told_does_not_count():
    waiting = row(2, 0.5, None, of=None, state="pending")
    none = calibration([row(1, None, 1), waiting, row(3, 0.5, 1, state="withdrawn")])
    assert (none.tries, none.expected, none.groups) == (0, None, ())
    assert str(none).startswith("No trial that was asked has its outcome yet")
