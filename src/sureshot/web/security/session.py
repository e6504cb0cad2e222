"""The cookie of a browser: who sits before it, and the secret that its forms carry.

A form of another site can be sent here with our cookie, but it can't know the secret. The cookie is signed, not
encrypted: nothing in it is secret but its being ours.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import Response

__all__ = ["FIELD", "Session", "Sessions", "new_session"]

#: The hidden field of every form.
FIELD = "form"
#: Seconds that a browser is remembered after it was last seen: a month.
LASTS = 30 * 24 * 3600
#: Sessions that were ended and are remembered: the oldest are forgotten first.
ENDED = 100_000


@dataclass(frozen=True, slots=True)
class Session:
    """One browser."""

    id: str
    token: str | None = None  # the id of the token that it logged in with
    who: str | None = None  # what the person calls themselves, where nobody logs in


def new_session(*, token: str | None = None, who: str | None = None) -> Session:
    """A browser that was not seen before, or is to be known by another id: whoever logs in gets one that nobody else
    can have put into the browser.
    """
    return Session(id=secrets.token_urlsafe(16), token=token, who=who)


class Sessions:
    """Reads and writes cookies.

    - ``key`` gives the key that signs them: another one, and all browsers are unknown.
    - ``https_only``: the browser sends it by HTTPS alone, and no other host of the same domain can have set it.
    - ``port``: browsers do not tell the ports of a host apart, so that two servers on one machine need two names.

    A session that was ended is known to nobody any more, a copy of its cookie neither, as long as this server runs.
    """

    def __init__(self, key: Callable[[], str], *, https_only: bool, port: int) -> None:
        self._key, self._https_only = key, https_only
        self.cookie = "__Host-sureshot" if https_only else f"sureshot-{port}"
        self._ended, self._lock = OrderedDict[str, None](), threading.Lock()

    def known(self, request: Request) -> bool:
        """Whether the browser sent a cookie at all: it does not on the way from another site."""
        return self.cookie in request.cookies

    def read(self, request: Request) -> Session:
        """The session of a request; a new one where there is none, or none of ours: the same as often as asked."""
        found: Session | None = getattr(request.state, "session", None)
        if found is None:
            found = request.state.session = self._read(request.cookies.get(self.cookie, ""))
        return found

    def _read(self, cookie: str) -> Session:
        try:
            kept = self._signer().loads(cookie, max_age=LASTS)
            found = Session(id=str(kept["id"]), token=kept.get("token"), who=kept.get("who"))
            return new_session() if found.id in self._ended else found
        except (BadData, KeyError, TypeError, AttributeError, ValueError):
            return new_session()

    def end(self, session: Session) -> None:
        """Forget a session with which somebody logged in: who copied its cookie is not known by it."""
        if session.token is None:
            return
        with self._lock:
            self._ended[session.id] = None
            while len(self._ended) > ENDED:
                self._ended.popitem(last=False)

    def write(self, response: Response, session: Session) -> None:
        """Keep the session in the browser."""
        kept = self._signer().dumps({"id": session.id, "token": session.token, "who": session.who})
        response.set_cookie(
            self.cookie, kept, max_age=LASTS, httponly=True, samesite="strict", secure=self._https_only, path="/"
        )

    def form_secret(self, session: Session) -> str:
        """What every form of this browser carries."""
        return hmac.new(self._key().encode(), b"form:" + session.id.encode(), sha256).hexdigest()

    def is_own_form(self, session: Session, given: str) -> bool:
        """Whether a form was made here for this browser."""
        return hmac.compare_digest(self.form_secret(session).encode(), given.encode(errors="replace"))

    def _signer(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._key(), salt="sureshot-session", signer_kwargs={"digest_method": sha256})
