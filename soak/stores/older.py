"""An older sureshot in a process of its own, which has the store open and writes: from the history of this project.

Run as a file, with the older sources first in PYTHONPATH; imported, it is our side.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

__all__ = ["Older", "older_sources"]

#: The last commit whose store had schema 2.
COMMIT = "91a7403"


@cache
def older_sources(folder: Path) -> Path | None:
    """Its sources, unpacked into the folder; None: the history does not have it (an archive, a shallow clone)."""
    root = Path(__file__).parents[2]
    try:
        packed = subprocess.run(["git", "archive", COMMIT, "src"], cwd=root, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


class Older:
    """Our side: it is told what to do, and says what it acknowledged."""

    def __init__(self, sources: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(sources)},
        )

    def say(self, *words: str) -> dict[str, Any]:
        """Make it do something: ``make storage name``, ``open storage name``, ``note text``, ``close``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline() or '{"traceback": "it ended"}')
        return found

    def close(self) -> None:
        """It is gone."""
        self._process.kill()
        self._process.wait(60)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def main() -> None:
    """Its own side. Only what the older sureshot had."""
    from sureshot import Campaign, Space
    from sureshot.errors import SureshotError
    from sureshot.storage import asked, open_storage, told

    open_: list[Any] = []

    def obey(what: str, *given: str) -> int:
        if what == "note":
            open_[1].note(given[0], author="other")
            return int(open_[1].last_event())
        while open_:
            if hasattr(one := open_.pop(), "close"):
                one.close()
        if what == "close":
            return 0
        open_.append(open_storage(given[0]))
        if what == "make":
            space = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])
            made = Campaign.create(given[1], space, policy="random", seed=1, storage=open_[0])
            known: Sequence[Any] = (asked(0), asked(3), told(1, 1), asked(5), told(3, 0), asked(6))
            open_[0].append(open_[0].campaigns()[-1].id, [*known, told(None, 1, alternative=2)])
            open_.append(made)
        else:
            open_.append(Campaign.open(given[1], open_[0]))
        return int(open_[1].last_event())

    for line in sys.stdin:
        try:
            said: dict[str, Any] = {"ok": obey(*json.loads(line))}
        except SureshotError as error:
            said = {"refused": str(error)}
        except Exception:
            said = {"traceback": traceback.format_exc()}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
