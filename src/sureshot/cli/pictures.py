"""Commands that draw: plot and report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.cli.options import Answer, Context, Force, on_campaign
from sureshot.cli.screen.output import console
from sureshot.cli.words import pairs, typed

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["drawn", "plot", "report"]


@on_campaign
def plot(
    found: Campaign,
    kind: Annotated[
        str, typer.Argument(help="What to see: chance, value, effects, recommendation or calibration.")
    ] = "chance",
    x: Annotated[str | None, typer.Option("--x", help="The parameter to the right, of chance and value.")] = None,
    y: Annotated[str | None, typer.Option("--y", help="The parameter upwards, of chance and value.")] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Draw into this .html, .png, .svg or .pdf; else <campaign>-<kind>.html.")
    ] = None,
    force: Force = False,
    context: Context = None,
) -> Answer:
    """Draw what is believed: over two parameters, effects, the choice over time, expected against come."""
    from sureshot.campaign.pictures.report import file_name
    from sureshot.cli.quick import load_numba

    load_numba()
    case = pairs(context, "--context") if context else None
    file = Path(file_name(found.name, "html", kind)) if to is None else to
    return _where(drawn(found, file, force=force, kind=kind, x=x, y=y, context=case), "Picture")


@on_campaign
def report(
    found: Campaign,
    file: Annotated[Path | None, typer.Argument(help="Where to; else <campaign>.html.")] = None,
    force: Force = False,
    context: Context = None,
) -> Answer:
    """All there is to see on one HTML page, which opens offline and prints well."""
    from sureshot.cli.quick import load_numba

    load_numba()
    case = pairs(context, "--context") if context else None
    return _where(found.report(file, context=case, force=force, dialect=typed), "Report")


def drawn(campaign: Campaign, file: Path, *, force: bool, context: Mapping[str, object] | None, **more: Any) -> Path:
    """Draw a picture of a campaign into a file; refused before anything is computed if it can't be put there."""
    from sureshot.viz import backend_for, picture_path, save

    to = picture_path(file, force=force)
    return save(campaign.plot(context=context, backend=backend_for(to), **more), to, force=force)


def _where(file: Path, what: str) -> Answer:
    return {"file": str(file)}, lambda: console().print(f"{what}: {file}")
