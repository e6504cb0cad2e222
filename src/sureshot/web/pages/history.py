"""History: everything that was recorded, the newest first, and what can be done about it: correct, withdraw, note."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from sureshot.errors import SureshotError
from sureshot.web.pages.look import address
from sureshot.web.pages.page import render
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Reader
from sureshot.web.words import on_the_page

__all__ = ["EVENTS", "router"]

router = APIRouter()

#: Events on one page.
EVENTS = 50


@router.get("/c/{number}/history")
def history(
    request: Request,
    person: Reader,
    number: int,
    before: int | None = None,
    done: int | None = None,
    again: bool = False,
    verify: bool = False,
) -> Response:
    """The page, from an event on; ``done`` is the one that was just recorded, or was there already."""
    opened, status_code = request.app.state.opened, 200
    with opened.use(number) as held:
        campaign, last = held.campaign, held.last()
        rows = held.answer(("events", before), lambda: campaign.events(before=before, most=EVENTS))
        recorded = campaign.recorded(done) if done is not None and 0 < done <= last else None
        proved, broken = None, None
        if verify:
            try:
                proved = campaign.proved()
            except SureshotError as error:
                broken, status_code = error.said(on_the_page), status_of(error)
    path = f"/c/{number}/history"
    first = rows[-1].number if rows else 1
    newest = rows[0].number if rows else 0
    data = {
        "line": opened.summary(number),
        "tab": "history",
        "rows": rows,
        "last": last,
        "recorded": recorded,
        "again": again,
        "proved": proved,
        "broken": broken,
        "words": campaign.spec.words,
        "older": address(path, before=first) if first > 1 else None,
        "newer": address(path, before=newest + EVENTS + 1 if newest + EVENTS < last else None)
        if newest < last
        else None,
    }
    return render(request, "history.html", status_code=status_code, **data)
