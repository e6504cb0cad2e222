"""Who is there: the page to log in where there are tokens; where there are none, a name for those who say it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from sureshot.errors import InvalidInput
from sureshot.web.pages.page import form_of, render
from sureshot.web.refusals import status_of
from sureshot.web.security.access import (
    Bencher,
    Forbidden,
    TooManyAttempts,
    Unauthorised,
    count_wrong_token,
    known_tokens,
    person_of,
    refuse_many_attempts,
)
from sureshot.web.security.local import local
from sureshot.web.security.session import new_session
from sureshot.web.security.tokens import NAME_LENGTH
from sureshot.web.words import on_the_page

__all__ = ["router"]

router = APIRouter()
Posted = Annotated[FormData, Depends(form_of)]


@router.get("/login")
def login(request: Request, to: str = "/") -> Response:
    """The form; whoever is logged in is led on."""
    there = _there(to)
    try:
        person_of(request)
    except Unauthorised:
        return render(request, "login.html", to=there, wrong=None)
    return RedirectResponse(there, status_code=303)


@router.post("/login")
def log_in(request: Request, form: Posted) -> Response:
    """Log in with a token, under a new session: one that somebody put into the browser before is worth nothing."""
    there = _there(str(form.get("to", "/")))
    if request.app.state.tokens is None:
        return RedirectResponse(there, status_code=303)
    try:
        refuse_many_attempts(request)
        found = known_tokens(request).find(str(form.get("token", "")).strip())
        if found is None:
            count_wrong_token(request)
            raise InvalidInput("this token is not known here", field="token", fix="ask whoever runs the server for one")
    except (InvalidInput, TooManyAttempts) as error:
        answer = render(request, "login.html", status_code=status_of(error), to=there, wrong=error.said(on_the_page))
        if isinstance(error, TooManyAttempts):
            answer.headers["Retry-After"] = str(error.wait)
        return answer
    answer = RedirectResponse(there, status_code=303)
    sessions = request.app.state.sessions
    sessions.end(sessions.read(request))
    sessions.write(answer, new_session(token=found.id))
    return answer


@router.post("/logout")
def log_out(request: Request, form: Posted) -> Response:
    """Forget who is there, in this browser and wherever else its cookie is."""
    answer, sessions = RedirectResponse("/login", status_code=303), request.app.state.sessions
    sessions.end(sessions.read(request))
    sessions.write(answer, new_session())
    return answer


@router.post("/who")
def who(request: Request, person: Bencher, form: Posted) -> Response:
    """The name that what is recorded from this browser is recorded under, where nobody logs in."""
    if request.app.state.tokens is not None:
        raise Forbidden("here the token says who you are", fix="log in with your own")
    name = str(form.get("who", "")).strip()
    if len(name) > NAME_LENGTH or not name.isprintable():
        raise InvalidInput(f"a name has at most {NAME_LENGTH} printable characters", field="who", fix="shorten it")
    answer = RedirectResponse(_there(str(form.get("to", "/"))), status_code=303)
    request.app.state.sessions.write(answer, replace(person.session, who=name or None))
    return answer


def _there(to: str) -> str:
    """Where to go on: a page of ours, and not this one again."""
    there = local(to)
    return "/" if there.startswith(("/login", "/logout", "/who")) else there
