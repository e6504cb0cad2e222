"""Every command, with its options. What a command needs is imported inside it, so that ``--help`` is quick."""

from __future__ import annotations

from typing import Annotated

import typer

from sureshot._version import __version__

__all__ = ["app"]

app = typer.Typer(
    help="Find what works, in the fewest tries: experiments that end in success or failure.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sureshot {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command()
def demo(
    seed: Annotated[int, typer.Option(help="Another seed, another hidden truth.")] = 1,
    trials: Annotated[int, typer.Option(help="How many trials the campaign may take.")] = 30,
) -> None:
    """Run a simulated campaign: 32 ways to grow a nanotube, and the knowledge gradient looking for the best."""
    from sureshot.cli.demo import show

    show(seed=seed, trials=trials)
