"""``sureshot lab reproduce`` in a real shell."""

from __future__ import annotations

import json

from tests.cli.commands import call, sureshot


def test_figures_and_claims_with_two_runs(tmp_path):
    line = "lab reproduce --figure 1 --figure 3 --runs 2 --out again --processes 1"
    done = sureshot(*line.split(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    made = {path.name for path in (tmp_path / "again").iterdir()}
    assert made == {"figure1.png", "figure1.svg", "figure3.png", "figure3.svg", "reproduction.md", "rows"}
    page = (tmp_path / "again" / "reproduction.md").read_text(encoding="utf-8")
    assert "$ sureshot lab reproduce --figure 1 --figure 3 --runs 2 --seed 1 --out again" in page
    assert "can't be told: d = 2: after 3 trials" in " ".join(done.stdout.split())
    assert "again/reproduction.md" in done.stdout
    again = call(f"lab reproduce --figure 1 --runs 2 --out {tmp_path / 'again'} --processes 1 --json")
    document = json.loads(again.out)
    assert [claim["figure"] for claim in document["claims"]] == ["1", "1"]
    assert {claim["verdict"] for claim in document["claims"]} == {"can't be told"}
    assert document["files"][0].endswith("figure1.png")


def test_a_missing_data_folder_is_one_clear_line(tmp_path):
    done = sureshot("lab", "reproduce", "--figure", "4", "--runs", "2", cwd=tmp_path, SURESHOT_DATA="nowhere")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: the folder named by SURESHOT_DATA must hold sonar.csv, got 'nowhere'")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_no_such_figure(folder):
    done = call("lab reproduce --figure 7")
    assert done.code == 1
    assert done.err == "Error: --figure must be one of 1, 2, 3, 4, got 7.\n"
    assert not list(folder.iterdir())
