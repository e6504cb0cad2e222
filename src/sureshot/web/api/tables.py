"""Tables in JSON, in one request: outcomes of many experiments or trials, choices in many cases, predictions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sureshot.campaign import Imported, Prediction, Predictions, Told
from sureshot.campaign.answers.cases import Choices
from sureshot.said import document
from sureshot.web.api.answers import (
    BRINGS,
    Case,
    Limit,
    Number,
    answer,
    author_of,
    case_of,
    list_of,
    looked_at,
    reached,
    refusals,
    shape,
    shape_of,
    spoken,
    tagged,
    whole,
)
from sureshot.web.api.bodies import Cases, Cell, Import, Outcomes, Rows
from sureshot.web.api.route import Route
from sureshot.web.security.access import Bencher, Reader

__all__ = ["router"]

router = APIRouter(tags=["tables"], route_class=Route)

Guess = shape_of(Prediction)
_ABOUT: dict[str, Any] = {
    "success": (str, Field(description="What a success is called.")),
    "cautions": (list[str], Field(description="What is wrong with the model.")),
    "notes": (list[str], Field(description="What lies beyond the levels or ranges; what was not computed.")),
}


class Choice(BaseModel):
    """What to choose in one case."""

    context: dict[str, Cell]
    alternative: int
    label: str
    levels: dict[str, Cell]
    chance: float
    low: float
    high: float


Chosen = shape(
    "Choices",
    "What to choose in each case, in order.",
    campaign=(str, ...),
    choices=(list[Choice], ...),
    **_ABOUT,
)
Predicted = shape(
    "Predictions",
    "What is believed of alternatives.",
    campaign=(str, ...),
    context=(dict[str, Cell] | None, ...),
    total=(int, Field(description="Alternatives in the pool.")),
    ranked=(bool, Field(description="Whether the likeliest to succeed stands first.")),
    predictions=(list_of(Guess), ...),
    next=(int | None, Field(description="Where to go on: `offset` of the next request; none: that was all.")),
    **_ABOUT,
)


@router.post("/campaigns/{c}/imports", status_code=201, response_model=shape_of(Imported), responses=refusals(*BRINGS))
def imports(request: Request, person: Bencher, c: Number, body: Import) -> Response:
    """Outcomes of many experiments that were never asked: all of them, or none. A table with all the rows of an earlier
    import is refused (409) unless `repeated` says otherwise, so it may be sent again.
    """
    with reached(request, c) as held:
        found = held.campaign.import_table(
            body.table,
            outcome=body.outcome,
            of=body.of,
            author=author_of(request, person, body.author),
            blank=body.blank,
            repeated=body.repeated,
        )
    return answer(spoken(found), status=201)


@router.post("/campaigns/{c}/outcomes", response_model=shape_of(Told), responses=refusals(*BRINGS))
def outcomes(request: Request, person: Bencher, c: Number, body: Outcomes) -> Response:
    """Outcomes of many trials, by their numbers in the column `trial`: all of them, or none. Those told already are
    passed over, so it may be sent again.
    """
    with reached(request, c) as held:
        found = held.campaign.tell_table(
            body.table, outcome=body.outcome, of=body.of, author=author_of(request, person, body.author)
        )
    return answer(spoken(found))


@router.post("/campaigns/{c}/choices", response_model=Chosen, responses=refusals(*BRINGS))
def choices(request: Request, person: Reader, c: Number, body: Cases) -> Response:
    """What to choose in each of many cases. Other columns than those of a case are passed over. Nothing is recorded."""
    with looked_at(request, c) as held:
        found: Choices = held.campaign.choices(body.cases)
    return answer(document(found.to_dict()))


@router.get("/campaigns/{c}/predictions", response_model=Predicted, responses=tagged())
def predictions(
    request: Request,
    person: Reader,
    c: Number,
    context: Case = None,
    limit: Limit = 100,
    offset: Annotated[int, Query(ge=0, description="So many of the likeliest are passed over.")] = 0,
    values: Annotated[bool, Query(description="What a trial of each is worth, too, which takes longest.")] = True,
    by: Annotated[str | None, Query(description="Sorted by `value`, `tries` or a parameter, not by chance.")] = None,
    rising: Annotated[bool | None, Query(description="Rising or falling; if not said, answers fall.")] = None,
) -> Response:
    """What is believed of every alternative (in a case), the likeliest to succeed first."""
    case = case_of(context)
    key = ("predictions", context, values, by, rising)
    found = whole(
        request, c, key, lambda campaign: campaign.predictions(context=case, values=values, by=by, rising=rising)
    )
    return found if isinstance(found, Response) else answer(_some(found[0], offset, limit), tag=found[1])


@router.post("/campaigns/{c}/predictions", response_model=Predicted, responses=refusals(*BRINGS))
def predict(request: Request, person: Reader, c: Number, body: Rows) -> Response:
    """What is believed of these settings, in the order given: rows, or levels that need not be in the pool. Nothing is
    recorded.
    """
    with looked_at(request, c) as held:
        found = held.campaign.predictions(body.rows, context=body.context, values=body.values)
    return answer(_some(found, 0, len(found)))


def _some(found: Predictions, offset: int, limit: int) -> dict[str, Any]:
    end = min(offset + limit, len(found))
    return {
        "campaign": found.campaign,
        "success": found.success,
        "context": found.context,
        "total": found.total,
        "ranked": found.ranked,
        "predictions": [spoken(found[i]) for i in range(offset, end)],
        "next": end if end < len(found) else None,
        "cautions": document(found.cautions),
        "notes": document(found.notes),
    }
