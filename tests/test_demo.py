"""The demo's world and campaign: honest, repeatable, with streams that don't mix; and the hundred labs beside it."""

import numpy as np
import pytest

from sureshot import Campaign, Space, demo
from sureshot.demo import labs
from sureshot.demo.labs import one_factor_at_a_time, random_trials
from sureshot.errors import InvalidInput
from sureshot.storage import MemoryStorage, open_storage


def steps(seed, trials):
    world = demo.nanotubes(seed)
    return list(demo.run(world, demo.begin(world, trials=trials, storage=MemoryStorage())))


# -- the world


def test_the_pool_is_the_whole_grid_once_and_the_truth_is_a_chance():
    world = demo.nanotubes(1)
    assert len({world.space.label(i) for i in range(180)}) == len(world.space) == len(world.truth) == 180
    assert ((world.truth > 0) & (world.truth < 1)).all()
    assert world.space.names == ("power", "ethylene", "hydrogen", "pressure")


@pytest.mark.parametrize("seed", range(20))
def test_the_best_lies_inside_the_ranges_of_power_and_ethylene(seed):
    world = demo.nanotubes(seed)
    assert world.truth.max() == pytest.approx(0.95)
    assert world.truth.mean() == pytest.approx(0.3)
    for column in world.space.columns[:2]:
        assert 0 < column.codes[world.truth.argmax()] < len(column.levels) - 1


def test_answers_come_as_often_as_the_truth_says():
    world = demo.nanotubes(3)
    assert np.abs(world.answers(4000).mean(axis=0) - world.truth).max() < 0.04  # 5 standard errors
    assert (world.answers(9)[:4] == world.answers(4)).all()  # whatever the budget


# -- the campaign


def test_the_seed_decides_everything():
    assert steps(5, 3) == steps(5, 3)
    assert steps(5, 3) != steps(6, 3)


def test_the_campaign_begins_as_every_campaign_does():
    spec = demo.begin(demo.nanotubes(1), storage=":memory:").spec
    assert (spec.pool.design.shape, spec.policy.name, spec.budget) == ("auto", "kg-star", demo.TRIALS)


