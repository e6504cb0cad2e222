"""Commands that show what is believed: predict, effects; and best for a table of cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.cli.options import Force, Json, Name, Store
from sureshot.cli.output import console, print_json
from sureshot.cli.session import named_again, opened
from sureshot.cli.words import pairs

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["choices", "effects", "predict"]

Case = Annotated[list[str] | None, typer.Option("--context", help="In this case: age=61 --context diabetic=true.")]

#: How many alternatives are shown, unless it is said.
TOP = 10


def predict(
    top: Annotated[int | None, typer.Option("--top", help=f"How many to show; {TOP} if not said.")] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", help="These settings instead, in the pool or not: power=14,catalyst=Co; may be repeated."),
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write all of them here, not only the first.")] = None,
    force: Force = False,
    context: Case = None,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """The chance of every alternative, the likeliest first, and what one more trial of it is worth."""
    from sureshot.campaign.answers.wording import count
    from sureshot.cli import seen
    from sureshot.cli.csv_file import refuse_existing, write_csv
    from sureshot.cli.quick import load_numba

    if at and top is not None:
        raise typer.BadParameter("--top and --at exclude each other: leave one out.")
    if csv is not None:
        refuse_existing(csv, force=force)
    with opened(campaign, storage) as found:
        load_numba()
        case = pairs(context, "--context") if context else None
        alone = len(found.spec.pool.space.names) == 1
        rows = [one if alone and "=" not in one else pairs([one], "--at") for one in at or ()]
        wanted = None if csv is not None or at else TOP if top is None else top
        about = rows[0] if len(rows) == 1 else rows or None
        predictions = found.predictions(about, context=case, top=wanted)
        if csv is not None:
            write_csv(csv, {"alternative": predictions.numbers(), **predictions.columns()})
        shown = len(predictions) if at else min(len(predictions), TOP if top is None else top)
        if as_json:
            written = {} if csv is None else {"file": str(csv), "written": len(predictions)}
            print_json({**predictions.first(shown).to_dict(), **written})
            return
        seen.predictions(predictions.first(shown))
        if csv is not None:
            console().print(f"{count(len(predictions), 'row')} written to {csv}.")


def effects(context: Case = None, campaign: Name = None, storage: Store = None, as_json: Json = False) -> None:
    """What each parameter does: what helps, what hardly matters, and what is not clear yet."""
    from sureshot.cli import seen
    from sureshot.cli.quick import load_numba

    with opened(campaign, storage) as found:
        load_numba()
        told = found.effects(pairs(context, "--context") if context else None)
        if as_json:
            print_json(told.to_dict())
        else:
            seen.effects(told, named_again(campaign, storage))


def choices(campaign: Campaign, cases: Path, csv: Path | None, *, force: bool, as_json: bool) -> None:
    """What to choose in each case of a file, on the screen or in another file."""
    from sureshot.campaign.answers.wording import count
    from sureshot.cli import seen
    from sureshot.cli.csv_file import refuse_existing, write_csv

    if csv is not None:
        refuse_existing(csv, force=force)
    found = campaign.choices(cases)
    if csv is not None:
        write_csv(csv, {**found.cases, **found.columns()})
    if as_json:
        print_json({**found.to_dict(), **({} if csv is None else {"file": str(csv)})})
    elif csv is None:
        seen.choices(found)
    else:
        seen.noted_below(found.cautions, found.notes)
        console().print(f"What to choose in {count(len(found), 'case')} written to {csv}.")
