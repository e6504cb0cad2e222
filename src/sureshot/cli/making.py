"""``sureshot new``: from options, from a TOML file, or by asking step by step."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.cli.options import Json, Store

if TYPE_CHECKING:
    from sureshot.campaign import Campaign
    from sureshot.cli.recipe import Recipe

__all__ = ["new"]


def new(
    name: Annotated[str | None, typer.Argument(help="A name for the campaign, or a TOML file.")] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter and its levels: power=8,10,12 or flow=10:40:10.")
    ] = None,
    candidates: Annotated[
        str | None, typer.Option(help="A file of alternatives instead: .csv, .parquet or .xlsx.")
    ] = None,
    where: Annotated[list[str] | None, typer.Option(help='A constraint: "power * time <= 40".')] = None,
    without: Annotated[list[str] | None, typer.Option(help="A column of the file that is no parameter.")] = None,
    names: Annotated[list[str] | None, typer.Option(help="A column of the file that holds names, not numbers.")] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Merge equal rows of the file instead of refusing.")] = False,
    context: Annotated[
        list[str] | None, typer.Option(help="A column of the cases to decide in: age=18:90, ward=A,B, diabetic=bool.")
    ] = None,
    interactions: Annotated[
        bool | None,
        typer.Option("--interactions/--no-interactions", help="Whether the best action may depend on the case."),
    ] = None,
    shape: Annotated[
        str | None,
        typer.Option(help="What may bend: auto (default: outcomes decide), straight, curved or pairs."),
    ] = None,
    formula: Annotated[str | None, typer.Option(help='The features: "power * flow + C(catalyst)".')] = None,
    success: Annotated[str | None, typer.Option(help="What a success is called.")] = None,
    failure: Annotated[str | None, typer.Option(help="What a failure is called.")] = None,
    budget: Annotated[int | None, typer.Option(help="How many trials may be asked; open end if not said.")] = None,
    objective: Annotated[
        str | None, typer.Option(help="offline (best final choice) or online (most successes on the way).")
    ] = None,
    discount: Annotated[float | None, typer.Option(help="Online with an open end: 0.99, say.")] = None,
    cost: Annotated[
        str | None, typer.Option(help="A column with the cost of each alternative, or what a trial is worth (0.002).")
    ] = None,
    prior: Annotated[
        str | None, typer.Option(help="auto, a precision such as 1.0, or a file made by export --posterior.")
    ] = None,
    link: Annotated[str | None, typer.Option(help="logit, probit, cloglog or loglog.")] = None,
    value: Annotated[
        str | None,
        typer.Option(help="With --context, a trial's value: for the 'same context', or over the 'seen contexts'."),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help='What chooses the trials: a policy and its parameters, as in "ucb alpha=2".')
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed and outcomes give the same suggestions.")] = None,
    old: Annotated[
        str | None,
        typer.Option("--from", help="Take alternatives and outcomes from this campaign; say only what changes."),
    ] = None,
    old_storage: Annotated[
        str | None, typer.Option("--from-storage", help="Where that campaign is kept, if not in --storage.")
    ] = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Make a campaign. Without anything, it asks step by step; with a TOML file, it takes everything from there."""
    from sureshot.cli.changing import create_from
    from sureshot.cli.recipe import Recipe, create, read_recipe
    from sureshot.cli.session import store_name
    from sureshot.cli.words import pairs
    from sureshot.errors import InvalidInput

    said = {
        "candidates": candidates,
        "where": where,
        "without": without,
        "names": names,
        "merge": merge or None,
        "context": None if not context else {k: v for text in context for k, v in pairs([text], "--context").items()},
        "interactions": interactions,
        "shape": shape,
        "formula": formula,
        "success": success,
        "failure": failure,
        "budget": budget,
        "objective": objective,
        "discount": discount,
        "cost": cost,
        "prior": prior,
        "link": link,
        "value": value,
        "policy": policy,
        "seed": seed,
        "storage": storage,
        "parameters": _parameters(param or []),
    }
    if old_storage is not None and old is None:
        raise InvalidInput("--from-storage says where the campaign of --from is kept, got no --from: name it.")
    if old is not None:
        recipe = Recipe(name=name).but(**said)
    elif name is not None and name.lower().endswith(".toml"):
        recipe = read_recipe(Path(name)).but(**said)
    elif name is None and not param and candidates is None:
        recipe = _asked(Recipe()).but(**said)
    elif name is None:
        raise InvalidInput(
            "a campaign must have a name, got none: write it first, as in sureshot new nanotubes --param ..."
        )
    else:
        recipe = Recipe(name=name).but(**said)
    if store_name(recipe.storage) == ":memory:":
        raise InvalidInput(
            "a campaign of the command line must be kept for the next command, got ':memory:': name a file, or leave "
            "--storage out."
        )
    campaign = create(recipe) if old is None else create_from(name, old, old_storage, said)
    try:
        _show(campaign, recipe, as_json=as_json, old=old if old_storage is None else None)
    finally:
        campaign.storage.close()


def _parameters(texts: list[str]) -> dict[str, str] | None:
    from sureshot.errors import InvalidInput

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
    return found or None


def _asked(recipe: Recipe) -> Recipe:
    """Step by step; a blank answer ends the parameters, and what is in brackets is taken when nothing is typed."""
    from sureshot.cli.words import typed
    from sureshot.errors import SureshotError
    from sureshot.space import Space

    typer.echo("A new campaign. What is in [brackets] is taken when you press Enter.", err=True)
    name = typer.prompt("Name of the campaign", default="experiment", err=True)
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
            found = _parameters([*(f"{name}={levels}" for name, levels in parameters.items()), text]) or {}
            Space.grid(found)
        except SureshotError as error:
            typer.echo(f"  {error.said(typed)}", err=True)
            continue
        parameters = found
    success = typer.prompt("What is a success called", default="success", err=True)
    failure = typer.prompt("What is a failure called", default="failure", err=True)
    budget = typer.prompt("How many trials at most (0: open end)", default=30, type=int, err=True)
    return recipe.but(name=name, parameters=parameters, success=success, failure=failure, budget=budget or None)


def _show(campaign: Campaign, recipe: Recipe, *, as_json: bool, old: str | None) -> None:
    from sureshot.cli.output import console, print_json
    from sureshot.cli.session import named_again, store_name
    from sureshot.cli.show import noted
    from sureshot.cli.words import count

    status, pool = campaign.status(), campaign.spec.pool
    notes = [*pool.space.notes, *dict.fromkeys([*pool.design.notes, *status.cautions])]
    if as_json:
        print_json({**status.to_dict(), "storage": store_name(recipe.storage), "about": notes})
        return
    screen = console()
    screen.print(
        f"Campaign {status.name}: {count(status.alternatives, 'alternative')}, "
        f"{count(status.parameters, 'parameter')}, kept in {store_name(recipe.storage)}"
    )
    for remark in status.notes[:1]:  # of a campaign made from another
        screen.print(remark)
    noted(screen, notes)
    several = len(campaign.storage.campaigns()) > 1
    again = named_again(status.name if several else None, recipe.storage)
    case = f" --context {','.join(f'{name}=...' for name in pool.context_names)}" if pool.contextual else ""
    screen.print(f"Then: sureshot ask{case}{again}", style="dim")
    if old is not None:
        where = named_again(None, recipe.storage)
        screen.print(f"Or:   sureshot compare {shlex.quote(old)} {shlex.quote(status.name)}{where}", style="dim")
