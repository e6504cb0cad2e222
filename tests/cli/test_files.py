"""Tables that go out to files and come back: history, export, a plate."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import NEW, call, environment, fingerprint, sureshot


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_history_goes_to_a_file_or_the_screen_with_levels_and_events(made):
    done = call("history --csv trials.csv")
    assert (done.code, done.out) == (0, "4 trials written to trials.csv.\n")
    text = Path("trials.csv").read_text()
    found = rows(text)
    shown = call("history --json").json()["trials"]
    for row, one in zip(found, shown, strict=True):
        assert (int(row["trial"]), row["state"], int(row["opened_event"])) == (
            one["trial"],
            one["state"],
            one["opened_event"],
        )
        for name, level in one["levels"].items():
            assert row[name] == (str(int(level)) if isinstance(level, float) else level)
    assert [row["outcome"] for row in found] == ["single-walled", "", "double-walled", "7"]
    assert [row["of"] for row in found] == ["1", "", "1", "10"]
    assert [row["told_event"] for row in found] == ["4", "", "6", "7"]
    assert [row["told_by"] for row in found] == ["", "", "", "Ann"]
    assert found[2]["notes"] == "misread"
    assert call("history --csv -").out == text
    assert rows(call("history --to 4 --csv -").out)[2]["state"] == "pending"
    assert call("history --csv - --json").json() == {"file": None, "rows": 4}


def test_the_table_of_history_shows_events_and_who(made):
    lines = call("history").out.splitlines()
    assert lines[0].split() == ["trial", "events", "tried", "chance", "value", "outcome", "who"]
    assert [line.split()[:3] for line in lines if line[:5].strip().isdigit()] == [
        ["1", "1", "4"],
        ["2", "2", "power"],
        ["3", "3", "6"],
        ["4", "7", "power"],
    ]
    assert lines[-2].rstrip().endswith("Ann") or lines[-1].rstrip().endswith("Ann")
    assert max(map(len, lines)) <= 80
    assert call("history --to 6").code == 0


def test_exported_outcomes_are_imported_by_a_like_campaign(made):
    assert call("export run.csv").out == "3 outcomes written to run.csv.\n"
    found = rows(Path("run.csv").read_text())
    assert list(found[0]) == ["power", "ethylene", "catalyst", "outcome", "of"]
    assert [(row["outcome"], row["of"]) for row in found] == [
        ("single-walled", "1"),
        ("double-walled", "1"),
        ("7", "10"),
    ]
    assert call(f"{NEW} --storage other.db").code == 0
    done = call("import run.csv --storage other.db")
    assert done.out == "run.csv: 3 outcomes recorded as trials 1 to 3.\n"
    call("export again.csv --storage other.db")
    assert Path("again.csv").read_text() == Path("run.csv").read_text()


@pytest.mark.parametrize(
    "line",
    [
        "history --csv there.csv",
        "export there.csv",
        "export there.json",
        "export there.json --posterior",
        "ask --csv there.csv",
    ],
)
def test_nothing_is_written_over_without_force(made, line):
    there = Path(next(word for word in line.split() if word.startswith("there")))
    there.write_text("mine")
    before = fingerprint()
    done = call(line)
    assert (done.code, done.err) == (
        3,
        f"Error: {str(there)!r} is there already: name another file, or overwrite it with --force.\n",
    )
    assert there.read_text() == "mine"
    assert fingerprint() == before
    assert call(f"{line} --force").code == 0
    assert there.read_text() != "mine"


def test_a_folder_that_is_missing_is_said_before_anything_is_recorded(made):
    before = fingerprint()
    done = call("ask -q 2 --csv nowhere/plate.csv")
    assert (done.code, done.err) == (1, "Error: there is no folder 'nowhere' to put 'plate.csv' in: make it first.\n")
    assert fingerprint() == before


def test_a_batch_is_one_table_and_one_line_to_type(made):
    done = call("ask -q 3")
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert lines[0].split() == ["trial", "power", "ethylene", "catalyst", "chance", "of", "single-walled", "value"]
    assert [line.split()[0] for line in lines[1:4]] == ["5", "6", "7"]
    assert lines[-1] == "Then, for each: sureshot tell 5 single-walled (or double-walled)"
    assert max(map(len, lines)) <= 80


def test_one_trial_keeps_its_form(made):
    assert call("ask").out.startswith("Trial 5 (4 of 30)        power ")


def test_a_batch_of_many_parameters_has_one_column_for_them(folder):
    names = " ".join(f"--param p{i}=1,2" for i in range(7))
    assert call(f"new wide {names} --policy random --seed 1").code == 0
    lines = call("ask -q 2").out.splitlines()
    assert lines[0].split()[:2] == ["trial", "try"]
    assert lines[1].split()[:2] == ["1", "p0"]


def test_a_batch_that_repeats_itself_says_so_once(folder):
    call("new two --param p=1,2 --policy greedy --seed 1")
    words = " ".join(call("ask -q 12").out.split())
    assert "of these trials repeat others that are still waiting for their outcomes, on purpose, since it is" in words
    assert words.count("waiting") == 1
    assert "is still waiting for its outcome: this repeats it on purpose, since" in " ".join(call("ask").out.split())


def test_a_plate_goes_to_the_bench_and_comes_back(made):
    done = call("ask -q 4 --csv plate.csv")
    assert done.code == 0
    assert " ".join(done.out.split()).endswith(
        "4 trials written to plate.csv. Then: fill in the column with the outcomes, and sureshot tell --from plate.csv"
    )
    plate = Path("plate.csv")
    found = rows(plate.read_text())
    assert [(row["trial"], row["outcome"]) for row in found] == [(str(n), "") for n in range(5, 9)]
    shown = call("history --json").json()["trials"][4:]
    assert [float(row["power"]) for row in found] == [one["levels"]["power"] for one in shown]

    lines = plate.read_text().splitlines()
    plate.write_text("\n".join([lines[0], f"{lines[1]}single-walled", f"{lines[2]}failure", *lines[3:], ""]))
    refused = call("import plate.csv")
    assert refused.code == 3
    assert "the rows are trials of this campaign" in refused.err
    assert "sureshot tell --from" in refused.err
    done = call("tell --from plate.csv --author Ann")
    assert done.out == "plate.csv: 2 outcomes recorded; 2 rows without an outcome passed over.\n"
    again = call("tell --from plate.csv --json").json()
    assert again == {"file": "plate.csv", "recorded": 0, "trials": [], "blank": 2, "already": 2}

    before = fingerprint()
    plate.write_text(plate.read_text().replace("single-walled", "double-walled"))
    refused = call("tell --from plate.csv")
    assert refused.code == 3
    assert refused.err == (
        "Error: line 2 of plate.csv: trial 5 already has the outcome single-walled (by Ann, event 12), and this row "
        "says double-walled: if that was wrong, correct it with sureshot correct 5 OUTCOME; if not, fix the row.\n"
    )
    assert fingerprint() == before


def test_a_plate_on_the_screen_is_csv_and_nothing_else(made):
    done = call("ask -q 2 --csv -")
    assert [row["trial"] for row in rows(done.out)] == ["5", "6"]
    assert [one["number"] for one in call("ask -q 2 --csv - --json").json()] == [7, 8]


@pytest.mark.parametrize(
    "line", ["tell 1 success --from plate.csv", "tell --from plate.csv --note x", "tell --from p.csv --of 3"]
)
def test_a_file_of_trials_comes_alone(made, line):
    done = call(line)
    assert done.code == 2
    assert "--from takes trials and outcomes from the file" in done.err


def test_trials_that_could_not_be_written_are_recorded_and_can_be_had_again(made, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sureshot.files._filled", full)
    done = call("ask -q 2 --csv plate.csv")
    assert done.code == 1
    assert done.err == (
        "Error: plate.csv can't be written (No space left on device), but the trials are recorded: "
        "sureshot history --csv FILE writes them once more.\n"
    )
    assert [row["trial"] for row in rows(call("history --csv -").out)] == ["1", "2", "3", "4", "5", "6"]


def test_python_m_sureshot_is_the_command(made):
    def module(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sureshot", *words], capture_output=True, text=True, env=environment(), check=False
        )

    assert module("--version").stdout == sureshot("--version").stdout
    assert json.loads(module("history", "--json").stdout) == call("history --json").json()
    refused = module("tell", "9", "success")
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: ")
    assert "Usage: sureshot ask" in module("ask", "--help").stdout
