"""Whoever asks a route of the API is known, and may, before a byte of what they send is read: FastAPI reads and parses
the body first, which strangers could make as large as any.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response

__all__ = ["KnownFirst"]

#: What every route calls the parameter that says who may use it.
WHO = "person"


class KnownFirst(APIRoute):
    """A route that looks first at who asks: its ``person``, a dependency that refuses whoever may not."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Answer, or refuse before the body is read."""
        answered = super().get_route_handler()
        (allowed,) = (one.call for one in self.dependant.dependencies if one.name == WHO)
        assert allowed is not None

        async def known_first(request: Request) -> Response:
            allowed(request)
            return await answered(request)

        return known_first
