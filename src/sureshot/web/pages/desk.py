"""The decision desk, for a campaign with contexts: a case comes in, an action goes out, outcomes come later.

To ask what to do in a case records nothing; to take the action does. A case is posted, never part of an address: it may
be about a person.
"""

from __future__ import annotations

import secrets
from collections import Counter
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from sureshot.campaign import Campaign, Trial
from sureshot.campaign.answers.cases import Choices
from sureshot.campaign.answers.inputs import case_inputs, wrong_in_case
from sureshot.campaign.answers.recorded import Recorded
from sureshot.campaign.answers.wording import INTERVAL
from sureshot.errors import InvalidInput, SureshotError
from sureshot.files import csv_text
from sureshot.storage.fields import note_text
from sureshot.web.attached import attached
from sureshot.web.opened import Held
from sureshot.web.pages.forms import Posted, named, text_of
from sureshot.web.pages.page import render, to
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Bencher
from sureshot.web.uploads import is_given, saved
from sureshot.web.words import on_the_page

__all__ = ["answered", "router", "shown"]

#: Open cases on one page.
LISTED = 20
#: Choices of a file that are shown; the file that is given back has them all.
CHOICES = 200
#: Cases of a file whose actions are taken at once, at most.
TAKEN = 200
#: Actions whose chances are shown.
ACTIONS = 50

router = APIRouter()


def shown(
    request: Request,
    held: Held,
    *,
    done: Recorded | None = None,
    again: bool = False,
    page: int = 1,
    typed: dict[str, str] | None = None,
    error: SureshotError | None = None,
    **more: Any,
) -> Response:
    """The desk, with what was just recorded, or with what was typed and why it was refused."""
    campaign = held.campaign
    status = held.answer("status", campaign.status)
    pages = max(-(-len(status.pending) // LISTED), 1)
    page = min(max(page, 1), pages)
    some = status.pending[::-1][(page - 1) * LISTED : page * LISTED]
    given = {
        name.removeprefix("case."): value for name, value in (typed or {}).items() if name.startswith("case.") and value
    }
    wrong_at = wrong_in_case(campaign.spec.pool, given) if error is not None and "file" not in (typed or {}) else {}
    return render(
        request,
        "desk.html",
        status_code=409 if more.get("moved_on") else 200 if error is None else status_of(error),
        line=request.app.state.opened.summary(held.number),
        tab="bench",
        status=status,
        interval=INTERVAL,
        outcomes=campaign.spec.words,
        inputs=case_inputs(campaign.spec.pool),
        open_cases=[campaign.row(one) for one in some],
        page=page,
        pages=pages,
        done=done,
        again=again,
        typed=typed or {},
        wrong_at={name: one.said(on_the_page) for name, one in wrong_at.items()},
        wrong=None if error is None or wrong_at else error.said(on_the_page),
        field=None if error is None else error.field,
        key=secrets.token_urlsafe(12),
        last=held.last(),
        **{
            "trial": None,
            "actions": (),
            "total": 0,
            "choices": None,
            "rows": (),
            "moved_on": False,
            "taken": 0,
            **more,
        },
    )


@router.post("/c/{number}/case")
def case(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """What to do in one case. Nothing is recorded."""
    with request.app.state.opened.use(number) as held:
        return answered(request, held, form, named(form, "case.") or {})


@router.post("/c/{number}/cases")
def cases(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """What to do in each case of a file. Nothing is recorded."""
    with request.app.state.opened.use(number) as held:
        try:
            choices = _of_file(request, held, form)
        except SureshotError as error:
            return shown(request, held, typed={"file": ""}, error=error)
        return shown(request, held, choices=choices, rows=_rows(choices))


@router.post("/c/{number}/cases.csv")
def cases_csv(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """The cases of a file with what to do in each, as a file."""
    with request.app.state.opened.use(number) as held:
        try:
            choices = _of_file(request, held, form)
        except SureshotError as error:
            return shown(request, held, typed={"file": ""}, error=error)
    text = csv_text({**choices.cases, **choices.columns()})
    return attached(text, f"choices-{number}.csv", "text/csv")


@router.post("/c/{number}/cases/ask")
def cases_asked(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """Take the action in each case of a file, one after another: each is recorded, and waits for its outcome."""
    key, trials = text_of(form, "key"), list[Trial]()
    with request.app.state.opened.use(number) as held:
        try:
            choices = _of_file(request, held, form, most=TAKEN)
            notes = [note_text(_whose(held.campaign, choices, i)) for i in range(len(choices))]  # before any is taken
            for one, own in zip(choices.contexts, _keys(key, choices), strict=True):
                trials.append(held.campaign.ask(one, author=person.name, key=own))
            for whose, trial in zip(notes, trials, strict=True):
                if whose and whose not in held.campaign.row(trial.number).notes:
                    held.campaign.note(whose, trial=trial.number, author=person.name)
        except SureshotError as error:
            return shown(request, held, typed={"file": "", "cases_key": key}, error=error, taken=len(trials))
    return to(f"/c/{number}/plate", first=trials[0].number, last=trials[-1].number, done=held.last())


def answered(
    request: Request,
    held: Held,
    form: FormData,
    given: dict[str, object],
    *,
    moved_on: bool = False,
    error: SureshotError | None = None,
) -> Response:
    """What to do in a case: the action that would be taken now, and the chances of each; or why it can't be taken."""
    campaign, typed = held.campaign, {name: str(value) for name, value in form.items()}
    try:
        every = campaign.predictions(context=given, top=ACTIONS, values=False)
        trial = campaign.preview(given)
    except SureshotError as wrong:
        return shown(request, held, typed=typed, error=wrong)
    actions = [every[i] for i in range(len(every))]
    found: dict[str, Any] = {"trial": trial, "actions": actions, "total": every.total, "moved_on": moved_on}
    return shown(request, held, typed=typed, error=error, **found)


def _of_file(request: Request, held: Held, form: FormData, most: int | None = None) -> Choices:
    """What to choose in each case of the file that was sent."""
    upload = form.get("file")
    if not is_given(upload) or isinstance(upload, str) or upload is None:
        raise InvalidInput("a file must be chosen, got none", field="file", fix="choose one, then send it")
    with saved(upload, request.app.state.settings, field="file") as path:
        found = held.campaign.choices(path)
    if most is not None and len(found) > most:
        raise InvalidInput(
            f"at most {most} cases can be taken at once, got {len(found):,}", field="file", fix="send them in parts"
        )
    return found


def _keys(key: str, choices: Choices) -> list[str | None]:
    """A key for each row of a file, by what it says and how often that was said above it: whoever sends the file again,
    or the rest of it, takes no case twice.
    """
    if not key:
        return [None] * len(choices)
    rows = [repr([str(cells[i]) for cells in choices.cases.values()]) for i in range(len(choices))]
    before = Counter[str]()
    found: list[str | None] = []
    for row in rows:
        found.append(f"{key}-{sha256(row.encode()).hexdigest()[:24]}-{before[row]}")
        before[row] += 1
    return found


def _whose(campaign: Campaign, choices: Choices, i: int) -> str:
    """What a row of a file says beside the case: ``patient 17``, to be kept with its trial."""
    others = [name for name in choices.cases if name not in campaign.spec.pool.context_names]
    return ", ".join(f"{name} {choices.cases[name][i]}" for name in others if choices.cases[name][i] not in (None, ""))


def _rows(choices: Choices) -> list[dict[str, Any]]:
    """The first choices, a row each: the case, the action, its chance and interval."""
    return choices.first(CHOICES).to_dict()["choices"]  # type: ignore[no-any-return]
