"""What all doors have in common: a process under test, behind the gate."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from shutil import which
from typing import Self

from soak.doors.calls import Answer, Call
from soak.doors.forked import Forked, Nursery
from soak.gates import Entered, Gates

__all__ = ["HANGS", "PATIENCES", "ROOT", "Door", "nursery"]

ROOT = Path(__file__).parents[2]
#: Seconds after which a call hangs.
HANGS = 100.0
#: How long sureshot waits for a server that is gone: shorter here, for time's sake.
PATIENCES: Mapping[str, float] = {"sureshot.storage.backend PATIENCE": 2.0}


def nursery(folder: Path) -> Nursery:
    """What processes under test are forked from."""
    behind = os.environ.get("PYTHONPATH", "")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{behind}" if behind else str(ROOT), "PYTHONWARNINGS": "ignore"}
    environment |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")  # to be forked
    return Nursery(folder, _bound_by_modes([sys.executable, "-m", "soak.doors.forked"]), environment)


def _bound_by_modes(command: Sequence[str]) -> list[str]:
    """The same command, so that files that may not be written can't be, though root calls it."""
    rights = "-dac_override,-dac_read_search"
    if os.geteuid() != 0 or which("setpriv") is None:
        return list(command)
    return ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}", *command]


class Door(ABC):
    """A way in. One call at a time."""

    name: str

    def __init__(self, gates: Gates, nursery: Nursery, folder: Path) -> None:
        self.gates, self.nursery, self.folder = gates, nursery, folder
        self.process: Forked | None = None
        self.entered: Entered | None = None
        self._calling = ThreadPoolExecutor(1)

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self.process is not None and self.process.poll() is None

    @abstractmethod
    def ready(self, storage: str, campaign: str) -> None:
        """Its process runs, and has that store open; raises SureshotError if the store is refused."""

    @abstractmethod
    def begin(self, call: Call, *, stop: int = 0) -> Future[Answer]:
        """Make a call whose process stops at that step."""

    def call(self, call: Call) -> Answer:
        """Make a call, and wait for what it gives."""
        return self.begin(call).result(HANGS)

    def steps(self) -> int:
        """How many steps the last call took."""
        return self.entered.arm(0) if self.entered is not None else 0

    def kill(self) -> None:
        """As the system kills: at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def last_words(self) -> str:
        """What its process wrote where errors go; it is killed for that."""
        self.kill()
        return "" if self.process is None else self.process.stderr.read()[-3000:]

    @abstractmethod
    def leave(self) -> None:
        """Let go of the store."""

    def _start(self, what: str, *arguments: str, stop: int = 0, **more: str) -> Forked:
        """A new process, which has come to the gate."""
        self._let_go()
        made = self.process = self.nursery.start(what, list(arguments), self.gates.environment(**more), self.folder)
        self.entered = self.gates.entered(stop=stop, tune=PATIENCES)
        return made

    def _let_go(self) -> None:
        if self.entered is not None:
            self.entered.close()
        self.entered = None
        if self.process is not None:
            self.kill()
            self.process.close()
        self.process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Its process is gone."""
        self.kill()
        self._calling.shutdown()
        self._let_go()
