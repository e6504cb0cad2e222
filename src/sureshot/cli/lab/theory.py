"""``sureshot lab theory``: what the paper proves beside what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sureshot.cli.lab.run import Processes
from sureshot.cli.lab.verdicts import made, show_verdicts
from sureshot.cli.options import Json

__all__ = ["theory"]


def theory(
    statement: Annotated[
        list[str] | None,
        typer.Option(
            help="calibration, lookahead, repeats, visits, settling, estimate, ridge or bound; may be given more than "
            "once. All if not said."
        ),
    ] = None,
    runs: Annotated[
        int, typer.Option(help="Runs behind Lemma 1; a fifth as many states, a tenth as many long runs.")
    ] = 1500,
    seed: Annotated[int, typer.Option(help="Another seed, other truths.")] = 1,
    out: Annotated[Path, typer.Option(help="Where the pictures go.")] = Path("theory"),
    page: Annotated[
        Path | None, typer.Option(help="The Markdown page; theory.md beside the pictures if not said.")
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="Where results are kept, to go on after a stop; in rows beside the pictures.")
    ] = None,
    processes: Processes = None,
    as_json: Json = False,
) -> None:
    """Measure what the paper's theorems state, and write a page: holds, does not hold, can't be told."""
    from sureshot.cli.screen.output import print_json
    from sureshot.lab.theory.making import STATEMENTS, show_theory

    found = made(
        ["theory", *(word for one in statement or () for word in ("--statement", one))],
        show_theory,
        statement or tuple(STATEMENTS),
        runs=runs,
        seed=seed,
        out=out,
        page=page,
        rows=rows,
        processes=processes,
        unit="cases",
    )
    if as_json:
        print_json({"files": [str(one) for one in found.files], "statements": found.findings})
    else:
        show_verdicts(found.findings, found.files)
