"""The download of the UCI tables: OpenML by stand-ins (no test goes to the network)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import md5
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest

from sureshot.errors import InvalidInput, StorageError
from sureshot.lab.worlds import download_tables, get_world
from sureshot.lab.worlds.real import uci
from sureshot.lab.worlds.real.download import TABLES
from sureshot.lab.worlds.real.uci_data import Facts
from tests.cli.commands import call
from tests.lab.worlds.data import FOLDER, UCI_NAMES, needs_data

BY_NAME = {kind.name: kind.facts for kind in uci.UCI}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """What was read from one source is not taken for another."""
    yield
    uci._fitted.cache_clear()


def openml(monkeypatch: pytest.MonkeyPatch, answer: Callable[[int], Any]) -> list[int]:
    """In place of OpenML: a fetch gets this answer. Says what was asked for."""
    import sklearn.datasets

    asked: list[int] = []

    def fetch(*, data_id: int, **_: object) -> Any:
        asked.append(data_id)
        return answer(data_id)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return asked


class Bunch:
    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame


#: How OpenML writes these tables: other names, other words for the classes, identifiers, categories, rounded numbers.
CALLED = {
    40: {"R": "Rock", "M": "Mine"},
    41: {"1": "'build wind float'", "2": "'build wind non-float'", "3": "'vehic wind float'", "5": "containers",
         "6": "tableware", "7": "headlamps"},
    1464: {"0": "1", "1": "2"},
    43: {"1": "1", "2": "2"},
    43757: {"N": "0", "R": "1"},
    1490: {"1": "1", "2": "2"},
    40994: {"0": "0", "1": "1"},
}  # fmt: skip


def as_openml(facts: Facts) -> pd.DataFrame:
    rows = pd.read_csv(Path(FOLDER) / facts.file, dtype={"label": str})
    classes = rows.pop("label").map(CALLED[facts.openml]).astype("category")
    rows = rows.round(6)
    if facts.openml in (1464, 1490):
        rows.columns = [f"V{i}" for i in range(1, len(rows.columns) + 1)]
    elif facts.openml == 40:
        rows.columns = [f"attribute_{i}" for i in range(1, 61)]
    elif facts.openml == 43757:
        rows.columns = [str(name).replace("_", " ").title() for name in rows.columns]
        rows.insert(0, "ID", np.arange(900_000, 900_000 + len(rows)))
    elif facts.openml == 40994:
        rows.insert(0, "V2", np.arange(540) % 180 + 1)
        rows.insert(0, "V1", np.arange(540) // 180 + 1)
        rows.columns = [f"V{i}" for i in range(1, 21)]
    rows["Class"] = classes
    return rows.sample(frac=1.0, random_state=3).reset_index(drop=True) if facts.openml == 41 else rows


class Answer(BytesIO):
    """What a server sends."""

    def info(self) -> dict[str, str]:
        return {}


def served(facts: Facts) -> Callable[..., Answer]:
    """In place of the network below scikit-learn: the three documents that OpenML has of a table."""
    frame = as_openml(facts)
    classes = sorted(set(frame["Class"]))
    kinds = dict.fromkeys(frame.columns, "numeric") | {"Class": "{" + ",".join(classes) + "}"}
    head = [f"@attribute '{name}' {kind}" for name, kind in kinds.items()]
    body = [",".join("?" if cell != cell else str(cell) for cell in row) for row in frame.itertuples(index=False)]
    arff = "\n".join(["@relation stand-in", *head, "@data", *body, ""]).encode()
    features = [
        {"name": name, "data_type": "nominal" if name == "Class" else "numeric"}
        | dict.fromkeys(("is_target", "is_ignore", "is_row_identifier"), "false")
        for name in frame.columns
    ]
    description = {
        "id": str(facts.openml),
        "name": "stand-in",
        "version": "1",
        "format": "ARFF",
        "status": "active",
        "description": "",
        "url": "https://www.openml.org/data/v1/download/1/x.arff",
        "md5_checksum": md5(arff).hexdigest(),
    }

    def urlopen(request: Any, *_: object, **__: object) -> Answer:
        url = request if isinstance(request, str) else request.full_url
        if "/features/" in url:
            return Answer(json.dumps({"data_features": {"feature": features}}).encode())
        if "/json/data/" in url:
            assert url.endswith(f"/{facts.openml}")
            return Answer(json.dumps({"data_set_description": description}).encode())
        return Answer(arff)

    return urlopen


def read_from(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> Any:
    monkeypatch.setenv("SURESHOT_DATA", str(folder))
    uci._fitted.cache_clear()
    return get_world(name).draw(np.random.default_rng(0), 5)


@needs_data
@pytest.mark.parametrize("name", UCI_NAMES)
def test_a_table_from_openml_is_the_same_world(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = BY_NAME[name]
    here = get_world(name).draw(np.random.default_rng(0), 5)
    frames = {facts.openml: as_openml(facts)}
    asked = openml(monkeypatch, lambda data_id: Bunch(frames[data_id]))
    assert download_tables(tmp_path / "new", tables=[facts]) == (tmp_path / "new" / facts.file,)
    assert asked == [facts.openml]
    there = read_from(tmp_path / "new", monkeypatch, name)
    np.testing.assert_allclose(there.X, here.X, atol=2e-5)  # rounded to 6 places
    np.testing.assert_allclose(there.probability, here.probability, atol=2e-5)


@needs_data
@pytest.mark.parametrize("name", ["haberman", "wpbc", "glass"])
def test_scikit_learn_reads_what_openml_would_send(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes called 1 and 2, missing cells, words in quotes; the second time what is there is enough."""
    here = get_world(name).draw(np.random.default_rng(0), 5)
    home = tmp_path / "home"
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(home))
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", served(BY_NAME[name]))
    for _ in range(2):
        download_tables(tmp_path, tables=[BY_NAME[name]])
        there = read_from(tmp_path, monkeypatch, name)
        np.testing.assert_allclose(there.probability, here.probability, atol=1e-9)
        monkeypatch.setattr("sklearn.datasets._openml.urlopen", None)
    assert not list(home.rglob("*.gz"))  # nothing is left elsewhere


