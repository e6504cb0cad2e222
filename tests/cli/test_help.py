"""Help that a scientist can read: in groups, in plain words."""

import re

import pytest
import typer

from sureshot.cli.app import app
from sureshot.cli.groups import GROUPS
from tests.cli.commands import call, sureshot

ROOT = typer.main.get_command(app)
LINES = ["", *ROOT.commands, *(f"lab {name}" for name in ROOT.commands["lab"].commands)]


def test_every_command_has_one_group():
    entered = [name for group in GROUPS.values() for name in group]
    assert sorted(entered) == sorted(ROOT.commands)


def test_what_most_people_need_comes_first():
    said = call("--help").out
    places = [said.index(f" {group} ") for group in GROUPS]
    assert places == sorted(places)
    shown = re.findall(r"^│ (\w+)  ", said, flags=re.MULTILINE)
    assert shown == [name for group in GROUPS.values() for name in group]
    assert shown[:4] == ["new", "ask", "tell", "best"]


@pytest.mark.parametrize("line", LINES)
def test_no_help_names_a_type_of_python(line):
    done = call(f"{line} --help")
    assert (done.code, done.err) == (0, "")
    assert not re.search(r"<(bool|str|int|float|list|file|path|directory)\b|INTEGER|RANGE|\[str\]", done.out)


def test_the_lab_alone_prints_its_help_and_no_error():
    done = sureshot("lab")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: sureshot lab" in done.stdout
    assert sureshot("lab", TYPER_USE_RICH="0").stderr == ""


def test_the_nearest_option_is_suggested():
    assert "No such option: --parm. Did you mean --param?" in call("new lab --parm a=1,2").err
