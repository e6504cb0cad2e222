"""Trials: asked for, told, corrected, abandoned; and experiments that were never asked."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from sureshot.campaign import Campaign, Trial, TrialRow
from sureshot.campaign.log.ledger import State
from sureshot.campaign.log.requests import LONGEST
from sureshot.errors import Conflict, InvalidInput, OutOfDate
from sureshot.web.api.answers import (
    BRINGS,
    TAGGED,
    Case,
    Limit,
    Number,
    TrialNumber,
    answer,
    author_of,
    case_of,
    list_of,
    page,
    part,
    reached,
    refusals,
    shape,
    shape_of,
    shown,
    spoken,
    tagged,
    unchanged,
)
from sureshot.web.api.bodies import Abandon, Ask, Experiment, Note, Outcome
from sureshot.web.api.route import Route
from sureshot.web.conditions import Changed, refuse_changed, trial_tag
from sureshot.web.security.access import Bencher, Reader

__all__ = ["Row", "router"]

router = APIRouter(tags=["trials"], route_class=Route)

HandedOut = shape_of(Trial)
Row = shape_of(TrialRow)
Asked = shape("Asked", "Trials that were handed out.", trials=(list_of(HandedOut), ...))
Rows = page("Trials", "Trials in order.", trials=Row)

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=LONGEST,
        description="A text of your own for this request, a random one: sent again with the same key and the same "
        "body, it records nothing more and gives the same answer, though the server was stopped in between.",
    ),
]


@router.post(
    "/campaigns/{c}/trials",
    status_code=201,
    response_model=Asked,
    responses={
        200: {"model": Asked, "description": "They were handed out before, under the same key."},
        201: {"description": "They are handed out now."},
        **refusals(*BRINGS),
    },
)
def ask(request: Request, person: Bencher, c: Number, body: Ask, key: Key = None) -> Response:
    """Ask what to try: trials, recorded as handed out. Another body under the same key is refused (422), and so is the
    same request while the first is under way (409, with `Retry-After`).
    """
    with request.app.state.under_way.alone(c, key), reached(request, c) as held:
        campaign: Campaign = held.campaign
        before = key is not None and campaign.recorded_under(key)
        found = campaign.ask_batch(
            body.q,
            context=body.context,
            author=author_of(request, person, body.author),
            beyond_budget=body.beyond_budget,
            key=key,
        )
    return answer({"trials": [spoken(one) for one in found]}, status=200 if before else 201)


@router.get("/campaigns/{c}/preview", response_model=HandedOut, responses=tagged())
def preview(request: Request, person: Reader, c: Number, context: Case = None) -> Response:
    """The trial that would be handed out now (in a case), with nothing recorded."""
    case = case_of(context)
    return shown(request, c, ("preview", context), lambda campaign: campaign.preview(case))


@router.get("/campaigns/{c}/trials", response_model=Rows, responses=tagged())
def trials(
    request: Request,
    person: Reader,
    c: Number,
    limit: Limit = 100,
    after: Annotated[int, Query(ge=0, description="Those after the trial of this number.")] = 0,
    state: Annotated[State | None, Query(description="Only those.")] = None,
) -> Response:
    """The history: every trial as it stands."""

    def some(campaign: Campaign) -> dict[str, object]:
        every = [row for row in campaign.history() if row.trial > after and state in (None, row.state)]
        rows, follow = part(every, limit, lambda row: row.trial)
        return {"trials": [spoken(row) for row in rows], "next": follow}

    return shown(request, c, None, some)


@router.get("/campaigns/{c}/trials/{n}", response_model=Row, responses=tagged())
def trial(request: Request, person: Reader, c: Number, n: TrialNumber) -> Response:
    """A trial as it stands. Its ETag changes with its outcome, its corrections and its notes."""
    with reached(request, c) as held:
        row = held.campaign.row(n)
    tag = trial_tag(row)
    return unchanged(request, tag) or answer(spoken(row), tag=tag)


@router.get("/campaigns/{c}/trials/{n}/asked", response_model=HandedOut, responses=tagged())
def asked(request: Request, person: Reader, c: Number, n: TrialNumber) -> Response:
    """A trial as it was handed out: what was expected of it. One that was never asked has nothing such (422)."""
    return shown(request, c, None, lambda campaign: campaign.trial(n))


@router.put(
    "/campaigns/{c}/trials/{n}/outcome",
    response_model=Row,
    responses={200: TAGGED, **refusals(*BRINGS, 412, 428)},
)
def outcome(request: Request, person: Bencher, c: Number, n: TrialNumber, body: Outcome, key: Key = None) -> Response:
    """The outcome of a trial. Sent again, it records nothing more. Another outcome than the one told is recorded as a
    correction, and needs `If-Match` with the trial's ETag, or `told_event`: it corrects what you have seen.
    """
    with request.app.state.under_way.alone(c, key), reached(request, c) as held:
        row = _put(request, held.campaign, n, body, author_of(request, person, body.author), key)
    return answer(spoken(row), tag=trial_tag(row))


@router.post(
    "/campaigns/{c}/trials/{n}/abandon",
    response_model=Row,
    responses={200: TAGGED, **refusals(*BRINGS, 412)},
)
def abandon(
    request: Request, person: Bencher, c: Number, n: TrialNumber, body: Abandon | None = None, key: Key = None
) -> Response:
    """That a trial was not run, or that its outcome must not count. Nothing else ends a trial without an outcome."""
    given = body or Abandon()
    with request.app.state.under_way.alone(c, key), reached(request, c) as held:
        if key is None or not held.campaign.recorded_under(key):
            _refuse_changed(request, held.campaign, n)
        row = held.campaign.withdraw(n, author=author_of(request, person, given.author), note=given.note, key=key)
    return answer(spoken(row), tag=trial_tag(row))


@router.post("/campaigns/{c}/notes", status_code=204, response_class=Response, responses=refusals(*BRINGS))
def note(request: Request, person: Bencher, c: Number, body: Note, key: Key = None) -> Response:
    """A remark about a trial, or about the campaign. Sent twice, it stands there twice, unless it has a key."""
    with request.app.state.under_way.alone(c, key), reached(request, c) as held:
        held.campaign.note(body.text, trial=body.trial, author=author_of(request, person, body.author), key=key)
    return Response(status_code=204)


@router.post(
    "/campaigns/{c}/experiments",
    status_code=201,
    response_model=Row,
    responses={
        200: {**TAGGED, "model": Row, "description": "It was recorded before, under the same key."},
        201: {**TAGGED, "description": "It is recorded as a trial."},
        **refusals(*BRINGS),
    },
)
def experiment(request: Request, person: Bencher, c: Number, body: Experiment, key: Key = None) -> Response:
    """An experiment that was never asked, with its outcome. Sent twice, it counts twice, unless it has a key."""
    with request.app.state.under_way.alone(c, key), reached(request, c) as held:
        before = held.last()
        row = held.campaign.tell_new(
            body.alternative,
            body.outcome,  # type: ignore[arg-type]  # what is no outcome is refused there
            of=body.of,
            context=body.context,
            author=author_of(request, person, body.author),
            note=body.note,
            key=key,
        )
    return answer(spoken(row), tag=trial_tag(row), status=201 if row.opened_event > before else 200)


def _put(request: Request, campaign: Campaign, n: int, body: Outcome, author: str | None, key: str | None) -> TrialRow:
    """The outcome told, corrected, or found to be there already."""
    said: dict[str, Any] = {"of": body.of, "author": author, "note": body.note, "key": key}
    given: Any = body.outcome
    if key is not None and campaign.recorded_under(key):  # what was seen before that is no longer so
        return _put_before(campaign, n, body, said)
    if body.kind == "told":
        _refuse_changed(request, campaign, n)
        return campaign.tell(n, given, **said)
    row = campaign.row(n)
    if body.kind is None and _has(campaign, row, body):
        return row
    if body.kind == "corrected" or row.state == "told":
        if body.told_event is not None:
            _refuse_changed(request, campaign, n)
            return campaign.correct(n, given, told_event=body.told_event, **said)
        refuse_changed(request, trial_tag(row), needed="another outcome than the one told")
        try:
            return campaign.correct(n, given, told_event=row.told_event, **said)
        except OutOfDate as error:
            raise Changed(str(error)) from error
    _refuse_changed(request, campaign, n)
    try:
        return campaign.tell(n, given, **said)
    except Conflict:
        now = campaign.row(n)  # somebody was quicker, perhaps with the same outcome
        if _has(campaign, now, body):
            return now
        raise


def _put_before(campaign: Campaign, n: int, body: Outcome, said: dict[str, Any]) -> TrialRow:
    """What was recorded under the key of this request, which may be either, if it does not say which."""
    given: Any = body.outcome
    if body.kind != "corrected":
        try:
            return campaign.tell(n, given, **said)
        except InvalidInput:
            if body.kind == "told":
                raise
    return campaign.correct(n, given, **said)


def _refuse_changed(request: Request, campaign: Campaign, n: int) -> None:
    """Refuse what was decided on another state of the trial, if the request says on which."""
    if "if-match" in request.headers:
        refuse_changed(request, trial_tag(campaign.row(n)))


def _has(campaign: Campaign, row: TrialRow, body: Outcome) -> bool:
    """Whether a trial has this outcome already."""
    return row.state == "told" and (row.successes, row.of) == campaign.spec.words.counts(body.outcome, body.of)
