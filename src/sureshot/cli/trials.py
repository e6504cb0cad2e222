"""Commands that record something: ask, tell, correct, withdraw, note, import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.cli import completing, show
from sureshot.cli.options import Answer, Author, Context, Json, Name, Note, Of, Store, on_campaign
from sureshot.cli.output import console, say
from sureshot.cli.session import named_again, opened, trial_number
from sureshot.cli.words import pairs

if TYPE_CHECKING:
    from sureshot.campaign import Campaign, TrialRow

__all__ = ["ask", "correct", "import_", "note", "tell", "withdraw"]

_NUMBER = "The number that ask gave."
Trial = Annotated[str, typer.Argument(metavar="TRIAL", help=_NUMBER, autocompletion=completing.trials)]


def ask(
    q: Annotated[int, typer.Option("-q", "--trials", help="How many trials to run at once.")] = 1,
    context: Context = None,
    beyond: Annotated[bool, typer.Option("--beyond-budget", help="Go on although the budget is used up.")] = False,
    author: Author = "",
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """What to try next, recorded as handed out: how likely it works and what it would teach."""
    from sureshot.cli.quick import load_numba

    with opened(campaign, storage) as found:
        load_numba()
        case = pairs(context, "--context") if context else None
        trials = found.ask_batch(q, context=case, author=author or None, beyond_budget=beyond)
        where = named_again(campaign, storage)
        say(trials, lambda: show.asked(trials, found.spec.words, where), as_json=as_json)


@on_campaign
def tell(
    found: Campaign,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[TRIAL] OUTCOME",
            help="The trial's number and its outcome.",
            autocompletion=completing.tell_words,
        ),
    ],
    of: Of = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at", metavar="NAME=VALUE", help="A trial that was never asked: power=14,ethylene=10,catalyst=Co."
        ),
    ] = None,
    context: Context = None,
    note: Note = None,
    author: Author = "",
) -> Answer:
    """How a trial went: tell 1 success, tell 1 7 --of 10, or tell --at power=14,catalyst=Co success."""
    wanted = 1 if at else 2
    if len(words) != wanted:
        form = "tell --at power=14,catalyst=Co OUTCOME" if at else "tell TRIAL OUTCOME"
        got = " ".join(words)
        raise typer.BadParameter(f"write it as sureshot {form}, got {got!r} (an outcome of several words in quotes).")
    if context and not at:
        raise typer.BadParameter("--context belongs to --at: a trial that was asked has its context already.")
    more: dict[str, Any] = {"of": of, "note": note, "author": author or None}
    if not at:
        return _recorded(found.tell(trial_number(words[0]), words[1], **more))
    case = pairs(context, "--context") if context else None
    alone = len(at) == 1 and "=" not in at[0] and len(found.spec.pool.space.names) == 1
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
) -> Answer:
    """Another outcome in place of a mistyped one; the log keeps both."""
    return _recorded(found.correct(trial_number(trial), outcome, of=of, note=note, author=author or None))


@on_campaign
def withdraw(found: Campaign, trial: Trial, note: Note = None, author: Author = "") -> Answer:
    """A trial that failed to run, or whose outcome must not count."""
    return _recorded(found.withdraw(trial_number(trial), note=note, author=author or None))


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
) -> Answer:
    """A remark about a trial or about the campaign."""
    number = None if trial is None else trial_number(trial)
    found.note(text, trial=number, author=author or None)
    done = f"Noted{'' if number is None else f' for trial {number}'}."
    return {"trial": number, "text": text}, lambda: console().print(done)


@on_campaign
def import_(
    found: Campaign,
    file: Annotated[Path, typer.Argument(help="A table with a column for each parameter and one for the outcome.")],
    outcome: Annotated[str, typer.Option(help="The column with the outcomes.")] = "outcome",
    of: Annotated[str | None, typer.Option("--of", help="The column that says of how many tries.")] = None,
    refuse_blank: Annotated[
        bool, typer.Option("--refuse-blank", help="Refuse rows without an outcome instead of passing over them.")
    ] = False,
    only_new: Annotated[
        bool, typer.Option("--only-new", help="Leave out the rows that an earlier import recorded.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Record all rows, also those that an earlier import recorded.")
    ] = False,
    author: Author = "",
) -> Answer:
    """Record the outcomes of experiments that were never asked, all rows of the file or none."""
    if only_new and again:
        raise typer.BadParameter("--only-new and --again exclude each other: leave one out.")
    blank: Any = "refuse" if refuse_blank else "skip"
    repeated: Any = "skip" if only_new else "record" if again else "refuse"
    done = found.import_table(file, outcome=outcome, of=of, author=author or None, blank=blank, repeated=repeated)
    whole = {"imported": done.recorded, "file": str(file), **done.to_dict()}
    return whole, lambda: show.imported(done, file.name)


def _recorded(row: TrialRow) -> Answer:
    return row, lambda: show.recorded(row)
