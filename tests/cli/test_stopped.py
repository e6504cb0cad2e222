"""Whenever a command is stopped it says so, in a word and in JSON, and never with a traceback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sureshot.cli import STOPPED
from tests.cli.commands import call, environment, fingerprint

SAID = "Stopped: nothing more was recorded."


def interrupted(*_args, **_options):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "place",
    [
        "sureshot.cli._quietened",  # while the command loads
        "sureshot.cli.quick.called",
        "sureshot.campaign.Campaign.open",
        "sureshot.cli.quick.load_numba",
        "sureshot.campaign.Campaign.ask_batch",
        "sureshot.cli.show.asked",  # when it is recorded, and about to be shown
    ],
)
def test_a_stop_says_so_wherever_it_comes(made, monkeypatch, place):
    monkeypatch.setattr(place, interrupted)
    done = call("ask")
    assert (done.code, done.out, done.err) == (STOPPED, "", f"\n{SAID}\n")
    if "show" not in place:
        told = call("ask --json")
        assert (told.code, told.err) == (STOPPED, f"\n{SAID}\n")
        assert told.json() == {
            "error": {"kind": "Stopped", "message": SAID, "field": None, "value": None, "fix": None, "place": None},
            "code": STOPPED,
        }


@pytest.mark.parametrize(
    "line", ["import file.csv", "best", "history", "status", "new x --param p=1,2", "delete nanotubes"]
)
def test_a_stop_while_the_store_is_opened(made, monkeypatch, line):
    before = fingerprint()
    with monkeypatch.context() as patch:
        patch.setattr("sureshot.storage.open_storage", interrupted)
        patch.setattr("sureshot.campaign.campaign.open_storage", interrupted)
        done = call(line)
    assert (done.code, done.err) == (STOPPED, f"\n{SAID}\n")
    assert fingerprint() == before


def test_a_stopped_study_says_how_to_go_on_in_json_too(folder, monkeypatch):
    (folder / "study.toml").write_text(
        'runs = 2\nbudget = 2\n[[world]]\nname = "synthetic"\n[[policy]]\nname = "random"\n'
    )
    monkeypatch.setattr("sureshot.lab.run_study", interrupted)
    words = "Stopped: nothing is finished yet. To go on: sureshot lab run study.toml --runs 3"
    done = call("lab run study.toml --runs 3")
    assert (done.code, done.err) == (STOPPED, f"\n{words}\n")
    assert call("lab run study.toml --runs 3 --json").json()["error"]["message"] == words


WAITING = """
import atexit, sys, time
import sureshot.cli, sureshot.campaign

def waits(*_, **__):
    print("ready", flush=True)
    time.sleep(60)

def ends():
    print("ending", flush=True)
    time.sleep(60)

sureshot.campaign.Campaign.open = waits
if "twice" in sys.argv:
    atexit.register(ends)
sys.argv = ["sureshot", "best"]
sureshot.cli.main()
"""


@contextmanager
def waiting(code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process that runs this, and has said that it is ready."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_within_a_moment(made, sign):
    with waiting(WAITING) as process:
        process.send_signal(sign)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (STOPPED, "", f"\n{SAID}\n")


def test_whoever_presses_ctrl_c_twice_is_let_go_at_once_without_a_traceback(made):
    with waiting(WAITING, "twice") as process:
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "ending\n"
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert time.monotonic() - begun < 20  # and not the minute that its end would take
    assert (process.returncode, err) == (STOPPED, f"\n{SAID}\n")


def test_signals_are_given_back_to_whoever_called():
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    call("--version")
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before
    assert json.loads(call("history --json").out)["code"] == 1


LONG = """
import sys
from sureshot.cli import main
from sureshot.space import grid

def allowed(*given, before=grid.allowed):
    print("ready", flush=True)
    return before(*given)

grid.allowed = allowed
main(["new", "x", "--param", "a=0:999:1", "--param", "b=0:999:1", "--param", "c=0:49:1", "--where", "a*b*c > 1e12"])
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_so_does_a_grid_of_fifty_million_combinations(folder, sign):
    with waiting(LONG) as process:  # at the first of its 191 blocks
        process.send_signal(sign)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (STOPPED, f"\n{SAID}\n")
    assert out.count("ready") < 100
    assert not (folder / "sureshot.db").exists()


EARLY = """
import builtins, os, signal, sys
from sureshot import __main__

def stopped(name, *some, before=builtins.__import__, **more):
    if name == "sureshot.cli":
        os.kill(os.getpid(), int(sys.argv[-1]))
    return before(name, *some, **more)

builtins.__import__ = stopped
sys.argv[0] = "sureshot"
__main__.main()
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_signal_before_the_command_is_loaded_says_so_too(folder, sign, words):
    done = subprocess.run(
        [sys.executable, "-c", EARLY, "status", *words, str(int(sign))],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stderr) == (STOPPED, f"\n{SAID}\n")
    assert (json.loads(done.stdout) if words else done.stdout) == (as_json() if words else "")


def as_json() -> dict[str, object]:
    nothing = dict.fromkeys(("field", "value", "fix", "place"))
    return {"error": {"kind": "Stopped", "message": SAID, **nothing}, "code": STOPPED}


def test_a_stop_that_python_wraps_while_a_class_is_made_is_one(made, monkeypatch):
    def wrapped(*_, **__):
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr("sureshot.campaign.Campaign.open", wrapped)
    done = call("ask")
    assert (done.code, done.err) == (STOPPED, f"\n{SAID}\n")


LATE = """
import atexit, os, signal, sys
import sureshot.cli

atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["sureshot", "note", "warm"]
sureshot.cli.main()
"""


def test_a_signal_after_all_is_said_and_done_changes_nothing(made):
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stderr, fingerprint()[0][1]) == (0, "", 8)
