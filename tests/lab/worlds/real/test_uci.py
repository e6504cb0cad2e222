"""The seven UCI pools: their facts, and what is refused. How they are downloaded: test_download.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special

from sureshot.errors import InvalidInput
from sureshot.lab.worlds import get_world
from sureshot.lab.worlds.real import uci
from tests.lab.worlds.data import FOLDER, UCI_NAMES, needs_data, same

#: Rows, attributes, successes: counted by hand from the README of the tables.
KNOWN = {
    "sonar": (208, 60, 111),
    "glass": (214, 9, 163),
    "transfusion": (748, 4, 178),
    "haberman": (306, 3, 225),
    "wpbc": (198, 33, 151),
    "planning-relax": (182, 12, 52),
    "climate": (540, 18, 494),
}
BY_NAME = {kind.name: kind.facts for kind in uci.UCI}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """What was read from one source is not taken for another."""
    yield
    uci._fitted.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of copies that a test may spoil."""
    for facts in BY_NAME.values():
        (tmp_path / facts.file).write_bytes((Path(FOLDER) / facts.file).read_bytes())
    monkeypatch.setenv("SURESHOT_DATA", str(tmp_path))
    uci._fitted.cache_clear()
    return tmp_path


def raw(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and classes, read without the code under test."""
    lines = (Path(FOLDER) / BY_NAME[name].file).read_text().splitlines()[1:]
    cells = [line.split(",") for line in lines]
    return np.array([[float(v or "nan") for v in row[:-1]] for row in cells]), np.array([row[-1] for row in cells])


def ordered(rows: np.ndarray) -> np.ndarray:
    return np.array(sorted(map(tuple, rows)))


@needs_data
@pytest.mark.parametrize("name", UCI_NAMES)
def test_facts(name: str) -> None:
    n, k, successes = KNOWN[name]
    rows, outcomes = get_world(name).rows()  # type: ignore[attr-defined]
    assert rows.shape == (n, k)
    assert outcomes.sum() == successes
    numbers, classes = raw(name)
    numbers[np.isnan(numbers)] = 1.0  # the median of the lymph-node status of wpbc
    np.testing.assert_array_equal(ordered(rows), ordered(numbers))
    assert len(classes) == n


@needs_data
@pytest.mark.parametrize("name", UCI_NAMES)
def test_each_row_kept_its_outcome(name: str) -> None:
    rows, outcomes = get_world(name).rows()  # type: ignore[attr-defined]
    numbers, classes = raw(name)
    numbers[np.isnan(numbers)] = 1.0
    good = np.isin(
        classes, {"sonar": ["M"], "glass": list("1234"), "wpbc": ["N"], "planning-relax": ["2"]}.get(name, ["1"])
    )
    np.testing.assert_array_equal(
        ordered(np.column_stack([rows, outcomes])), ordered(np.column_stack([numbers, good.astype(float)]))
    )


@needs_data
@pytest.mark.parametrize("name", UCI_NAMES)
def test_the_pool_is_standardised_and_the_chances_follow_from_the_weights(name: str) -> None:
    found = get_world(name).draw(np.random.default_rng(1), 30)
    n, k, _ = KNOWN[name]
    assert found.X.shape == (1, n, k + 1)
    assert (found.X[0, :, 0] == 1).all()
    np.testing.assert_allclose(found.X[0, :, 1:].mean(axis=0), 0.0, atol=1e-10)
    np.testing.assert_allclose(found.X[0, :, 1:].std(axis=0), 1.0, atol=1e-10)
    np.testing.assert_allclose(found.at(0)[0], special.expit(found.X[0] @ found.weights), atol=1e-12)


@needs_data
@pytest.mark.parametrize("name", ["glass", "transfusion", "haberman"])
def test_without_noise_the_weights_are_the_ridge_fit(name: str) -> None:
    world = get_world(name, noise=0.0)
    found = world.draw(np.random.default_rng(1), 30)
    X, y = found.X[0], world.rows()[1]  # type: ignore[attr-defined]

    def slope(w: np.ndarray) -> np.ndarray:
        return X.T @ (special.expit(X @ w) - y) + np.concatenate([[0.0], w[1:]])

    root = optimize.root(slope, np.zeros(X.shape[1]), tol=1e-12)
    np.testing.assert_allclose(found.weights, root.x, atol=1e-7)


@needs_data
@pytest.mark.parametrize("noise", [0.1, 1.0])
def test_the_perturbation_is_measured_by_the_weights(noise: float) -> None:
    fit = get_world("wpbc", noise=0.0).draw(np.random.default_rng(0), 1).weights
    world = get_world("wpbc", noise=noise)
    moves = np.array([world.draw(np.random.default_rng(run), 1).weights - fit for run in range(300)])
    assert moves.std() == pytest.approx(noise * np.sqrt(np.mean(fit**2)), rel=0.03)
    assert np.abs(np.corrcoef(moves.T) - np.eye(len(fit))).max() < 0.3


@needs_data
def test_fixed_over_runs() -> None:
    world = get_world("glass", redraw=False, noise=1.0)
    one, other = (world.draw(np.random.default_rng(seed), 5) for seed in (0, 1))
    assert same(one, other)
    fit = get_world("glass", noise=0.0).draw(np.random.default_rng(0), 5)
    assert not np.allclose(one.weights, fit.weights)


@needs_data
@pytest.mark.parametrize("name", UCI_NAMES)
def test_original_attributes_have_the_same_chances(name: str) -> None:
    plain, units = (
        get_world(name, scaling=scaling, noise=1.0).draw(np.random.default_rng(4), 5)
        for scaling in ("standard", "original")
    )
    rows, _ = get_world(name).rows()  # type: ignore[attr-defined]
    np.testing.assert_array_equal(units.X[0, :, 1:], rows)
    np.testing.assert_allclose(units.probability, plain.probability, atol=1e-6)
    np.testing.assert_allclose(special.expit(units.X[0] @ units.weights), units.at(0)[0], atol=1e-12)


@needs_data
def test_variants() -> None:
    assert get_world("glass", kind=7).rows()[1].sum() == 29  # type: ignore[attr-defined]
    assert get_world("glass", kind="2").rows()[1].sum() == 76  # type: ignore[attr-defined]
    dropped, outcomes = get_world("wpbc", missing="drop").rows()  # type: ignore[attr-defined]
    assert (dropped.shape, outcomes.sum()) == ((194, 33), 148)
    assert get_world("wpbc", follow_up=False).draw(np.random.default_rng(0), 5).X.shape == (1, 198, 33)
    bare = get_world("haberman", intercept=False).draw(np.random.default_rng(0), 5)
    assert bare.X.shape == (1, 306, 3)
    assert not bare.intercept


@needs_data
def test_a_table_is_read_once(folder: Path) -> None:
    first = get_world("haberman").draw(np.random.default_rng(0), 5)
    (folder / "haberman.csv").unlink()
    assert same(first, get_world("haberman").draw(np.random.default_rng(0), 5))
    get_world("haberman", noise=1.0).draw(np.random.default_rng(0), 5)


def cell(text: str, line: int, column: int, value: str) -> str:
    lines = text.splitlines()
    cells = lines[line].split(",")
    cells[column] = value
    lines[line] = ",".join(cells)
    return "\n".join(lines) + "\n"


def swapped(text: str) -> str:
    """Two cells of one column change places: every column holds the same numbers as before."""
    first, second = (text.splitlines()[line].split(",")[1] for line in (1, 9))
    return cell(cell(text, 1, 1, second), 9, 1, first)


@needs_data
@pytest.mark.parametrize(
    ("file", "spoil", "said"),
    [
        ("glass.csv", lambda t: cell(t, 5, 1, "13.99"), "the numbers in Na differ"),
        (
            "glass.csv",
            lambda t: cell(t, 5, 1, "13.99").replace("72.73", "72.74", 1),
            "the numbers in Na, Si differ",
        ),
        ("glass.csv", swapped, "its numbers are in other rows"),
        ("glass.csv", lambda t: t.rsplit("\n", 2)[0] + "\n", "it has 213 rows, not 214"),
        ("glass.csv", lambda t: cell(t, 5, 9, "2"), r"its classes are .*'2': 77.*, not \{'1': 70, '2': 76"),
        ("glass.csv", lambda t: cell(t, 5, 1, "much"), r"not every cell is a number \(.*much"),
        ("glass.csv", lambda t: "\n".join(line.split(",", 1)[1] for line in t.splitlines()), "8 attributes, not 9"),
        ("wpbc.csv", lambda t: t.replace(",,", ",1,"), "the numbers in lymph_node_status differ"),
        ("planning_relax.csv", lambda t: cell(t, 3, 4, "0.5"), "the numbers in V5 differ"),
        ("climate.csv", lambda _: "", r"climate\.csv can't be read as CSV"),
        ("transfusion.csv", lambda t: cell(cell(t, 1, 4, "0"), 2, 4, "0"), r"classes are .*'1': 176"),
    ],
)
def test_a_table_that_is_not_the_one_meant_is_refused(
    folder: Path, file: str, spoil: Callable[[str], str], said: str
) -> None:
    text = (folder / file).read_text()
    (folder / file).write_text(spoil(text))
    assert (folder / file).read_text() != text
    name = file.removesuffix(".csv").replace("_", "-")
    with pytest.raises(InvalidInput, match=said) as caught:
        get_world(name).draw(np.random.default_rng(0), 5)
    assert file in str(caught.value)


@needs_data
def test_how_the_numbers_are_written_does_not_matter(folder: Path) -> None:
    """Other line ends, another order of rows and columns, other spellings of the same numbers."""
    before = {name: get_world(name).draw(np.random.default_rng(0), 5) for name in UCI_NAMES}
    for facts in BY_NAME.values():
        frame = pd.read_csv(folder / facts.file)
        frame = frame.sample(frac=1.0, random_state=1)[list(reversed(frame.columns))]
        frame.to_csv(folder / facts.file, index=False, float_format="%.17e", lineterminator="\r\n")
    uci._fitted.cache_clear()
    for name in UCI_NAMES:
        found = get_world(name).draw(np.random.default_rng(0), 5)
        np.testing.assert_allclose(found.X, before[name].X, atol=1e-9)
        np.testing.assert_allclose(found.probability, before[name].probability, atol=1e-9)


@needs_data
def test_a_folder_without_the_file(folder: Path) -> None:
    (folder / "sonar.csv").unlink()
    with pytest.raises(
        InvalidInput, match=r"must hold sonar\.csv.*set SURESHOT_DATA to a folder with sonar\.csv, glass"
    ):
        get_world("sonar").draw(np.random.default_rng(0), 5)


@pytest.mark.parametrize("named", [False, True])
def test_what_is_not_here_is_not_downloaded_unasked(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("somebody went to the network")

    monkeypatch.delenv("SURESHOT_DATA", raising=False)
    if named:
        monkeypatch.setenv("SURESHOT_DATA", str(tmp_path))
    monkeypatch.setattr("socket.socket.connect", connect)
    monkeypatch.setattr("socket.getaddrinfo", connect)
    uci._fitted.cache_clear()
    said = (
        "must hold climate" if named else r"UCI table 'Climate .*', which must be in the folder named by SURESHOT_DATA"
    )
    said += r".*: set SURESHOT_DATA to a folder with sonar\.csv, .*, climate\.csv, or download these seven \(0\.4 MB\) "
    said += r"from OpenML with `download_tables\(\)`\."
    with pytest.raises(InvalidInput, match=said):
        get_world("climate").draw(np.random.default_rng(0), 5)


def test_making_a_world_and_its_label_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SURESHOT_DATA", raising=False)
    uci._fitted.cache_clear()
    assert [get_world(name).label for name in UCI_NAMES] == list(UCI_NAMES)
