"""Simulated benches: the chances are as stated, and each kind has the property that it is named for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import special

from sureshot.errors import InvalidInput
from sureshot.lab.worlds import bench_worlds, get_world
from sureshot.lab.worlds.bench import SUCCESS, Bench, calibrated
from sureshot.lab.worlds.bench_grid import draw_grid, steps
from sureshot.lab.worlds.bench_shapes import KINDS
from sureshot.space import Space
from tests.lab.worlds.data import same

RUNS = range(40)
EACH = pytest.mark.parametrize("world", bench_worlds(), ids=lambda world: world.label)
BOTH = pytest.mark.parametrize("success", SUCCESS)


def pool(kind: str, success: str, run: int) -> tuple[Space, np.ndarray]:
    return Bench(kind, success).pool(np.random.default_rng(run))


def scores(kind: str, success: str, run: int) -> tuple[Space, np.ndarray]:
    """The grid, and the log-odds of each alternative."""
    space, chance = pool(kind, success, run)
    return space, special.logit(chance)


def dummies(space: Space) -> np.ndarray:
    """A column for each level of each parameter: all that single parameters can say."""
    return np.column_stack([column.codes == level for column in space.columns for level in range(len(column.levels))])


def unexplained(features: np.ndarray, values: np.ndarray) -> float:
    """The share of the variance that no weights of these features explain."""
    left = values - features @ np.linalg.lstsq(features.astype(float), values, rcond=None)[0]
    return float(left.var() / values.var())


def straight_choice(space: Space, score: np.ndarray) -> int:
    """What somebody would recommend who knows every log-odds and fits them by the straight features."""
    X = space.design().matrix(space)
    return int(np.argmax(X @ np.linalg.lstsq(X, score, rcond=None)[0]))


@EACH
def test_the_best_and_the_mean_chance_are_as_stated(world: Bench) -> None:
    best, mean = {"common": (0.95, 0.4), "rare": (0.5, 0.05)}[world.success]
    for run in RUNS:
        _, chance = pool(world.kind, world.success, run)
        assert chance.max() == pytest.approx(best, abs=1e-9)
        assert chance.mean() == pytest.approx(mean, abs=1e-9)


@EACH
def test_a_grid_is_as_benches_are(world: Bench) -> None:
    for run in RUNS:
        space, _ = pool(world.kind, world.success, run)
        kinds = Counter(column.kind for column in space.columns)
        assert 40 <= len(space) <= 600
        assert max(2, KINDS[world.kind].parameters) <= len(space.columns) <= 5
        assert kinds["number"] >= KINDS[world.kind].numbers
        for column in space.columns:
            low, high = (3, 8) if column.kind == "number" else (2, 5)
            assert low <= len(column.levels) <= high


def test_grids_vary_and_some_numbers_are_spaced_by_factors() -> None:
    spaces = [draw_grid(np.random.default_rng(run)) for run in range(200)]
    numbers = [column.levels for space in spaces for column in space.columns if column.kind == "number"]
    even = [np.allclose(np.diff(levels, 2), 0.0) for levels in numbers]
    by_factor = [np.allclose(levels[1:] / levels[:-1], levels[1] / levels[0]) for levels in numbers]
    assert all(a != b for a, b in zip(even, by_factor, strict=True))
    assert 0.2 < np.mean(by_factor) < 0.5
    assert {len(space.columns) for space in spaces} == {2, 3, 4, 5}
    assert len({space.content_hash for space in spaces}) > 190


@EACH
def test_the_truth_names_its_parameters_and_shows_straight_features(world: Bench) -> None:
    found = world.draw(np.random.default_rng(3), 10)
    assert found.space is not None
    np.testing.assert_array_equal(found.X[0], found.space.design().matrix(found.space))
    assert found.intercept
    again = world.draw(np.random.default_rng(3), 10)
    assert same(found, again)
    assert again.space is not None
    assert again.space.content_hash == found.space.content_hash


def test_steps_count_levels_not_numbers() -> None:
    column = Space.grid(dose=[1, 2, 4, 8], gas=["Ar", "He"]).column("dose")
    assert dict(zip(column.numbers().tolist(), steps(column).round(3).tolist(), strict=True)) == {
        1.0: -1.0, 2.0: -0.333, 4.0: 0.333, 8.0: 1.0,
    }  # fmt: skip


@BOTH
def test_straight_is_a_logistic_regression_on_what_policies_see(success: str) -> None:
    for run in RUNS:
        found = Bench("straight", success).draw(np.random.default_rng(run), 5)
        assert unexplained(found.X[0], special.logit(found.at(0)[0])) < 1e-9


@BOTH
@pytest.mark.parametrize(("kind", "bent"), [("interior", 1), ("interior-two", 2)])
def test_interior_is_best_strictly_inside_and_a_straight_fit_recommends_an_end(
    kind: str, bent: int, success: str
) -> None:
    lost = []
    for run in RUNS:
        space, score = scores(kind, success, run)
        top = int(np.argmax(score))
        inside = [c for c in space.columns if c.kind == "number" and abs(steps(c)[top]) < 0.99]
        assert len(inside) == bent
        assert unexplained(dummies(space), score) < 1e-9  # a sum of single parameters
        told = straight_choice(space, score)
        assert all(abs(steps(c)[told]) == 1 for c in inside)
        lost.append(1.0 - special.expit(score[told]) / special.expit(score[top]))
        for column in inside:  # both ends are worse than where it is best, the rest being equal
            others = [c for c in space.columns if c is not column]
            line = np.all([c.codes == c.codes[top] for c in others], axis=0)
            assert score[line].argmax() not in (0, line.sum() - 1)
    assert min(lost) > 0
    assert np.mean(lost) > {"common": 0.15, "rare": 0.5}[success]


@BOTH
def test_ridge_has_two_numbers_that_make_up_for_each_other(success: str) -> None:
    lost = []
    for run in RUNS:
        space, score = scores("ridge", success, run)
        lost.append(1.0 - special.expit(score[straight_choice(space, score)]) / special.expit(score.max()))
        assert unexplained(dummies(space), score) > 0.05
        numbers = [c for c in space.columns if c.kind == "number"]
        pairs = [(a, b) for i, a in enumerate(numbers) for b in numbers[i + 1 :]]
        top = int(np.argmax(score))
        moved = []
        for one, other in pairs:  # where one is best, for each level of the other
            rest = np.all([c.codes == c.codes[top] for c in space.columns if c is not one and c is not other], axis=0)
            best = [one.codes[rest & (other.codes == k)][score[rest & (other.codes == k)].argmax()]
                    for k in range(len(other.levels))]  # fmt: skip
            moved.append((len(set(best)), abs(np.corrcoef(best, range(len(best)))[0, 1]) if len(set(best)) > 1 else 0))
        assert any(levels >= 2 and tied > 0.7 for levels, tied in moved)
    assert np.mean(lost) > 0.4  # the best is not in a corner that straight effects point to


@BOTH
def test_cliff_is_a_plateau_with_an_edge_beyond_which_nothing_works(success: str) -> None:
    best, mean = SUCCESS[success]
    for run in RUNS:
        space, chance = pool("cliff", success, run)
        on = chance > 0
        assert on.mean() == pytest.approx(mean / best / 0.9, abs=1.0 / len(space))
        assert chance[on].min() > 0.65 * best
        flat = np.isclose(chance[on], chance[on].min())
        assert flat.mean() >= 0.4


@BOTH
def test_pair_is_shown_by_no_parameter_alone(success: str) -> None:
    for run in RUNS:
        space, score = scores("pair", success, run)
        alone = dummies(space).astype(float)
        main = alone @ np.linalg.lstsq(alone, score, rcond=None)[0]
        top, told = int(np.argmax(score)), int(np.argmax(main))
        differ = [c.name for c in space.columns if c.codes[top] != c.codes[told]]
        assert len(differ) == 2  # what single parameters recommend misses both halves of the pair, and gets the rest
        here = np.all([space.column(n).codes == space.column(n).codes[top] for n in differ], axis=0)
        extra = score - main
        assert extra[here].min() > 0
        assert np.ptp(extra[here]) < 1e-9  # the same bonus wherever the two meet
        chance = special.expit(score)
        assert chance[top] > chance[told] + 0.05


@BOTH
def test_odd_level_is_one_level_off_the_line(success: str) -> None:
    kinds = set()
    for run in RUNS:
        space, score = scores("odd-level", success, run)
        assert unexplained(dummies(space), score) < 1e-9
        line = np.column_stack([np.ones(len(space)), *(
            steps(c)[:, None] if c.kind == "number" else np.eye(len(c.levels))[c.codes] for c in space.columns
        )])  # fmt: skip
        left = unexplained(line, score)
        kinds.add("category" if left < 1e-9 else "number")
        if left > 1e-9:  # of a number: a straight line and one level explain all
            every = [unexplained(np.column_stack([line, c.codes == k]), score)
                     for c in space.columns if c.kind == "number" for k in range(len(c.levels))]  # fmt: skip
            assert min(every) < 1e-9
    assert kinds == {"category", "number"}


@BOTH
def test_rough_is_mostly_each_alternative_its_own(success: str) -> None:
    shares = []
    for run in RUNS:
        space, score = scores("rough", success, run)
        shares.append(unexplained(dummies(space), score))
    assert 0.55 < np.mean(shares) < 0.9


def test_calibration_by_hand_and_what_it_refuses() -> None:
    found = calibrated(np.array([-np.inf, 0.0, 1.0]), 0.5, 0.25)
    np.testing.assert_allclose(found, [0.0, 0.25, 0.5], atol=1e-9)
    with pytest.raises(InvalidInput, match=r"`mean` must lie between 0.25 .* and 0.5 .*, got 0.2"):
        calibrated(np.array([0.0, 1.0]), 0.5, 0.2)
    with pytest.raises(InvalidInput, match=r"`mean` must lie between"):
        calibrated(np.array([1.0, 1.0]), 0.5, 0.4)


def test_all_of_them_by_name() -> None:
    worlds = bench_worlds()
    assert len({world.label for world in worlds}) == len(worlds) == 16
    assert get_world("bench", kind="odd-level", success="rare").label == "bench-odd-level-rare"
    assert {world.label for world in worlds} == {f"bench-{k}-{s}" for k in KINDS for s in ("common", "rare")}
