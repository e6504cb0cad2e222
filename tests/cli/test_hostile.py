"""Every command on a campaign in which all texts are hostile: nothing steers the terminal, no table runs a formula,
JSON is JSON with the very texts, and no error is a traceback.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import warnings
from pathlib import Path

import pytest

from sureshot.cli.groups import GROUPS
from sureshot.files import csv_text
from tests.cli.commands import Done, call
from tests.cli.screen.test_visible import steers

ESC = "\x1b]0;owned\x07\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m"
BIDI = "\u202eevil\u2066\u200f\u2028"
LEVELS = [f"{ESC}red", f"{BIDI}blue", "[red]x[/red]", "=cmd|' /C calc'!A1", "-OH\rforged line"]
NAMES = [f"={i}{ESC}" if i % 2 else f"[bold]{i}{BIDI}" for i in range(10)]
AUTHOR, NOTE = f"@Ann{ESC}", f"+note{ESC}{BIDI} [link=http://x]y[/link]\rforged"
CAMPAIGN, SUCCESS, FAILURE = "=[red]name", "[green]+yes", "@no[/]"
#: What takes long is tried by its own tests; what it shows passes through the same place.
ELSEWHERE = {"serve", "lab", "demo", "check"}

#: Every other command, also with texts that it refuses.
LINES: list[list[str]] = [
    ["status"],
    ["status", "--details"],
    ["status", "--all"],
    ["ask"],
    ["ask", "-q", "2", "--author", AUTHOR],
    ["ask", "-q", "2", "--csv", "-"],
    ["ask", "--csv", f"plate{ESC}.csv"],
    ["tell", "3", SUCCESS, "--note", NOTE, "--author", AUTHOR],
    ["tell", "3", FAILURE],
    ["tell", "4", ESC],
    ["tell", ESC, "yes"],
    ["tell", "--at", NAMES[2], SUCCESS, "--note", NOTE],
    ["tell", "--at", f"group={LEVELS[0]},p=1", SUCCESS],
    ["tell", "--at", f"group={ESC}none,p=1", SUCCESS],
    ["tell", "--from", f"{ESC}.csv"],
    ["correct", "1", FAILURE, "--note", NOTE, "--author", AUTHOR],
    ["withdraw", "2", "--note", NOTE],
    ["note", NOTE, "--author", AUTHOR],
    ["note", NOTE, "--trial", "1"],
    ["history"],
    ["history", "--to", "6"],
    ["history", "--csv", "-"],
    ["history", "--csv", f"trials{BIDI}.csv"],
    ["why", "1"],
    ["why", ESC],
    ["best"],
    ["best", "--context", f"a={ESC}"],
    ["advice"],
    ["predict"],
    ["predict", "--csv", f"all{ESC}.csv"],
    ["predict", "--at", NAMES[3]],
    ["predict", "--at", ESC],
    ["effects"],
    ["plot", "effects", "--to", f"picture{ESC}.html"],
    ["plot", "chance", "--to", "picture.png"],
    ["plot", ESC],
    ["report", f"report{ESC}.html"],
    ["compare", CAMPAIGN, "other[/]"],
    ["compare", CAMPAIGN, ESC],
    ["export"],
    ["export", f"run{ESC}.csv"],
    ["export", f"whole{ESC}.json"],
    ["import", f"whole{ESC}.json", "--as", "again[bold]"],
    ["import", f"run{ESC}.csv", "-c", "again[bold]", "--again"],
    ["import", f"{ESC}.csv"],
    ["new", f"{ESC}", "--param", "p=1,2"],
    ["new", "x", "--param", f"{ESC}=1,2"],
    ["new", "x", "--param", "p=1,2", "--policy", ESC],
    ["new", "x", "--param", "p=1,2", "--formula", BIDI],
    ["new", f"bent{NAMES[0][:6]}", "--from", CAMPAIGN, "--shape", "straight"],
    ["new", f"{ESC}.toml"],
    ["sheet", f"run{ESC}.csv", "--success", SUCCESS, "--failure", FAILURE, "--id", "sample", "--shape", "straight"],
    ["sheet", f"{ESC}.csv"],
    ["rename", "again[bold]", "@again"],
    ["archive", "@again"],
    ["delete", "@again", "--yes"],
    ["delete", ESC, "--yes"],
    ["token", "add", "[red]=Ann", "--tokens", f"tokens{ESC}.json"],
    ["token", "add", ESC],
    ["token", "list", "--tokens", f"tokens{ESC}.json"],
    ["token", "remove", "[red]=Ann", "--tokens", f"tokens{ESC}.json"],
    ["lab", "run", f"{ESC}.toml"],
    ["lab", "report", ESC],
    ["lab", "tune", ESC],
    ["backup", f"copy{ESC}.db"],
    ["backup", f"{ESC}/copy.db"],
    ["doctor"],
    ["doctor", "--storage", f"{ESC}.db"],
    ["serve", "--host", ESC],
    [ESC],
    [f"--{ESC}"],
    ["ask", ESC],
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign: names and levels, words, a note and an author, two told and some that wait."""
    folder = tmp_path_factory.mktemp("hostile")
    pool = folder / f"pool{ESC}.csv"
    table = {"sample": NAMES, "group": LEVELS * 2, "p": [i - 4 for i in range(10)]}
    pool.write_text(csv_text(table), newline="")
    where = ["--storage", str(folder / "sureshot.db")]
    new = ["new", CAMPAIGN, "--candidates", str(pool), "--id", "sample", "--success", SUCCESS, "--failure", FAILURE]
    for line in (
        [*new, "--seed", "1", "--policy", "random"],
        ["ask", "-q", "6", "--author", AUTHOR],
        ["tell", "1", SUCCESS, "--note", NOTE, "--author", AUTHOR],
        ["tell", "2", FAILURE, "--note", NOTE],
        ["new", "other[/]", "--from", CAMPAIGN, "--shape", "straight"],
    ):
        done = call([*line, *where])
        assert done.code == 0, done
        shown(done)
    return folder / "sureshot.db"


