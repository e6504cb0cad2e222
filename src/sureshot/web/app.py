"""The web app, put together: the store, who may do what, pages, API, and how errors are answered."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from sureshot._version import __version__
from sureshot.storage import Storage, open_storage
from sureshot.web import api, pages
from sureshot.web.briefs import Briefs
from sureshot.web.opened import Opened
from sureshot.web.refusals import Caught, handlers
from sureshot.web.security.attempts import Attempts
from sureshot.web.security.door import Door
from sureshot.web.security.headers import Told
from sureshot.web.security.heard_out import HeardOut
from sureshot.web.security.limits import Limits
from sureshot.web.security.session import Sessions
from sureshot.web.security.token_file import TokenFile
from sureshot.web.settings import Settings
from sureshot.web.shelf import Shelf

__all__ = ["create_app"]


def create_app(settings: Settings, storage: Storage | None = None, *, key: str | None = None) -> FastAPI:
    """The app over a store, which is opened here unless an open one is given (that stays open).

    ``key`` signs cookies where there are no tokens, whose file has its own; a new one if it is not given.
    """
    tokens = None if settings.tokens is None else TokenFile(settings.tokens)
    store = open_storage(settings.storage) if storage is None else storage

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.shelf.close()
        if storage is None:
            app.state.opened.close()

    app = FastAPI(
        title="sureshot",
        version=__version__,
        summary="Find what works, in the fewest tries.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=[
            Middleware(HeardOut),
            Middleware(Told),
            Middleware(Door, settings=settings),
            Middleware(Limits, most=settings.upload_bytes),
            Middleware(Caught),
        ],
        exception_handlers=handlers(),
    )
    app.state.settings, app.state.tokens = settings, tokens
    app.state.attempts = Attempts()
    signs = key or secrets.token_urlsafe(32)
    app.state.sessions = Sessions(
        lambda: signs if tokens is None else tokens.key(), https_only=settings.behind_proxy, port=settings.port
    )
    app.state.shelf = Shelf(10 * settings.upload_bytes)
    app.state.opened = Opened(store, settings.open_campaigns, settings.patience)
    app.state.briefs = Briefs(app.state.opened)
    api.install(app)
    app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=str(files("sureshot.web") / "static")), name="static")
    return app
