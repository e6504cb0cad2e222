"""Everything that a person records about trials: ask, tell, correct, withdraw, note. Used by the bench and the history.

A press that comes twice is recorded once: the same outcome again is no error, it is only said that it is there already.
Another outcome than the one that somebody told meanwhile is shown with both, and nothing that was typed is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from sureshot.campaign import TrialRow
from sureshot.campaign.answers.wording import told_meanwhile
from sureshot.demo import kept
from sureshot.errors import Conflict, InvalidInput, SureshotError
from sureshot.web.opened import Held
from sureshot.web.pages import bench, desk
from sureshot.web.pages.forms import Posted, named, text_of, whole_of
from sureshot.web.pages.page import render, to
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Bencher, Person
from sureshot.web.words import on_the_page

__all__ = ["Typed", "router"]

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What a person typed about one trial, as it was typed."""

    outcome: str  # the campaign's word, or a number of successes
    of: str = ""  # of so many tries
    note: str = ""
    several: bool = False  # whether it was typed as so many of so many
    back: str = "bench"

    @property
    def tries(self) -> Any:
        """Of how many, as a campaign takes it: the text of a number is understood."""
        return self.of or None

    @classmethod
    def of_form(cls, form: FormData) -> Typed:
        """The fields of a form: ``outcome`` and ``of``, or ``k`` and ``n`` beside a button for several tries."""
        several = "several" in form
        return cls(
            outcome=text_of(form, "k" if several else "outcome"),
            of=text_of(form, "n" if several else "of"),
            note=text_of(form, "note"),
            several=several or bool(text_of(form, "of")),
            back=text_of(form, "back") or "bench",
        )


