"""The demo's world and loop: honest, repeatable, and with streams that don't mix."""

import numpy as np
import pytest

from sureshot import core, demo
from sureshot.errors import InvalidInput


def test_the_pool_is_the_whole_grid_once():
    world = demo.nanotubes(1)
    assert len(set(world.alternatives)) == len(world.X) == 32
    assert np.allclose(world.X[:, 1:3].mean(axis=0), 0)
    assert np.allclose(world.X[:, 1:3].std(axis=0), 1)
    assert ((world.truth > 0) & (world.truth < 1)).all()


def test_a_longer_campaign_begins_like_a_shorter_one():
    world = demo.nanotubes(5)
    short = [(t.alternative, t.success) for t in demo.run(world, trials=2)]
    long = [(t.alternative, t.success) for t in demo.run(world, trials=3)]
    assert long[:2] == short


def test_each_trial_reports_what_was_believed_before_it():
    world = demo.nanotubes(2)
    belief = core.prior(world.X.shape[1])
    for trial in demo.run(world, trials=3):
        i = world.alternatives.index(trial.alternative)
        assert trial.probability == pytest.approx(core.predictive(belief, world.X)[i])
        assert trial.low < trial.probability < trial.high
        assert trial.value >= 0
        belief, _ = core.observe(belief, world.X[i], trial.success)
        assert np.array_equal(belief.mean, trial.belief.mean)


def test_the_recommendation_is_honest_about_the_truth():
    world = demo.nanotubes(2)
    said = demo.best(world, core.prior(world.X.shape[1]))  # nothing learned: it must not claim to know
    assert said.chance_best < 0.5
    assert said.best_probability == world.truth.max()
    assert said.true_probability == world.truth[world.alternatives.index(said.alternative)]


@pytest.mark.parametrize("trials", [0, -3])
def test_a_campaign_has_at_least_one_trial(trials):
    with pytest.raises(InvalidInput, match=f"got trials={trials}"):
        demo.run(demo.nanotubes(1), trials=trials)
