"""Who is turned away before anything is looked at.

- A request for another host's name: a page elsewhere whose name was made to lead here (DNS rebinding).
- One that would change something and comes from another site, or comes at all where the server only shows.

And who is asked to come in once more: whoever follows a link from another site. The browser keeps our cookie back on
that way (``SameSite=Strict``), so they would not be known, and a new cookie would take the place of theirs.
"""

from __future__ import annotations

import ipaddress
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sureshot.errors import SureshotError
from sureshot.web.security.access import Forbidden, only_shows
from sureshot.web.security.local import local, path_of
from sureshot.web.settings import Settings

__all__ = ["Door", "come_in_again"]

SAFE = ("GET", "HEAD", "OPTIONS")
#: What may be posted where the server only shows: it records nothing.
_RECORDS_NOTHING = ("/login", "/logout")


class Door:
    """The middleware that turns them away."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings, self._hosts = app, settings, frozenset(settings.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let in, or turn away."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":  # and nothing else: there are no web sockets here
            answer = self._answer(scope)
            await (self._app if answer is None else answer)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        given, path = Headers(scope=scope), str(scope["path"])
        wrong = self._wrong(scope["method"], path, given)
        if wrong is not None:
            if path.startswith("/api/"):
                return JSONResponse({"error": wrong.as_dict()}, status_code=403)
            return PlainTextResponse(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}\n", status_code=403)
        visit = (given.get("sec-fetch-site"), given.get("sec-fetch-mode"), scope["method"])
        if visit == ("cross-site", "navigate", "GET") and not path.startswith(("/api/", "/static/")):
            return come_in_again(path_of(scope))
        return None

    def _wrong(self, method: str, path: str, given: Headers) -> SureshotError | None:
        hosts = given.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0].lower()):
            return Forbidden(
                "this server is not called by that name", fix="name it with --called where the server is started"
            )
        if method in SAFE:
            return None
        origin = given.get("origin")
        if origin is not None and not self._is_own(origin.lower(), hosts[0].lower()):
            return _ELSEWHERE
        if given.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _ELSEWHERE
        if self._settings.read_only and path not in _RECORDS_NOTHING:
            return only_shows()
        return None

    def _is_ours(self, host: str) -> bool:
        name = _name(host)
        return name in self._hosts or (self._settings.everywhere and _is_address(name))

    def _is_own(self, origin: str, host: str) -> bool:
        try:
            found = urlsplit(origin)
        except ValueError:  # a bracket that is not closed
            return False
        schemes = ("https",) if self._settings.behind_proxy else ("http", "https")
        return found.netloc == host and found.scheme in schemes


_ELSEWHERE = Forbidden("this request comes from another site, which may not change anything here", fix="open it here")


def come_in_again(path: str, *, status_code: int = 200) -> Response:
    """A page that leads to an address of ours, by a link of our own: the browser brings its cookie then."""
    there = escape(local(path), quote=True)
    return HTMLResponse(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>sureshot</title>\n'
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">\n'
        f'<meta http-equiv="refresh" content="0; url={there}"></head>\n'
        f'<body><main><h1>sureshot</h1><p><a href="{there}">Go on</a></p></main></body></html>\n',
        status_code=status_code,
    )


def _is_address(name: str) -> bool:
    """Whether a host is a number: no name, so that nobody can have made it lead here."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _name(host: str) -> str:
    """The name in a Host header, without the port.

    >>> _name("localhost:8000"), _name("[::1]:8000")
    ('localhost', '[::1]')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]
