"""``sureshot token``: who may use the server, and for what."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sureshot.cli.options import Json
from sureshot.cli.quick import Command, Group
from sureshot.cli.screen.output import console, say
from sureshot.cli.web.serve import web

__all__ = ["token"]

token = typer.Typer(
    cls=Group, help="Tokens: who may use the server from elsewhere, and for what.", no_args_is_help=True
)

File = Annotated[Path, typer.Option("--tokens", metavar="FILE", help="The file that keeps them, as hashes.")]
WHERE = Path("sureshot-tokens.json")


@token.command(cls=Command)
def add(
    name: Annotated[str, typer.Argument(help="Who has it: the author of what is recorded with it.")],
    role: Annotated[
        str, typer.Option(help="read (look), bench (ask, tell, correct) or admin (make and delete campaigns too).")
    ] = "bench",
    tokens: File = WHERE,
    as_json: Json = False,
) -> None:
    """Make a token, and show it this once."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    text = web("security.token_file").add_token(tokens, name, role, made=made)

    def show() -> None:
        screen = console()
        screen.print(f"The token of {name}, who may {_MAY[role]}. It is shown this once:")
        screen.print(text, soft_wrap=True)
        screen.print(f"Then: sureshot serve --tokens {shlex.quote(str(tokens))}", style="dim")

    say({"name": name, "role": role, "made": made, "token": text, "tokens": str(tokens)}, show, as_json=as_json)


@token.command(cls=Command)
def remove(
    name: Annotated[str, typer.Argument(help="Whose token.")],
    tokens: File = WHERE,
    as_json: Json = False,
) -> None:
    """Take a token back: whoever has it is let in no more, by a running server too."""
    web("security.token_file").remove_token(tokens, name)
    say(
        {"name": name, "removed": True, "tokens": str(tokens)},
        lambda: console().print(f"The token of {name} is no longer valid."),
        as_json=as_json,
    )


@token.command("list", cls=Command)
def list_(tokens: File = WHERE, as_json: Json = False) -> None:
    """Who has a token, for what, since when."""
    kept = web("security.token_file").read_tokens(tokens).tokens

    def show() -> None:
        screen = console()
        for one in kept:
            screen.print(f"{one.name}: {one.role}, made {one.made}")
        if not kept:
            screen.print("Nobody has a token.")

    listed = [{"name": one.name, "role": one.role, "made": one.made} for one in kept]
    say({"tokens": listed, "file": str(tokens)}, show, as_json=as_json)


_MAY = {"read": "look", "bench": "ask, tell and correct", "admin": "do everything"}
