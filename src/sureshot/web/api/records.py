"""What is recorded of a campaign, as it is kept: events, specification, export, belief; and its tables and report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sureshot.campaign import Campaign
from sureshot.campaign.answers.events import EventRow
from sureshot.campaign.answers.flat import Columns, outcome_columns, trial_columns
from sureshot.campaign.answers.recorded import Recorded
from sureshot.campaign.pictures.report import file_name, report_page
from sureshot.files import csv_text
from sureshot.storage import Kind
from sureshot.storage.copying import listed
from sureshot.viz.page import page_html
from sureshot.web.api.answers import (
    Answers,
    Case,
    Limit,
    Number,
    answer,
    case_of,
    looked_at,
    page,
    part,
    reached,
    refusals,
    shape_of,
    shown,
    spoken,
    tagged,
)
from sureshot.web.api.route import Route
from sureshot.web.attached import attached
from sureshot.web.security.access import Reader

__all__ = ["Export", "router"]

router = APIRouter(tags=["records"], route_class=Route)

Anything = dict[str, Any]


class Event(BaseModel):
    """One event as recorded."""

    number: int
    at: str
    kind: Kind
    trial: int | None = Field(description="null: a note about the whole campaign.")
    alternative: int | None
    successes: int | None
    of: int | None
    text: str | None
    author: str | None
    digest: str = Field(description="SHA-256 of the digest before it and of this event.")
    context: Anything | None
    payload: Anything | None = Field(description="Whatever else belongs to it.")


Events = page("Events", "Events in order.", events=Event)
Happened = page("Happened", "What happened, the newest first.", events=shape_of(EventRow))


class Export(BaseModel):
    """A whole campaign: `POST /copies` takes it."""

    version: int
    name: str
    created_at: str
    seed: int
    spec: Anything
    digest: str
    events: list[Event]


class Posterior(BaseModel):
    """What is believed now: the `prior` of another campaign with the same features."""

    version: int
    campaign: str
    events: int = Field(description="The last event that it knows.")
    digest: str
    roots: list[str] = Field(description="Of the outcomes that it rests on: none is learned from twice.")
    link: str
    contexts: list[str] | None
    columns: list[str] = Field(description="The features that it is about.")
    design: Anything
    belief: Anything


class Verified(BaseModel):
    """That the log is whole, and that the belief in use is what it gives, to the last bit."""

    verified: bool
    events: int
    words: str = Field(description="The same in a sentence.")


@router.get("/campaigns/{c}/events", response_model=Events, responses=tagged())
def events(
    request: Request,
    person: Reader,
    c: Number,
    limit: Limit = 100,
    after: Annotated[int, Query(ge=0, description="Those after the event of this number.")] = 0,
) -> Response:
    """Every event, with its author and its moment."""

    def some(campaign: Campaign) -> dict[str, object]:
        every = campaign.storage.events(c, after=min(after, campaign.last_event()))
        found, follow = part(every, limit, lambda one: one.number)
        return {"events": [listed(one) for one in found], "next": follow}

    return shown(request, c, None, some)


@router.get("/campaigns/{c}/happened", response_model=Happened, responses=tagged())
def happened(
    request: Request,
    person: Reader,
    c: Number,
    limit: Limit = 100,
    before: Annotated[int | None, Query(ge=1, description="Those before the event of this number.")] = None,
) -> Response:
    """What happened, the newest first, each event in a sentence. `next` is the `before` of the next request."""

    def some(campaign: Campaign) -> dict[str, object]:
        rows = campaign.events(before=before, most=limit)
        follow = rows[-1].number if rows and rows[-1].number > 1 else None
        return {"events": [spoken(one) for one in rows], "next": follow}

    return shown(request, c, None, some)


@router.get("/campaigns/{c}/events/{e}", response_model=shape_of(Recorded), responses=tagged())
def recorded(
    request: Request, person: Reader, c: Number, e: Annotated[int, Path(ge=1, description="The number of the event.")]
) -> Response:
    """What one event recorded, in a sentence, and the trial that it is about."""
    return shown(request, c, None, lambda campaign: campaign.recorded(e))


@router.get("/campaigns/{c}/export", response_model=Export, responses=refusals())
def export(request: Request, person: Reader, c: Number) -> Response:
    """The whole campaign: its specification and every event."""
    with looked_at(request, c) as held:
        return answer(held.campaign.export())


@router.get("/campaigns/{c}/spec", response_model=Anything, responses=tagged())
def spec(request: Request, person: Reader, c: Number) -> Response:
    """What the campaign is, once and for all: alternatives, features, words, aim, prior."""
    return shown(request, c, None, lambda campaign: campaign.spec.to_dict())


@router.get("/campaigns/{c}/posterior", response_model=Posterior, responses=tagged())
def posterior(request: Request, person: Reader, c: Number) -> Response:
    """What is believed now: the `prior` of another campaign with the same features."""
    return shown(request, c, None, lambda campaign: campaign.posterior())


@router.get("/campaigns/{c}/verify", response_model=Verified, responses=refusals())
def verify(request: Request, person: Reader, c: Number) -> Response:
    """Read the whole log again, prove every digest, and fold it anew. What does not agree is an error (503)."""
    with reached(request, c) as held:
        words = held.campaign.proved()
        return answer({"verified": True, "events": held.last(), "words": words})


_CSV: Answers = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


@router.get("/campaigns/{c}/trials.csv", response_class=Response, responses=_CSV | refusals())
def trials_csv(request: Request, person: Reader, c: Number) -> Response:
    """Every trial and all that is known of it, as a table."""
    return _table(request, c, "trials", lambda one: trial_columns(one.spec.pool, one.history()))


@router.get("/campaigns/{c}/outcomes.csv", response_class=Response, responses=_CSV | refusals())
def outcomes_csv(request: Request, person: Reader, c: Number) -> Response:
    """The outcomes that count, as a table that an import takes back."""
    return _table(request, c, "outcomes", lambda one: outcome_columns(one.spec.pool, one.history()))


@router.get(
    "/campaigns/{c}/report",
    response_class=Response,
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}, **refusals()},
)
def report(request: Request, person: Reader, c: Number, context: Case = None) -> Response:
    """All there is to see on one HTML page, to be kept: it opens offline."""
    case = case_of(context)
    with looked_at(request, c) as held:
        text = page_html(report_page(held.campaign, case, str))
        name = file_name(held.campaign.name, "html")
    return attached(text, name, "text/html")


def _table(request: Request, c: int, kind: str, columns: Callable[[Campaign], Columns]) -> Response:
    with looked_at(request, c) as held:
        text = csv_text(columns(held.campaign))
        name = file_name(held.campaign.name, "csv", kind)
    return attached(text, name, "text/csv")
