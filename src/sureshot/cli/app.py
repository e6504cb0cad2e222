"""Every command, with its options. What a command needs is imported inside it, so that ``--help`` is quick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sureshot._version import __version__
from sureshot.campaign.model.options import option
from sureshot.cli import comparing, keeping, looking, making, pictures, seeing, show, storing, trials
from sureshot.cli.lab.download import download
from sureshot.cli.lab.report import report
from sureshot.cli.lab.reproduce import reproduce
from sureshot.cli.lab.run import lab
from sureshot.cli.lab.theory import theory
from sureshot.cli.lab.tune import tune
from sureshot.cli.options import Force, Json, takes
from sureshot.cli.quick import Command, Group
from sureshot.cli.screen.output import say
from sureshot.cli.web.serve import serve
from sureshot.cli.web.token import token

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
    seeing.predict,
    seeing.effects,
    looking.why,
    looking.advice,
    looking.status,
    looking.history,
    comparing.compare,
    comparing.check,
    pictures.plot,
    pictures.report,
):
    app.command(cls=Command)(_command)
app.command("import", cls=Command)(keeping.import_)
app.command(cls=Command)(looking.export)
for _command in (keeping.rename, keeping.archive, keeping.delete, storing.backup, storing.doctor):
    app.command(cls=Command)(_command)


@app.command(cls=Command)
@takes(*map(option, ("success", "failure", "without", "names", "id", "shape", "formula")))
def sheet(
    file: Annotated[Path, typer.Argument(help="A CSV, Excel or Parquet file with a row for each candidate.")],
    *,
    outcome: Annotated[
        str | None, typer.Option(help="The column with the outcomes; 'outcome' if not said, added if missing.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Write here instead of into the file.")] = None,
    force: Force = False,
    as_json: Json = False,
    **options: Any,
) -> None:
    """The one-file way: read outcomes from a table, write back each row's priority and mark the next experiment."""
    from sureshot.cli.sheet.sheet import fill

    found = fill(file, outcome=outcome, to=to, force=force, **{name: value for name, value in options.items() if value})
    success = options["success"] or option("success").default
    say(found, lambda: show.sheet(found, success), as_json=as_json)


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


for _study_command in (report, tune, reproduce, theory, download):
    lab.command(cls=Command)(_study_command)
app.add_typer(lab, name="lab")
app.command(cls=Command)(serve)
app.add_typer(token, name="token")
