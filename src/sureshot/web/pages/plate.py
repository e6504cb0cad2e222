"""Trials as a table: to print on one sheet, to fill in as a file, and to tell back all at once."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from sureshot.campaign import Campaign, Trial
from sureshot.campaign.answers.flat import plate_columns
from sureshot.campaign.answers.repeats import repeats_among
from sureshot.campaign.answers.wording import INTERVAL
from sureshot.errors import InvalidInput, SureshotError
from sureshot.files import csv_text
from sureshot.web.attached import attached
from sureshot.web.opened import Held
from sureshot.web.pages.bench import done_by
from sureshot.web.pages.forms import Posted
from sureshot.web.pages.page import render, to
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Bencher, Reader
from sureshot.web.uploads import is_given, saved
from sureshot.web.words import on_the_page

__all__ = ["router"]

#: Rows on the page; the file has them all.
LISTED = 200

router = APIRouter()


@router.get("/c/{number}/plate")
def plate(
    request: Request,
    number: int,
    person: Reader,
    first: int | None = None,
    last: int | None = None,
    done: int | None = None,
    told: str | None = None,
) -> Response:
    """The trials that wait for outcomes: all, or those of one batch."""
    with request.app.state.opened.use(number) as held:
        return shown(request, held, first, last, done=done, told=told)


@router.get("/c/{number}/plate.csv")
def plate_csv(
    request: Request, number: int, person: Reader, first: int | None = None, last: int | None = None
) -> Response:
    """The same as a file with an empty column for the outcomes; what a spreadsheet would run is guarded."""
    with request.app.state.opened.use(number) as held:
        campaign = held.campaign
        text = csv_text(plate_columns(campaign.spec.pool, _waiting(campaign, first, last)))
    name = f"trials-{number}.csv" if first is None else f"trials-{number}-{first}-to-{last}.csv"
    return attached(text, name, "text/csv")


@router.post("/c/{number}/plate")
def told_back(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """The outcomes of a file that was filled in: all, or none."""
    upload = form.get("file")
    with request.app.state.opened.use(number) as held:
        try:
            if not is_given(upload) or isinstance(upload, str) or upload is None:
                raise InvalidInput("a file must be chosen, got none", field="file", fix="choose one, then send it")
            with saved(upload, request.app.state.settings, field="file") as path:
                found = held.campaign.tell_table(path, author=person.name)
        except SureshotError as error:
            return shown(request, held, None, None, error=error)
        recorded, already, blank = found.recorded, found.already, found.blank
    return to(f"/c/{number}/plate", told=f"{recorded},{already},{blank}")


def shown(
    request: Request,
    held: Held,
    first: int | None,
    last: int | None,
    *,
    done: int | None = None,
    told: str | None = None,
    error: SureshotError | None = None,
) -> Response:
    """The page."""
    campaign, pool = held.campaign, held.campaign.spec.pool
    trials = _waiting(campaign, first, last)
    return render(
        request,
        "plate.html",
        status_code=200 if error is None else status_of(error),
        line=request.app.state.opened.summary(held.number),
        tab="bench",
        outcomes=campaign.spec.words,
        columns=plate_columns(pool, trials[:LISTED]),
        units=pool.units,
        interval=INTERVAL,
        trials=trials[:LISTED],
        total=len(trials),
        repeats=repeats_among(trials[:LISTED]),
        first=first,
        last=last,
        done=done_by(campaign, done),
        told=_told(told),
        wrong=None if error is None else error.said(on_the_page),
    )


def _waiting(campaign: Campaign, first: int | None, last: int | None) -> list[Trial]:
    """The trials without outcome that have these numbers."""
    pending = campaign.status().pending
    low, high = 1 if first is None else first, max(pending, default=0) if last is None else last
    return [campaign.trial(one) for one in pending if low <= one <= high]


def _told(text: str | None) -> str | None:
    """What came of a file, in a sentence; the address carries the three numbers."""
    from sureshot.campaign import Told

    try:
        recorded, already, blank = (int(one) for one in (text or "").split(","))
    except ValueError:
        return None
    return Told(trials=(0,) * min(recorded, 1_000_000), blank=blank, already=already).words
