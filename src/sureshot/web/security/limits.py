"""How much a request may bring, and how slowly. It is refused while it is read, whether it says its size or not."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Limits"]

#: Seconds without a byte, and for the whole of it.
PAUSE, WHOLE = 20.0, 300.0
#: Where strangers may send something, and the most bytes there: a token and where to go on.
STRANGERS, LITTLE = ("/login", "/logout"), 20_000
#: What is left of it is not read.
_CLOSE = {"Connection": "close"}


class Limits:
    """The middleware that counts. What it raises is answered by :mod:`sureshot.web.refusals`, as a page or as JSON."""

    def __init__(self, app: ASGIApp, most: int, pause: float = PAUSE, whole: float = WHOLE) -> None:
        self._app, self._most, self._pause, self._whole = app, most, pause, whole

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what is received."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "")
        most = min(self._most, LITTLE) if scope.get("path") in STRANGERS else self._most
        too_large = said.isdigit() and int(said[:20]) > most
        clock = asyncio.get_running_loop().time
        begun, had, whole = clock(), 0, False

        async def counted() -> Message:
            nonlocal had, whole
            if too_large:
                raise _too_large(most)
            if whole:  # nothing but the end of the connection is waited for
                return await receive()
            try:
                async with asyncio.timeout(max(0.0, min(self._pause, begun + self._whole - clock()))):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The request came too slowly, and nothing was recorded.", _CLOSE) from None
            had += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if had > most:
                raise _too_large(most)
            return message

        await self._app(scope, counted, send)


def _too_large(most: int) -> HTTPException:
    return HTTPException(413, f"A request may bring {most / 1e6:g} MB at most, and nothing was recorded.", _CLOSE)
