"""``sureshot new``: from options, from a TOML file, from another campaign, or by asking step by step."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.campaign.model.options import fields, option
from sureshot.cli.options import Json, Store, takes
from sureshot.cli.output import console, print_json
from sureshot.cli.session import leaving_out, named_again, store_name
from sureshot.cli.words import option_for, pairs, typed
from sureshot.errors import InvalidInput, SureshotError

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["new"]


@takes(*(one for one in fields() if one.name not in ("name", "storage")))
def new(
    name: Annotated[
        str | None, typer.Argument(help=f"{option('name').says} Or a TOML file that says all of it.")
    ] = None,
    *,
    old: Annotated[
        str | None,
        typer.Option("--from", help="Take alternatives and outcomes from this campaign; say only what changes."),
    ] = None,
    old_storage: Annotated[
        str | None, typer.Option("--from-storage", help="Where that campaign is kept, if not in --storage.")
    ] = None,
    storage: Store = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Make a campaign. Without anything, it asks step by step; with a TOML file, it takes everything from there."""
    from sureshot.campaign.recipe import in_the_file, read_recipe

    said = _said({**options, "storage": storage})
    file: dict[str, Any] = {}
    if old_storage is not None and old is None:
        raise InvalidInput("--from-storage says where the campaign of --from is kept, got no --from: name it.")
    if old is None:
        if name is not None and name.lower().endswith(".toml"):
            file = {key: value for key, value in read_recipe(Path(name)).items() if key not in said}
            said |= file
        elif name is not None:
            said["name"] = name
        elif "parameters" not in said and "candidates" not in said:
            said = {**_asked(), **said}
        else:
            raise InvalidInput(
                "a campaign must have a name, got none: write it first, as in sureshot new nanotubes --param ..."
            )
    where = said.get("storage")
    if store_name(where) == ":memory:":
        raise InvalidInput(
            "a campaign of the command line must be kept for the next command, got ':memory:': name a file, or leave "
            "--storage out."
        )
    try:
        campaign = _created(said) if old is None else _created_from(name, old, old_storage, said)
    except SureshotError as error:
        if error.field not in file:
            raise
        raise error.reworded(in_the_file).at(Path(str(name)).name) from error
    with closing(campaign.storage):
        read = campaign.spec.pool.space.notes if old is None else ()  # else they were shown when it was read
        _show(campaign, where, as_json=as_json, old=old if old_storage is None else None, read=read)


def _said(options: dict[str, Any]) -> dict[str, Any]:
    """What was typed, by name; tables are typed as name=value."""
    said = {name: value for name, value in options.items() if value is not None and value != []}
    if "parameters" in said:
        said["parameters"] = _parameters(said["parameters"])
    if "context" in said:
        said["context"] = pairs(said["context"], "--context")
    return said


def _created(said: dict[str, Any]) -> Campaign:
    """The campaign, in its store."""
    import warnings

    from sureshot.campaign import Campaign
    from sureshot.campaign.recipe import space_of, understood

    if "name" not in said:
        raise InvalidInput(
            'a campaign must have a name, got none: write sureshot new NAME, or name = "..." in the file.'
        )
    options = understood(said)
    with leaving_out():
        space = space_of(said)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "without interactions")  # a note on the screen says it
        return Campaign.create(said["name"], space, **options)


def _created_from(name: str | None, old: str, old_storage: str | None, said: dict[str, Any]) -> Campaign:
    """The campaign with the alternatives and outcomes of an old one, beside it or in another store."""
    from sureshot.campaign import Campaign
    from sureshot.campaign.recipe import understood
    from sureshot.storage import open_storage
    from sureshot.storage.opening import DEFAULT

    if name is None or name.lower().endswith(".toml"):
        raise InvalidInput(
            f"with --from, the new campaign must have a name, got {'none' if name is None else repr(name)}: write "
            f"sureshot new NAME --from {old}."
        )
    extra = next((option_for(one.name) for one in fields("alternatives", "cases", "words") if said.get(one.name)), None)
    if extra is not None:
        raise InvalidInput(
            f"alternatives, cases and words come from campaign {old!r} with --from, got {extra}: leave it out, or make "
            "a campaign without --from."
        )
    changes = {"storage": DEFAULT, **understood(said)}
    with closing(open_storage(old_storage or changes["storage"], create=False)) as source:
        return Campaign.create_from(name, Campaign.open(old, source), **changes)


def _parameters(texts: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, levels = text.partition("=")
        if not equals:
            raise InvalidInput(f"a parameter must be written name=levels, got {text!r}: for example power=8,10,12,14.")
        if name.strip() in found:
            raise InvalidInput(
                f"a parameter must be given once, got {name.strip()!r} twice: join the levels with commas."
            )
        found[name.strip()] = levels
    return found


def _asked() -> dict[str, Any]:
    """Step by step; a blank answer ends the parameters, and what is in brackets is taken when nothing is typed."""
    from sureshot.space import Space

    typer.echo("A new campaign. What is in [brackets] is taken when you press Enter.", err=True)
    name = typer.prompt(option("name").label, default="experiment", err=True)
    typer.echo("What can be varied? Write power=8,10,12,14 W or flow=10:40:10 or catalyst=Fe,Co", err=True)
    parameters: dict[str, str] = {}
    while True:
        text = typer.prompt(
            f"Parameter {len(parameters) + 1}" + (" (Enter: no more)" if parameters else ""),
            default="" if parameters else None,
            show_default=False,
            err=True,
        ).strip()
        if not text:
            break
        try:
            found = _parameters([*(f"{name}={levels}" for name, levels in parameters.items()), text])
            Space.grid(found)
        except SureshotError as error:
            typer.echo(f"  {error.said(typed)}", err=True)
            continue
        parameters = found
    words = {one.name: typer.prompt(one.label, default=one.default, err=True) for one in fields("words")}
    said = {"name": name, "parameters": parameters, **words}
    budget = typer.prompt(f"{option('budget').label} (0: open end)", default=30, type=int, err=True)
    return {**said, "budget": budget} if budget else said


def _show(campaign: Campaign, storage: str | None, *, as_json: bool, old: str | None, read: tuple[str, ...]) -> None:
    from sureshot.campaign.answers.wording import count
    from sureshot.cli.show import noted

    status, pool = campaign.status(), campaign.spec.pool
    notes = [*read, *dict.fromkeys([*pool.design.notes, *status.cautions])]
    if as_json:
        print_json({**status.to_dict(), "storage": store_name(storage), "about": notes})
        return
    screen = console()
    screen.print(
        f"Campaign {status.name}: {count(status.alternatives, 'alternative')}, "
        f"{count(status.parameters, 'parameter')}, kept in {store_name(storage)}"
    )
    for remark in status.notes[:1]:  # of a campaign made from another
        screen.print(remark)
    noted(screen, notes)
    several = len(campaign.storage.campaigns()) > 1
    again = named_again(status.name if several else None, storage)
    case = f" --context {','.join(f'{name}=...' for name in pool.context_names)}" if pool.contextual else ""
    screen.print(f"Then: sureshot ask{case}{again}", style="dim")
    if old is not None:
        where = named_again(None, storage)
        screen.print(f"Or:   sureshot compare {shlex.quote(old)} {shlex.quote(status.name)}{where}", style="dim")
