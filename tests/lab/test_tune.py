from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from sureshot.errors import InvalidInput, UnknownName
from sureshot.lab.play.world import World, truth
from sureshot.lab.report.comparisons import BETTER, UNTOLD
from sureshot.lab.report.tables import markdown
from sureshot.lab.tune import GRIDS, tune, tune_table
from sureshot.policies import POLICIES, get_policy
from sureshot.policies.named import parameters
from sureshot.policies.policy import Policy
from tests.lab.report.test_tables import parsed

CHANCES = np.array([0.1, 0.2, 0.5, 0.9, 0.6])


@dataclass(frozen=True)
class Pointer(Policy):
    """Tries one alternative, always: what it earns is known beforehand."""

    to: int = 1
    name: ClassVar[str] = "pointer"

    def scores(self, situation, rng):  # noqa: ARG002
        return (np.arange(len(situation.X)) == self.to).astype(float)


@dataclass(frozen=True)
class Row(World):
    """Five alternatives in a row, with fixed chances."""

    place: str = "row"
    fall: float = 0.0

    @property
    def label(self):
        return self.place

    def draw(self, rng, budget):  # noqa: ARG002
        X = np.column_stack([np.ones(5), np.linspace(-1, 1, 5)])
        return truth(X, CHANCES - self.fall * (CHANCES > 0.5), budget=budget)


@pytest.fixture(autouse=True)
def _pointer(monkeypatch):
    monkeypatch.setitem(POLICIES, "pointer", Pointer)


def test_finds_what_is_best_and_says_what_it_gains():
    found = tune("pointer", [Row()], parameter="to", grid=[0, 2, 3], measure="regret", at=4, budget=4, runs=8)
    assert (found.default, found.chosen) == (1, 3)
    assert [one.value for one in found.training] == [0, 1, 2, 3]  # the default is tried too
    assert [one.mean for one in found.training] == pytest.approx([3.2, 2.8, 1.6, 0.0])  # 4 trials of 0.9 - p
    assert [(one.value, one.mean) for one in found.held_out] == [(1, pytest.approx(2.8)), (3, pytest.approx(0.0))]
    assert found.gain.mean == pytest.approx(2.8)
    assert found.gain.verdict == BETTER
    assert "to = 3 is better than the default 1" in found.words
    assert found.words.endswith("It is at the end of the grid: try values beyond.")


def test_more_is_better_where_it_is_and_the_gain_is_inside_its_interval():
    found = tune("pointer", [Row()], grid=[3], measure="successes", at=4, budget=4, runs=20, held_out=60)
    assert found.chosen == 3
    assert found.gain.low < 4 * (0.9 - 0.2) < found.gain.high
    assert found.gain.low < found.gain.mean < found.gain.high
    assert (found.training_runs, found.held_out_runs) == (20, 60)


def test_the_choice_is_for_all_worlds_together():
    worlds = [Row(), Row("fallen", fall=0.4)]  # there 0.9 is 0.5, 0.6 is 0.2
    found = tune("pointer", worlds, grid=[2, 3, 4], measure="regret", at=3, budget=3, runs=4)
    means = {one.value: one.mean for one in found.training}
    assert means[3] == pytest.approx(0.0)
    assert means[2] == pytest.approx(3 * (0.9 - 0.5 + 0.0) / 2)
    assert means[4] == pytest.approx(3 * (0.3 + 0.3) / 2)


def test_nothing_to_gain_is_said():
    found = tune("pointer", [Row()], grid=[0], measure="regret", at=2, budget=2, runs=3)
    assert found.chosen == found.default == 1
    assert (found.gain.mean, found.gain.verdict) == (0.0, UNTOLD)
    assert len(found.held_out) == 1
    assert "the default to = 1 is the best of the grid" in found.words


def test_held_out_runs_are_others_and_the_same_again():
    first, again = (tune("pointer", [Row()], grid=[3], measure="successes", at=4, budget=4, runs=20) for _ in range(2))
    assert first == again
    trained = {one.value: one.mean for one in first.training}
    judged = {one.value: one.mean for one in first.held_out}
    assert trained[1] != judged[1]  # other runs, other outcomes
    assert (first.training_seed, first.held_out_seed) == (1, 2)


def test_the_default_is_tried_once():
    found = tune("ucb", [Row()], grid=[0.5, 1], budget=3, runs=3)
    assert [tried.value for tried in found.training] == [0.5, 1]  # the default is 1.0
    assert found.at == "area"


def test_table():
    found = tune("pointer", [Row()], grid=[2, 3], measure="regret", at=4, budget=4, runs=8)
    cells = parsed(markdown(tune_table(found)))
    assert set(cells) == {"1 (default)", "2", "3 (chosen)"}
    assert cells["2"]["held out, 8 runs"] == ""
    assert cells["3 (chosen)"]["held out, 8 runs"].startswith("**0.000**")


def test_grids_are_of_policies_that_exist_and_hold_the_default():
    for (name, parameter), grid in GRIDS.items():
        assert parameters(POLICIES[name])[parameter] in grid
        for value in grid:
            get_policy(name, **{parameter: value})


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"policy": "ucbb"}, UnknownName, "Did you mean 'ucb'"),
        ({"policy": "random"}, InvalidInput, "no parameters"),
        ({"policy": "ucb", "parameter": "beta"}, UnknownName, "parameter of policy 'ucb'"),
        ({"policy": "pointer"}, InvalidInput, "no grid for 'to'"),
        ({"policy": "ucb", "grid": [-1.0]}, InvalidInput, "alpha"),
        ({"policy": "ucb", "measure": "cost"}, UnknownName, "unknown measure"),
        ({"policy": "ucb", "objective": "onlin"}, UnknownName, "unknown objective 'onlin'"),
        ({"policy": "online-kg", "parameter": "tau", "grid": [1]}, InvalidInput, "'online-kg' can't .* 'offline'"),
        ({"policy": "ucb", "at": 31}, InvalidInput, "from 1 to the budget 30"),
    ],
)
def test_what_is_refused(given, error, words):
    with pytest.raises(error, match=words):
        tune(worlds=[Row()], **given)
