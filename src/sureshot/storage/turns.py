"""Turns of processes that decide in one campaign of a file, in the order in which they came.

The system's lock on an empty file in the folder for temporary files: it is let go when its process ends, however it
ends. A turn saves work and is not a lock (:meth:`sureshot.storage.Storage.turn`), so where there is none (another
system, a folder that can't be written), or the one before takes too long, everybody goes on.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["PATIENCE", "turn_at"]

PATIENCE = 60.0
"""Seconds that one waits for a turn: what takes longer is stuck, or a pool so large that waiting saves nothing."""


PAUSE = 0.01
"""Seconds until whoever is next looks again whether there is something to prepare."""

AGAIN = 0.001
"""Seconds until a lock that the system has no queue for is tried again."""


@contextmanager
def turn_at(file: Path, campaign_id: int, meanwhile: Callable[[], object] | None = None) -> Iterator[None]:
    """Enter the block when it is one's turn in that campaign of the store in ``file``."""
    with ExitStack() as queue:
        waits = _locked(_place(file, campaign_id, "next"))
        queue.callback(_let_go, waits)
        held = None if waits is None else _locked(_place(file, campaign_id, "turn"), meanwhile)
        queue.close()
        try:
            yield
        finally:
            _let_go(held)


def _let_go(held: int | None) -> None:
    if held is not None:
        os.close(held)


def _locked(place: Path, meanwhile: Callable[[], object] | None = None) -> int | None:
    """The open file whose lock is held; None: go on without."""
    if fcntl is None:
        return None
    try:
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    if os.fstat(handle).st_uid != os.getuid():  # somebody else's, who could hold it for ever
        os.close(handle)
        return None
    try:
        if kept_up(lambda seconds: _taken(handle, seconds), meanwhile):
            return handle
    except BaseException:
        os.close(handle)
        raise
    return handle if _Waiting(handle).done() else None


def _taken(handle: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(AGAIN)
        else:
            return True


def kept_up(mine: Callable[[float], bool], meanwhile: Callable[[], object] | None) -> bool:
    """Whether it is ``mine`` at last, which waits for so many seconds; until then whoever is next does ``meanwhile``
    what there is to do. Without that, it is looked at once.
    """
    until, pause = time.monotonic() + PATIENCE, 0.0
    while not mine(pause):
        if meanwhile is None or time.monotonic() > until:
            return False
        meanwhile()
        pause = PAUSE
    return True


class _Waiting(threading.Thread):
    """Waits for the lock: the system gives it in order to those who wait, but not for so long and no longer."""

    def __init__(self, handle: int) -> None:
        super().__init__(daemon=True)
        self._handle, self._either = handle, threading.Lock()
        self._ended, self._left = threading.Event(), False

    def done(self) -> bool:
        """Whether the lock was given in time; if not, or if this is interrupted, the handle is closed in the end."""
        self.start()
        in_time = False
        try:
            in_time = self._ended.wait(PATIENCE)
        finally:
            with self._either:
                in_time = in_time or self._ended.is_set()
                self._left = not in_time
        return in_time

    def run(self) -> None:
        with suppress(OSError):  # a file system without locks: as good as held
            fcntl.flock(self._handle, fcntl.LOCK_EX)
        with self._either:
            self._ended.set()
            left = self._left
        if left:
            os.close(self._handle)


def _place(file: Path, campaign_id: int, what: str) -> Path:
    name = sha256(os.fsencode(f"{os.path.realpath(file)} {campaign_id} {what}")).hexdigest()[:24]
    return Path(tempfile.gettempdir()) / f"sureshot-turn-{os.getuid()}-{name}"
