"""No table that a command writes runs anything in a spreadsheet, and each comes back as the same values."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.cli.commands import call, fingerprint

GROUPS = ["=1+1", "-OH", "@x", "'=1+1", "H"]
SAMPLES = [f"{sign}{i}" for i, sign in enumerate(["=A", "+cmd|' /C calc'!A", "-", "@SUM(1)", "B"] * 2)]
RUN = ("=", "+", "-", "@", "\t", "\r")


def rows(text: str) -> list[dict[str, str]]:
    """A table as a spreadsheet sees it: no cell would be run."""
    for row in csv.reader(io.StringIO(text)):
        assert not [
            cell for cell in row if cell.startswith(RUN) and not cell.lstrip("+-").replace(".", "").isdigit()
        ], row
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def groups(folder: Path) -> Path:
    """A campaign whose names and levels would be run, with notes and authors that would be too."""
    lines = [f"{SAMPLES[i]},{GROUPS[i % 5]},{i - 4}" for i in range(10)]
    Path("pool.csv").write_text("sample,group,p\n" + "\n".join(line.replace("'=", "''=") for line in lines) + "\n")
    words = ["--success", "+", "--failure", "=no()"]
    assert call(["new", "g", "--candidates", "pool.csv", "--id", "sample", *words, "--seed", "1"]).code == 0
    assert call(["ask", "-q", "3", "--author", "=HYPERLINK(1)"]).code == 0
    assert call(["tell", "1", "+", "--note", "@SUM(1+1)", "--author", "-Ann"]).code == 0
    assert call(["tell", "2", "=no()", "--note", "\t=1"]).code == 0
    return folder


def test_history_predictions_and_plates_run_nothing(groups):
    found = rows(call("history --csv -").out)
    assert found[0]["opened_by"] == "'=HYPERLINK(1)"
    assert found[0]["told_by"] == "'-Ann"
    assert found[0]["notes"] == "'@SUM(1+1)"
    assert {one["outcome"] for one in found} == {"'+", "'=no()", ""}
    assert all(-4 <= int(one["p"]) <= 5 for one in found)
    for line in ("predict --csv all.csv", "export run.csv", "ask -q 2 --csv plate.csv", "history --csv trials.csv"):
        assert call(line).code == 0
        assert rows(Path(line.split()[-1]).read_text())
    assert {one["group"] for one in rows(Path("all.csv").read_text())} == {"'=1+1", "'-OH", "'@x", "''=1+1", "H"}


def test_a_plate_is_told_back(groups):
    assert call("ask -q 4 --csv plate.csv").code == 0
    told = rows(Path("plate.csv").read_text())
    with Path("plate.csv").open("w") as file:
        writer = csv.DictWriter(file, list(told[0]))
        writer.writeheader()
        writer.writerows(
            {**row, "outcome": word} for row, word in zip(told, ["+", "'+", "=no()", "'=no()"], strict=True)
        )
    done = call("tell --from plate.csv")
    assert done.out == "plate.csv: 4 outcomes recorded.\n", done
    assert [one["successes"] for one in call("history --json").json()["trials"][3:]] == [1, 1, 0, 0]


def test_exported_outcomes_are_imported_as_they_were(groups):
    assert call("export run.csv").code == 0
    new = ["new", "h", "--candidates", "pool.csv", "--id", "sample", "--success", "+", "--failure", "=no()"]
    assert call([*new, "--seed", "1", "--storage", "other.db"]).code == 0
    assert call("import run.csv --storage other.db").code == 0
    there = call("history --json --storage other.db").json()["trials"]
    here = [one for one in call("history --json").json()["trials"] if one["state"] == "told"]
    for key in ("levels", "id", "outcome", "successes"):
        assert [one[key] for one in there] == [one[key] for one in here]
    assert {one["id"] for one in here} <= set(SAMPLES)
    again = Path("run.csv").read_text()
    assert call("export run.csv --force --storage other.db").code == 0
    assert Path("run.csv").read_text() == again


def test_a_sheet_reads_them_and_leaves_the_cells_as_they_were(groups):
    assert call("export run.csv").code == 0
    before = Path("run.csv").read_text()
    words = ["--success", "+", "--failure", "=no()", "--id", "sample", "--without", "of"]
    done = call(["sheet", "run.csv", *words, "--shape", "straight"])
    assert done.code == 0, done
    assert "sample =A" in done.out or "sample +cmd" in done.out or "sample -" in done.out
    after = Path("run.csv").read_text()
    assert [line.split(",")[:5] for line in after.splitlines()] == [line.split(",") for line in before.splitlines()]
    rows(after)


def test_cases_come_back_beside_what_to_choose(folder):
    assert call("new d --param drug==a(),b --context ward==w(),x --seed 1").code == 0
    Path("cases.csv").write_text("ward,remark\n'=w(),@r\nx,-1\n")
    assert call("best --cases cases.csv --csv out.csv").code == 0, call("best --cases cases.csv")
    found = rows(Path("out.csv").read_text())
    assert [one["ward"] for one in found] == ["'=w()", "x"]
    assert found[0].get("remark") in ("'@r", None)
    before = fingerprint()
    assert call("tell --at drug==a() success --context ward==w()").code == 0
    assert fingerprint() != before