@router.post("/c/{number}/ask")
def ask(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """The next trial, or several at once."""
    with request.app.state.opened.use(number) as held:
        case, key = named(form, "case."), text_of(form, "key") or None
        try:
            known = key is not None and held.campaign.recorded_under(key)
            if case and "seen" in form and not known and whole_of(form, "seen", 0) != held.last():
                return desk.answered(request, held, form, case, moved_on=True)  # it may be another action now
            trials = held.campaign.ask_batch(
                whole_of(form, "q", 1),
                context=case,
                author=person.name,
                beyond_budget="beyond" in form,
                key=key,
            )
        except SureshotError as error:
            return bench.refused(request, held, form, error)
        done = held.campaign.row(trials[-1].number).opened_event
        if len(trials) > 1:
            return to(f"/c/{number}/plate", first=trials[0].number, last=trials[-1].number, done=done)
    return to(_back(number, form), done=done)


@router.post("/c/{number}/new")
def tell_new(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """An experiment that was never asked: its levels in fields that are called ``level.NAME``, or its row."""
    typed = Typed.of_form(form)
    with request.app.state.opened.use(number) as held:
        try:
            row = held.campaign.tell_new(
                whole_of(form, "alternative", 0) if "alternative" in form else named(form, "level.") or {},
                typed.outcome,
                of=typed.tries,
                context=named(form, "case."),
                note=typed.note or None,
                author=person.name,
                key=text_of(form, "key") or None,
            )
        except SureshotError as error:
            return bench.refused(request, held, form, error)
    return to(_back(number, form), done=row.opened_event)


@router.post("/c/{number}/trials/{trial}/tell")
def tell(request: Request, number: int, trial: int, person: Bencher, form: Posted) -> Response:
    """How a trial went."""
    typed = Typed.of_form(form)
    with request.app.state.opened.use(number) as held:
        try:
            row = held.campaign.tell(trial, typed.outcome, of=typed.tries, note=typed.note or None, author=person.name)
        except Conflict as error:
            row = held.campaign.row(trial)
            if not _is_told(held, row, typed):
                return _not_yet(request, held, row, typed, error, person)
            return _known(held, number, form, row, typed, person)
        except SureshotError as error:
            return _not_yet(request, held, held.campaign.row(trial), typed, error, person)
    return to(_back(number, form), done=row.told_event)


@router.post("/c/{number}/trials/{trial}/simulate")
def simulate(request: Request, number: int, trial: int, person: Bencher, form: Posted) -> Response:
    """How a trial went in the simulated lab of its campaign, which tells it; pressed twice, it is told once."""
    with request.app.state.opened.use(number) as held:
        try:
            row = held.campaign.row(trial)
            if row.state != "told":
                row = kept.answer(held.campaign, trial)
        except SureshotError as error:
            return bench.refused(request, held, form, error)
    return to(f"/c/{number}", done=row.told_event)


@router.post("/c/{number}/trials/{trial}/correct")
def correct(request: Request, number: int, trial: int, person: Bencher, form: Posted) -> Response:
    """Another outcome in place of the one told."""
    typed = Typed.of_form(form)
    with request.app.state.opened.use(number) as held:
        row = held.campaign.row(trial)
        try:
            if _is_told(held, row, typed):
                return _known(held, number, form, row, typed, person)
            row = held.campaign.correct(
                trial, typed.outcome, of=typed.tries, note=typed.note or None, author=person.name
            )
        except SureshotError as error:
            return _not_yet(request, held, row, typed, error, person)
    return to(_back(number, form), done=row.told_event)


@router.post("/c/{number}/trials/{trial}/withdraw")
def withdraw(request: Request, number: int, trial: int, person: Bencher, form: Posted) -> Response:
    """A trial that did not run, or whose outcome must not count."""
    note = text_of(form, "note") or None
    with request.app.state.opened.use(number) as held:
        row = held.campaign.row(trial)
        if row.state == "withdrawn":
            return to(_back(number, form), done=row.withdrawn_event, again=1)
        if row.state == "told" and "pending" in form:  # the button of a trial that still ran when the page was made
            typed = Typed.of_form(form)
            meanwhile = told_meanwhile(row.trial, row.outcome or "", row.told_by, row.told_at or "", person.name)
            return _not_yet(request, held, row, typed, Conflict(meanwhile), person)
        row = held.campaign.withdraw(trial, note=note, author=person.name)
    return to(_back(number, form), done=row.withdrawn_event)


@router.post("/c/{number}/note")
def note(request: Request, number: int, person: Bencher, form: Posted) -> Response:
    """A remark about a trial, or about the campaign."""
    text, about = text_of(form, "text"), text_of(form, "trial")
    with request.app.state.opened.use(number) as held:
        if not text:
            raise InvalidInput("a note must say something", field="text", got=text, fix="go back and write it")
        trial = whole_of(form, "trial", 0) if about else None
        last = held.last()
        again = last > 0 and held.campaign.recorded(last)
        if again and (again.kind, again.text, again.row and again.row.trial) == ("noted", text, trial):
            return to(_back(number, form), done=last, again=1)
        held.campaign.note(text, trial=trial, author=person.name)
        return to(_back(number, form), done=held.last())


def _back(number: int, form: FormData) -> str:
    return f"/c/{number}/history" if form.get("back") == "history" else f"/c/{number}"


def _is_told(held: Held, row: TrialRow, typed: Typed) -> bool:
    """Whether the trial has this very outcome already."""
    counts = held.campaign.spec.words.counts(typed.outcome, typed.tries)
    return row.state == "told" and (row.successes, row.of) == counts


def _known(held: Held, number: int, form: FormData, row: TrialRow, typed: Typed, person: Person) -> Response:
    """The outcome is there already; a note that is not is added to it."""
    if typed.note and typed.note not in row.notes:
        held.campaign.note(typed.note, trial=row.trial, author=person.name)
        return to(_back(number, form), done=held.last())
    return to(_back(number, form), done=row.told_event, again=1)


def _not_yet(
    request: Request, held: Held, row: TrialRow, typed: Typed, error: SureshotError, person: Person
) -> Response:
    """The trial with what was typed about it, and what is wrong: nothing was recorded."""
    told = row.state == "told" and isinstance(error, Conflict)
    words = (
        told_meanwhile(row.trial, row.outcome or "", row.told_by, row.told_at or "", person.name)
        if told
        else error.said(on_the_page)
    )
    return render(
        request,
        "recording.html",
        status_code=status_of(error),
        line=request.app.state.opened.summary(held.number),
        tab=typed.back if typed.back == "history" else "bench",
        row=row,
        typed=typed,
        wrong=words,
        field=error.field,
        outcomes=held.campaign.spec.words,
    )
