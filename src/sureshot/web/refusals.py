"""How errors are answered: one table says which kind is which HTTP status, for pages and API alike.

The API answers with the error's data: kind, message, field, value, fix, place. A page says the same sentence in its own
words, and a form that was refused is shown again with what was typed (each form does that itself).
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sureshot.errors import (
    Conflict,
    CorruptLog,
    InvalidInput,
    OutOfDate,
    PluginError,
    StorageError,
    SureshotError,
    UnknownName,
)
from sureshot.web.conditions import Changed, ConditionMissing, InFlight
from sureshot.web.json_answer import JsonAnswer
from sureshot.web.security.access import Forbidden, TooManyAttempts, Unauthorised
from sureshot.web.security.door import come_in_again
from sureshot.web.security.local import local, path_of
from sureshot.web.words import on_the_page

__all__ = ["STATUS", "Caught", "handlers", "status_of"]

log = logging.getLogger("sureshot")

#: The HTTP status of each kind of error, the nearest class first.
STATUS: dict[type[SureshotError], int] = {
    Unauthorised: 401,
    Forbidden: 403,
    TooManyAttempts: 429,
    Changed: 412,
    ConditionMissing: 428,
    OutOfDate: 409,
    Conflict: 409,
    UnknownName: 404,
    PluginError: 422,
    StorageError: 503,
    InvalidInput: 422,
    SureshotError: 422,
}

#: What stands beside the names of inputs where FastAPI says which one is wrong: where it was, and of which type.
_NOT_NAMES = ("body", "query", "path", "header", "bool", "int", "float", "str")

#: What an address names, beside a campaign.
_IN_ADDRESSES = ("trial", "event")

#: That a disk, or somebody's part of it, is full.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]


def status_of(error: SureshotError, *, sent: bool = False, log_sent: bool = False) -> int:
    """The HTTP status of an error; ``sent``: an unknown name is a wrong input, unless it is part of the address;
    ``log_sent``: so is a damaged log, which is not the store's.
    """
    if sent and isinstance(error, UnknownName) and error.field not in _IN_ADDRESSES:
        return STATUS[InvalidInput]
    if log_sent and isinstance(error, CorruptLog):
        return STATUS[InvalidInput]
    return next(status for kind, status in STATUS.items() if isinstance(error, kind))


def handlers() -> dict[Any, Handler]:
    """What answers each error."""
    return {
        SureshotError: _refused,
        RequestValidationError: _not_as_declared,
        HTTPException: _http,
    }


def is_api(request: Request) -> bool:
    """Whether a program asks, not a person."""
    return request.url.path.startswith("/api/")


async def _refused(request: Request, error: SureshotError) -> Response:
    sent, log_sent = (getattr(request.state, name, False) for name in ("reached", "log_sent"))
    status = status_of(error, sent=sent, log_sent=log_sent)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if isinstance(error, TooManyAttempts | InFlight):
        headers["Retry-After"] = str(error.wait)
    if is_api(request):
        return JsonAnswer({"error": error.as_dict()}, status_code=status, headers=headers)
    if isinstance(error, Unauthorised) and request.method in ("GET", "HEAD"):
        there = f"/login?to={quote(local(path_of(request.scope)), safe='/')}"
        if request.app.state.sessions.known(request):
            return RedirectResponse(there, status_code=303)
        return come_in_again(there, status_code=401)  # perhaps they are logged in, and come from another site
    return _page(request, error.said(on_the_page), status, headers)


async def _not_as_declared(request: Request, error: RequestValidationError) -> Response:
    """What the declared types refuse, in the shape of all other errors: of several, the first."""
    first = error.errors()[0]
    where = [str(one) for one in first["loc"] if one not in _NOT_NAMES and "[" not in str(one)]
    field = ".".join(where) or None
    told = InvalidInput(
        f"{field or 'the request'} can't be read: {first['msg'][:1].lower()}{first['msg'][1:]}.", field=field
    )
    return await _refused(request, told)


async def _http(request: Request, error: HTTPException) -> Response:
    told = {404: "There is nothing at this address.", 405: "This address can't be used so."}
    words = told.get(error.status_code, str(error.detail))
    if is_api(request):
        about = SureshotError(words).as_dict() | {"kind": "HTTPError"}
        return JsonAnswer({"error": about}, status_code=error.status_code, headers=error.headers)
    return _page(request, words, error.status_code, dict(error.headers or {}))


async def _unexpected(request: Request, error: Exception) -> Response:
    if isinstance(error, OSError) and error.errno in _NO_ROOM:  # for a file that was sent; the store says so itself
        log.error("%s %r: %s", request.method, request.url.path, error.strerror)
        full = StorageError(
            "the server has no room to keep what was sent while it is read, and nothing was recorded",
            fix="make room on its disk, where temporary files are kept",
        )
        return await _refused(request, full)
    log.error("%s %r failed", request.method, request.url.path, exc_info=error)
    words = "Something went wrong in the server, which is a fault of sureshot. The server's log says what."
    if is_api(request):
        return JsonAnswer({"error": SureshotError(words).as_dict() | {"kind": "ServerError"}}, status_code=500)
    return _page(request, words, 500)


class Caught:
    """A middleware that answers what nobody expected. Starlette would do it outside all others, where no answer gets
    the headers that every one must have.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and answer what is raised, unless the answer has begun already."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            if scope["type"] != "http" or begun:
                raise
            answer = await _unexpected(Request(scope, receive), error)
            await answer(scope, receive, send)


def _page(request: Request, words: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    from sureshot.web.pages.page import render

    answer = render(request, "refused.html", status_code=status, words=words)
    answer.headers.update(headers or {})
    return answer
