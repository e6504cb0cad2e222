"""``sureshot lab reproduce``: the paper's figures made anew, and its claims beside what was measured."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.cli.lab.run import Processes, progress_bar
from sureshot.cli.options import Json

if TYPE_CHECKING:
    from sureshot.lab.paper.claims import Claim
    from sureshot.lab.theory.statement import Finding

__all__ = ["reproduce", "show_verdicts"]


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

    Figure 4 needs the seven UCI tables: in the folder named by SURESHOT_DATA, else they are fetched from OpenML.
    """
    from sureshot.cli import STOPPED
    from sureshot.cli.output import print_json
    from sureshot.lab.paper.making import FIGURES
    from sureshot.lab.paper.making import reproduce as make

    command = ["sureshot", "lab", "reproduce"]  # what decides the result: not where rows are kept, nor processes
    command += [word for one in figure or () for word in ("--figure", str(one))]
    command += ["--runs", str(runs), "--seed", str(seed), "--out", str(out)]
    command += [] if page is None else ["--page", str(page)]
    try:
        with progress_bar() as progress:
            made = make(
                figure or FIGURES,
                runs=runs,
                seed=seed,
                out=out,
                page_to=page,
                rows_in=rows,
                processes=processes,
                command=shlex.join(command),
                progress=progress,
            )
    except KeyboardInterrupt:
        command += [] if rows is None else ["--rows", str(rows)]
        typer.echo(f"\nStopped: what is finished is kept. To go on: {shlex.join(command)}", err=True)
        raise typer.Exit(STOPPED) from None
    if as_json:
        print_json({"files": [str(one) for one in made.files], "claims": made.claims})
    else:
        show_verdicts(made.claims, made.files)


def show_verdicts(claims: Iterable[Claim | Finding], files: Iterable[Path]) -> None:
    """Each statement with its verdict and what was measured, and the files that were made."""
    from rich.text import Text

    from sureshot.cli.output import console

    screen = console()
    colours = {"holds": "green", "does not hold": "red", "can't be told": "yellow"}
    for claim in claims:
        screen.print(Text.assemble((f"{claim.verdict}: ", f"bold {colours[claim.verdict]}"), claim.says))
        screen.print(f"    {claim.measured}", style="dim")
    screen.print()
    for path in files:
        screen.print(str(path), soft_wrap=True)
