"""Lab: what studies found, and campaigns of simulated labs, whose truth can be revealed."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from sureshot.errors import SureshotError, UnknownName
from sureshot.web.pages.page import render
from sureshot.web.pages.pictures import PLOTLY, Ending, drawn
from sureshot.web.security.access import Reader

if TYPE_CHECKING:
    from sureshot.lab.report.shelf import Found, Shelf

__all__ = ["router"]

router = APIRouter()


@router.get("/lab")
def lab(request: Request, person: Reader) -> Response:
    """The list of studies, and of simulated campaigns."""
    opened, simulated = request.app.state.opened, []
    for line in opened.summaries():
        if line.archived_at is None and line.last_number:
            with suppress(SureshotError), opened.use_line(line) as held:  # one that is broken does not hide the others
                if held.campaign.simulated is not None:
                    simulated.append(line)
    found = _shelf(request)
    studies = [] if found is None else [(one, _moment(one.changed)) for one in found.studies()]
    return render(request, "lab.html", studies=studies, simulated=simulated)


@router.get("/lab/{name}")
def study(request: Request, person: Reader, name: str) -> Response:
    """One study: costs with intervals as tables, and as curves."""
    found = _found(request, name)
    where = {end: request.url_for("study_picture", name=name, ending=end).path for end in ("json", "png")}
    return render(request, "study.html", study=found, tables=found.tables, where=where, plotly=PLOTLY)


@router.get("/lab/{name}/costs.{ending}")
def study_picture(request: Request, person: Reader, name: str, ending: Ending) -> Response:
    """The curves of a study."""
    return drawn(_found(request, name).curves, ending)


def _found(request: Request, name: str) -> Found:
    shelf = _shelf(request)
    if shelf is None:
        raise UnknownName("this server was started without a folder of studies", fix="serve with --studies FOLDER")
    return shelf.study(name)


def _shelf(request: Request) -> Shelf | None:
    """The folder of studies that the server was started with, with what was read of it."""
    state = request.app.state
    if state.settings.studies is None:
        return None
    if not hasattr(state, "studies"):
        from sureshot.lab.report.shelf import Shelf  # loads what a server without studies has no use for

        state.studies = Shelf(state.settings.studies)
    found: Shelf = state.studies
    return found


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
