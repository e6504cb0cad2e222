"""The HTTP API under ``/api/v1``, one file for each kind of resource, and its description at ``/docs``.

A route parses, calls the campaign and answers with its records; who may call it stands in its parameters.
"""

from typing import Any

from fastapi import APIRouter, FastAPI, Request, Security
from fastapi.security import HTTPBearer
from starlette.responses import Response

from sureshot.errors import SureshotError, UnknownName
from sureshot.web.api import campaigns, docs, records, results, tables, trials
from sureshot.web.conditions import UnderWay, Unmet
from sureshot.web.json_answer import JsonAnswer
from sureshot.web.refusals import document_of, handlers

__all__ = ["install"]

#: Says in the description how a token is sent; what is done with it is in :mod:`sureshot.web.security.access`.
_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="A token that `sureshot token add NAME` made. None is needed where the server was started without.",
)
_TAGS: list[dict[str, Any]] = [
    {"name": "campaigns", "description": "Made, renamed, archived, deleted: by a token of the role admin."},
    {"name": "trials", "description": "Asked for, told, corrected, abandoned: by a token of the role bench."},
    {"name": "answers", "description": "What to choose, whether to go on, what each parameter does."},
    {"name": "tables", "description": "Many at once."},
    {"name": "records", "description": "What is recorded, as it is kept."},
]


def install(app: FastAPI) -> None:
    """Put the API into the app."""
    app.state.under_way = UnderWay()
    app.openapi_tags = _TAGS
    app.add_exception_handler(Unmet, _unmet)
    app.add_exception_handler(UnknownName, _unknown)
    router = APIRouter(prefix="/api/v1", dependencies=[Security(_bearer)])
    for part in (campaigns, trials, tables, results, records):
        router.include_router(part.router)
    app.include_router(router)
    docs.install(app)


async def _unmet(request: Request, error: Any) -> Response:
    return JsonAnswer(document_of(error), status_code=error.status, headers=dict(error.headers))


async def _unknown(request: Request, error: Any) -> Response:
    """A name in what was sent is a wrong input; a trial, what the address names, or a page, is not there."""
    if getattr(request.state, "reached", False) and error.field != "trial":
        return JsonAnswer(document_of(error), status_code=422)
    return await handlers()[SureshotError](request, error)
