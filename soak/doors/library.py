"""The library, in a worker that stays alive from case to case, with its store open."""

from __future__ import annotations

import json
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from soak.doors.calls import Answer, Call
from soak.doors.door import Door
from soak.doors.forked import Forked, Nursery
from soak.gates import Gates
from sureshot.errors import StorageError

__all__ = ["Library"]


class Library(Door):
    """A program that uses sureshot."""

    name = "library"

    def __init__(self, gates: Gates, nursery: Nursery, folder: Path) -> None:
        super().__init__(gates, nursery, folder)
        self.opened = ""

    def ready(self, storage: str, campaign: str) -> None:  # noqa: ARG002
        """A worker with that store open."""
        if not self.alive:
            self.opened = ""
            self._start("worker")
        if self.opened != storage:
            self.opened = ""
            found = self._say({"open": storage})
            if not found.ok:
                raise StorageError(found.words) if found.words else AssertionError(found.broken or found)
            self.opened = storage

    def begin(self, call: Call, *, stop: int = 0) -> Future[Answer]:
        """Send it to the worker."""
        assert self.entered is not None
        self.entered.arm(stop)
        return self._calling.submit(self._say, {"call": call})

    def leave(self) -> None:
        """The worker closes the store."""
        if self.alive and self.opened:
            self._say({"close": True})
        self.opened = ""

    def _say(self, words: object) -> Answer:
        process = self.process
        assert process is not None
        line = ""
        with suppress(OSError, ValueError):
            process.stdin.write(json.dumps(words) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        return Answer(*json.loads(line)) if line.endswith("\n") else Answer(gone=True, broken=_last(process))


def _last(process: Forked) -> str:
    """What a process that ended by itself said last; nothing of one that was killed."""
    code = process.wait()
    return "" if code == -9 else f"it ended with {code}: {process.stderr.read()[-2000:]}"
