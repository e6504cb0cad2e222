"""A new campaign: of parameters typed in or a file, like another campaign, or from a download.

It can be looked at before it is kept: then it is made in memory, by the same code, and forgotten. A form that is
refused is shown again with all that was typed; a file that was sent waits on the server for the next step
(:mod:`sureshot.web.shelf`).
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import JSONResponse, Response

from sureshot.campaign import Campaign, fields
from sureshot.campaign.made_of import MadeOf, made_of, settings
from sureshot.campaign.model.options import MIDDLE
from sureshot.campaign.recipe import columns_of, space_of, understood
from sureshot.errors import InvalidInput, Notice, SureshotError
from sureshot.web.pages.making_form import FORM, Typed, changed, errors_of, name_of, read_form, said_of
from sureshot.web.pages.page import form_of, render, to
from sureshot.web.security.access import Admin, Person
from sureshot.web.shelf import Shelf, Shelved
from sureshot.web.uploads import is_given, saved, shown_name
from sureshot.web.words import COLUMNS

__all__ = ["router"]

router = APIRouter()

Posted = Annotated[FormData, Depends(form_of)]
#: Of the number of a campaign, at most.
DIGITS = 19
#: Notices are shown as notes, and filters of warnings are the whole process's: one at a time.
_WARNINGS = threading.Lock()


@dataclass(frozen=True, slots=True)
class _File:
    """The file of a form, and its columns; none if it can't be read."""

    shelved: Shelved
    headers: tuple[str, ...] = ()


@router.get("/new")
def new(request: Request, person: Admin) -> Response:
    """The form."""
    return _form(request, Typed())


@router.post("/new")
def made(request: Request, person: Admin, form: Posted) -> Response:
    """Another row, a look at it, or the campaign."""
    typed, do = read_form(form), str(form.get("do", "look"))
    typed, file = _file(request, person, form, typed)
    if do == "row":
        return _form(request, replace(typed, parameters=[*typed.parameters, ("", "")]), file, focus="parameters")
    if do == "case":
        return _form(request, replace(typed, context=[*typed.context, ("", "")]), file, focus="context")
    headers = () if file is None else file.headers
    with _quietly():
        said, typed = said_of(typed, headers, None if file is None else str(file.shelved.path))
    keeps = do == "create"
    with errors_of(typed, headers) as found, _quietly():
        name = name_of(typed) if keeps or typed.values["name"].strip() else "campaign"  # one to look at needs none
        if not typed.errors:
            store = request.app.state.opened.storage if keeps else ":memory:"
            campaign = Campaign.create(name, space_of(said), storage=store, **understood(said))
            if keeps:
                _shelf(request).remove(person.session.id, typed.token)
                return to(f"/c/{campaign.number}")
            look = made_of(campaign.spec, headers)
            return _form(request, typed, file, look=look, tie=campaign.spec.pool.units.values())
    return _form(request, found[0], file, status_code=422)


@router.post("/new/count")
def counted(request: Request, person: Admin, form: Posted) -> JSONResponse:
    """How many settings there would be, for the line under the parameters."""
    try:
        with _quietly():
            said, typed = said_of(read_form(form), (), None)
            words = settings(space_of({k: said[k] for k in ("parameters", "where") if k in said}))
            return JSONResponse({"words": "" if typed.errors else words})
    except SureshotError:
        return JSONResponse({"words": ""})  # what is wrong is said when the form is sent


@router.get("/new/like")
def like(request: Request, person: Admin, old: int | None = None) -> Response:
    """The form of a campaign that is made from another; the address may say what is to change."""
    said = {one.name: request.query_params.get(one.name, "") for one in FORM if one.changeable or one.name == "name"}
    return _like(request, Typed(values=said | {"old": "" if old is None else str(old)}))


