"""The app as a server makes it, with routes that are built once in a process and not for each test.

Two thirds of what a short test of a page cost was FastAPI working out, for every app anew, which parameters each of
its addresses takes. That depends on the sources alone: whatever differs between servers is in ``app.state`` and in the
middleware, which are made as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest import mock

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from sureshot.storage import Storage
from sureshot.web import Settings, create_app

__all__ = ["app_over"]

#: What each call of ``include_router``, in their order, put into the first app.
_INCLUDED: list[Sequence[BaseRoute]] = []


def app_over(settings: Settings, storage: Storage) -> FastAPI:
    """`create_app`, where the routes of the first app of this process serve all others."""
    calls = 0
    include = FastAPI.include_router

    def once(app: FastAPI, router: APIRouter, **options: Any) -> None:
        nonlocal calls
        if calls == len(_INCLUDED):
            before = len(app.router.routes)
            include(app, router, **options)
            _INCLUDED.append(app.router.routes[before:])
        else:
            app.router.routes.extend(_INCLUDED[calls])
        calls += 1

    with mock.patch.object(FastAPI, "include_router", once):
        return create_app(settings, storage)
