"""Every command, with its options. What a command needs is imported inside it, so that ``--help`` is quick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sureshot._version import __version__
from sureshot.campaign.model.options import option
from sureshot.cli import comparing, looking, making, trials
from sureshot.cli.lab.report import report
from sureshot.cli.lab.reproduce import reproduce
from sureshot.cli.lab.run import lab
from sureshot.cli.lab.tune import tune
from sureshot.cli.options import Json
from sureshot.cli.quick import Command, Group

__all__ = ["app"]

app = typer.Typer(
    cls=Group,
    help="Find what works, in the fewest tries: experiments that end in success or failure.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sureshot {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for _command in (
    making.new,
    trials.ask,
    trials.tell,
    trials.correct,
    trials.withdraw,
    trials.note,
    looking.best,
    looking.why,
    looking.status,
    looking.history,
    comparing.compare,
):
    app.command(cls=Command)(_command)
app.command("import", cls=Command)(trials.import_)
app.command(cls=Command)(looking.export)


@app.command(cls=Command)
def sheet(
    file: Annotated[Path, typer.Argument(help="A CSV, Excel or Parquet file with a row for each candidate.")],
    outcome: Annotated[
        str | None, typer.Option(help="The column with the outcomes; 'outcome' if not said, added if missing.")
    ] = None,
    success: Annotated[str, typer.Option(help=option("success").says)] = option("success").default,
    failure: Annotated[str, typer.Option(help=option("failure").says)] = option("failure").default,
    without: Annotated[list[str] | None, typer.Option(help=option("without").says)] = None,
    names: Annotated[list[str] | None, typer.Option(help=option("names").says)] = None,
    id: Annotated[str | None, typer.Option("--id", help=option("id").says)] = None,
    shape: Annotated[str | None, typer.Option(help=option("shape").says)] = None,
    formula: Annotated[str | None, typer.Option(help=option("formula").says)] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Write here instead of into the file.")] = None,
    as_json: Json = False,
) -> None:
    """The one-file way: read outcomes from a table, write back each row's priority and mark the next experiment."""
    from sureshot.cli import show
    from sureshot.cli.output import print_json
    from sureshot.cli.sheet.sheet import fill

    found = fill(
        file,
        outcome=outcome,
        success=success,
        failure=failure,
        without=without or [],
        names=names or [],
        id=id,
        shape=shape,
        formula=formula,
        to=to,
    )
    if as_json:
        print_json(found)
    else:
        show.sheet(found, success)


@app.command(cls=Command)
def demo(
    seed: Annotated[
        int | None, typer.Option(help="Another lab, with another hidden truth; else a typical one.")
    ] = None,
    trials: Annotated[int | None, typer.Option(help="How many trials the campaign may take; 25 if not said.")] = None,
    labs: Annotated[
        int | None, typer.Option(help="Compute this many labs instead, with two other ways to spend the trials.")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="Keep labs here; those that are there stay. With --labs.")] = None,
    processes: Annotated[int, typer.Option(help="How many processes share the work. With --labs.")] = 1,
    as_json: Json = False,
) -> None:
    """Run a simulated campaign: 180 ways to grow a nanotube, and how the best is found in 25 trials."""
    from sureshot.cli import demo as screen

    if labs is None:
        screen.show(seed=seed, trials=trials, as_json=as_json)
    else:
        screen.show_labs(labs, to=to, processes=processes, as_json=as_json)


for _study_command in (report, tune, reproduce):
    lab.command()(_study_command)
app.add_typer(lab, name="lab")
