"""How the body of a request is read: as every document from outside, and beside the other requests."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from sureshot.documents import read_json
from sureshot.errors import InvalidInput, SureshotError
from sureshot.web.security.known_first import KnownFirst

__all__ = ["Route"]


class Route(KnownFirst):
    """A route of the API."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        handle = super().get_route_handler()

        async def answered(request: Request) -> Response:
            _refuse_two_keys(request)
            try:
                return await handle(_Measured(request.scope, request.receive))
            except HTTPException as error:  # FastAPI says of every other error that the body could not be parsed
                if isinstance(error.__cause__, SureshotError):
                    raise error.__cause__ from None
                raise

        return answered


def _refuse_two_keys(request: Request) -> None:
    """Refuse a request with two different keys: under which of them would it be recorded?"""
    keys = set(request.headers.getlist("idempotency-key"))
    if len(keys) > 1:
        raise InvalidInput(f"a request must have one Idempotency-Key, got {len(keys)}", field="key", fix="send one")


class _Measured(Request):
    async def json(self) -> Any:
        """The document that was sent."""
        return await run_in_threadpool(read_json, await self.body(), "the body")
