"""A whole session through the real command in a real shell, on SQLite and on PostgreSQL: the same to the letter."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.commands import NEW, call, environment, fingerprint

SESSION = f"""
set -eu
sureshot {NEW}
sureshot ask
sureshot tell 1 single-walled
sureshot ask -q 2 --json > two.json
sureshot tell 3 2 --of 3 --author Ann
sureshot correct 1 double-walled
sureshot best
sureshot tell 1 single-walled || echo "exit code $?"
"""


def shell(script, folder, **settings):
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, cwd=folder, env=environment(**settings), timeout=300
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request):
    if request.param == "sqlite":
        return "store.db"
    return request.getfixturevalue("postgres_url")


def test_a_session_in_a_shell(store, folder):
    done = shell(SESSION, folder, SURESHOT_STORAGE=store)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Campaign nanotubes: 32 alternatives, 3 parameters, kept in ")
    assert lines[1] == "Then: sureshot ask"
    assert re.fullmatch(r"Trial 1 of 30 {8}power \d+   ethylene \d+   catalyst (Fe|Co)", lines[2])
    assert re.fullmatch(r"chance of single-walled  50 % \(\S+ %\) +value of this trial  \+\d+\.\d points", lines[3])
    words = " ".join(done.stdout.split())
    assert re.search(
        r"A success would make power \d+ / ethylene \d+ / catalyst \w+ the one to choose; a failure", words
    )
    assert "Then: sureshot tell 1 single-walled (or double-walled)" in lines
    assert re.search(r"Trial 1, power \d+, ethylene \d+, catalyst \w+: single-walled\.", words)
    assert re.search(r"Trial 3, [^:]+: single-walled in 2 of 3\.", words)
    assert re.search(r"Trial 1, [^:]+: double-walled \(corrected\)\.", words)
    assert re.search(r"Choose power [^:]+: \S+ % \(\S+ %\), best of all with chance \S+ %[.:]", words)
    assert [trial["number"] for trial in json.loads((folder / "two.json").read_text())] == [2, 3]
    assert any(len(line) > 80 for line in lines)  # into a pipe: no line is broken
    assert "\x1b" not in done.stdout
    assert lines[-1] == "exit code 3"
    assert re.fullmatch(r"Error: trial 1 of campaign 'nanotubes' already has an outcome: .*\n", done.stderr)
    assert fingerprint(store)[0][:2] == ("nanotubes", 6)

    # the same seed and the same events give the same suggestions and the same words, whatever the store
    here = [call(f"{line} --storage other.db") for line in (NEW, "ask", "tell 1 single-walled", "ask -q 2 --json")]
    assert here[3].json() == json.loads((folder / "two.json").read_text())
    again = [call(f"{line} --storage other.db") for line in ("tell 3 2 --of 3", "correct 1 double-walled", "best")]
    asked = here[1].out.replace(" --storage other.db", "")  # the hint names the store it was asked of
    assert " ".join(asked.split()) in words
    assert " ".join(again[2].out.split()) in words


LOOP = """
import sys
from sureshot.cli import main

def run(line):
    try:
        main(line.split())
    except SystemExit as stop:
        assert not stop.code, line
    sys.stdout.flush()

for i in range(1, 100):
    run("ask --json")
    print("acknowledged asked", i, flush=True)
    run(f"tell {i} success --json")
    print("acknowledged told", i, flush=True)
"""


def test_kill_9_between_any_two_steps_loses_nothing_acknowledged(store, folder, monkeypatch):
    """Killed the moment after a step was acknowledged, and while the next one runs: three times on one store."""
    monkeypatch.setenv("SURESHOT_STORAGE", store)
    grid = "new race --param power=8,10,12 --seed 1"
    assert call(grid).code == 0
    asked = told = 0
    for rest in (3, 4, 6):
        code = LOOP.replace("range(1, 100)", f"range({asked + 1}, 100)")
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            env=environment(SURESHOT_STORAGE=store),
            cwd=folder,
        ) as process:
            seen = 0
            for line in process.stdout:
                if line.startswith("acknowledged"):
                    seen += 1
                    number = int(line.split()[-1])
                    asked, told = (number, told) if "asked" in line else (asked, number)
                    if seen == rest:
                        time.sleep(0.01 * (rest % 3))
                        process.send_signal(signal.SIGKILL)
                        break
        assert process.returncode == -signal.SIGKILL
        rows = call("history --json").json()["trials"]
        assert len(rows) >= asked
        assert {row["trial"] for row in rows if row["state"] == "told"} >= set(range(1, told + 1))
        assert call("best --json").code == 0
        asked = len(rows)  # what was recorded and not acknowledged is there too, whole
        for row in rows:
            if row["state"] == "pending":
                assert call(f"tell {row['trial']} failure").code == 0
        told = asked


def _read(terminal):
    """What is said on a terminal: None if nothing is for five seconds, empty if nobody is there any more."""
    try:
        return os.read(terminal, 4096) if select.select([terminal], [], [], 5)[0] else None
    except OSError:
        return b""


def test_ctrl_c_is_a_clean_stop(folder):
    """On a real terminal, in the middle of a question."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(sys.executable, [sys.executable, "-c", "from sureshot.cli import main; main(['new'])"], environment())
    deadline, text, said = time.monotonic() + 120, b"", b""
    try:
        while b"What the campaign is called" not in text:
            assert time.monotonic() < deadline, text
            if select.select([master], [], [], 1)[0]:
                text += os.read(master, 4096)
        os.write(master, b"\x03")
        while (said := _read(master)) != b"":
            assert time.monotonic() < deadline, text
            text += said or b""
            if (
                said is None
            ):  # between its question and its wait for an answer Python hears none: a person presses again
                os.write(master, b"\x03")
    finally:
        if said != b"":
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(master)
    assert os.waitstatus_to_exitcode(status) == 130
    assert b"Stopped: nothing more was recorded." in text
    assert b"Traceback" not in text
    assert not (folder / "sureshot.db").exists()