@needs_data
def test_the_corrupt_climate_table_of_openml_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in OpenML 1467: where vconst_corr should be, there are the ranks of vconst_2."""
    frame = as_openml(BY_NAME["climate"])
    frame["V3"] = frame["V4"].rank()
    openml(monkeypatch, lambda _id: Bunch(frame))
    with pytest.raises(InvalidInput, match=r"OpenML data set 40994 is not .*: the numbers in vconst_corr differ"):
        download_tables(tmp_path, tables=[BY_NAME["climate"]])
    assert list(tmp_path.iterdir()) == []


@needs_data
def test_a_file_that_is_there_is_checked_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = openml(monkeypatch, lambda _id: None)
    for facts in TABLES:
        (tmp_path / facts.file).write_bytes((Path(FOLDER) / facts.file).read_bytes())
    download_tables(tmp_path)
    (tmp_path / "glass.csv").write_text("Na,label\n1,2\n")
    with pytest.raises(InvalidInput, match=r"glass\.csv is not the UCI table 'Glass Identification'.*: it has 1 rows"):
        download_tables(tmp_path)
    assert (tmp_path / "glass.csv").read_text() == "Na,label\n1,2\n"
    assert asked == []


def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = openml(monkeypatch, lambda _id: (_ for _ in ()).throw(URLError("no route")))
    said = r"climate\.csv can't be downloaded from OpenML \(data set 40994; .*no route.*: try again later"
    with pytest.raises(StorageError, match=said):
        download_tables(tmp_path, tables=[BY_NAME["climate"]])
    assert asked == [40994]  # and never 1467
    (tmp_path / "taken").write_text("")
    with pytest.raises(StorageError, match="can't be made"):
        download_tables(tmp_path / "taken")


@needs_data
def test_the_command_says_what_it_downloads_and_how_to_use_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = {facts.openml: as_openml(facts) for facts in TABLES}
    openml(monkeypatch, lambda data_id: Bunch(frames[data_id]))
    done = call(["lab", "download", "my tables"])
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "sonar.csv: 208 rows, downloaded from OpenML (data set 40)"
    assert done.out.splitlines()[-1] == f"To use them: export SURESHOT_DATA='{folder / 'my tables'}'"
    again = call(["lab", "download", "my tables", "--json"])
    assert again.json()["files"][0] == "my tables/sonar.csv"
    assert again.err.splitlines()[0] == "sonar.csv: 208 rows, was there already"
    assert sorted(path.name for path in (folder / "my tables").iterdir()) == sorted(facts.file for facts in TABLES)


def test_a_study_on_a_table_that_is_not_here_says_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SURESHOT_DATA", raising=False)
    (folder / "s.toml").write_text('world = [{ name = "sonar" }]\npolicy = [{ name = "random" }]\n')
    done = call("lab run s.toml")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: this world is made of the UCI table 'Connectionist Bench (Sonar, ")
    assert done.err.endswith("or download these seven (0.4 MB) from OpenML with `sureshot lab download FOLDER`.\n")
    assert not (folder / "results").exists()
