"""``sureshot lab reproduce``: the paper's figures made anew, and its claims beside what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sureshot.cli.lab.run import Processes
from sureshot.cli.lab.verdicts import made, show_verdicts
from sureshot.cli.options import Json

__all__ = ["reproduce"]


def reproduce(
    figure: Annotated[
        list[int] | None, typer.Option(help="1, 2, 3 or 4; may be given more than once. All four if not said.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs behind each claim.")] = 500,
    seed: Annotated[int, typer.Option(help="Another seed, other truths.")] = 1,
    out: Annotated[Path, typer.Option(help="Where the figures go.")] = Path("reproduction"),
    page: Annotated[
        Path | None, typer.Option(help="The Markdown page of claims; reproduction.md beside the figures if not said.")
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="Where rows are kept, to go on after a stop; in rows beside the figures.")
    ] = None,
    processes: Processes = None,
    as_json: Json = False,
) -> None:
    """Make the paper's figures again (PNG, SVG), and a page of its claims: holds, does not hold, can't be told.

    Figure 4 needs the seven UCI tables: in the folder named by SURESHOT_DATA (sureshot lab download).
    """
    from sureshot.cli.screen.output import print_json
    from sureshot.lab.paper.making import FIGURES
    from sureshot.lab.paper.making import reproduce as make

    found = made(
        ["reproduce", *(word for one in figure or () for word in ("--figure", str(one)))],
        make,
        figure or FIGURES,
        runs=runs,
        seed=seed,
        out=out,
        page=page,
        rows=rows,
        processes=processes,
    )
    if as_json:
        print_json({"files": [str(one) for one in found.files], "claims": found.claims})
    else:
        show_verdicts(found.claims, found.files)
