"""The list of campaigns: how far each is, what we would choose now, what waits for an outcome.

A page of it at a time: in a store of a thousand campaigns, twenty are looked at (:mod:`sureshot.web.briefs`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from sureshot import demo
from sureshot.campaign.answers.wording import INTERVAL
from sureshot.errors import SureshotError
from sureshot.storage import CampaignSummary
from sureshot.web.pages.page import form_of, render, to
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Admin, Reader
from sureshot.web.words import on_the_page

__all__ = ["router"]

router = APIRouter()

#: Campaigns on a page, and archived ones, of which only the name is shown.
PAGE, ARCHIVED = 20, 100

T = TypeVar("T")
Posted = Annotated[FormData, Depends(form_of)]
Done = Literal["archived", "unarchived", "renamed"]


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a long list, and which."""

    items: Sequence[Any]
    page: int
    pages: int
    total: int


def part(items: Sequence[T], page: int, size: int) -> Part:
    """The page of that number; the last one where there are fewer.

    >>> part("abcde", 2, 2), part("abc", 9, 2).items, part("", 1, 2).pages
    (Part(items='cd', page=2, pages=3, total=5), 'c', 1)
    """
    pages = max(1, -(-len(items) // size))
    at = min(max(page, 1), pages)
    return Part(items[(at - 1) * size : at * size], at, pages, len(items))


@router.get("/")
def campaigns(
    request: Request,
    person: Reader,
    page: int = 1,
    archived: int = 1,
    done: Done | None = None,
    campaign: int | None = None,
) -> Response:
    """The list, those first in which something happened last."""
    return _shown(request, page=page, archived=archived, done=done, of=campaign)


@router.post("/demo")
def try_it(request: Request, person: Admin, form: Posted) -> Response:
    """A campaign in a simulated lab, with its first trials made."""
    made = demo.keep(request.app.state.opened.storage, author=person.name)
    return to(f"/c/{made.number}")


@router.post("/c/{number}/rename")
def rename(request: Request, number: int, person: Admin, form: Posted) -> Response:
    """Another name for a campaign."""
    given, page = str(form.get("name", "")), _page_of(form)
    try:
        with request.app.state.opened.use(number) as held:
            held.campaign.rename(given.strip())
    except SureshotError as error:
        if error.field != "name":
            raise
        words = error.said(on_the_page)
        return _shown(request, page=page, status_code=status_of(error), wrong=number, words=words, typed=given)
    return to("/", page=page, done="renamed", campaign=number)


@router.post("/c/{number}/archive")
def archive(request: Request, number: int, person: Admin, form: Posted) -> Response:
    """Leave a campaign out of the list, or with ``undo`` put it back."""
    undo = form.get("undo") == "yes"
    with request.app.state.opened.use(number) as held:
        held.campaign.archive(undo=undo)
    return to("/", page=_page_of(form), done="unarchived" if undo else "archived", campaign=number)


def _page_of(form: Mapping[str, Any]) -> int:
    given = str(form.get("page", ""))
    return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else 1


def _shown(
    request: Request,
    *,
    page: int,
    archived: int = 1,
    done: Done | None = None,
    of: int | None = None,
    wrong: int | None = None,
    words: str = "",
    typed: str = "",
    status_code: int = 200,
) -> Response:
    every = sorted(request.app.state.opened.summaries(), key=_last, reverse=True)
    seen = part([one for one in every if one.archived_at is None], page, PAGE)
    aside = part([one for one in every if one.archived_at is not None], archived, ARCHIVED)
    lines = request.app.state.briefs.of(seen.items)
    return render(
        request,
        "campaigns.html",
        status_code=status_code,
        tie={unit for one in lines for unit in one.units},
        lines=lines,
        interval=INTERVAL,
        seen=seen,
        aside=aside,
        done=done,
        of=next((one for one in every if one.id == of), None),
        wrong=wrong,
        words=words,
        typed=typed,
    )


def _last(line: CampaignSummary) -> tuple[str, int]:
    return line.last_at or line.created_at, line.id