def test_every_trial_is_in_the_store_and_answered_by_the_world():
    world = demo.nanotubes(2)
    campaign = demo.begin(world, trials=3, storage=":memory:")
    done = list(demo.run(world, campaign))
    answers = world.answers(3)
    assert [step.success for step in done] == [
        answers[step.trial.number - 1, step.trial.alternative] == 1 for step in done
    ]
    assert [(row.trial, row.alternative, row.successes) for row in campaign.history()] == [
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


# -- the other ways


def test_one_factor_at_a_time_climbs_to_the_top_where_answers_are_sure():
    """Each setting always works or never does: it ends in one that works, two tries a setting, as by hand."""
    world = demo.nanotubes(1)
    codes = np.column_stack([column.codes for column in world.space.columns])
    works = (codes[:, 0] == 3) & (codes[:, 1] == 2)  # power 14, ethylene 30; the middle is power 12, ethylene 30
    found = one_factor_at_a_time(world, np.tile(works.astype(float), (25, 1)))
    assert codes[found].tolist() == [3, 2, 1, 1]


def test_one_factor_at_a_time_stays_in_the_middle_where_nothing_works():
    world = demo.nanotubes(1)
    found = one_factor_at_a_time(world, np.zeros((25, 180)))
    assert world.space.label(found) == "power 12 W, ethylene 30 sccm, hydrogen 20 sccm, pressure 400 Torr"


@pytest.mark.parametrize("trials", [1, 25, 180, 400])
def test_random_trials_choose_what_worked(trials):
    world = demo.nanotubes(1)
    works = np.arange(180) % 2 == 0
    found = {
        random_trials(world, np.tile(works.astype(float), (trials, 1)), np.random.default_rng(s)) for s in range(9)
    }
    assert len(found) > 1
    assert trials == 1 or works[list(found)].all()


# -- a hundred labs


def test_the_labs_that_are_kept_are_what_the_command_gives():
    """After a change of the default belief or policy: `make labs` computes them again, in some ten minutes."""
    kept = demo.hundred()
    assert [lab.seed for lab in kept] == list(range(1, 101))
    for lab in kept[:3]:
        again = labs.play(lab.seed)
        assert again.sureshot == pytest.approx(lab.sureshot, abs=1e-9), lab.seed
        assert again.shown == pytest.approx(lab.shown, abs=1e-3), lab.seed
    for lab in kept:
        world = demo.nanotubes(lab.seed)
        answers = world.answers(demo.TRIALS)
        by_chance = random_trials(world, answers, np.random.default_rng(lab.seed))
        assert lab.one_factor_at_a_time == pytest.approx(world.truth[one_factor_at_a_time(world, answers)], abs=1e-9)
        assert lab.random_trials == pytest.approx(world.truth[by_chance], abs=1e-9)


def test_the_demo_shows_the_median_lab():
    kept = demo.hundred()
    shown = next(lab for lab in kept if lab.seed == demo.typical(kept))
    assert sorted(lab.sureshot for lab in kept)[49] == shown.sureshot


def test_labs_that_are_in_the_file_are_not_computed_again(tmp_path):
    path = tmp_path / "labs.json"
    kept = demo.hundred()[:2]
    labs.write(kept, path)
    said = []
    assert demo.compute(2, path, progress=lambda done, total: said.append((done, total))) == kept
    assert said == [(2, 2)]


@pytest.mark.parametrize("text", ["", "[{}]", "{", "[1]"])
def test_a_file_that_holds_no_labs_is_refused_and_stays(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=r"a file of labs .*other\.json"):
        demo.compute(1, path)
    assert path.read_text() == text


@pytest.mark.parametrize("processes", [1, 2])
def test_labs_are_computed_and_kept_on_one_process_or_several(tmp_path, monkeypatch, processes):
    path = tmp_path / "labs.json"
    kept = demo.hundred()[:3]
    labs.write(kept[:1] if processes == 1 else kept[:2], path)
    if processes == 1:
        monkeypatch.setattr(labs, "play", lambda seed: kept[seed - 1])
    found = demo.compute(3, path, processes=processes)
    assert [lab.sureshot for lab in found] == pytest.approx([lab.sureshot for lab in kept], abs=1e-9)
    assert labs.read(path) == found


@pytest.mark.parametrize(("given", "said"), [({"count": 0}, "labs=0"), ({"count": 1, "processes": 0}, "processes=0")])
def test_labs_and_processes_are_at_least_one(given, said):
    with pytest.raises(InvalidInput, match=f"must be at least 1, got {said}"):
        demo.compute(**given)


def test_a_kept_demo_is_known_as_simulated_and_answers_as_the_world_does() -> None:
    store = open_storage(":memory:")
    campaign = demo.keep(store, seed=3, first=4)
    world = demo.world_of(campaign)
    assert campaign.simulated == {"world": "nanotubes", "seed": 3}
    assert world is not None
    assert world.seed == 3
    answers = demo.nanotubes(3).answers(demo.TRIALS)
    for at, row in enumerate(campaign.history()):
        assert row.successes == answers[at, row.alternative]
        assert row.told_by == demo.LAB
    trial = campaign.ask()
    assert demo.answer(campaign, trial.number).successes == answers[4, trial.alternative]
    again = Campaign.open("nanotubes", store)
    assert again.simulated == campaign.simulated
    assert again.rewind(0).simulated is None


def test_a_campaign_made_from_a_demo_stays_simulated() -> None:
    old = demo.keep(open_storage(":memory:"), seed=3, first=1)
    new = Campaign.create_from("other", old, shape="straight")
    assert new.simulated == {"world": "nanotubes", "seed": 3}
    assert demo.world_of(new) is not None


def test_a_real_campaign_is_not_answered_by_a_world() -> None:
    real = Campaign.create("real", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
    real.note("the laser was cleaned")
    assert real.simulated is None
    assert demo.world_of(real) is None
    real.ask()
    with pytest.raises(InvalidInput, match="not of a simulated lab"):
        demo.answer(real, 1)
    real.note_simulated("nanotubes", seed=1)
    assert demo.world_of(real) is None, "its alternatives are not those of the world"
