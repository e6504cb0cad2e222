"""Who is answered before they have said all is still heard out, so that the answer reaches them.

A connection that is closed with bytes unread is reset, and the reset takes the answer with it: a proxy, which sends the
whole request before it reads, would say 502 where we said that a file is too large or that nobody is logged in.
"""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HeardOut"]

#: Seconds without a byte, and for all that is left, which nobody keeps: those of nginx (lingering_timeout, _time).
PAUSE, WHOLE = 5.0, 30.0


class HeardOut:
    """The middleware that listens: the outermost, for whoever is turned away at the door is heard out too."""

    def __init__(self, app: ASGIApp, pause: float = PAUSE, whole: float = WHOLE) -> None:
        self._app, self._pause, self._whole = app, pause, whole

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the whole answer, hear the rest, and only then say that the answer ends."""
        if scope["type"] != "http" or not _brings_something(given := Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        waits, more = "expect" in given, True  # whoever waits to be told to go on sends nothing after an answer

        async def noted() -> Message:
            nonlocal waits, more
            waits, message = False, await receive()
            more = bool(message.get("more_body", False))
            return message

        async def last(message: Message) -> None:
            ends = message["type"] == "http.response.body" and not message.get("more_body", False)
            if not ends or not more or waits:
                await send(message)
                return
            await send({**message, "more_body": True})
            try:
                async with asyncio.timeout(self._whole):
                    while more:
                        async with asyncio.timeout(self._pause):
                            await noted()
            except TimeoutError:
                pass
            await send({"type": "http.response.body"})

        await self._app(scope, noted, last)


def _brings_something(given: Headers) -> bool:
    return given.get("content-length", "0") != "0" or "transfer-encoding" in given
