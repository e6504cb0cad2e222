"""Options that several commands share, and those that come from the record of a campaign's options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from sureshot.campaign.model import options
from sureshot.campaign.model.options import Option, option
from sureshot.cli.words import option_for

__all__ = ["Author", "Force", "Json", "Name", "Note", "Of", "Store", "takes"]

Name = Annotated[
    str | None,
    typer.Option("--campaign", "-c", envvar="SURESHOT_CAMPAIGN", help="Which campaign, when the store has several."),
]
Store = Annotated[str | None, typer.Option("--storage", envvar="SURESHOT_STORAGE", help=option("storage").says)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
Author = Annotated[str, typer.Option(envvar="SURESHOT_AUTHOR", help="Who did it; kept with the event.")]
Note = Annotated[str | None, typer.Option("--note", help="A remark, kept with the event.")]
Of = Annotated[int | None, typer.Option("--of", help="OUTCOME is a number of successes, out of this many tries.")]
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

    def taking(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        first, *rest = (one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD)
        every = [first, *map(_parameter, chosen), *rest]
        command.__signature__ = own.replace(parameters=every)  # type: ignore[attr-defined]
        return command

    return taking


def _parameter(one: Option) -> inspect.Parameter:
    flag = option_for(one.name)
    if one.kind is options.FLAG and one.default:
        flag += f"/--no-{one.name}"
    panel = None if one.part == "keeping" else f"The {one.part}"
    about: Any = typer.Option(flag, help=one.says, rich_help_panel=panel)
    kind: Any = _TYPES.get(one.kind, str) | None
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, about])
