"""Commands that record something: ask, tell, correct, withdraw, note."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.cli import completing, show
from sureshot.cli.files import SCREEN, writable, write_csv
from sureshot.cli.options import Answer, Author, Context, Csv, Force, Json, Key, Name, Note, Of, Store, on_campaign
from sureshot.cli.screen.output import console, say
from sureshot.cli.session import named_again, opened, trial_number
from sureshot.cli.words import pairs
from sureshot.errors import StorageError

if TYPE_CHECKING:
    from sureshot.campaign import Campaign, TrialRow

__all__ = ["ask", "correct", "note", "tell", "withdraw"]

_NUMBER = "The number that ask gave."
Trial = Annotated[str, typer.Argument(metavar="TRIAL", help=_NUMBER, autocompletion=completing.trials)]


def ask(
    q: Annotated[int, typer.Option("-q", "--trials", help="How many trials to run at once.")] = 1,
    context: Context = None,
    beyond: Annotated[
        bool,
        typer.Option("--beyond-budget", help="Go on although the budget is used up, or a stopping rule says stop."),
    ] = False,
    csv: Csv = None,
    force: Force = False,
    author: Author = "",
    key: Key = None,
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """What to try next, recorded as handed out: how likely it works and what it would teach."""
    from sureshot.cli.quick import load_numba

    if csv is not None:
        writable(csv, force)
    with opened(campaign, storage) as found:
        load_numba()
        case = pairs(context, "--context") if context else None
        trials = found.ask_batch(q, context=case, author=author or None, beyond_budget=beyond, key=key)
        where = named_again(campaign, storage)
        if csv is not None:
            from sureshot.campaign.answers.flat import plate_columns

            columns = plate_columns(found.spec.pool, trials)
            if str(csv) == SCREEN:
                return say(trials, lambda: write_csv(csv, columns), as_json=as_json)
            try:
                write_csv(csv, columns)
            except StorageError as error:
                why = getattr(error.__cause__, "strerror", error)
                again = f"sureshot history --csv FILE{where} writes them once more"
                raise StorageError(f"{csv} can't be written ({why}), but the trials are recorded", fix=again) from error
            tell = f"sureshot tell --from {shlex.quote(str(csv))}{where}"
            whole = {"file": str(csv), "trials": trials}
            return say(whole, lambda: show.plate(trials, csv, tell), as_json=as_json)
        return say(trials, lambda: show.asked(trials, found.spec.words, where), as_json=as_json)


@on_campaign
def tell(
    found: Campaign,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TRIAL] OUTCOME",
            help="The trial's number and its outcome.",
            autocompletion=completing.tell_words,
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--from", help="All trials of a file, as ask --csv wrote it, with their outcomes.")
    ] = None,
    of: Of = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="NAME=VALUE",
            help="A trial that was never asked: power=14,catalyst=Co, or its name, as in A12.",
        ),
    ] = None,
    context: Context = None,
    note: Note = None,
    author: Author = "",
    key: Key = None,
) -> Answer:
    """How a trial went: tell 1 success, tell 1 7 --of 10, or tell --at power=14,catalyst=Co success."""
    words = words or []
    if file is not None:
        if words or at or of is not None or context or note or key:
            raise typer.BadParameter("--from takes trials and outcomes from the file: leave the rest out.")
        done = found.tell_table(file, author=author or None)
        whole = {"file": str(file), "recorded": done.recorded, **done.to_dict()}
        return whole, lambda: console().print(f"{file.name}: {done.words}")
    wanted = 1 if at else 2
    if len(words) != wanted:
        form = "tell --at power=14,catalyst=Co OUTCOME" if at else "tell TRIAL OUTCOME"
        got = " ".join(words)
        raise typer.BadParameter(f"write it as sureshot {form}, got {got!r} (an outcome of several words in quotes).")
    if context and not at:
        raise typer.BadParameter("--context belongs to --at: a trial that was asked has its context already.")
    more: dict[str, Any] = {"of": of, "note": note, "author": author or None, "key": key}
    if not at:
        return _recorded(found.tell(trial_number(words[0]), words[1], **more))
    case = pairs(context, "--context") if context else None
    alone = len(at) == 1 and "=" not in at[0] and found.spec.pool.space.has_names
    return _recorded(found.tell_new(at[0] if alone else pairs(at, "--at"), words[0], context=case, **more))


@on_campaign
def correct(
    found: Campaign,
    trial: Annotated[str, typer.Argument(metavar="TRIAL", help=_NUMBER, autocompletion=completing.told_trials)],
    outcome: Annotated[
        str, typer.Argument(metavar="OUTCOME", help="What it really was.", autocompletion=completing.outcomes)
    ],
    of: Of = None,
    note: Note = None,
    author: Author = "",
    key: Key = None,
) -> Answer:
    """Another outcome in place of a mistyped one; the log keeps both."""
    return _recorded(found.correct(trial_number(trial), outcome, of=of, note=note, author=author or None, key=key))


@on_campaign
def withdraw(found: Campaign, trial: Trial, note: Note = None, author: Author = "", key: Key = None) -> Answer:
    """A trial that failed to run, or whose outcome must not count."""
    return _recorded(found.withdraw(trial_number(trial), note=note, author=author or None, key=key))


@on_campaign
def note(
    found: Campaign,
    text: Annotated[str, typer.Argument(help="The remark, in quotes.")],
    trial: Annotated[
        str | None,
        typer.Option(
            "--trial",
            metavar="TRIAL",
            help="About this trial; else about the campaign.",
            autocompletion=completing.trials,
        ),
    ] = None,
    author: Author = "",
    key: Key = None,
) -> Answer:
    """A remark about a trial or about the campaign."""
    number = None if trial is None else trial_number(trial)
    found.note(text, trial=number, author=author or None, key=key)
    done = f"Noted{'' if number is None else f' for trial {number}'}."
    return {"trial": number, "text": text}, lambda: console().print(done)


def _recorded(row: TrialRow) -> Answer:
    return row, lambda: show.recorded(row)
