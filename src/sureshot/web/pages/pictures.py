"""The charts of the pages: as Plotly's data, drawn in the browser by Plotly's own script from the installed package;
and as images drawn here, for who has no JavaScript.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from importlib.metadata import version
from importlib.resources import files
from typing import Literal, TypeAlias

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from sureshot.campaign.pictures.plot import KINDS, picture
from sureshot.errors import unknown_name
from sureshot.viz import Picture, bare, draw
from sureshot.viz.effects import Effects
from sureshot.viz.saving import png
from sureshot.web.pages.look import look_of
from sureshot.web.pages.tied import tied
from sureshot.web.security.access import Reader

__all__ = ["PLOTLY", "Ending", "drawn", "router"]

router = APIRouter()

#: Where Plotly's script is, with its version: a browser keeps it for a year.
PLOTLY = f"/static-plotly/plotly.min.js?v={version('plotly')}"
Ending: TypeAlias = Literal["json", "png"]
#: matplotlib draws one picture at a time.
_drawing = threading.Lock()


@router.get("/static-plotly/plotly.min.js")
def plotly() -> Response:
    """Plotly's script, from the installed package."""
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    path = str(files("plotly") / "package_data" / "plotly.min.js")
    return FileResponse(path, media_type="text/javascript", headers=kept)


@router.get("/c/{number}/pictures/{kind}.{ending}")
def chart(
    request: Request,
    person: Reader,
    number: int,
    kind: str,
    ending: Ending,
    to: int | None = None,
    x: str | None = None,
    y: str | None = None,
) -> Response:
    """A picture of a campaign."""
    if kind not in KINDS:
        raise unknown_name("picture", kind, KINDS, field="kind")
    look, over = look_of(request, to), _axes(kind, x, y)
    with request.app.state.opened.looking(number) as held:
        view = look.view(held)
        context = None if kind == "calibration" else look.context

        def made() -> Response:
            seen = look.answer(
                held, ("picture", kind, *over), lambda: picture(view, kind, **dict(over), context=context)
            )
            return drawn(seen, ending, view.spec.pool.units.values())

        found: Response = look.answer(held, ("drawn", kind, ending, *over), made)
    return _again(found)


def drawn(seen: Picture, ending: Ending, units: Iterable[str] = ()) -> Response:
    """A picture as Plotly's data, its words apart from it, or as an image with all of them."""
    if ending == "png":
        with _drawing:
            return Response(png(draw(seen, "matplotlib")), media_type="image/png")
    figure = draw(bare(seen.wordless() if isinstance(seen, Effects) else seen), "plotly").to_json()
    words = {name: json.dumps(tied(getattr(seen, name, ""), units)) for name in ("title", "note")}
    together = f'{{"title": {words["title"]}, "note": {words["note"]}, "figure": {figure}}}'
    return Response(together, media_type="application/json")


def _again(found: Response) -> Response:
    """The same answer for another request, whose headers are its own."""
    return Response(found.body, media_type=found.media_type)


def _axes(kind: str, x: str | None, y: str | None) -> tuple[tuple[str, str], ...]:
    """Which parameters, for a picture over two of them."""
    named = (("x", x), ("y", y)) if kind in ("chance", "value") else ()
    return tuple((name, value) for name, value in named if value)
