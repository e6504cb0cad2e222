"""The real command, in a process of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sureshot import __version__

COMMAND = Path(sys.executable).with_name("sureshot")


def sureshot(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "COLUMNS", "NO_COLOR")}
    return subprocess.run(
        [COMMAND, *arguments], capture_output=True, text=True, timeout=300, env=plain | environment, check=False
    )


def test_version():
    done = sureshot("--version")
    assert (done.returncode, done.stdout) == (0, f"sureshot {__version__}\n")


def test_help_lists_every_command():
    done = sureshot("--help")
    assert done.returncode == 0
    assert "demo" in done.stdout


def test_no_command_shows_the_help():
    assert "Usage: sureshot" in sureshot().stdout


@pytest.fixture(scope="module")
def demo() -> subprocess.CompletedProcess[str]:
    return sureshot("demo", "--seed", "3", "--trials", "4")


def test_demo_ends_in_a_recommendation(demo):
    assert demo.returncode == 0, demo.stderr
    rows = [line for line in demo.stdout.splitlines() if line.endswith(("single-walled", "double-walled"))]
    assert [int(row.split()[0]) for row in rows] == [1, 2, 3, 4]
    words = " ".join(demo.stdout.split())
    assert re.search(r"Go with power \d+, ethylene \d+, catalyst (Fe|Co): \S+ % \(\d+-\d+ %\)", words)
    assert re.search(r"best of all with chance \S+ %\.", words)
    assert re.search(r"The truth: it succeeds with probability \S+ %\. It is (not )?the best of all", words)


def test_demo_in_a_pipe_has_no_control_codes_and_fits_80_columns(demo):
    assert "\x1b" not in demo.stdout
    assert "\r" not in demo.stdout
    assert max(map(len, demo.stdout.splitlines())) <= 80
    assert demo.stderr == ""


def test_demo_is_decided_by_the_seed(demo):
    assert sureshot("demo", "--seed", "3", "--trials", "4").stdout == demo.stdout
    assert sureshot("demo", "--seed", "4", "--trials", "4").stdout != demo.stdout


def test_demo_on_a_terminal_has_colours():
    assert "\x1b[" in sureshot("demo", "--trials", "1", FORCE_COLOR="1", TERM="xterm").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--trials", "0"), "`trials` must be at least 1, got trials=0"),
        (("--seed", "-1"), "`seed` must be a whole number of at least 0, got seed=-1"),
    ],
)
def test_bad_input_is_one_line_with_rule_value_and_fix(arguments, said):
    done = sureshot("demo", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: {said}")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_an_unknown_command_is_a_usage_error():
    done = sureshot("dmeo")
    assert done.returncode == 2
    assert "dmeo" in done.stderr
