"""Commands that show what is believed: predict, effects; and best for a table of cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.campaign.answers.wording import count
from sureshot.cli.files import writable, write_csv
from sureshot.cli.options import Answer, Context, Force, on_campaign
from sureshot.cli.screen.output import console
from sureshot.cli.words import pairs

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["choices", "effects", "predict"]

#: How many alternatives are shown, unless it is said.
TOP = 10


@on_campaign
def predict(
    found: Campaign,
    top: Annotated[int | None, typer.Option("--top", help=f"How many to show; {TOP} if not said.")] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", help="These settings instead, in the pool or not: power=14,catalyst=Co; may be repeated."),
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write all of them here, not only the first.")] = None,
    force: Force = False,
    context: Context = None,
) -> Answer:
    """The chance of every alternative, the likeliest first, and what one more trial of it is worth."""
    from sureshot.cli import seen
    from sureshot.cli.quick import load_numba

    if at and top is not None:
        raise typer.BadParameter("--top and --at exclude each other: leave one out.")
    if csv is not None:
        writable(csv, force)
    load_numba()
    case = pairs(context, "--context") if context else None
    alone = found.spec.pool.space.has_names
    rows = [one if alone and "=" not in one else pairs([one], "--at") for one in at or ()]
    wanted = None if csv is not None or at else TOP if top is None else top
    about = rows[0] if len(rows) == 1 else rows or None
    predictions = found.predictions(about, context=case, top=wanted)
    first = predictions.first(len(predictions) if at else min(len(predictions), TOP if top is None else top))
    if csv is None:
        return first.to_dict(), lambda: seen.predictions(first)
    write_csv(csv, {"alternative": predictions.numbers(), **predictions.columns()})

    def shown() -> None:
        seen.predictions(first)
        console().print(f"{count(len(predictions), 'row')} written to {csv}.")

    return {**first.to_dict(), "file": str(csv), "written": len(predictions)}, shown


@on_campaign
def effects(found: Campaign, context: Context = None) -> Answer:
    """What each parameter does: what helps, what hardly matters, and what is not clear yet."""
    from sureshot.cli import seen
    from sureshot.cli.quick import load_numba

    load_numba()
    told = found.effects(pairs(context, "--context") if context else None)
    return told.to_dict(), lambda: seen.effects(told)


def choices(campaign: Campaign, cases: Path, csv: Path | None, *, force: bool) -> Answer:
    """What to choose in each case of a file, on the screen or in another file."""
    from sureshot.cli import seen

    if csv is not None:
        writable(csv, force)
    found = campaign.choices(cases)
    if csv is None:
        return found.to_dict(), lambda: seen.choices(found)
    write_csv(csv, {**found.cases, **found.columns()})

    def shown() -> None:
        seen.noted_below(found.cautions, found.notes)
        console().print(f"What to choose in {count(len(found), 'case')} written to {csv}.")

    return {**found.to_dict(), "file": str(csv)}, shown
