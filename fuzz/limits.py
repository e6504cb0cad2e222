"""What one input may take, and how that is held: in a process of its own, by the system."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

__all__ = ["MEMORY", "SECONDS", "TooSlow", "held", "hold_memory", "timed"]

#: Seconds of processor time for one input: a machine that is busy otherwise does not count.
SECONDS = 5.0
#: Bytes for one input, beside what the interpreter and the libraries take.
MEMORY = 1 << 30


class TooSlow(BaseException):
    """The time is over. Not an ``Exception``: nothing that is tested may catch it."""


def hold_memory(most: int = MEMORY) -> None:
    """From here on this process can have that many bytes more; who asks for another gets a ``MemoryError``.

    Linux counts what is written to (RLIMIT_DATA); a system that doesn't know how much this is holds nothing.
    """
    if now := held():
        resource.setrlimit(resource.RLIMIT_DATA, (now + most, now + most))


def held() -> int:
    """Bytes that count for the limit; 0 where nobody knows."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[5]) * resource.getpagesize() if pages.exists() else 0


@contextmanager
def timed(seconds: float = SECONDS) -> Iterator[None]:
    """Raise :class:`TooSlow` when the block has taken so much of the processor."""

    def over(signum: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds:g} s in process {os.getpid()}")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
