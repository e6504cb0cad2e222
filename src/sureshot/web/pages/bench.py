"""The bench: what to run now, two buttons for how it went, what is still running, and apart from it what one would
choose. Looking records nothing: a trial is asked by a button.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from sureshot.campaign import Advice, Campaign, Recommendation
from sureshot.campaign.answers.inputs import experiment_inputs
from sureshot.campaign.answers.recorded import Recorded
from sureshot.campaign.answers.wording import INTERVAL, LOOK_AROUND
from sureshot.demo.kept import world_of
from sureshot.errors import SureshotError
from sureshot.web.opened import Held
from sureshot.web.pages import desk
from sureshot.web.pages.forms import named
from sureshot.web.pages.page import render
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Reader
from sureshot.web.words import on_the_page

__all__ = ["refused", "router", "shown"]

#: Running trials on one page.
LISTED = 20
#: With more alternatives than that, it is said that an answer takes a while.
MANY = 5_000
router = APIRouter()


class Choice(NamedTuple):
    """What one would choose, which may take a while to work out."""

    best: Recommendation
    advice: Advice
    cautions: tuple[str, ...]


@router.get("/c/{number}")
def bench(
    request: Request, number: int, person: Reader, done: int | None = None, again: bool = False, page: int = 1
) -> Response:
    """What to run now; for a campaign with contexts, the decision desk."""
    with request.app.state.opened.use(number) as held:
        show = desk.shown if held.campaign.spec.pool.contextual else shown
        return show(request, held, done=done_by(held.campaign, done), again=again, page=page)


def shown(
    request: Request,
    held: Held,
    *,
    done: Recorded | None = None,
    again: bool = False,
    page: int = 1,
    typed: dict[str, str] | None = None,
    error: SureshotError | None = None,
) -> Response:
    """The page, with what was just recorded, or with what was typed and why it was refused."""
    campaign, line = held.campaign, request.app.state.opened.summary(held.number)
    status = campaign.status(checked=False)
    first, others = turns(campaign, status.pending)
    choice = request.app.state.opened.soon(line, "choice", _choice)
    pages = max(-(-len(others) // LISTED), 1)
    page = min(max(page, 1), pages)
    return render(
        request,
        "bench.html",
        status_code=200 if error is None else status_of(error),
        line=line,
        tab="bench",
        status=status,
        interval=INTERVAL,
        outcomes=campaign.spec.words,
        next=None if first is None else campaign.trial(first),
        running=[campaign.trial(one) for one in others[(page - 1) * LISTED : page * LISTED]],
        waiting=len(others),
        page=page,
        pages=pages,
        choice=choice,
        known=status.told > 0 if choice is None else choice.best.known != "nothing",
        cautions=status.cautions if choice is None else choice.cautions,
        look_around=LOOK_AROUND,
        inputs=experiment_inputs(campaign.spec.pool),
        done=done,
        again=again,
        key=secrets.token_urlsafe(12),
        many=status.alternatives > MANY,
        simulated=held.answer("simulated", lambda: world_of(campaign) is not None),
        typed=typed or {},
        field=None if error is None else error.field,
        wrong=None if error is None else error.said(on_the_page),
    )


def _choice(held: Held) -> Choice:
    campaign = held.campaign
    best = campaign.best()
    return Choice(best, campaign.advice(), tuple(dict.fromkeys((*best.cautions, *campaign.status().cautions))))


def refused(request: Request, held: Held, form: FormData, error: SureshotError) -> Response:
    """The page again, with what was typed and what is wrong with it. Nothing was recorded."""
    typed = {name: str(value) for name, value in form.items()}
    if held.campaign.spec.pool.contextual:
        return desk.answered(request, held, form, named(form, "case.") or {}, error=error)
    return shown(request, held, typed=typed, error=error)


def done_by(campaign: Campaign, event: int | None) -> Recorded | None:
    """What an event recorded; None for one that is not there: an address that somebody typed."""
    try:
        return None if event is None else campaign.recorded(event)
    except SureshotError:
        return None


def turns(campaign: Campaign, pending: tuple[int, ...]) -> tuple[int | None, list[int]]:
    """The trials without outcome: the one to run now, and the others as they were asked.

    To run now is the first of those that were asked last, together.
    """
    if not pending:
        return None, []
    moment = campaign.row(pending[-1]).opened_at
    first = pending[-1]
    for one in reversed(pending[:-1]):
        if campaign.row(one).opened_at != moment:
            break
        first = one
    return first, [one for one in pending if one != first]
