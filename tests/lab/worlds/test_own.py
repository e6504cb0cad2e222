"""Worlds of one's own: a table with outcomes, a Python function."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special

from sureshot.errors import InvalidInput, SureshotError
from sureshot.lab import BeliefRecipe
from sureshot.lab.play.run import play, stage, stream
from sureshot.lab.worlds import FunctionWorld, TableWorld, get_world
from sureshot.policies import get_policy
from tests.lab.worlds.data import a_pool, half_up, tried

TRIED = pd.DataFrame(tried())


def table(**given: object) -> TableWorld:
    return TableWorld(**{"source": TRIED, "outcome": "grew", "title": "tubes"} | given)  # type: ignore[arg-type]


def test_features_of_a_table_are_standardised_with_dummies() -> None:
    found = table().draw(np.random.default_rng(0), 5)
    power = TRIED["power"].to_numpy()
    expected = [np.ones(40), (power - power.mean()) / power.std(), TRIED["gas"] == "He", TRIED["gas"] == "N"]
    np.testing.assert_allclose(found.X[0], np.column_stack(expected).astype(float))


def test_chances_follow_the_outcomes() -> None:
    found = table(noise=0.0).draw(np.random.default_rng(0), 5)
    np.testing.assert_allclose(found.at(0)[0], special.expit(found.X[0] @ found.weights), rtol=1e-12)
    assert np.corrcoef(found.at(0)[0], TRIED["power"])[0, 1] > 0.9
    assert found.at(0).mean() == pytest.approx(TRIED["grew"].mean(), abs=1e-6)  # a free constant fits the mean


def test_a_file_is_the_same_world_as_its_frame(tmp_path: Path) -> None:
    TRIED.to_csv(tmp_path / "tubes.csv", index=False)
    read = get_world("table", source=str(tmp_path / "tubes.csv"), outcome="grew")
    one, other = (world.draw(np.random.default_rng(1), 5) for world in (read, table()))
    np.testing.assert_array_equal(one.probability, other.probability)
    assert read.label == table().label  # the same content, the same title


def test_words_for_outcomes() -> None:
    words = TRIED.assign(grew=np.where(TRIED["grew"] == 1, "tube", "soot"))
    with pytest.raises(InvalidInput, match=r"column 'grew' must hold 0 or 1, got 'soot'.*`success`.*\(soot, tube\)"):
        table(source=words).draw(np.random.default_rng(0), 5)
    with pytest.raises(InvalidInput, match="`success` must be one of soot, tube, got 'tubes'"):
        table(source=words, success="tubes").draw(np.random.default_rng(0), 5)
    one, other = (world.draw(np.random.default_rng(1), 5) for world in (table(source=words, success="tube"), table()))
    np.testing.assert_array_equal(one.probability, other.probability)
    flags = table(source=TRIED.assign(grew=TRIED["grew"] == 1)).draw(np.random.default_rng(1), 5)
    np.testing.assert_array_equal(flags.probability, other.probability)


def test_a_formula_and_no_constant() -> None:
    found = table(formula="power * gas").draw(np.random.default_rng(0), 5)
    assert found.X.shape[2] == 6
    plain = table(formula="power", intercept=False).draw(np.random.default_rng(0), 5)
    assert plain.X.shape[2] == 1
    assert not plain.intercept


def test_original_units_show_other_numbers_with_the_same_chances() -> None:
    plain, units = (table(scaling=s, noise=0.0, formula="power").draw(np.random.default_rng(0), 5)
                    for s in ("standard", "original"))  # fmt: skip
    np.testing.assert_allclose(units.X[0, :, 1], TRIED["power"])
    np.testing.assert_allclose(units.probability, plain.probability, atol=1e-9)


def test_one_truth_for_all_runs_if_asked_for() -> None:
    world = table(redraw=False, noise=1.0)
    one, other = (world.draw(np.random.default_rng(seed), 5) for seed in (0, 1))
    np.testing.assert_array_equal(one.probability, other.probability)
    assert not np.allclose(one.probability, table(noise=0.0).draw(np.random.default_rng(0), 5).probability)


def test_labels_of_tables_tell_them_apart() -> None:
    changed = TRIED.copy()
    changed.loc[3, "power"] += 0.01
    worlds = [
        table(),
        table(source=changed),
        table(title="others"),
        table(formula="power"),
        table(formula="power*gas"),
        table(formula="power:gas"),
        table(noise=1.0),
        table(success=0),
        table(scaling="original"),
    ]
    assert len({world.label for world in worlds}) == len(worlds)


def test_nothing_is_read_before_it_is_needed() -> None:
    world = get_world("table", source="nowhere.csv", outcome="grew")
    for need in (lambda: world.label, lambda: world.draw(np.random.default_rng(0), 5)):
        with pytest.raises(SureshotError, match=r"nowhere\.csv"):
            need()


def test_a_frame_changed_later_changes_nothing() -> None:
    frame = TRIED.copy()
    world = table(source=frame)
    frame["power"] = 0.0
    assert world.label == table().label


def test_a_table_that_can_not_be_a_world() -> None:
    for source, said in [
        (TRIED.drop(columns="grew"), "unknown column 'grew'"),
        (TRIED[["grew"]], "must have a feature beside its outcome"),
        (TRIED.assign(grew=1), "successes and failures"),
        (TRIED.assign(power=np.nan), "power"),
    ]:
        with pytest.raises(SureshotError, match=said):
            table(source=source).draw(np.random.default_rng(0), 5)


def test_a_function_of_rows() -> None:
    pool = np.array([[-1.0, 4.0], [0.0, 5.0], [1.0, 9.0]])
    found = FunctionWorld(half_up, pool).draw(np.random.default_rng(0), 5)
    np.testing.assert_allclose(found.at(0)[0], [0.5 + 0.4 * np.tanh(x) for x in (-1, 0, 1)])
    np.testing.assert_allclose(found.X[0, :, 1], [-np.sqrt(1.5), 0.0, np.sqrt(1.5)])
    assert (found.X[0, :, 0] == 1).all()
    plain = FunctionWorld(half_up, pool, scaling="original", intercept=False).draw(np.random.default_rng(0), 5)
    np.testing.assert_array_equal(plain.X[0], pool)


def test_a_function_of_named_columns() -> None:
    pool = pd.DataFrame({"power": [8.0, 10.0, 12.0], "gas": ["Ar", "He", "Ar"]})

    def works(power: float, gas: str) -> float:
        return power / 20 + (0.1 if gas == "He" else 0.0)

    found = FunctionWorld(works, pool).draw(np.random.default_rng(0), 5)
    np.testing.assert_allclose(found.at(0)[0], [0.4, 0.6, 0.6])
    assert found.X.shape == (1, 3, 3)
    squared = FunctionWorld(works, pool, formula="poly(power, 2)").draw(np.random.default_rng(0), 5)
    assert squared.X.shape == (1, 3, 3)


def test_a_function_that_makes_pools() -> None:
    world = FunctionWorld(half_up, a_pool)
    one, again, other = (world.draw(np.random.default_rng(seed), 5) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.X, again.X)
    assert not np.allclose(one.X, other.X)
    np.testing.assert_allclose(one.at(0)[0], [half_up(row) for row in a_pool(np.random.default_rng(0))])


def test_a_function_can_not_change_the_pool() -> None:
    def greedy(row: np.ndarray) -> float:
        row[:] = 0.0
        return 0.5

    world = FunctionWorld(greedy, [[1.0], [2.0]])
    np.testing.assert_allclose(world.draw(np.random.default_rng(0), 5).X[0, :, 1], [-1.0, 1.0])


@pytest.mark.parametrize("answer", [1.2, -0.1, float("nan"), None, "0.5", [0.5, 0.5]])
def test_an_answer_that_is_no_probability(answer: object) -> None:
    world = FunctionWorld(lambda row: answer if row[0] else 0.5, [[0.0], [1.0]], title="odd")  # type: ignore[return-value]
    with pytest.raises(InvalidInput, match=r"must be one number between 0 and 1, got .* for row 1"):
        world.draw(np.random.default_rng(0), 5)


@pytest.mark.parametrize("answer", [0, True, np.float32(0.25), np.array(0.5)])
def test_an_answer_that_is_one_number(answer: object) -> None:
    world = FunctionWorld(lambda row: answer if len(row) else 0.0, [[0.0], [1.0]], title="plain")  # type: ignore[arg-type, return-value]
    np.testing.assert_array_equal(world.draw(np.random.default_rng(0), 5).at(0), [[float(answer)] * 2])  # type: ignore[arg-type]


def test_an_error_in_a_function_says_for_which_row() -> None:
    for pool in ([[0.0], [1.0]], pd.DataFrame({"x": [0.0, 1.0]})):
        world = FunctionWorld(lambda row=(), x=1.0: 1.0 / (1 - (row[0] if len(row) else x)), pool, title="torn")
        with np.errstate(divide="raise"), pytest.raises((FloatingPointError, ZeroDivisionError)) as caught:
            world.draw(np.random.default_rng(0), 5)
        assert caught.value.__notes__ == [f"in row 1 of the pool of world {world.label!r}"]


def test_functions_and_pools_are_told_apart() -> None:
    def other(row: np.ndarray) -> float:
        return 0.5

    worlds = [
        FunctionWorld(half_up, [[1.0], [2.0]]),
        FunctionWorld(half_up, [[1.0], [3.0]]),
        FunctionWorld(half_up, [[1.0, 2.0]]),
        FunctionWorld(other, [[1.0], [2.0]]),
        FunctionWorld(half_up, [[1.0], [2.0]], title="third"),
        FunctionWorld(half_up, a_pool),
    ]
    assert len({world.label for world in worlds}) == len(worlds)
    with pytest.raises(InvalidInput, match="needs a `title`"):
        FunctionWorld(lambda row: row[0], [[1.0]])


def test_a_pool_that_is_none() -> None:
    with pytest.raises(
        InvalidInput, match=r"a row for each alternative .* got shape \(3,\): for one feature, \[\[1.0\]"
    ):
        FunctionWorld(half_up, [1.0, 2.0, 3.0])
    for pool in ([], [[np.nan]], [["a"]], 3.0):
        with pytest.raises(InvalidInput, match="`pool`"):
            FunctionWorld(half_up, pool)
    with pytest.raises(InvalidInput, match="named columns"):
        FunctionWorld(half_up, [[1.0]], formula="x")


def test_policies_find_their_way_in_a_world_of_ones_own() -> None:
    world = FunctionWorld(half_up, np.linspace(-3, 3, 20)[:, None])
    first, last = [], []
    for run in range(6):
        staged = stage(world, seed=0, run=run, budget=25)
        rows = play(staged, get_policy("thompson"), BeliefRecipe("one", prior=1.0), rng=stream(0, "p", run), budget=25)
        first.append(rows.oc[0])
        last.append(rows.oc[-1])
    assert np.mean(last) < 0.02 < np.mean(first)


def test_a_table_and_a_frame_name_their_parameters() -> None:
    found = table().draw(np.random.default_rng(0), 5)
    assert found.space is not None
    assert found.space.names == ("power", "gas")
    assert found.space.row(3) == {"power": TRIED["power"][3], "gas": TRIED["gas"][3]}
    np.testing.assert_allclose(found.X[0], found.space.design().matrix(found.space))
    pool = TRIED.drop(columns="grew").assign(note=[f"run {i}" for i in range(len(TRIED))])
    world = FunctionWorld(lambda power, **_: power / 20, pool, formula="power + gas", title="by-power")
    frame = world.draw(np.random.default_rng(0), 5)
    assert frame.space is not None
    assert frame.space.names == ("power", "gas")  # what the formula leaves out is not a parameter
    assert frame.space.content_hash == found.space.content_hash


def test_rows_without_names_or_rows_that_repeat_have_no_space() -> None:
    assert FunctionWorld(half_up, a_pool).draw(np.random.default_rng(0), 5).space is None
    twice = pd.concat([TRIED, TRIED], ignore_index=True)
    found = table(source=twice).draw(np.random.default_rng(0), 5)
    assert found.X.shape[1] == 2 * len(TRIED)
    assert found.space is None
