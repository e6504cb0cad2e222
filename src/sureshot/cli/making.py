"""``sureshot new``: from options, from a TOML file, from another campaign, or by asking step by step."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.campaign.answers.wording import count
from sureshot.campaign.model.options import fields, option
from sureshot.cli import completing, stepwise
from sureshot.cli.options import Json, Store, takes
from sureshot.cli.screen.output import console, print_json
from sureshot.cli.session import leaving_out, named_again, store_name
from sureshot.cli.show import noted
from sureshot.cli.words import option_for, pairs
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
        typer.Option(
            "--from",
            metavar="CAMPAIGN",
            autocompletion=completing.campaigns,
            help="Take alternatives and outcomes from this campaign; say only what changes.",
        ),
    ] = None,
    old_storage: Annotated[
        str | None,
        typer.Option("--from-storage", metavar="STORE", help="Where that campaign is kept, if not in --storage."),
    ] = None,
    storage: Store = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Make a campaign. Without anything, it asks step by step; with a TOML file, it takes everything from there."""
    from sureshot.campaign.recipe import in_the_file, read_recipe

    said = _said({**options, "storage": storage})
    file: dict[str, Any] = {}
    given: dict[str, Any] | None = None  # what was said by options, where the rest was asked step by step
    if old_storage is not None and old is None:
        raise InvalidInput("--from-storage says where the campaign of --from is kept, got no --from: name it.")
    if old is None:
        if name is not None and name.lower().endswith(".toml"):
            file = {key: value for key, value in read_recipe(Path(name)).items() if key not in said}
            said |= file
        elif name is not None:
            said["name"] = name
        elif "parameters" not in said and "candidates" not in said:
            given, said = said, stepwise.asked(said)
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
    while True:
        try:
            campaign = _created(said) if old is None else _created_from(name, old, old_storage, said)
            break
        except SureshotError as error:
            if given is not None:
                said = stepwise.asked_again(said, error, given)
                continue
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
        said["parameters"] = pairs(said["parameters"], "a parameter", levels=True)
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


def _show(campaign: Campaign, storage: str | None, *, as_json: bool, old: str | None, read: tuple[str, ...]) -> None:
    status, pool = campaign.status(), campaign.spec.pool
    notes = [*read, *dict.fromkeys([*pool.unvaried, *pool.design.notes, *status.cautions])]
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
