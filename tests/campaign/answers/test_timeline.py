import numpy as np
import pytest

from sureshot import Campaign, Space
from sureshot.campaign.answers.timeline import MOST, timeline


@pytest.fixture(scope="module")
def campaign():
    """Six outcomes, a correction, a withdrawal of an outcome, and of a trial that was still running."""
    made = Campaign.create("t", Space.grid(power=[8, 10, 12, 14], gas=["Ar", "He"]), seed=1, storage=":memory:")
    for alternative, won in ((0, 0), (7, 1), (3, 1), (3, 0)):
        made.tell_new(alternative, won)
    trial = made.ask()
    made.note("nothing is learned by this")
    made.correct(2, 0)
    made.tell(trial, 1)
    made.withdraw(3)
    made.withdraw(made.ask())
    return made


def test_every_moment_is_the_campaign_rewound(campaign):
    moments = campaign.timeline()
    assert [one.step for one in moments] == [1, 2, 3, 4, 5, 6, 7]
    assert [one.outcomes for one in moments] == [1, 2, 3, 4, 4, 5, 4]
    for one in moments:
        then = campaign.rewind(one.event).best()
        assert (one.alternative, one.label, one.levels) == (then.alternative, then.label, then.levels)
        assert (one.probability, one.interval) == (then.probability, then.interval)
    now = campaign.best()
    assert (moments[-1].alternative, moments[-1].probability) == (now.alternative, now.probability)
    before = [None, *(one.alternative for one in moments)]
    assert [one.changed for one in moments] == [a.alternative != b for a, b in zip(moments, before, strict=False)]


def test_of_many_outcomes_some_are_looked_at_the_first_and_last_among_them():
    space = Space.grid(power=list(range(8)))
    made = Campaign.create("t", space, shape="straight", seed=1, storage=":memory:")
    rng = np.random.default_rng(1)
    rows = space.to_frame().iloc[rng.integers(0, 8, 130)].assign(outcome=rng.integers(0, 2, 130))
    made.import_table(rows)
    moments = made.timeline()
    assert len(moments) == MOST
    assert (moments[0].step, moments[-1].step) == (1, 130)
    gaps = np.diff([one.step for one in moments])
    assert gaps.max() - gaps.min() <= 1
    assert [one.step for one in timeline(made._log, made.spec.pool.matrix(), most=3)] == [1, 65, 130]


def test_before_the_first_outcome_there_is_no_moment():
    made = Campaign.create("t", Space.grid(power=[1, 2]), seed=1, storage=":memory:")
    made.ask()
    assert made.timeline() == ()
