"""Bytes that are no text in what is typed, a working folder that is gone: a line says so, the store is as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import call, environment, fingerprint

ODD = os.fsdecode(b"\xff\xfe")

REFUSED = [
    ["new", ODD, "--param", "p=1,2"],
    ["new", "y", "--param", f"p={ODD},a"],
    ["new", "y", "--param", f"{ODD}=1,2"],
    ["new", "y", "--param", "p=1,2", "--success", ODD],
    ["new", "y", "--param", "p=1,2", "--failure", ODD],
    ["new", "y", "--param", "p=1,2", "--formula", ODD],
    ["new", "y", "--param", "p=1,2", "--where", f"{ODD}>1"],
    ["new", "y", "--param", "p=1,2", "--policy", ODD],
    ["new", "y", "--param", "p=1,2", "--prior", ODD],
    ["new", "y", "--param", "p=1,2", "--context", f"ward={ODD},b"],
    ["new", "y", "--candidates", f"{ODD}.csv"],
    ["new", f"{ODD}.toml"],
    ["ask", "-c", ODD],
    ["ask", "--author", ODD],
    ["ask", "--context", f"a={ODD}"],
    ["ask", "--csv", f"{ODD}/plate.csv"],
    ["tell", "2", ODD],
    ["tell", ODD, "success"],
    ["tell", "2", "success", "--note", ODD],
    ["tell", "2", "success", "--author", ODD],
    ["tell", "--at", f"power=14,ethylene=10,catalyst={ODD}", "success"],
    ["tell", "--from", ODD],
    ["note", ODD],
    ["note", "fine", "--trial", ODD],
    ["correct", "1", ODD],
    ["withdraw", "1", "--note", ODD],
    ["why", ODD],
    ["plot", ODD],
    ["predict", "--at", f"power={ODD}"],
    ["import", f"{ODD}.csv"],
    ["import", f"{ODD}.json"],
    ["rename", "nanotubes", ODD],
    ["rename", ODD, "z"],
    ["archive", ODD],
    ["delete", ODD, "--yes"],
    ["compare", "nanotubes", ODD],
    ["token", "add", ODD],
    ["lab", "report", ODD],
    ["status", "--storage", f"{ODD}.db"],
    ["status", "--storage", f"postgresql://ann:hunter2@host/{ODD}"],
    [ODD],
    [f"--{ODD}"],
]


@pytest.mark.parametrize(
    "words", REFUSED, ids=lambda words: " ".join(words).encode("ascii", "backslashreplace").decode()
)
def test_bytes_that_are_no_text_are_refused_in_a_line(made, words):
    before = fingerprint()
    done = call(words)
    assert done.code in (1, 2)
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert "hunter2" not in done.err
    (done.out + done.err).encode()  # it can be written
    told = call([*words, "--json"])
    told.out.encode()
    assert told.json()["code"] == done.code
    assert fingerprint() == before


def test_a_level_that_is_no_text_is_named(folder):
    done = call(["new", "y", "--param", f"p={ODD},a"])
    assert r"got spec '\udcff\udcfe'" in done.err or r"'\udcff\udcfe'" in done.err


def test_a_file_may_be_called_by_such_bytes(made):
    for words in (["history", "--csv"], ["export"], ["predict", "--csv"], ["ask", "--csv"]):
        name = f"{words[0]}-{ODD}.csv"
        done = call([*words, name])
        assert (done.code, done.err) == (0, "")
        assert r"\udcff\udcfe.csv" in " ".join(done.out.split())
        done.out.encode()
        assert Path(name).exists()
    told = call(["history", "--force", "--json", "--csv", f"history-{ODD}.csv"])
    told.out.encode()
    assert told.json()["file"] == f"history-{ODD}.csv"
    assert call(["new", "y", "--param", "p=1,2", "--storage", f"{ODD}.db"]).code == 0
    assert call(["ask", "--storage", f"{ODD}.db"]).code == 0
    assert len(call(["history", "--storage", f"{ODD}.db", "--json"]).json()["trials"]) == 1


@pytest.mark.parametrize("name", ["STORAGE", "CAMPAIGN", "AUTHOR"])
def test_nor_in_the_environment(made, monkeypatch, name):
    monkeypatch.setenv(f"SURESHOT_{name}", ODD)
    done = call("ask")
    assert done.code == 1
    assert done.err.startswith("Error: ")
    done.err.encode()


GONE = "Error: the folder that you work in is gone: go to another one"


@pytest.fixture
def gone(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a store, in a working folder that was deleted."""
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    return str(made)


@pytest.mark.parametrize(
    "line",
    [
        "status",
        "ask",
        "new q --param p=1,2",
        "demo --labs 1 --to l.json",
        "token add a",
        "lab tune ucb --world synthetic --runs 2 --budget 2",
    ],
)
def test_a_working_folder_that_is_gone_is_said(gone, line):
    done = call(line)
    assert done.code == 1
    assert done.err.startswith(GONE)
    assert done.err.count("\n") == 1
    assert call(f"{line} --json").json()["error"]["kind"] == "StorageError"


def test_with_the_whole_path_of_a_store_one_can_go_on_in_it(gone):
    before = fingerprint(gone)
    for line in ("status", "history", "best", "--version", "--help"):
        assert call(f"{line} --storage {gone}" if "--" not in line else line).code == 0
    for line in (
        "history --csv h.csv",
        "export e.json",
        "delete nanotubes --yes",
        "report",
        "sheet a.csv",
        "import a.csv",
    ):
        done = call(f"{line} --storage {gone}" if "sheet" not in line else line)
        assert done.code == 1, line
        assert done.err.startswith("Error: ")
    assert fingerprint(gone) == before
    assert "or write whole paths" in call(f"report --storage {gone}").err
    whole = Path(gone).parent
    for line in (f"report {whole}/r.html", f"export {whole}/e.json", f"export {whole}/e.csv", "ask"):
        assert call(f"{line} --storage {gone}").code == 0, line


def test_the_real_command_in_such_a_folder(made):
    code = (
        "import os, sys, tempfile; d = tempfile.mkdtemp(); os.chdir(d); os.rmdir(d); "
        "os.execv(sys.executable, [sys.executable, '-P', '-m', 'sureshot', 'status'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(GONE)
