"""What is believed, through the command: predict, effects, and best for a table of cases."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from sureshot.campaign import Campaign
from tests.cli.commands import Done, call, fingerprint, sureshot

LEVELS = ["power", "ethylene", "catalyst"]


def lines(done: Done) -> list[str]:
    assert (done.code, done.err) == (0, "")
    return [" ".join(line.split()) for line in done.out.splitlines()]


def test_predict_shows_the_likeliest_and_says_how_many_there_are(made: Path) -> None:
    before = fingerprint()
    head, *rows = lines(call("predict"))
    frame = Campaign.open("nanotubes", made).predict()
    assert head == "power ethylene catalyst chance 95 % value tried"
    assert rows[10:] == [
        "The 10 likeliest of 32 alternatives.",
        "Chance of single-walled with its 95 % interval; value: points that one more",
        "trial is expected to add to the chance of the final choice.",
    ]
    for row, (_, told) in zip(rows[:10], frame.iterrows(), strict=False):
        shown = [
            f"{told['power']:.0f}",
            f"{told['ethylene']:.0f}",
            told["catalyst"],
            f"{100 * told['chance']:.0f}",
            "%",
        ]
        assert row.split()[:5] == shown
    assert any(row.endswith("7 of 10") for row in rows[:10])
    assert fingerprint() == before
    assert len(lines(call("predict --top 3"))) == 1 + 3 + 3


def test_predict_in_a_narrow_terminal_writes_settings_in_one_column(made: Path) -> None:
    done = sureshot("predict", "--top", "2", cwd=made.parent, COLUMNS="50")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("settings ")
    assert max(map(len, done.stdout.splitlines())) <= 50


def test_predict_to_a_file_has_all_of_them_and_keeps_what_is_there(made: Path) -> None:
    told = lines(call("predict --top 2 --csv all.csv"))
    assert told[-1] == "32 rows written to all.csv."
    assert told[3] == "The 2 likeliest of 32 alternatives."
    frame = Campaign.open("nanotubes", made).predict()
    written = pd.read_csv("all.csv", index_col="alternative")
    pd.testing.assert_frame_equal(written, frame, check_dtype=False)
    before = Path("all.csv").read_bytes()
    done = call("predict --csv all.csv")
    assert done.code == 3
    assert done.err == "Error: 'all.csv' is there already: name another file, or overwrite it with --force.\n"
    assert Path("all.csv").read_bytes() == before
    assert call("predict --csv all.csv --force --json").json()["written"] == 32


def test_predict_at_settings_that_need_not_be_in_the_pool(made: Path) -> None:
    told = lines(call("predict --at power=14,ethylene=10,catalyst=Co --at power=16,ethylene=10,catalyst=Fe"))
    assert [row.split()[:3] for row in told[1:3]] == [["14", "10", "Co"], ["16", "10", "Fe"]]
    assert told[-1] == "Note: row 1: power 16 lies outside the levels, 8 to 14."
    assert not any("likeliest" in one for one in told)
    found = call("predict --at power=14,ethylene=10,catalyst=Co --json").json()
    (one,) = found["predictions"]
    assert (one["alternative"], one["tries"], one["levels"]["catalyst"]) == (25, one["tries"], "Co")
    assert one["low"] < one["chance"] < one["high"]


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("predict --at power=14,ethylene=10,catalyst=Cu", 1, "catalyst has no level 'Cu': choose one of Fe, Co."),
        ("predict --at power=14", 1, "got none for ethylene, catalyst."),
        ("predict --at 14", 1, "--at must be written name=value"),
        ("predict --top 0", 1, "--top must be a whole number, at least 1, got --top 0."),
        ("predict --top 3 --at power=14", 2, "--top and --at exclude each other"),
        ("predict --context age=3", 1, "this campaign has no contexts"),
        ("effects --context age=3", 1, "this campaign has no contexts"),
        ("best --csv x.csv", 2, "--csv belongs to --cases"),
        ("best --cases x.csv --context age=3", 2, "--cases and --context exclude each other"),
        ("best --cases x.csv", 1, "one choice is best in every case: see sureshot best."),
    ],
)
def test_what_is_refused_says_what_to_do(made: Path, line: str, code: int, said: str) -> None:
    done = call(line)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert not Path("x.csv").exists()


def test_effects_are_sentences_with_the_way_to_more(folder: Path) -> None:
    assert call("new oven --param temperature=100:200:20 --param solvent=A,B --seed 1").code == 0
    assert lines(call("effects")) == ["Nothing is known yet: no outcome was told."]
    with open("told.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["temperature", "solvent", "outcome"])
        out.writerows([t, s, int(120 < t < 180)] for t in range(100, 201, 20) for s in "AB" for _ in range(2))
    assert call("import told.csv").code == 0
    told = lines(call("effects"))
    assert told[0].startswith("Temperature bends: best between 140 and 160 (+")
    assert told[-1] == "See more: sureshot predict, sureshot plot"
    found = call("effects --json").json()
    assert [one["parameter"] for one in found["effects"]] == ["temperature", "solvent"]
    assert found["effects"][0]["tries"] == [4] * 6
    best = lines(call("best"))
    assert any(line.startswith("Temperature bends: best between 140 and 160") for line in best)


@pytest.fixture
def desk(folder: Path) -> Path:
    done = call("new desk --param action=treat,wait --context age=20:80 --context ward=A,B --seed 1")
    assert done.code == 0, done.err
    for age, won in ((20, 1), (30, 0), (70, 9), (80, 9)):
        assert call(f"tell --at treat {won} --of 9 --context age={age},ward=A").code == 0
    (folder / "cases.csv").write_text("patient;age;ward\nAnn;25;A\nBob;75;B\nCyd;99;A\n")
    return folder


def test_best_for_a_table_of_cases(desk: Path) -> None:
    told = lines(call("best --cases cases.csv"))
    assert told[0] == "age ward choose chance 95 %"
    assert [row.split()[:2] for row in told[1:4]] == [["25", "A"], ["75", "B"], ["99", "A"]]
    assert told[4].startswith("Note: line 4 of cases.csv: age 99 lies outside 20 to 80")
    for case, row in zip(("age=25,ward=A", "age=75,ward=B"), told[1:], strict=False):
        best = call(f"best --context {case} --json").json()
        assert f"{best['label']} {100 * best['probability']:.0f} %" in row


def test_best_for_cases_into_a_file_keeps_their_other_columns(desk: Path) -> None:
    told = lines(call("best --cases cases.csv --csv out.csv"))
    assert told[-1] == "What to choose in 3 cases written to out.csv."
    frame = pd.read_csv("out.csv")
    assert frame.columns.tolist() == ["patient", "age", "ward", "action", "chance", "low", "high"]
    assert frame["patient"].tolist() == ["Ann", "Bob", "Cyd"]
    assert call("best --cases cases.csv --csv out.csv").code == 3
    assert len(call("best --cases cases.csv --json").json()["choices"]) == 3


def test_predict_and_effects_in_a_case(desk: Path) -> None:
    told = lines(call("predict --context age=75,ward=A"))
    assert told[0] == "In the case age 75, ward A:"
    assert lines(call("effects --context age=75,ward=A"))[0] == "In the case age 75, ward A:"
    assert lines(call("effects"))[0].startswith("Action")
    assert call("predict").err.startswith("Error: this campaign decides in a context")
