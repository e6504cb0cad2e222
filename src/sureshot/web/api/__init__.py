"""The HTTP API under ``/api/v1``, one file for each kind of resource, and its description at ``/docs``.

A route parses, calls the campaign and answers with its records; who may call it stands in its parameters.
"""

from typing import Any

from fastapi import APIRouter, FastAPI, Security
from fastapi.security import HTTPBearer

from sureshot.web.api import campaigns, docs, records, results, tables, trials
from sureshot.web.conditions import UnderWay

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
    router = APIRouter(prefix="/api/v1", dependencies=[Security(_bearer)])
    for part in (campaigns, trials, tables, results, records):
        router.include_router(part.router)
    app.include_router(router)
    docs.install(app)
