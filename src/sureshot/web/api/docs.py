"""The description of the API, and the page that shows it: Swagger UI, whose files come from an installed package, not
from elsewhere.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from sureshot.web.pages.page import render

__all__ = ["install"]


def install(app: FastAPI) -> None:
    """Put the page and its files into the app. It says nothing about campaigns: anybody may read it."""
    app.mount("/static/swagger", StaticFiles(directory=str(files("fastapi_offline") / "static")), name="swagger")
    app.add_api_route("/docs", _docs, methods=["GET", "HEAD"], include_in_schema=False, response_class=Response)
    made = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = with_summaries(with_plain_pairs(made()))
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def with_summaries(schema: dict[str, Any]) -> dict[str, Any]:
    """The description with the first sentence of each operation as its summary, not the name of a function.

    >>> with_summaries({"paths": {"/": {"get": {"summary": "Best", "description": "What to choose. And so on."}}}})
    {'paths': {'/': {'get': {'summary': 'What to choose', 'description': 'What to choose. And so on.'}}}}
    """
    for operations in schema["paths"].values():
        for one in operations.values():
            one["summary"] = " ".join(one["description"].split()).partition(". ")[0].removesuffix(".")
    return schema


def with_plain_pairs(schema: Any) -> Any:
    """The description with a pair of numbers as a list of two: many tools do not know how JSON Schema says pairs.

    >>> with_plain_pairs({"prefixItems": [{"type": "number"}] * 2, "type": "array", "minItems": 2, "maxItems": 2})
    {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'number'}}
    """
    if isinstance(schema, list):
        return [with_plain_pairs(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    pair = schema.get("prefixItems")
    if isinstance(pair, list) and all(one == pair[0] for one in pair):
        schema = {key: one for key, one in schema.items() if key != "prefixItems"} | {"items": pair[0]}
    return {key: with_plain_pairs(one) for key, one in schema.items()}


def _docs(request: Request) -> Response:
    return render(request, "docs.html")
