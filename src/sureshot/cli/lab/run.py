"""``sureshot lab``: studies from the command line. A command here is one function; what it needs is imported inside."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.cli.options import Json
from sureshot.cli.quick import Command, Group

if TYPE_CHECKING:
    from sureshot.lab.report.summary import Line

__all__ = ["Processes", "lab", "progress_bar", "run"]

RESULTS = Path("results")
A_DAY = 86_400.0
Processes = Annotated[
    int | None, typer.Option(help="How many local processes share the work; as many as cores if not said.")
]

lab = typer.Typer(cls=Group, help="Policies against policies, on simulated truth.", no_args_is_help=True)


@lab.command(cls=Command)
def run(
    file: Annotated[Path, typer.Argument(help="A study: a TOML file.")],
    out: Annotated[Path, typer.Option(help="Where results go, in a folder of the study's name.")] = RESULTS,
    processes: Processes = None,
    dask: Annotated[
        str | None, typer.Option(help="A Dask scheduler, tcp://host:8786: its workers do it instead.")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="How many runs, instead of what the file says.")] = None,
    seed: Annotated[int | None, typer.Option(help="This seed, instead of what the file says.")] = None,
    as_json: Json = False,
) -> None:
    """Compute what is left of a study, keep its rows, and show how the policies did."""
    from sureshot.cli import Stopped
    from sureshot.cli.screen.output import print_json
    from sureshot.lab import read_study, run_study
    from sureshot.lab.report.summary import summary
    from sureshot.lab.study.parts import files_of

    study = read_study(file, runs=runs, seed=seed)
    folder = out / study.name
    try:
        with progress_bar() as progress:
            rows = run_study(study, out, processes=processes, dask=dask, progress=progress)
    except KeyboardInterrupt:
        given = {
            "--out": None if out == RESULTS else out,
            "--processes": processes,
            "--dask": dask,
            "--runs": runs,
            "--seed": seed,
        }
        words = [str(file), *(word for key, value in given.items() if value is not None for word in (key, str(value)))]
        kept = f"what is finished is kept in {folder}" if files_of(folder) else "nothing is finished yet"
        raise Stopped(f"{kept}. To go on: sureshot lab run {shlex.join(words)}") from None
    lines = summary(rows)
    if as_json:
        print_json({"study": study.name, "folder": str(folder), "rows": len(rows), "summary": lines})
    else:
        _show(lines, folder)


@contextmanager
def progress_bar(what: str = "runs") -> Iterator[Callable[[int, int], None]]:
    """A bar with the time left, on standard error, for work that says how many runs are done of how many."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from sureshot.cli.screen.output import console

    screen = console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn(), TextColumn("left"))
    with Progress(
        *columns,
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
        speed_estimate_period=A_DAY,  # parts may be minutes apart, and the speed is that of all of them
    ) as bar:
        task = bar.add_task("", total=None)

        def progress(done: int, total: int) -> None:
            if bar.tasks[0].total is None:  # what was finished before says nothing of the speed
                bar.reset(task, total=total, completed=done)
            bar.update(task, total=total, completed=done)

        yield progress


def _show(lines: list[Line], folder: Path) -> None:
    from rich.table import Table

    from sureshot.campaign.answers.wording import count
    from sureshot.cli.screen.output import console

    screen = console()
    several = len({one.belief for one in lines}) > 1
    for world in dict.fromkeys(one.world for one in lines):
        own = [one for one in lines if one.world == world]
        table = Table(box=None, pad_edge=False, header_style="dim", title_justify="left", title_style="bold")
        table.title = f"{world}, {count(own[0].runs, 'run')}"
        table.add_column("policy", overflow="fold")
        if several:
            table.add_column("belief", overflow="fold")
        for n in own[0].n:
            table.add_column(f"n = {n}", justify="right", no_wrap=True)
        table.add_column("ms", justify="right", no_wrap=True)
        for one in own:
            costs = [
                f"{cost:.4f}" + (f" ±{error:.4f}" if one.runs > 1 else "")
                for cost, error in zip(one.oc, one.error, strict=True)
            ]
            names = [one.policy, one.belief] if several else [one.policy]
            table.add_row(*names, *costs, f"{one.milliseconds:.1f}")
        screen.print(table)
        screen.print()
    screen.print("Mean opportunity cost after n trials ± its standard error; ms to choose a trial.", style="dim")
    screen.print(f"Rows: {folder}", style="dim", soft_wrap=True)
