"""Commands that only look: best, why, status, history, export."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from sureshot.cli.options import Json, Name, Store
from sureshot.cli.output import console, json_text, print_json
from sureshot.cli.pictures import Force, drawn
from sureshot.cli.session import opened, trial_number
from sureshot.cli.words import pairs

__all__ = ["best", "export", "history", "status", "why"]

To = Annotated[int | None, typer.Option("--to", help="As it stood after event N; nothing is changed.")]


def best(
    context: Annotated[list[str] | None, typer.Option("--context", help="In this case: age=61.")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the chances into this .html, .png, .svg or .pdf too.")
    ] = None,
    force: Force = False,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """What to choose, how sure that is, and whether more trials are worth it."""
    from sureshot.cli import show
    from sureshot.cli.quick import load_numba

    with opened(campaign, storage) as found:
        file = None if plot is None else _free(plot, force)
        load_numba()
        case = pairs(context, "--context") if context else None
        choice, advice = found.best(case), found.advice(context=case)
        if file is not None:
            from sureshot.viz import backend_for, save

            save(found.plot(context=case, backend=backend_for(file)), file, force=force)
        if as_json:
            picture = {} if file is None else {"picture": str(file)}
            print_json({**choice.to_dict(), "advice": advice.to_dict(), **picture})
        else:
            show.best(choice, advice)
            if file is not None:
                drawn(file, as_json)


def _free(file: Path, force: bool) -> Path:
    from sureshot.viz import picture_path

    return picture_path(file, force=force)


def why(
    trial: Annotated[str | None, typer.Argument(help="Its number; else the last one asked.")] = None,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """What a suggested trial is for, as it was seen when it was asked."""
    from sureshot.cli import show

    number = None if trial is None else trial_number(trial)
    with opened(campaign, storage) as found:
        reason = found.why(number)
        if as_json:
            print_json(reason.to_dict())
        else:
            show.why(reason)


def status(campaign: Name = None, storage: Store = None, as_json: Json = False) -> None:
    """How the campaign stands; with several in the store and none named, a list of them."""
    from sureshot.cli import show
    from sureshot.storage import open_storage

    if campaign is None:
        with closing(open_storage(storage, create=False)) as store:
            held = store.campaigns()
        if len(held) > 1:
            if as_json:
                print_json({"campaigns": [one._asdict() for one in held]})
            else:
                show.campaigns(held)
            return
    with opened(campaign, storage) as found:
        stands = found.status()
        if as_json:
            print_json(stands.to_dict())
        else:
            show.status(stands, found.history())


def history(to: To = None, campaign: Name = None, storage: Store = None, as_json: Json = False) -> None:
    """Every trial with what was expected and what came; with --to, as it stood then."""
    from sureshot.cli import show

    with opened(campaign, storage) as found:
        view = found if to is None else found.rewind(to)
        rows = view.history()
        if as_json:
            choice = view.best().to_dict() if to is not None and not view.spec.pool.contextual else None
            then = {} if to is None else {"status": view.status().to_dict(), "best": choice}
            print_json({"trials": [row.to_dict() for row in rows], **then})
            return
        if to is not None:
            show.status(view.status(), ())
        show.history(rows)
        if to is not None and not view.spec.pool.contextual:
            show.best(view.best(), view.advice())


def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; else to standard output.")] = None,
    posterior: Annotated[
        bool, typer.Option("--posterior", help="Only what is believed now: the --prior of another campaign.")
    ] = False,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """The whole campaign as JSON: its specification and every event; or its posterior."""
    from sureshot.campaign.answers.wording import count
    from sureshot.cli.sheet.file import write_whole

    with opened(campaign, storage) as found:
        whole = found.posterior() if posterior else found.export()
        if file is None:
            print_json(whole)
            return
        write_whole(file, json_text(whole).encode())
        events = found.status().events
        if as_json:
            print_json({"file": str(file), "events": events, "posterior": posterior})
        else:
            what = "What is believed" if posterior else "The campaign"
            console().print(f"{what} after {count(events, 'event')} written to {file}.")
