"""Commands that draw: plot and report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sureshot.cli.options import Json, Name, Store
from sureshot.cli.output import console, print_json
from sureshot.cli.session import opened
from sureshot.cli.words import pairs, typed

__all__ = ["Force", "drawn", "plot", "report"]

Case = Annotated[list[str] | None, typer.Option("--context", help="In this case: age=61.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there already.")]


def plot(
    kind: Annotated[
        str, typer.Argument(help="What to see: chance, value, effects, recommendation or calibration.")
    ] = "chance",
    x: Annotated[str | None, typer.Option("--x", help="The parameter to the right, of chance and value.")] = None,
    y: Annotated[str | None, typer.Option("--y", help="The parameter upwards, of chance and value.")] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Draw into this .html, .png, .svg or .pdf; else <campaign>-<kind>.html.")
    ] = None,
    force: Force = False,
    context: Case = None,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Draw what is believed: over two parameters, effects, the choice over time, expected against come."""
    from sureshot.campaign.pictures.report import file_name
    from sureshot.cli.quick import load_numba
    from sureshot.viz import backend_for, picture_path, save

    with opened(campaign, storage) as found:
        file = picture_path(Path(file_name(found.name, "html", kind)) if to is None else to, force=force)
        load_numba()
        case = pairs(context, "--context") if context else None
        figure = found.plot(kind, x=x, y=y, context=case, backend=backend_for(file))  # type: ignore[arg-type]
        drawn(save(figure, file, force=force), as_json)


def report(
    file: Annotated[Path | None, typer.Argument(help="Where to; else <campaign>.html.")] = None,
    force: Force = False,
    context: Case = None,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """All there is to see on one HTML page, which opens offline and prints well."""
    from sureshot.cli.quick import load_numba

    with opened(campaign, storage) as found:
        load_numba()
        case = pairs(context, "--context") if context else None
        drawn(found.report(file, context=case, force=force, dialect=typed), as_json, what="Report")


def drawn(file: Path, as_json: bool, what: str = "Picture") -> None:
    """Say where it is."""
    if as_json:
        print_json({"file": str(file)})
    else:
        console().print(f"{what}: {file}")
