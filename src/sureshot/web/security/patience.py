"""How long the server waits for who is slow: for the head of a request, and for an answer to be taken. Whoever opens a
connection and says nothing, or asks for much and does not read it, is let go.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Impatient"]

#: Seconds for the first line and the headers of a request, from its first byte.
HEAD = 15.0
#: Seconds in which somebody must take so many bytes of an answer that waits for them.
TAKING, LEAST = 20.0, 20_000


class Impatient(H11Protocol):
    """Uvicorn's own protocol, which would wait for ever. A connection on which nothing was said yet is kept as long as
    one that was answered and waits for the next request: a proxy opens some before it needs them.
    """

    waits, taking = HEAD, TAKING

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._timer: asyncio.TimerHandle | None = None
        self._begun = False  # the head of a request
        self._reads: asyncio.TimerHandle | None = None
        self._untaken = 0  # bytes of an answer, when it was last looked at; 0: all were taken since

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait(self.timeout_keep_alive)

    def data_received(self, data: bytes) -> None:
        """Wait no longer once the head is there; for that of the next request, from its first byte on."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
            self._begun = False
        elif not self._begun:
            self._wait(self.waits)
            self._begun = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody to wait for."""
        self._stop()
        if self._reads is not None:
            self._reads.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """More of an answer waits than is kept for who reads it: from now on it must be taken."""
        super().pause_writing()
        if self._reads is None:
            self._look()

    def resume_writing(self) -> None:
        """Nearly all was taken."""
        self._untaken = 0
        super().resume_writing()

    def _look(self) -> None:
        """Whether enough was taken since the last look; the next one, as long as anything waits."""
        waiting, self._reads = self.transport.get_write_buffer_size(), None
        if self._untaken and waiting > self._untaken - LEAST:
            self.transport.abort()
            return
        self._untaken = waiting
        if waiting:
            self._reads = self.loop.call_later(self.taking, self._look)

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, self._over)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _over(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
