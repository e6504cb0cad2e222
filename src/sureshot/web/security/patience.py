"""How long the server waits for the head of a request: whoever opens a connection and says nothing is let go."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Impatient"]

#: Seconds for the first line and the headers of a request, from its first byte.
HEAD = 15.0


class Impatient(H11Protocol):
    """Uvicorn's own protocol, which would wait for ever. A connection on which nothing was said yet is kept as long as
    one that was answered and waits for the next request: a proxy opens some before it needs them.
    """

    waits = HEAD

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._timer: asyncio.TimerHandle | None = None
        self._begun = False  # the head of a request

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
        super().connection_lost(exc)

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
