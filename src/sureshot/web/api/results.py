"""What a campaign answers: what to choose, whether to go on, what each parameter does, what a trial was for."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from sureshot.campaign import Advice, Campaign, Effects, Recommendation, Why
from sureshot.campaign.answers.fit.calibration import Calibration
from sureshot.campaign.answers.in_brief import InBrief
from sureshot.campaign.answers.timeline import Moment
from sureshot.web.api.answers import Case, Number, TrialNumber, case_of, list_of, shape, shape_of, shown, spoken, tagged
from sureshot.web.api.route import Route
from sureshot.web.security.access import Reader

__all__ = ["router"]

router = APIRouter(tags=["answers"], route_class=Route)

Reason = shape_of(Why)
Moments = shape(
    "Timeline",
    "What would have been chosen after each outcome; of very many, at some of them.",
    moments=(list_of(shape_of(Moment)), ...),
)


@router.get("/campaigns/{c}/best", response_model=shape_of(Recommendation), responses=tagged())
def best(request: Request, person: Reader, c: Number, context: Case = None) -> Response:
    """What to choose now (in a case), and how sure that is. This is not what to try next."""
    case = case_of(context)
    return shown(request, c, ("best", context), lambda campaign: campaign.best(case))


@router.get("/campaigns/{c}/advice", response_model=shape_of(Advice), responses=tagged())
def advice(
    request: Request,
    person: Reader,
    c: Number,
    context: Case = None,
    cost: Annotated[
        float | None, Query(description="What one trial costs: in the chance of success, or in the unit of `worth`.")
    ] = None,
    trials: Annotated[int | None, Query(description="How many trials to look ahead.", ge=1)] = None,
) -> Response:
    """Whether to go on."""
    case = case_of(context)
    return shown(request, c, ("advice", context, cost, trials), lambda one: one.advice(case, cost=cost, trials=trials))


@router.get("/campaigns/{c}/effects", response_model=shape_of(Effects), responses=tagged())
def effects(request: Request, person: Reader, c: Number, context: Case = None) -> Response:
    """What each parameter does, the clearest first."""
    case = case_of(context)
    return shown(request, c, ("effects", context), lambda campaign: campaign.effects(case))


@router.get("/campaigns/{c}/brief", response_model=shape_of(InBrief), responses=tagged())
def brief(request: Request, person: Reader, c: Number) -> Response:
    """How it stands and what we would choose now, in a few lines."""
    return shown(request, c, "brief", lambda campaign: campaign.in_brief())


@router.get("/campaigns/{c}/why", response_model=Reason, responses=tagged())
def why_last(request: Request, person: Reader, c: Number) -> Response:
    """What the last trial that was asked is for, as it was seen then."""
    return shown(request, c, None, lambda campaign: campaign.why())


@router.get("/campaigns/{c}/trials/{n}/why", response_model=Reason, responses=tagged())
def why(request: Request, person: Reader, c: Number, n: TrialNumber) -> Response:
    """What a trial is for, as it was seen when it was asked."""
    return shown(request, c, None, lambda campaign: campaign.why(n))


@router.get("/campaigns/{c}/calibration", response_model=shape_of(Calibration), responses=tagged())
def calibration(request: Request, person: Reader, c: Number) -> Response:
    """What was expected when trials were asked, against what came of them."""
    return shown(request, c, "calibration", lambda campaign: campaign.calibration())


@router.get("/campaigns/{c}/timeline", response_model=Moments, responses=tagged())
def timeline(request: Request, person: Reader, c: Number, context: Case = None) -> Response:
    """What would have been chosen after each outcome (in a case)."""
    case = case_of(context)

    def moments(campaign: Campaign) -> dict[str, object]:
        return {"moments": [spoken(one) for one in campaign.timeline(case)]}

    return shown(request, c, ("timeline", context), moments)
