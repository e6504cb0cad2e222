"""One holder at a time, and a kill lets go."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sureshot import locks
from sureshot.locks import locked

HOLDS = """
import os, sys, time
from sureshot.locks import locked
assert locked(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT))
print("held", flush=True)
time.sleep(60)
"""


def test_one_holder_at_a_time_whoever_it_is(tmp_path: Path) -> None:
    one, two = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert locked(one)
    assert not locked(two)
    os.close(one)
    assert locked(two)
    os.close(two)


def test_a_kill_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    child = subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    held = os.open(path, os.O_RDWR)
    assert not locked(held)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert locked(held)
    os.close(held)


@pytest.mark.skipif(sys.platform == "win32", reason="how POSIX says it")
def test_a_file_system_without_locks_is_told_from_a_lock_that_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_held: int, _how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(locks.fcntl, "flock", flock)
    number = errno.EACCES
    assert not locked(0)
    number = errno.ENOLCK
    with pytest.raises(OSError, match="No locks available"):
        locked(0)
