"""Stops a process under test at any line of what records, where a fault is done to it.

Python loads a module of this name by itself when it starts, so this folder stands first in PYTHONPATH of the
library's worker, of the command and of the server. It counts the lines that run in sureshot's stores and in the part of
a campaign that records: these are the steps of a call. At the step that :mod:`soak.gates` names, it says where it
stands, and goes on only when it is told to. What runs at once inside of C (SQLite's commit, that of PostgreSQL's
library) is one step.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import sys
import threading

__all__ = ["AT_COMMIT", "VARIABLE", "Gate"]

#: Instead of the number of a step: the last line before a transaction is committed.
AT_COMMIT = -1

#: The environment variable that names the socket to which :mod:`soak.gates` listens.
VARIABLE = "SURESHOT_SOAK_GATE"
#: Whose lines are counted.
_COUNTED = tuple(
    os.sep + os.path.join("sureshot", *one)
    for one in (
        ("storage", ""),
        ("campaign", "log", ""),
        ("campaign", "recording.py"),
        ("campaign", "asking.py"),
    )
)
_IN_A_FUNCTION = 1  # CO_OPTIMIZED: the lines of a module or a class are those of an import


class Gate:
    """Counts the lines of all threads, and stops the one that comes to the step that was named."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._stream = self._socket.makefile("rw", encoding="utf-8")
        self._said = threading.Lock()
        self._may_go = threading.Event()
        self._files: dict[str, bool] = {}
        self._lines: dict[int, set[int]] = {}
        self._steps = self._stop = 0
        self._say(process=os.getpid())
        self._obey(json.loads(self._stream.readline() or "{}"))
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self.end)
        threading.settrace(self._called)  # type: ignore[arg-type]
        sys.settrace(self._called)  # type: ignore[arg-type]

    def _say(self, **words: object) -> None:
        with self._said:
            self._stream.write(json.dumps(words) + "\n")
            self._stream.flush()

    def end(self) -> None:
        """Say how many steps it was in all."""
        sys.settrace(None)
        with contextlib.suppress(OSError):
            self._say(ended=self._steps)

    def _listen(self) -> None:
        for line in self._stream:
            self._obey(json.loads(line))

    def _obey(self, order: dict) -> None:  # type: ignore[type-arg]  # `typing` takes longer to load than all else
        """``stop``: begin to count, and at which step to stop; ``tune``: numbers of sureshot's modules; ``go``;
        ``calm``: stop no more.
        """
        if "stop" in order:
            before, self._steps, self._stop = self._steps, 0, order["stop"]
            self._say(armed=before)
        for where, value in order.get("tune", {}).items():
            _tune(where, value)
        if "calm" in order:
            self._stop = 0
            self._may_go.set()
        if "go" in order:
            if order.get("clock"):
                _jump(order["clock"])
            self._may_go.set()

    def _called(self, frame, _event, _given):  # type: ignore[no-untyped-def]
        code = frame.f_code
        counted = self._files.get(code.co_filename)
        if counted is None:
            counted = self._files[code.co_filename] = any(one in code.co_filename for one in _COUNTED)
        return self._line if counted and code.co_flags & _IN_A_FUNCTION else None

    def _line(self, frame, event, _given):  # type: ignore[no-untyped-def]
        if event == "line":
            self._steps += 1
            if self._steps == self._stop or (self._stop == AT_COMMIT and self._commits(frame)):
                self._stop = 0
                name = frame.f_code.co_filename.rpartition(f"{os.sep}sureshot{os.sep}")[2]
                self._may_go.clear()
                self._say(at=self._steps, where=f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
                self._may_go.wait()
        return self._line

    def _commits(self, frame) -> bool:  # type: ignore[no-untyped-def]
        """Whether this is the line that ends a transaction: the first one of ``writing`` that runs a second time."""
        if frame.f_code.co_name != "writing":
            return False
        lines = self._lines.setdefault(id(frame), set())
        again = frame.f_lineno in lines
        lines.add(frame.f_lineno)
        if again:
            self._lines.clear()
        return again


def _tune(where: str, value: float) -> None:
    """A number of a module, such as ``sureshot.storage.backend PATIENCE``: at once, or when it is loaded."""
    module, _, name = where.partition(" ")
    if module in sys.modules:
        setattr(sys.modules[module], name, value)
        return
    import importlib.util

    class Finder:
        """Loads the module as ever, then changes the number."""

        @staticmethod
        def find_spec(wanted, _path=None, _target=None):  # type: ignore[no-untyped-def]
            if wanted != module:
                return None
            sys.meta_path.remove(Finder)  # type: ignore[arg-type]
            found = importlib.util.find_spec(wanted)
            run = found.loader.exec_module

            def exec_module(made):  # type: ignore[no-untyped-def]
                run(made)
                setattr(made, name, value)

            found.loader.exec_module = exec_module
            return found

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


def _jump(seconds: float) -> None:
    """Put the clock, as sureshot reads it, forwards or backwards."""
    import time
    from datetime import UTC, datetime, timedelta

    from sureshot.storage import fields

    fields.now = lambda: fields.moment_text(datetime.now(UTC) + timedelta(seconds=seconds))
    before = time.time
    time.time = lambda: before() + seconds


def _next_one() -> None:
    """The module of this name that stands behind this one in the path, as that of the tests does."""
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    for folder in sys.path:
        file = os.path.join(folder, "sitecustomize.py")
        if os.path.abspath(folder) != here and os.path.isfile(file):
            spec = importlib.util.spec_from_file_location("_sitecustomize_behind", file)
            if spec is not None and spec.loader is not None:
                spec.loader.exec_module(importlib.util.module_from_spec(spec))
            return


if __name__ == "sitecustomize" and os.environ.get(VARIABLE):
    _next_one()
    Gate(os.environ[VARIABLE])
