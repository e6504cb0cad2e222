"""Commands that only look: best, advice, why, status, history, export."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.campaign.answers.wording import count
from sureshot.cli import completing, pictures, seeing, show
from sureshot.cli.files import written
from sureshot.cli.options import Answer, Context, Csv, Force, Json, Name, Store, on_campaign
from sureshot.cli.screen.output import console, json_text, print_json, say
from sureshot.cli.session import opened, trial_number
from sureshot.cli.words import pairs
from sureshot.files import free_path, write_whole

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["advice", "best", "export", "history", "status", "why"]


@on_campaign
def best(
    found: Campaign,
    context: Context = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the chances into this .html, .png, .svg or .pdf too.")
    ] = None,
    cases: Annotated[
        Path | None, typer.Option("--cases", help="In each case of this table: a CSV, Excel or Parquet file.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="With --cases: write the table with what to choose here.")
    ] = None,
    force: Force = False,
) -> Answer:
    """What to choose, how sure that is, and whether more trials are worth it; with --cases, in each of many cases."""
    from sureshot.cli.quick import load_numba

    if cases is None and csv is not None:
        raise typer.BadParameter("--csv belongs to --cases: name the table of cases.")
    if cases is not None and (context or plot):
        raise typer.BadParameter(
            f"--cases and {'--context' if context else '--plot'} exclude each other: leave one out."
        )
    load_numba()
    if cases is not None:
        return seeing.choices(found, cases, csv, force=force)
    case = pairs(context, "--context") if context else None
    picture = None if plot is None else pictures.drawn(found, plot, force=force, context=case)
    choice, advice = found.best(case), found.advice(context=case)
    document = {**choice.to_dict(), "advice": advice, **({} if picture is None else {"picture": str(picture)})}

    def shown() -> None:
        show.best(choice, advice)
        if picture is not None:
            console().print(f"Picture: {picture}")

    return document, shown


@on_campaign
def advice(
    found: Campaign,
    trials: Annotated[
        int | None, typer.Option("--trials", help="How many trials to look ahead; 10 if not said.")
    ] = None,
    cost: Annotated[
        float | None, typer.Option("--cost", help="What one trial costs, if not what the campaign says.")
    ] = None,
    context: Context = None,
) -> Answer:
    """Whether to go on or to stop: what more trials are expected to add, against what they cost."""
    from sureshot.cli.quick import load_numba

    load_numba()
    told = found.advice(pairs(context, "--context") if context else None, cost=cost, trials=trials)
    return told, lambda: show.advice(told)


@on_campaign
def why(
    found: Campaign,
    trial: Annotated[
        str | None,
        typer.Argument(metavar="TRIAL", help="Its number; else the last one asked.", autocompletion=completing.trials),
    ] = None,
) -> Answer:
    """What a suggested trial is for, as it was seen when it was asked."""
    reason = found.why(None if trial is None else trial_number(trial))
    return reason, lambda: console().print(reason.words)


def status(
    details: Annotated[
        bool, typer.Option("--details", help="How it was made too: its model, policy and seed.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="A list of all campaigns in the store, archived ones too.")
    ] = False,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """How the campaign stands; with several in the store and none named, a list of them."""
    from sureshot.storage import open_storage

    if campaign is None or every:
        with closing(open_storage(storage, create=False)) as store:
            held = [one for one in store.campaigns() if every or one.archived_at is None]
        if len(held) > 1 or every:
            listed = {"campaigns": [one._asdict() for one in held]}
            return say(listed, lambda: show.campaigns(held), as_json=as_json)
    with opened(campaign, storage) as found:
        stands = found.status()
        return say(stands, lambda: show.status(stands, found.history(), details=details), as_json=as_json)


@on_campaign
def history(
    found: Campaign,
    to: Annotated[int | None, typer.Option("--to", help="As it stood after event N; nothing is changed.")] = None,
    csv: Csv = None,
    force: Force = False,
) -> Answer:
    """Every trial with what was expected and what came; with --to, as it stood then."""
    if csv is not None:
        from sureshot.campaign.answers.flat import trial_columns

        view = found if to is None else found.rewind(to)
        return written(csv, trial_columns(view.spec.pool, view.history()), force, "trial")
    if to is None:
        rows = found.history()
        return {"trials": rows}, lambda: show.history(rows)
    view = found.rewind(to)
    then, rows = view.status(), view.history()
    choice = None if view.spec.pool.contextual else view.best()

    def shown() -> None:
        show.status(then, ())
        show.history(rows)
        if choice is not None:
            show.best(choice, view.advice())

    return {"trials": rows, "status": then, "best": choice}, shown


@on_campaign
def export(
    found: Campaign,
    file: Annotated[
        Path | None, typer.Argument(help="Where to: .json the campaign, .csv its outcomes; else to standard output.")
    ] = None,
    posterior: Annotated[
        bool, typer.Option("--posterior", help="Only what is believed now: the --prior of another campaign.")
    ] = False,
    force: Force = False,
) -> Answer:
    """The whole campaign as JSON: its specification and every event; its outcomes as CSV; or its posterior."""
    if file is not None:
        free_path(file, force=force)
    if file is not None and file.suffix.lower() == ".csv" and not posterior:
        from sureshot.campaign.answers.flat import outcome_columns

        return written(file, outcome_columns(found.spec.pool, found.history()), force, "outcome")
    whole = found.posterior() if posterior else found.export()
    if file is None:
        return whole, lambda: print_json(whole)
    write_whole(file, json_text(whole).encode())
    events = found.status().events
    what = "What is believed" if posterior else "The campaign"
    done = f"{what} after {count(events, 'event')} written to {file}."
    return {"file": str(file), "events": events, "posterior": posterior}, lambda: console().print(done)
