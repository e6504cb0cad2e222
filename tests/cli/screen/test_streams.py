"""Output that can't be written is no error of what was recorded: the command is done, and says so where it can."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from sureshot.cli import REFUSED, UNPRINTED
from sureshot.cli.screen.streams import Stream, streams
from tests.cli.commands import NEW, call, environment

SURESHOT = [sys.executable, "-m", "sureshot"]
RECORDING = ["ask", "tell 2 success", "ask -q 2 --csv -", "note hello --json"]


def run(line: str, *, out: str | int | None = subprocess.PIPE, shell: str = "", **more: str):
    words = [*SURESHOT, *line.split()]
    if shell:
        words = ["bash", "-c", f'"$@" {shell}', "bash", *words]
    with ExitStack() as stack:
        stream = stack.enter_context(open(out, "w")) if isinstance(out, str) else out
        return subprocess.run(
            words, stdout=stream, stderr=subprocess.PIPE, text=True, env=environment(**more), timeout=120, check=False
        )


def events() -> int:
    return call("status --json").json()["events"]


@pytest.mark.parametrize("line", RECORDING)
def test_a_full_disk_behind_the_answer_is_said_apart(made, line):
    before = events()
    done = run(line, out="/dev/full")
    assert done.returncode == UNPRINTED
    assert done.stderr == (
        "Error: what this command says can't be written (No space left on device), but it is done: what it records is "
        "recorded. Don't run it again, look with sureshot history.\n"
    )
    assert events() > before


@pytest.mark.parametrize("shell", [">&-", ">&- 2>&- <&-", "| true", "2>/dev/full"])
def test_where_nobody_reads_it_is_done_and_quiet(made, shell):
    before = events()
    done = run("tell 2 success", shell=f"{shell}; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (0, "")
    assert events() > before
    assert call("history").code == 0  # and nothing was written into the store


def test_the_head_of_a_long_answer_is_quiet(made):
    for line in ("history", "export", "history --csv -", "ask --help"):
        done = run(line, shell="| head -n 1; exit ${PIPESTATUS[0]}")
        assert (done.returncode, done.stderr) == (0, ""), line
        assert done.stdout.count("\n") == 1


def test_a_refusal_stays_one_whatever_its_document_meets(made):
    done = run("tell 9 success --json", out="/dev/full")
    assert done.returncode == REFUSED
    assert done.stderr.startswith("Error: campaign 'nanotubes' has no trial 9")
    assert run("tell 9 success", shell="2>/dev/full").returncode == REFUSED


def test_a_screen_without_the_character_shows_another(made):
    before = events()
    done = run("note für-±-日本", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert events() == before + 1
    assert run("status", PYTHONIOENCODING="ascii").stdout.splitlines()[-1] == "Noted: f?r-?-??"
    assert run("tell 9 ±", PYTHONIOENCODING="ascii").stderr.startswith(r"Error: unknown outcome '\xb1'")
    file = io.TextIOWrapper(io.BytesIO(), "latin-1")
    assert Stream(file).write("für ± 日本") == 8
    assert file.seek(0) == 0
    assert file.read() == "für ± ??"


def test_what_a_machine_reads_is_whole_on_such_a_screen_too(made):
    assert (
        call(
            ["tell", "2", "success", "--author", "Zoë 日本 🧪", "--note", "±\udcff".encode("utf-8", "replace").decode()]
        ).code
        == 0
    )
    rows = json.loads(run("history --json", PYTHONIOENCODING="ascii").stdout)
    assert rows["trials"][1]["told_by"] == "Zoë 日本 🧪"
    assert run("history --csv -", PYTHONIOENCODING="ascii").stdout == call("history --csv -").out


def test_a_stream_never_raises():
    class Broken(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    stream = Stream(Broken())
    assert stream.write("lost") == 4
    stream.flush()
    assert stream.failed == os.strerror(errno.EIO)
    closed = Stream(io.StringIO())
    closed._file.close()
    assert closed.write("lost") == 4
    assert closed.failed is not None
    nothing = Stream(None)
    assert nothing.write("lost") == 4
    nothing.flush()
    assert nothing.failed is None


def test_the_streams_are_given_back():
    def fails():
        with streams():
            assert isinstance(sys.stdout, Stream)
            raise ZeroDivisionError

    before = sys.stdout, sys.stderr
    with pytest.raises(ZeroDivisionError):
        fails()
    assert (sys.stdout, sys.stderr) == before


def test_no_file_that_is_opened_later_is_taken_for_the_screen(folder):
    done = run(f"{NEW} --json", shell=">&- 2>&- <&-; echo $? > code")
    assert Path("code").read_text() == "0\n", done
    assert call("status").code == 0
    code = "import sureshot.cli.screen.streams as s, os\nwith s.streams():\n assert os.open('x', 65) > 2, 'taken'"
    done = subprocess.run(["bash", "-c", '"$@" >&- 2>&- <&-', "bash", sys.executable, "-c", code], check=False)
    assert done.returncode == 0
