"""Who asks, and whether they may: by a token in the header (programs) or by the cookie of a browser that logged in."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from sureshot.errors import StorageError, SureshotError
from sureshot.web.security.session import Session
from sureshot.web.security.tokens import ROLES, Role, Token, Tokens

__all__ = [
    "Admin",
    "Bencher",
    "Forbidden",
    "Person",
    "Reader",
    "TooManyAttempts",
    "Unauthorised",
    "at_least",
    "count_wrong_token",
    "known_tokens",
    "only_shows",
    "person_of",
    "refuse_many_attempts",
]

log = logging.getLogger("sureshot")


class Unauthorised(SureshotError, PermissionError):
    """Nobody is logged in, or with a token that is not known."""


class Forbidden(SureshotError, PermissionError):
    """Somebody is, who may not do this."""


class TooManyAttempts(SureshotError, PermissionError):
    """Somebody gave too many wrong tokens in a while; ``wait`` seconds later they may try again."""

    def __init__(self, wait: int) -> None:
        super().__init__("too many wrong tokens were tried from here", fix=f"try again in {wait} seconds")
        self.wait = wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who is there: the author of what they record."""

    name: str | None
    role: Role
    session: Session

    def may(self, role: Role) -> bool:
        """Whether they may do what this role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


def person_of(request: Request) -> Person:
    """Who asks; where there are no tokens, whoever is on this machine."""
    state: Any = request.app.state
    session: Session = state.sessions.read(request)
    role: Role = "admin"
    name = session.who
    if state.tokens is not None:
        token = _token_of(request, session)
        role, name = token.role, token.name
    if state.settings.read_only:
        role = "read"
    return Person(name=name, role=role, session=session)


def known_tokens(request: Request) -> Tokens:
    """Who has a token now. Where that can't be read, strangers are not told where it is kept: the log is."""
    try:
        found: Tokens = request.app.state.tokens.now()
    except SureshotError as error:
        log.error("nobody is let in: %s", error)
        raise StorageError(
            "the server can't read who has a token, and lets nobody in", fix="ask whoever runs it: its log says why"
        ) from error
    return found


def _token_of(request: Request, session: Session) -> Token:
    tokens = known_tokens(request)
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    if text:
        token = tokens.find(text.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            refuse_many_attempts(request)
            count_wrong_token(request)
    else:
        token = None if session.token is None else tokens.get(session.token)
    if token is None:
        raise Unauthorised("a token is needed here", fix="log in, or send it as Authorization: Bearer TOKEN")
    return token


def refuse_many_attempts(request: Request) -> None:
    """Refuse whoever gave too many wrong tokens."""
    wait = request.app.state.attempts.wait(_address(request))
    if wait:
        raise TooManyAttempts(wait)


def count_wrong_token(request: Request) -> None:
    """Remember that a wrong token was given."""
    request.app.state.attempts.wrong(_address(request))


def _address(request: Request) -> str | None:
    """Where a request comes from; behind a proxy that is trusted, what that says (the server has put it here)."""
    return None if request.client is None else request.client.host


def at_least(role: Role) -> Callable[..., Person]:
    """A dependency: who asks, if they may do what this role may."""

    def allowed(request: Request) -> Person:
        person = person_of(request)
        if not person.may(role):
            if request.app.state.settings.read_only:
                raise only_shows()
            raise Forbidden(f"this needs a token of the role {role}, and yours has {person.role}", fix="ask for one")
        return person

    return allowed


def only_shows() -> Forbidden:
    """The error for whoever would record something on a display."""
    return Forbidden("this server only shows: it was started with --read-only", fix="use another")


Reader = Annotated[Person, Depends(at_least("read"))]
Bencher = Annotated[Person, Depends(at_least("bench"))]
Admin = Annotated[Person, Depends(at_least("admin"))]
