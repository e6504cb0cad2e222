"""Files that wait for the next step of a form: a browser can't send one again that it sent before.

Each belongs to the browser that sent it, and is found by a number that can't be guessed. They are few, not larger
together than a few uploads, and gone after an hour, or when the server stops. They lie in a folder that only the
server's user may look into.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from sureshot.errors import InvalidInput

__all__ = ["Shelf", "Shelved"]

#: Seconds that a file waits, files that wait at once, and of one browser.
LASTS, MOST, EACH = 3600.0, 32, 4


@dataclass(frozen=True, slots=True)
class Shelved:
    """One file."""

    token: str
    session: str
    path: Path
    shown: str  # what its owner calls it
    size: int
    at: float


class Shelf:
    """The files that wait."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self._lock = most_bytes, threading.Lock()
        self._held: OrderedDict[str, Shelved] = OrderedDict()
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # removed with the server

    def put(self, session: str, file: Path, shown: str) -> Shelved:
        """Keep a copy of a file for a browser."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="sureshot-shelf-")
            own = Path(self._folder.name) / token
            own.mkdir(mode=0o700)
            path = own / file.name  # which is harmless by now
            shutil.copyfile(file, path)
            new = Shelved(token, session, path, shown, path.stat().st_size, monotonic())
            self._held[token] = new
            self._tidy(session)
        return new

    def get(self, session: str, token: str) -> Shelved:
        """The file of that number, if this browser put it there and it still waits."""
        with self._lock:
            self._tidy(session)
            found = self._held.get(token)
            if found is None or found.session != session:
                raise InvalidInput(
                    "the file that was sent before is no longer here", field="candidates", fix="choose it again"
                )
            return found

    def remove(self, session: str, token: str) -> None:
        """Let go of a file, if it is there and is this browser's."""
        with self._lock:
            found = self._held.get(token)
            if found is not None and found.session == session:
                self._drop(token)

    def close(self) -> None:
        """Let go of all files."""
        with self._lock:
            self._held.clear()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def __len__(self) -> int:
        return len(self._held)

    def _tidy(self, session: str) -> None:
        now = monotonic()
        own = [one.token for one in self._held.values() if one.session == session]
        late = [one.token for one in self._held.values() if now - one.at > LASTS]
        for token in {*own[:-EACH], *late}:
            self._drop(token)
        while len(self._held) > MOST or sum(one.size for one in self._held.values()) > self._most_bytes:
            self._drop(next(iter(self._held)))

    def _drop(self, token: str) -> None:
        shutil.rmtree(self._held.pop(token).path.parent, ignore_errors=True)