def shown(done: Done) -> None:
    """Nothing on either stream steers a terminal."""
    for text in (done.out, done.err):
        assert not [one for one in text if steers(one)], text
        text.encode()
    assert "Traceback" not in done.err
    assert done.code in (0, 1, 2, 3)
    if done.code:
        assert done.err.startswith("Error: ")
        assert done.err.count("\n") == 1


def test_every_command_is_tried():
    every = {name for names in GROUPS.values() for name in names}
    assert every - {line[0] for line in LINES} <= ELSEWHERE


def test_no_command_obeys_a_text(store, folder, monkeypatch):
    shutil.copy(store, folder)
    monkeypatch.setenv("SURESHOT_CAMPAIGN", CAMPAIGN)
    done = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fonts that have no picture of such characters
        for line in LINES:
            raw = line[-2:] == ["--csv", "-"]
            found = call(line)
            if not raw:
                shown(found)
            if found.code or line[0] not in {one.partition(" ")[0] for one in done}:
                for_machines = call([*line, "--json"])
                shown(for_machines)
                for_machines.json()
            done[" ".join(line)] = found
    worked = [line for line, one in done.items() if one.code == 0]
    assert len(worked) >= 30, worked
    text = "".join(done["history"].out.split())
    assert "[bold]0" in text  # markup is literal
    assert r"\x1b]0;owned" in text
    assert NOTE in json.loads(call(["history", "--json"]).out)["trials"][0]["notes"]  # and what is stored is the text
    for file in folder.glob("*.csv"):
        for row in csv.reader(io.StringIO(file.read_text(), newline="")):
            assert not [cell for cell in row if cell.startswith(("=", "+", "@", "\t", "\r"))], row
            assert not [cell for cell in row if cell.startswith("-") and not cell[1:].replace(".", "").isdigit()], row


def test_colours_are_ours_alone(store, folder, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    for line in ("status", "history", "best", "predict", "ask", "effects", f"compare {CAMPAIGN} other[/]"):
        done = call([*line.split(), "--storage", str(store), *(["-c", CAMPAIGN] if "compare" not in line else [])])
        assert done.code == 0, done
        for part in done.out.split("\x1b[")[1:]:
            assert part.lstrip("0123456789;").startswith("m"), part[:20]
        rest = "".join(part.partition("m")[2] for part in done.out.split("\x1b[")[1:])
        assert not [one for one in rest if steers(one)]
