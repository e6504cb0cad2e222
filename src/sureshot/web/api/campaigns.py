"""Campaigns: listed, made, renamed, archived, deleted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sureshot.campaign import Campaign, Status
from sureshot.campaign.recipe import space_of, understood
from sureshot.errors import OutOfDate
from sureshot.storage import CampaignSummary
from sureshot.web.api.answers import (
    BRINGS,
    TAGGED,
    Answers,
    Limit,
    Number,
    answer,
    page,
    part,
    reached,
    refusals,
    shape_of,
    shown,
    spoken,
    tagged,
)
from sureshot.web.api.bodies import Change, Copy, Recipe, recipe_said
from sureshot.web.api.records import Export
from sureshot.web.api.route import Route
from sureshot.web.conditions import Changed, campaign_tag, refuse_changed
from sureshot.web.opened import Held
from sureshot.web.security.access import Admin, Reader

__all__ = ["router"]

router = APIRouter(tags=["campaigns"], route_class=Route)


class Line(BaseModel):
    """A campaign in the list."""

    id: int = Field(description="Its number: stays when it is renamed.")
    name: str
    created_at: str
    last_event: int = Field(description="The number of its last event; 0: none yet.")
    last_at: str | None
    archived_at: str | None = Field(description="Since when it is left out of lists; null: it is in use.")


Lines = page("Campaigns", "Campaigns in the order in which they were made.", campaigns=Line)
Standing = shape_of(Status, id=(int, Field(description="Its number in the store.")))
_MADE: Answers = {201: {**TAGGED, "description": "It is made; `Location` says where it is."}}


@router.get("/campaigns", response_model=Lines, responses=refusals())
def campaigns(
    request: Request,
    person: Reader,
    limit: Limit = 100,
    after: Annotated[int, Query(ge=0, description="Those after the campaign of this number.")] = 0,
    name: Annotated[str | None, Query(description="Only the campaign of this name.")] = None,
    archived: Annotated[bool, Query(description="Those that are archived, too.")] = False,
) -> Response:
    """The campaigns of the store. One that is named is found though it is archived."""
    every = [
        one
        for one in request.app.state.opened.summaries()
        if one.id > after and (one.name == name if name is not None else archived or one.archived_at is None)
    ]
    some, follow = part(every, limit, lambda one: one.id)
    return answer({"campaigns": [_line(one) for one in some], "next": follow})


@router.post("/campaigns", status_code=201, response_model=Standing, responses=_MADE | refusals(*BRINGS))
def create(request: Request, person: Admin, recipe: Recipe) -> Response:
    """A new campaign, from its alternatives and options."""
    request.state.reached = True
    said = recipe_said(recipe)
    made = Campaign.create(said["name"], space_of(said), storage=request.app.state.opened.storage, **understood(said))
    return _made(request, made)


@router.post("/copies", status_code=201, response_model=Standing, responses=_MADE | refusals(*BRINGS))
def copy(request: Request, person: Admin, body: Copy) -> Response:
    """A campaign made again from its export, with all its events: whole, or not at all. Every digest is proved."""
    request.state.reached = request.state.log_sent = True
    made = Campaign.import_export(body.export, as_name=body.as_name, storage=request.app.state.opened.storage)
    return _made(request, made)


@router.get("/campaigns/{c}", response_model=Standing, responses=tagged())
def campaign(request: Request, person: Reader, c: Number, checked: bool = True) -> Response:
    """How a campaign stands; unless it is `checked` whether the model fits, nothing is computed. Its ETag changes with
    every event, and with its name.
    """
    return shown(request, c, None, lambda found: {"id": c, **spoken(found.status(checked=checked))})


@router.patch("/campaigns/{c}", response_model=Standing, responses={200: TAGGED, **refusals(*BRINGS, 412)})
def change(request: Request, person: Admin, c: Number, body: Change) -> Response:
    """Another name, archived, or no longer. `If-Match` may say on which state that was decided."""
    with reached(request, c) as held:
        refuse_changed(request, campaign_tag(held))
        if body.name is not None:
            held.campaign.rename(body.name)
        if body.archived is not None:
            held.campaign.archive(undo=not body.archived)
        return _standing(held)


@router.delete("/campaigns/{c}", response_model=Export, responses=refusals(403, 412, 428))
def delete(request: Request, person: Admin, c: Number) -> Response:
    """Remove a campaign for ever, if it is as you have seen it: `If-Match` must have its ETag. The answer is the last
    copy of it, which `POST /copies` takes.
    """
    with reached(request, c) as held:
        refuse_changed(request, campaign_tag(held), needed="deleting a campaign")
        try:
            return answer(held.campaign.delete(expected_last=held.last()))
        except OutOfDate as error:
            raise Changed(str(error)) from error


def _line(one: CampaignSummary) -> dict[str, object]:
    given = one._asdict()
    return {"last_event": given.pop("last_number"), **given}


def _made(request: Request, made: Campaign) -> Response:
    number = made.number  # its name may be another's already
    with request.app.state.opened.use(number) as held:
        return _standing(held, status=201, Location=f"/api/v1/campaigns/{number}")


def _standing(held: Held, *, status: int = 200, **headers: str) -> Response:
    found = {"id": held.number, **spoken(held.campaign.status())}
    return answer(found, tag=campaign_tag(held), status=status, **headers)
