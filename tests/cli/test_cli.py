"""The real command, in a process of its own."""

import json
import re
import subprocess

import pytest

from sureshot import __version__
from sureshot.demo import labs
from tests.cli.commands import call, sureshot


def test_version():
    done = sureshot("--version")
    assert (done.returncode, done.stdout) == (0, f"sureshot {__version__}\n")


def test_help_lists_every_command():
    done = sureshot("--help")
    assert done.returncode == 0
    for name in ("new", "ask", "tell", "correct", "withdraw", "note", "best", "why", "status", "history", "sheet"):
        assert f" {name} " in done.stdout


def test_no_command_shows_the_help():
    assert "Usage: sureshot" in call([]).out


def test_the_shell_can_complete():
    done = sureshot(_SURESHOT_COMPLETE="complete_bash", COMP_WORDS="sureshot wi", COMP_CWORD="1")
    assert done.stdout.split() == ["withdraw"]


@pytest.fixture(scope="module")
def demo() -> subprocess.CompletedProcess[str]:
    return sureshot("demo", "--seed", "3", "--trials", "4", COLUMNS="80")


def test_demo_ends_in_a_recommendation(demo):
    assert demo.returncode == 0, demo.stderr
    rows = [line for line in demo.stdout.splitlines() if line.endswith(("single-walled", "double-walled"))]
    assert [int(row.split()[0]) for row in rows] == [1, 2, 3, 4]
    words = " ".join(demo.stdout.split())
    assert re.search(
        r"Choose power \d+ W, ethylene \d+ sccm, hydrogen \d+ sccm, pressure \d+ Torr: \S+ % \(\S+ %\)\.", words
    )
    assert re.search(r"The truth: it works \S+ % of the time; (nothing works better|the best of all, power)", words)
    assert str(labs.summary(labs.hundred())) in words
    assert words.endswith("With 25 trials each; computed beforehand by sureshot demo --labs 100.")


def test_demo_shows_the_typical_lab_unless_another_is_asked_for():
    told = call("demo --trials 1 --json").json()
    assert told["seed"] == labs.typical(labs.hundred())
    assert told["labs"]["labs"] == 100


def test_demo_labs_computes_them_and_goes_on_from_a_file(folder):
    labs.write(labs.hundred()[:3], "some.json")
    done = call("demo --labs 3 --to some.json")
    assert (done.code, done.err) == (0, "")
    assert " ".join(done.out.split()) == str(labs.summary(labs.hundred()[:3]))
    assert len(call("demo --labs 2 --to some.json --json").json()["labs"]) == 2


def test_demo_in_a_pipe_has_no_control_codes_and_fits_the_columns_that_are_said(demo):
    assert "\x1b" not in demo.stdout
    assert "\r" not in demo.stdout
    assert max(map(len, demo.stdout.splitlines())) <= 80
    assert demo.stderr == ""


def test_demo_is_decided_by_the_seed(demo):
    assert call("demo --seed 3 --trials 4").out == demo.stdout
    assert call("demo --seed 4 --trials 4").out != demo.stdout


def test_demo_on_a_terminal_has_colours():
    assert "\x1b[" in sureshot("demo", "--trials", "1", FORCE_COLOR="1", TERM="xterm").stdout


def test_demo_as_json(demo):
    told = json.loads(call("demo --seed 3 --trials 4 --json").out)
    assert len(told["trials"]) == 4
    assert f"Choose {told['reveal']['recommendation']['label']}" in " ".join(demo.stdout.split())


def test_bad_input_is_one_line_with_rule_value_and_fix():
    done = sureshot("demo", "--trials", "0")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: --trials must be at least 1, got --trials 0")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_an_unknown_command_is_a_usage_error():
    done = sureshot("dmeo")
    assert done.returncode == 2
    assert done.stderr == "Error: No such command 'dmeo'. Did you mean 'demo'? See sureshot --help.\n"


@pytest.mark.parametrize(("typed", "offered"), [("st", ["status"]), ("lab re", ["report", "reproduce"])])
def test_the_shell_completes_commands(typed, offered):
    place = str(len(typed.split()))
    done = sureshot(_SURESHOT_COMPLETE="complete_bash", COMP_WORDS=f"sureshot {typed}", COMP_CWORD=place)
    assert sorted(done.stdout.split()) == offered
