"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Author", "Json", "Name", "Note", "Of", "Store"]

Name = Annotated[
    str | None,
    typer.Option("--campaign", "-c", envvar="SURESHOT_CAMPAIGN", help="Which campaign, when the store has several."),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--storage", envvar="SURESHOT_STORAGE", help="A file or a postgresql:// URL; sureshot.db here if not named."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
Author = Annotated[str, typer.Option(envvar="SURESHOT_AUTHOR", help="Who did it; kept with the event.")]
Note = Annotated[str | None, typer.Option("--note", help="A remark, kept with the event.")]
Of = Annotated[int | None, typer.Option("--of", help="OUTCOME is a number of successes, of so many tries.")]
