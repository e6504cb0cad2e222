"""``sureshot lab theory`` in a real shell."""

from __future__ import annotations

import json

from tests.cli.commands import call, sureshot


def test_two_statements_with_few_runs(tmp_path):
    line = "lab theory --statement repeats --statement ridge --runs 8 --out shown --processes 1"
    done = sureshot(*line.split(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    made = {path.name for path in (tmp_path / "shown").iterdir()}
    assert made == {"repeats.png", "ridge.png", "theory.md", "rows"}
    page = (tmp_path / "shown" / "theory.md").read_text(encoding="utf-8")
    assert "$ sureshot lab theory --statement repeats --statement ridge --runs 8 --seed 1 --out shown" in page
    words = " ".join(done.stdout.split())
    assert "does not hold: bias of the estimate with a prior, with 2λ, as printed" in words
    assert "shown/theory.md" in done.stdout
    again = call(f"lab theory --statement ridge --runs 8 --out {tmp_path / 'shown'} --processes 1 --json")
    document = json.loads(again.out)
    assert [one["where"] for one in document["statements"]] == ["after the MLE theorem"] * 4
    assert document["files"][0].endswith("ridge.png")


def test_no_such_statement(folder):
    done = call("lab theory --statement martingal")
    assert done.code == 1
    assert done.err.startswith("Error: ")
    assert "martingal" in done.err
    assert "lookahead" in done.err
    assert not list(folder.iterdir())


def test_one_run_is_too_few(folder):
    done = call("lab theory --runs 1")
    assert (done.code, done.err.splitlines()[0][:40]) == (1, "Error: --runs must be a whole number of 2"[:40])
    assert not list(folder.iterdir())


def test_what_is_stopped_says_how_to_go_on(folder, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("sureshot.lab.theory.making.show_theory", stop)
    done = call("lab theory --statement ridge --runs 7 --rows kept --processes 1")
    assert done.code == 130
    line = "sureshot lab theory --statement ridge --runs 7 --seed 1 --out theory --rows kept"
    assert done.err.strip() == f"Stopped: what is finished is kept. To go on: {line}"
