"""Options that several commands share, and those that come from the record of a campaign's options.

A command about one campaign is a function that takes the campaign and gives back its answer: see :func:`on_campaign`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer

from sureshot.campaign.model import options
from sureshot.campaign.model.options import Option, option
from sureshot.cli import completing
from sureshot.cli.screen.output import say
from sureshot.cli.session import opened
from sureshot.cli.words import option_for

__all__ = [
    "Answer",
    "Author",
    "Context",
    "Csv",
    "Force",
    "Json",
    "Key",
    "Name",
    "Note",
    "Of",
    "Store",
    "on_campaign",
    "takes",
]

Answer: TypeAlias = tuple[object, Callable[[], None]]
"""What a command has to say: as JSON, and on the screen."""

Name = Annotated[
    str | None,
    typer.Option(
        "--campaign",
        "-c",
        metavar="NAME",
        envvar="SURESHOT_CAMPAIGN",
        help="Which campaign, when the store has several.",
        autocompletion=completing.campaigns,
    ),
]
Store = Annotated[
    str | None,
    typer.Option("--storage", metavar="STORE", envvar="SURESHOT_STORAGE", help=option("storage").says),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
Author = Annotated[str, typer.Option(metavar="NAME", envvar="SURESHOT_AUTHOR", help="Who did it; kept with the event.")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="A text of your own for this call: called again with it, nothing more is recorded."),
]
Note = Annotated[str | None, typer.Option("--note", help="A remark, kept with the event.")]
Context = Annotated[
    list[str] | None, typer.Option("--context", metavar="NAME=VALUE", help="The case: age=61 --context diabetic=true.")
]
Csv = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write it as a CSV file; - for the screen.")]
Of = Annotated[
    int | None, typer.Option("--of", metavar="N", help="OUTCOME is a number of successes, out of this many tries.")
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]

#: What is typed for an option of each kind; for all others, text. A table is typed as several name=value.
_TYPES: dict[options.Kind, type] = {
    options.TEXTS: list[str],
    options.TABLE: list[str],
    options.WHOLE: int,
    options.NUMBER: float,
    options.FLAG: bool,
}


def takes(*chosen: Option) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take these options of a campaign in the place of its ``**said``."""
    return lambda command: _taking(command, [_parameter(one) for one in chosen], after=1)


def on_campaign(command: Callable[..., Answer]) -> Callable[..., None]:
    """A command that is given the campaign, opened, before its own arguments; in its place a person names it."""

    def run(campaign: Name = None, storage: Store = None, as_json: Json = False, **said: Any) -> None:
        with opened(campaign, storage) as found:
            say(*command(found, **said), as_json=as_json)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    hints = get_type_hints(command, localns={"Campaign": Any}, include_extras=True)
    _, *own = inspect.signature(command).parameters.values()
    return _taking(run, [one.replace(annotation=hints[one.name]) for one in own], after=0)


def _taking(command: Callable[..., None], more: list[inspect.Parameter], *, after: int) -> Callable[..., None]:
    """The command with more parameters after its first ones, in the place of its ``**said``."""
    signature = inspect.signature(command, eval_str=True)
    *named, _ = signature.parameters.values()
    every = [*named[:after], *more, *named[after:]]
    command.__signature__ = signature.replace(parameters=every)  # type: ignore[attr-defined]
    return command


def _parameter(one: Option) -> inspect.Parameter:
    flag = option_for(one.name)
    if one.kind is options.FLAG and one.default:
        flag += f"/--no-{one.name}"
    panel = None if one.part == "keeping" else f"The {one.part}"
    offered = completing.policies if one.name == "policy" else completing.choices(one.choices)
    metavar = "NAME=VALUE" if one.kind is options.TABLE else None
    about: Any = typer.Option(
        flag,
        help=one.says,
        rich_help_panel=panel,
        metavar=metavar,
        autocompletion=offered if one.choices or one.name == "policy" else None,
    )
    kind: Any = _TYPES.get(one.kind, str) | None
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, about])
