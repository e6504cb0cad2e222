"""One process at a time computes a folder: what the next is told, and that nothing is left to clean up."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sureshot.errors import Conflict, StorageError
from sureshot.lab.study import alone as module
from sureshot.lab.study.alone import LOCK, alone_in

HOLDS = """
import sys, time
from pathlib import Path
from sureshot.lab.study.alone import alone_in
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_is_told_who_holds_it_and_what_to_do(tmp_path: Path) -> None:
    with alone_in(tmp_path) as alone:
        assert alone
        with pytest.raises(Conflict) as caught, alone_in(tmp_path):
            pass
    said = re.escape(f"one process at a time may compute {tmp_path}, and process {os.getpid()} on ")
    said += r".+ has been doing so since \d{4}-\d\d-\d\d \d\d:\d\d UTC: "
    said += "wait until it ends and run this again, or choose another folder with `out`."
    assert re.fullmatch(said, str(caught.value))


def test_afterwards_it_is_free_and_names_nobody(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="in between"), alone_in(tmp_path):
            raise ValueError("in between")
        assert (tmp_path / LOCK).read_bytes() == b""


def test_a_killed_holder_does_not_block(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", HOLDS, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    with pytest.raises(Conflict, match=f"process {child.pid} on"), alone_in(tmp_path):
        pass
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert str(child.pid) in (tmp_path / LOCK).read_text()  # what it said is still there, and holds nothing
    with alone_in(tmp_path):
        assert str(os.getpid()) in (tmp_path / LOCK).read_text()


@pytest.mark.parametrize(
    "word", [b"", b"{", b"[1]", b'{"pid": 7}', b'{"pid": 7, "host": "x", "since": "noon"}', b"\xff"]
)
def test_a_holder_that_has_not_said_who_it_is(tmp_path: Path, word: bytes) -> None:
    with alone_in(tmp_path):
        (tmp_path / LOCK).write_bytes(word)
        with pytest.raises(Conflict, match="and another one is doing so: wait until it ends"), alone_in(tmp_path):
            pass


def test_a_file_system_without_locks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def none(_held: int, *, at: int) -> bool:
        raise OSError(at, "No locks available")

    monkeypatch.setattr(module, "locked", none)
    with caplog.at_level(logging.WARNING), alone_in(tmp_path) as alone:
        assert not alone
    (said,) = caplog.messages
    assert said == (
        f"{tmp_path} is on a file system without locks (No locks available): "
        "see to it that only one process computes it."
    )


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"can't be written to .*choose another folder"), alone_in(tmp_path / "none"):
        pass
