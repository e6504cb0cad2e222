"""Commands that make pictures and a page of verdicts: the command that the page names, progress, a stop, the end."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sureshot.cli.lab.run import progress_bar

if TYPE_CHECKING:
    from sureshot.lab.paper.claims import Claim
    from sureshot.lab.theory.statement import Finding

__all__ = ["made", "show_verdicts"]

T = TypeVar("T")


def made(
    words: Sequence[str],
    make: Callable[..., T],
    chosen: Sequence[object],
    *,
    runs: int,
    seed: int,
    out: Path,
    page: Path | None,
    rows: Path | None,
    processes: int | None,
    unit: str = "runs",
) -> T:
    """What ``make`` makes of what was ``chosen``, with a bar that counts ``unit``; a stop says how to go on.

    ``words`` are what follows ``sureshot lab``. The page names what decides the result: not where rows are kept, nor
    processes.
    """
    from sureshot.cli import Stopped

    command = ["sureshot", "lab", *words, "--runs", str(runs), "--seed", str(seed), "--out", str(out)]
    command += [] if page is None else ["--page", str(page)]
    given: dict[str, Any] = {"runs": runs, "seed": seed, "out": out, "page_to": page, "rows_in": rows}
    try:
        with progress_bar(unit) as progress:
            return make(chosen, **given, processes=processes, command=shlex.join(command), progress=progress)
    except KeyboardInterrupt:
        command += [] if rows is None else ["--rows", str(rows)]
        raise Stopped(f"what is finished is kept. To go on: {shlex.join(command)}") from None


def show_verdicts(claims: Iterable[Claim | Finding], files: Iterable[Path]) -> None:
    """Each statement with its verdict and what was measured, and the files that were made."""
    from rich.text import Text

    from sureshot.cli.screen.output import console

    screen = console()
    colours = {"holds": "green", "does not hold": "red", "can't be told": "yellow"}
    for claim in claims:
        screen.print(Text.assemble((f"{claim.verdict}: ", f"bold {colours[claim.verdict]}"), claim.says))
        screen.print(f"    {claim.measured}", style="dim")
    screen.print()
    for path in files:
        screen.print(str(path), soft_wrap=True)