@router.post("/new/like")
def made_like(request: Request, person: Admin, form: Posted) -> Response:
    """A campaign with the alternatives and outcomes of another, and something of it changed."""
    said, typed = changed(read_form(form))
    number = typed.values["old"]
    with errors_of(typed) as found, _quietly():
        name = name_of(typed)
        if not number.isascii() or not number.isdigit() or len(number) > DIGITS:
            raise InvalidInput("a campaign must be chosen, got none", field="old", fix="choose the one to begin from")
        if not typed.errors:
            with request.app.state.opened.use(int(number)) as held:
                campaign = Campaign.create_from(name, held.campaign, **understood(said))
            return to(f"/c/{campaign.number}")
    return _like(request, found[0], status_code=422)


@router.get("/new/import")
def from_download(request: Request, person: Admin) -> Response:
    """The form for a campaign that was downloaded."""
    return render(request, "new_import.html", typed=Typed())


@router.post("/new/import")
def made_again(request: Request, person: Admin, form: Posted) -> Response:
    """A campaign with all its events, from what was downloaded."""
    upload, typed = form.get("export"), Typed(values={"name": str(form.get("name", ""))})
    try:
        if not isinstance(upload, UploadFile):
            raise InvalidInput("a file must be chosen, got none", field="export", fix="choose one, then send it")
        name = typed.values["name"].strip() or None
        with saved(upload, request.app.state.settings, field="export", endings=(".json",)) as path:
            campaign = Campaign.import_export(path, as_name=name, storage=request.app.state.opened.storage)
    except SureshotError as error:
        place = "name" if error.field in ("name", "as_name") else "export"
        return render(request, "new_import.html", typed=typed.wrong(place, error), status_code=422)
    return to(f"/c/{campaign.number}")


# -- inside


def _form(
    request: Request,
    typed: Typed,
    file: _File | None = None,
    *,
    look: MadeOf | None = None,
    focus: str = "",
    tie: Iterable[str] = (),
    status_code: int = 200,
) -> Response:
    return render(
        request,
        "new.html",
        status_code=status_code,
        tie=tie,
        typed=typed,
        options={one.name: one for one in fields()},
        more=[one for one in FORM if one.part in ("model", "aim", "keeping") and one.name not in _SHOWN],
        file=file,
        look=look,
        focus=focus,
        taken={one.header: one.words for one in look.columns} if look else {},
        middle=MIDDLE,
        kinds=COLUMNS,
    )


#: What stands before "More choices".
_SHOWN = ("objective", "budget", "shape")


def _like(request: Request, typed: Typed, status_code: int = 200) -> Response:
    lines = sorted(request.app.state.opened.summaries(), key=lambda one: one.last_at or one.created_at, reverse=True)
    changeable = [one for one in FORM if one.changeable]
    return render(
        request,
        "new_like.html",
        status_code=status_code,
        typed=typed,
        options={one.name: one for one in fields()},
        changeable=changeable,
        lines=lines,
    )


def _file(request: Request, person: Person, form: FormData, typed: Typed) -> tuple[Typed, _File | None]:
    """The file of a form: the one that was just sent, or the one that waits; its errors are at its field."""
    shelf, upload, session = _shelf(request), form.get("candidates"), person.session.id
    if form.get("do") == "nofile":
        shelf.remove(session, typed.token)
        return replace(typed, token="", columns=()), None
    with errors_of(typed) as found:
        if isinstance(upload, UploadFile) and is_given(upload):
            with saved(upload, request.app.state.settings) as path:
                shelf.remove(session, typed.token)
                shelved = shelf.put(session, path, shown_name(upload.filename or ""))
            typed = replace(typed, token=shelved.token, columns=())
        elif typed.token:
            shelved = shelf.get(session, typed.token)
        else:
            return typed, None
        found[0] = typed
        with errors_of(typed) as read:
            try:
                return typed, _File(shelved, columns_of(shelved.path))
            except SureshotError as error:  # about the file, and not about a field of the campaign
                error.field = "candidates"
                raise
        return read[0], _File(shelved)
    return replace(found[0], token=""), None


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


@contextmanager
def _quietly() -> Iterator[None]:
    """What may be meant otherwise is shown as a note, not printed by the server."""
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        warnings.filterwarnings("ignore", "without interactions")
        yield
