"""``sureshot serve``: the page at the bench."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.cli.options import Json, Store
from sureshot.cli.screen.output import console, say
from sureshot.errors import SureshotError

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["serve", "web"]


def serve(
    storage: Store = None,
    host: Annotated[str, typer.Option(help="The address to listen at; others than this machine's need --tokens.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="The port to listen at; 0 picks one that is free.")] = 8000,
    tokens: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who may do what: a file that sureshot token add makes.")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Only show: for a display on the wall.")] = False,
    called: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another name that the server is called by, as behind a proxy."),
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy on this machine speaks HTTPS to the browsers.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="The proxy is at this address, not on this machine; implies it."),
    ] = None,
    studies: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Results of studies, for the page of the lab.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Serve the pages and the HTTP API, here on this machine unless told otherwise, until Ctrl-C."""
    run = web("run")
    more = {"proxies": tuple(proxy)} if proxy else {}
    settings = web("settings").Settings(
        storage=storage,
        host=host,
        port=port,
        tokens=tokens,
        read_only=read_only,
        names=tuple(called or ()),
        behind_proxy=behind_proxy or bool(proxy),
        studies=studies,
        **more,
    )

    def ready(found: Any) -> None:
        say(
            {"address": found.address, "host": found.host, "port": found.port, "read_only": found.read_only},
            lambda: console().print(f"Open {found.front} in a browser. Ctrl-C stops.", soft_wrap=True),
            as_json=as_json,
        )
        sys.stdout.flush()  # also where nobody looks on, as in the log of a service

    run.serve(settings, ready)
    if not as_json:
        console().print("Stopped.")


def web(module: str) -> ModuleType:
    """A module of the web floor, or an error that says what is missing."""
    from importlib import import_module

    try:
        return import_module(f"sureshot.web.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sureshot"):
            raise
        raise SureshotError(
            f"the pages need {error.name}, which is not installed", fix="pip install 'sureshot[web]'"
        ) from error
