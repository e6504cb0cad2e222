"""The demo's world and campaign: honest, repeatable, and with streams that don't mix."""

import pytest

from sureshot import demo
from sureshot.errors import InvalidInput
from sureshot.storage import MemoryStorage


def steps(seed, trials):
    world = demo.nanotubes(seed)
    return list(demo.run(world, demo.begin(world, trials=trials, storage=MemoryStorage())))


def test_the_pool_is_the_whole_grid_once_and_the_truth_is_a_chance():
    world = demo.nanotubes(1)
    assert len({world.space.label(i) for i in range(32)}) == len(world.space) == len(world.truth) == 32
    assert ((world.truth > 0) & (world.truth < 1)).all()


def test_the_seed_decides_everything():
    assert steps(5, 3) == steps(5, 3)
    assert steps(5, 3) != steps(6, 3)


def test_the_world_answers_the_same_whatever_the_campaign():
    """The answer to a trial depends on its number and its alternative, not on what was tried before."""
    world = demo.nanotubes(5)
    campaign = demo.begin(world, trials=2, storage=":memory:")
    first = next(demo.run(world, campaign))
    other = demo.begin(world, trials=9, storage=":memory:")
    assert next(demo.run(world, other)).success == first.success


def test_every_trial_is_in_the_store():
    world = demo.nanotubes(2)
    campaign = demo.begin(world, trials=3, storage=":memory:")
    done = list(demo.run(world, campaign))
    rows = campaign.history()
    assert [(row.trial, row.alternative, row.successes) for row in rows] == [
        (step.trial.number, step.trial.alternative, int(step.success)) for step in done
    ]
    assert campaign.status().events == 6


def test_the_reveal_is_honest_about_the_truth():
    world = demo.nanotubes(2)
    said = demo.reveal(world, demo.begin(world, trials=1, storage=":memory:"))
    assert said.recommendation.chance_best < 0.5  # nothing learned: it must not claim to know
    assert said.best_probability == world.truth.max()
    assert said.true_probability == world.truth[said.recommendation.alternative]
    assert said.average_probability == world.truth.mean()


@pytest.mark.parametrize("trials", [0, -3])
def test_a_campaign_has_at_least_one_trial(trials):
    with pytest.raises(InvalidInput, match=f"got trials={trials}"):
        demo.begin(demo.nanotubes(1), trials=trials, storage=":memory:")


def test_a_seed_is_not_negative():
    with pytest.raises(InvalidInput, match="got seed=-1"):
        demo.nanotubes(-1)
