"""The command: a process for each call."""

from __future__ import annotations

import csv
import json
from concurrent.futures import Future
from pathlib import Path

from soak.doors.calls import SPACE, TABLE, TOLD, Answer, Call
from soak.doors.door import Door
from soak.doors.forked import Forked, Nursery
from soak.gates import Gates

__all__ = ["Command"]


class Command(Door):
    """``sureshot ... --key K --json``, as a script would call it: exit code 0 acknowledges."""

    name = "command"

    def __init__(self, gates: Gates, nursery: Nursery, folder: Path) -> None:
        super().__init__(gates, nursery, folder)
        self.storage = ""
        self._tables = {"import": self._table("runs.csv", TABLE), "tell table": self._table("told.csv", TOLD)}

    def ready(self, storage: str, campaign: str) -> None:  # noqa: ARG002
        """Nothing runs between two calls."""
        self.storage = storage

    def begin(self, call: Call, *, stop: int = 0) -> Future[Answer]:
        """Start it."""
        return self.run(self._line(call), stop=stop)

    def run(self, line: list[str], *, stop: int = 0) -> Future[Answer]:
        """Any command about the store."""
        process = self._start("sureshot", *line, "--storage", self.storage, "--json", stop=stop)
        return self._calling.submit(_done, process)

    def steps(self) -> int:
        """Counted until it ended."""
        return self.entered.ended() if self.entered is not None else 0

    def leave(self) -> None:
        """It has let go of the store."""

    def _line(self, call: Call) -> list[str]:
        named = ["-c", call.campaign]
        if call.keyed:
            named += ["--key", call.key]
        parameters = [f"--param={name}={','.join(map(str, levels))}" for name, levels in SPACE.items()]
        return {
            "ask": ["ask", *named],
            "ask three": ["ask", "-q", "3", *named],
            "tell": ["tell", "2", "success", *named],
            "tell new": ["tell", "--at", "power=14,catalyst=Co", "failure", *named],
            "correct": ["correct", "1", "failure", *named],
            "withdraw": ["withdraw", "4", *named],
            "note": ["note", call.text, *named],
            "note of a trial": ["note", call.text, "--trial", "3", *named],
            "import": ["import", self._tables["import"], *named],
            "tell table": ["tell", "--from", self._tables["tell table"], *named],
            "create": ["new", call.campaign, *parameters, "--policy", "random", "--seed", "1"],
        }[call.kind]

    def _table(self, name: str, columns: dict[str, list[object]]) -> str:
        file = self.folder / name
        with file.open("w", newline="") as stream:
            rows = csv.writer(stream)
            rows.writerow(columns)
            rows.writerows(zip(*columns.values(), strict=True))
        return str(file)


def _done(process: Forked) -> Answer:
    out, err = process.said()
    code = process.wait()
    if code == -9:
        return Answer(gone=True)
    if code == 0:
        return Answer(ok=True, found=_trials(json.loads(out)))
    if code < 0 or "Traceback" in err or not err.strip():
        return Answer(broken=f"exit code {code}: {err[-2000:]}")
    return Answer(kind="exit code", words=_words(err))


def _trials(found: object) -> list[int] | None:
    """The numbers of trials in what a command printed."""
    if isinstance(found, list):  # what ask handed out
        return [one["number"] for one in found]
    if isinstance(found, dict) and isinstance(found.get("trials"), list) and "repeated" in found:  # by import
        return list(range(found["trials"][0], found["trials"][1] + 1))
    if isinstance(found, dict) and isinstance(found.get("trial"), int) and "text" not in found:
        return [found["trial"]]
    return None


def _words(err: str) -> str:
    try:
        return str(json.loads(err)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return err.strip()
