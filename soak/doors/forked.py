"""Processes under test that are there at once: forked from one that has loaded all of sureshot and opened nothing.

A case kills its process, and to load Python's libraries anew takes a hundred times as long as the case. Run as a module
this is the process that is forked; imported, it is our side. ``sureshot`` is called in it by its entry point, with the
arguments, the environment and the standard streams that a real one would have.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import IO, Any

from soak.gate.sitecustomize import VARIABLE, Gate

__all__ = ["Forked", "Nursery"]

#: Seconds that all of it takes to load, many times over.
PATIENCE = 180.0


class Forked:
    """A process under test, with what of :class:`subprocess.Popen` is needed."""

    def __init__(self, line: socket.socket, pid: int, streams: tuple[IO[str], IO[str], IO[str]]) -> None:
        self._line, self.pid = line, pid
        self.stdin, self.stdout, self.stderr = streams
        self.returncode: int | None = None
        self._one = threading.Lock()

    def poll(self) -> int | None:
        """Its exit code, if it has ended."""
        return self._ended(0.0)

    def wait(self, timeout: float = PATIENCE) -> int:
        """Its exit code, once it has ended."""
        if (found := self._ended(timeout)) is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return found

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def said(self) -> tuple[str, str]:
        """All that it writes, once it has ended; no more is written to it."""
        self.stdin.close()
        found = {self.stdout: b"", self.stderr: b""}
        left = dict.fromkeys(found)
        while left:
            for stream in select.select(list(left), [], [])[0]:
                new = os.read(stream.fileno(), 1 << 16)
                found[stream] += new
                if not new:
                    del left[stream]
        return found[self.stdout].decode(), found[self.stderr].decode()

    def close(self) -> None:
        """Let go of its streams."""
        for stream in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                stream.close()
        self._line.close()

    def _ended(self, patience: float) -> int | None:
        until = time.monotonic() + patience
        while True:
            with self._one:  # of two threads that wait, one is told
                if self.returncode is None and select.select([self._line], [], [], min(patience, 0.02))[0]:
                    said = self._line.recv(64)
                    self.returncode = json.loads(said) if said else -9
            if self.returncode is not None or time.monotonic() >= until:
                return self.returncode


class Nursery:
    """Our side of the process that is forked."""

    def __init__(self, folder: Path, command: list[str], environment: dict[str, str]) -> None:
        self._path = folder / "nursery"
        self._process = subprocess.Popen([*command, str(self._path)], env=environment, stdin=subprocess.PIPE)
        until = time.monotonic() + PATIENCE
        while not self._path.exists():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("what processes are forked from does not start")
            time.sleep(0.02)

    def start(self, what: str, arguments: list[str], environment: dict[str, str], folder: Path) -> Forked:
        """A new process: ``sureshot`` with these arguments, or the ``worker``."""
        line = socket.socket(socket.AF_UNIX)
        line.connect(str(self._path))
        (own_in, in_), (out, own_out), (err, own_err) = os.pipe(), os.pipe(), os.pipe()
        order = json.dumps([what, arguments, environment, str(folder)]).encode()
        socket.send_fds(line, [len(order).to_bytes(4, "big") + order], [own_in, own_out, own_err])
        for one in (own_in, own_out, own_err):
            os.close(one)
        streams = os.fdopen(in_, "w"), os.fdopen(out, "r"), os.fdopen(err, "r")
        return Forked(line, int.from_bytes(line.recv(4), "big"), streams)

    def close(self) -> None:
        """It is gone."""
        self._process.kill()
        self._process.communicate()
        self._path.unlink(missing_ok=True)


def main(path: str) -> None:
    """Load all, then fork as often as we are asked to, until nobody is there who could ask."""
    _load()
    gc.freeze()
    threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
    if threads != 1:
        raise RuntimeError(f"{threads} threads run before the first fork: {threading.enumerate()}")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"{path}.new")
    listening.listen(16)
    os.rename(f"{path}.new", path)
    running: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([listening, 0], [], [], 0.003 if running else None)
        if 0 in ready:  # our parent is gone
            os._exit(0)
        if ready:
            line, _ = listening.accept()
            if not (pid := _forked(line, listening)):
                return
            running[pid] = line
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            with contextlib.suppress(OSError), running.pop(pid) as line:
                line.sendall(json.dumps(os.waitstatus_to_exitcode(status)).encode())


def _forked(line: socket.socket, listening: socket.socket) -> int:
    """The number of the new process; 0: this is it, and it has done all that it was to do."""
    new, streams, _, _ = socket.recv_fds(line, 1 << 16, 3)
    length = int.from_bytes(new[:4], "big")
    order = new[4:]
    while len(order) < length:
        order += line.recv(1 << 16)
    pid = os.fork()
    if pid:
        for one in streams:
            os.close(one)
        line.sendall(pid.to_bytes(4, "big"))
        return pid
    code = 1
    try:
        listening.close()
        line.close()
        for number, one in enumerate(streams):
            os.dup2(one, number)
            os.close(one)
        code = _run(*json.loads(order))
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def _run(what: str, arguments: list[str], environment: dict[str, str], folder: str) -> int:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    gate = Gate(os.environ[VARIABLE])
    try:
        if what == "worker":
            from soak.doors.worker import main as work

            work()
            return 0
        from sureshot.cli import main as command

        sys.argv = ["sureshot", *arguments]
        try:
            command()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        return 0
    finally:
        gate.end()


def _load() -> None:
    """All that a process under test will need: also what is loaded only when it is used."""
    import tempfile
    from contextlib import closing

    import alembic.config
    import alembic.runtime.environment
    import alembic.script  # noqa: F401
    import psycopg  # noqa: F401
    import uvicorn  # noqa: F401

    import sureshot.cli
    import sureshot.web.run  # noqa: F401
    from soak.doors.calls import KINDS, new_call, performed
    from sureshot import Campaign, Space
    from sureshot.storage import open_storage

    for policy in ("random", None):
        options: dict[str, Any] = {} if policy is None else {"policy": policy}
        with tempfile.TemporaryDirectory() as folder, closing(open_storage(f"{folder}/a.db")) as store:
            made = Campaign.create("a", Space.grid(power=[8, 10, 12, 14]), seed=1, storage=store, **options)
            performed(made, None, new_call("ask three", 1))
            made.tell(1, "success")
            made.verify()
            made.status()
    assert KINDS


if __name__ == "__main__":
    main(sys.argv[1])
