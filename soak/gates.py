"""Our side of the gate: processes under test come in, are told at which step to stop, and let go.

:mod:`soak.gate.sitecustomize` is the other side, within the process.
"""

from __future__ import annotations

import json
import os
import select
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from soak.gate.sitecustomize import VARIABLE

__all__ = ["Entered", "Gates", "Stopped"]

#: Seconds that a process may take to start, or to answer an order: many times what it takes.
PATIENCE = 120.0


class Stopped(NamedTuple):
    """Where a process waits."""

    step: int
    where: str  # file:line function


class Gates:
    """A socket to which all processes under test connect when they start."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "gate"
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self.path))
        self._socket.listen(16)
        self._socket.settimeout(PATIENCE)

    def environment(self, **more: str) -> dict[str, str]:
        """What a process under test needs."""
        return {**os.environ, VARIABLE: str(self.path), **more}

    def entered(self, *, stop: int = 0, tune: Mapping[str, float] | None = None) -> Entered:
        """The process that was started last, told at which step to stop (0: at none)."""
        taken, _ = self._socket.accept()
        found = Entered(taken)
        found.process = found.word("process")["process"]
        found.arm(stop, tune)
        return found

    def close(self) -> None:
        """Nobody comes in any more."""
        self._socket.close()
        self.path.unlink(missing_ok=True)


class Entered:
    """A process under test."""

    def __init__(self, taken: socket.socket) -> None:
        self._socket, self._rest = taken, b""
        self.process = 0
        self.gone = False
        self.steps = 0  # that it went before it was armed last, or until it ended

    def arm(self, stop: int, tune: Mapping[str, float] | None = None) -> int:
        """Count from here on, and stop there; gives back how many steps were counted before."""
        self._order(stop=stop, tune=dict(tune or {}))
        self.steps = self.word("armed")["armed"]
        return self.steps

    def stopped(self, done: Callable[[], bool]) -> Stopped | None:
        """Where it stopped; None: what it does is done, without that it came so far."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self._line(0.002)
            if found is not None and "at" in found:
                return Stopped(found["at"], found["where"])
            if found is not None and "ended" in found:
                self.steps = found["ended"]
            if done():
                return None
        raise TimeoutError(f"neither stopped nor done after {PATIENCE:g} s")

    def go(self, *, clock: float = 0.0) -> None:
        """Let it go on, with its clock so many seconds ahead."""
        self._order(go=True, clock=clock)

    def calm(self) -> None:
        """The call is over: what it does from here on is not stopped."""
        self._order(calm=True)

    def ended(self) -> int:
        """How many steps it went in all, once it has ended."""
        while (found := self._line(0.2)) is not None:
            self.steps = found.get("ended", self.steps)
        return self.steps

    def word(self, key: str) -> dict[str, Any]:
        """The next thing of that kind that it says."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self._line(0.5)
            if found is not None and key in found:
                return found
            if self.gone:
                break
        raise TimeoutError(f"a process under test did not say {key!r}")

    def close(self) -> None:
        """Let go of it."""
        self._socket.close()

    def _order(self, **words: object) -> None:
        with suppress(OSError):  # it has ended, as what waits for its answer will see
            self._socket.sendall((json.dumps(words) + "\n").encode())

    def _line(self, patience: float) -> dict[str, Any] | None:
        """What it says; None: nothing in that time, or it has ended."""
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._socket], [], [], patience)
            try:
                new = self._socket.recv(65536) if ready else b""
            except OSError:
                new = b""
            if not new:
                if ready:
                    self.gone = True
                    time.sleep(0.002)  # it has ended: whoever asks again does not do so at once
                return None
            self._rest += new
        line, _, self._rest = self._rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found
