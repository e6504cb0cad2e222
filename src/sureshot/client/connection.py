"""Requests to a server, and what it answers: JSON, or the error that a campaign in this process would have raised."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sureshot import errors
from sureshot.errors import Conflict, InvalidInput, OutOfDate, StorageError, SureshotError, UnknownName
from sureshot.said import document, marked

if TYPE_CHECKING:
    import httpx2

__all__ = ["Answer", "Broken", "Connection", "NotAllowed"]

#: How many of a long list are asked for at once.
AT_ONCE = 1_000
#: Seconds that a request is repeated for while the same one is under way.
PATIENCE = 60.0


class NotAllowed(SureshotError, PermissionError):
    """The server needs a token, or one that may do more."""


class Broken(StorageError):
    """The connection broke before the answer came: whether anything was recorded is not known."""

    sent = True  # whether the request may have reached the server
    copy: dict[str, Any] | None = None  # of a campaign that may be deleted: its export, perhaps the only one left


class Answer(NamedTuple):
    """What the server said."""

    status: int
    found: Any  # the document; None: there is none
    tag: str | None
    text: str


#: What an answer without a known kind of error is, by its status.
_BY_STATUS: dict[int, type[SureshotError]] = {
    401: NotAllowed,
    403: NotAllowed,
    404: UnknownName,
    409: Conflict,
    412: OutOfDate,
    428: Conflict,
    429: NotAllowed,
}


class Connection:
    """A server at an address, and the token that is sent to it."""

    def __init__(self, url: str, token: str | None, timeout: float, http: httpx2.Client | None) -> None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise InvalidInput(
                "`url` must begin with http:// or https://", got=url, fix="write http://127.0.0.1:8000, for example"
            )
        self.url = url.rstrip("/")
        self._own = http is None
        self._http = _new_http(timeout) if http is None else http
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **query: object) -> Answer:
        """Ask for something; once more, if the connection breaks."""
        try:
            return self.call("GET", path, query=query)
        except Broken:
            return self.call("GET", path, query=query)

    def whole(
        self, path: str, key: str, *, at: str = "after", start: int | None = 0, most: int | None = None, **query: object
    ) -> dict[str, Any]:
        """A document with all, or ``most``, of the list under ``key``, which comes in parts: each says where the next
        one begins, and that is sent as ``at``.
        """
        part: dict[str, Any] = {}
        every: list[Any] = []
        while most is None or len(every) < most:
            limit = AT_ONCE if most is None else min(AT_ONCE, most - len(every))
            part = self.get(path, **query, limit=limit, **{at: start}).found
            every += part[key]
            start = part["next"]
            if start is None:
                break
        return {**part, key: every}

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """One request, repeated only while the server says that the same one is under way."""
        import httpx2

        sent = {name: one for name, one in (headers or {}).items() if one is not None}
        content = None if body is None else json.dumps(document(body), allow_nan=False)  # half a character is escaped
        if content is not None:
            sent["Content-Type"] = "application/json"
        until = time.monotonic() + PATIENCE
        while True:
            try:
                found = self._http.request(
                    method,
                    f"{self.url}/api/v1{path}",
                    params={name: one for name, one in (query or {}).items() if one is not None},  # type: ignore[misc]
                    content=content,
                    headers={**self._headers, **sent},
                )
            except httpx2.TransportError as error:
                broken = Broken(
                    f"the server at {self.url} can't be reached, or stopped before it answered ({error})",
                    fix="look whether it is running; see the history before you record anything again",
                )
                broken.sent = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
                raise broken from error
            wait = found.headers.get("retry-after", "")
            if found.status_code != 409 or not wait.isdigit() or time.monotonic() > until:
                break
            time.sleep(min(int(wait), 5))
        if found.status_code >= 400:
            raise _error(self.url, found)
        is_json = found.headers.get("content-type", "").startswith("application/json")
        return Answer(found.status_code, found.json() if is_json else None, found.headers.get("etag"), found.text)

    def close(self) -> None:
        """Let go of the connection, unless it was given."""
        if self._own:
            self._http.close()


def _new_http(timeout: float) -> httpx2.Client:
    try:
        import httpx2
    except ImportError as error:
        raise InvalidInput("a client needs httpx2", fix="install it with pip install 'sureshot[client]'") from error
    return httpx2.Client(timeout=timeout)


def _error(url: str, found: httpx2.Response) -> SureshotError:
    """The error that an answer says, of the class that a campaign here would raise."""
    try:
        told = found.json()["error"]
        message, place = str(told["message"]), told.get("place")
    except (ValueError, KeyError, TypeError):
        what = f"{url} answered {found.status_code}, and not as sureshot does"
        return _kind("", found.status_code)(what, fix="look whether the address is that of a sureshot server")
    sentence = message.removeprefix(f"{place}: ") if place else message
    made = _kind(str(told.get("kind")), found.status_code)(
        sentence, field=told.get("field"), value=told.get("value"), place=tuple(place.split(": ")) if place else ()
    )
    if told.get("fix") is not None:
        made.fix = marked(str(told["fix"]))
    return made


def _kind(name: str, status: int) -> type[SureshotError]:
    known = getattr(errors, name, None)
    if isinstance(known, type) and issubclass(known, SureshotError):
        return known
    return _BY_STATUS.get(status, StorageError if status >= 500 else InvalidInput)
