"""``sureshot lab run``: a study from a file, resumed, refused, stopped."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
import typer

from sureshot.cli.app import app
from sureshot.cli.lab.run import progress_bar
from sureshot.lab import load_rows
from sureshot.lab.study.alone import alone_in
from sureshot.lab.study.parts import files_of
from tests.cli.commands import COMMAND, call, environment

DOCS = Path(__file__).parents[3] / "docs"
LAB = typer.main.get_command(app).commands["lab"].commands
STUDY = """
seed = 2
runs = 3
budget = 6

[[world]]
name = "synthetic"
d = 2
M = 15

[[policy]]
name = "random"

[[policy]]
name = "kg"
beliefs = ["paper"]

[[belief]]
label = "paper"
covariance = "diagonal"
prior = 1.0

[[belief]]
label = "auto"
"""


@pytest.fixture
def study(folder: Path) -> Path:
    path = folder / "small.toml"
    path.write_text(STUDY)
    return path


def test_a_study_ends_in_a_table(study):
    done = call("lab run small.toml --processes 1")
    assert (done.code, done.err) == (0, "")
    words = " ".join(done.out.split())
    assert "synthetic-d2" in words
    assert "3 runs policy belief n = 2 n = 4 n = 6 ms" in words
    rows = load_rows("results/small")
    assert len(rows) == 3 * 3 * 6
    for policy, belief in (("random", "paper"), ("random", "auto"), ("kg", "paper")):
        last = rows[(rows["policy"] == policy) & (rows["belief"] == belief) & (rows["n"] == 6)]["oc"]
        error = (last.var(ddof=1) / 3) ** 0.5
        assert f"{last.mean():.4f} ±{error:.4f}" in re.search(rf"{policy}\s+{belief}.*", done.out)[0]
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_as_json(study):
    told = call("lab run small.toml --out there --processes 1 --runs 2 --seed 5 --json").json()
    assert (told["study"], told["folder"], told["rows"]) == ("small", "there/small", 3 * 2 * 6)
    assert {one["runs"] for one in told["summary"]} == {2}
    assert all(one["n"] == [2, 4, 6] and len(one["oc"]) == len(one["error"]) == 3 for one in told["summary"])
    rows = load_rows("there/small")
    assert rows["run"].max() == 2


def test_going_on_and_another_seed(study):
    assert call("lab run small.toml --processes 1 --runs 2").code == 0
    before = load_rows("results/small")
    assert call("lab run small.toml --processes 1").code == 0
    after = load_rows("results/small")
    kept = after[after["run"] <= 2].reset_index(drop=True)
    assert kept.equals(before)  # the seconds too: they were not computed again
    refused = call("lab run small.toml --processes 1 --seed 3")
    assert refused.code == 3
    assert "results/small holds rows of another study: seed was 2, now 3." in refused.err
    assert len(refused.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("lab run none.toml", 1, "none.toml can't be read"),
        (
            "lab run small.toml --runs 0",
            1,
            "small.toml: runs must be a whole number between 1 and 1,000,000, got runs=0.",
        ),
        ("lab run small.toml --processes 0", 1, "processes must be a whole number of at least 1"),
        ("lab run", 2, "Missing argument 'file'"),
        ("lab run small.toml --process 2", 2, "No such option: --process"),
        ("lab rn small.toml", 2, "No such command 'rn'"),
    ],
)
def test_refused(study, line, code, message):
    done = call(line)
    assert done.code == code
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert not Path("results").exists()


def test_a_bad_file_names_the_place_the_value_and_the_choices(study):
    study.write_text(STUDY.replace('"kg"', '"kgg"'))
    done = call("lab run small.toml")
    assert done.code == 1
    assert done.err.startswith("Error: small.toml: [[policy]] 2: unknown policy 'kgg': choose one of ")
    assert done.err.endswith("Did you mean 'kg'?\n")


@pytest.mark.parametrize("how", ["ctrl-c", "terminated"])
def test_stopped_it_keeps_what_is_finished_and_says_how_to_go_on(folder, how):
    (folder / "long.toml").write_text(STUDY.replace("runs = 3", "runs = 100000"))
    child = subprocess.Popen(
        [COMMAND, "lab", "run", "long.toml", "--processes", "2", "--seed", "9"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 120
        while not list(folder.glob("results/long/*/*/*/runs-*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        if how == "ctrl-c":
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to all processes of the command
        else:
            child.terminate()
        out, err = child.communicate(timeout=60)
    finally:
        child.kill()
    assert (child.returncode, out) == (130, "")
    assert err.split("\n")[1:] == [
        "Stopped: what is finished is kept in results/long. "
        "To go on: sureshot lab run long.toml --processes 2 --seed 9",
        "",
    ], err
    assert not load_rows(folder / "results" / "long").empty


def test_a_study_that_another_process_computes_is_refused_in_one_line(study):
    folder = Path("results/small")
    folder.mkdir(parents=True)
    with alone_in(folder):
        done = call("lab run small.toml --processes 1 --runs 5")
    assert (done.code, done.out) == (3, "")
    said = r"Error: one process at a time may compute results/small, and process \d+ on \S+ has been doing so since .* "
    said += r"UTC: wait until it ends and run this again, or choose another folder with --out\.\n"
    assert re.fullmatch(said, done.err), done.err
    assert call("lab run small.toml --processes 1 --runs 5").code == 0


def test_a_damaged_part_is_one_line_that_says_what_to_do(study):
    call("lab run small.toml --processes 1")
    path = files_of(Path("results/small"))[0]
    path.write_bytes(path.read_bytes()[:-1])
    for line in ("lab run small.toml --processes 1", "lab report results/small"):
        done = call(line)
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            f"Error: {path} is damaged, its bytes are not those that were written: "
            "delete that file and run the study again, which plays those runs again.\n"
        )
    path.unlink()
    assert call("lab run small.toml --processes 1").code == 0


def test_one_run_has_no_error_to_show(study):
    assert "±" not in call("lab run small.toml --processes 1 --runs 1").out.split("Mean")[0]


def test_the_time_left_is_told_however_far_apart_parts_are(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("rich.console.monotonic", lambda: clock[0])
    with progress_bar() as progress:
        progress(0, 100)
        for done in range(1, 5):
            clock[0] += 75.0
            progress(done, 100)
        time.sleep(0.5)  # the bar is drawn ten times a second
    assert "2:00:00" in capsys.readouterr().err  # 96 parts of 75 seconds


def test_a_folder_that_cannot_be_made_is_refused_at_once(study, folder, monkeypatch):
    monkeypatch.setattr("sureshot.lab.study.runner._computed", lambda *_: pytest.fail("it had begun"))
    (folder / "taken").write_text("a file")
    done = call("lab run small.toml --out taken --processes 1")
    assert done.code == 1
    assert done.err == "Error: taken/small can't be made (Not a directory): choose another folder.\n"


def test_help_is_there_for_every_command_of_the_lab():
    assert "Usage: sureshot lab" in call("lab").out + call("lab").err
    for name in LAB:
        assert f" {name} " in call("lab --help").out
        assert call(f"lab {name} --help").code == 0


@pytest.mark.parametrize("name", LAB)
def test_every_option_of_the_lab_stands_in_the_docs(name):
    texts = [path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))]
    own = "\n".join(text for text in texts if f"sureshot lab {name}" in text)
    assert own
    for parameter in LAB[name].params:
        options = [*parameter.opts, *parameter.secondary_opts]
        if options[0].startswith("-") and "--help" not in options:
            assert any(re.search(rf"(?<![\w-]){option}(?![\w-])", own) for option in options), options


def test_the_lab_alone_shows_its_help_and_no_error():
    done = call("lab")
    assert (done.code, done.err) == (0, "")
    assert "reproduce" in done.out
