"""Commands that record something: ask, tell, correct, withdraw, note, import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.cli.options import Author, Json, Name, Note, Of, Store
from sureshot.cli.output import console, print_json
from sureshot.cli.session import named_again, opened, outcome_of, trial_number
from sureshot.cli.words import pairs

if TYPE_CHECKING:
    from sureshot.campaign.answers.results import TrialRow

__all__ = ["ask", "correct", "import_", "note", "tell", "withdraw"]

Trial = Annotated[str, typer.Argument(metavar="TRIAL", help="The number that ask gave.")]
Context = Annotated[
    list[str] | None, typer.Option("--context", help="The case to decide in: age=61 --context diabetic=true.")
]


def ask(
    q: Annotated[int, typer.Option("-q", "--trials", help="How many trials to run at once.")] = 1,
    context: Context = None,
    beyond: Annotated[bool, typer.Option("--beyond-budget", help="Go on although the budget is used up.")] = False,
    campaign: Name = None,
    storage: Store = None,
    author: Author = "",
    as_json: Json = False,
) -> None:
    """What to try next, recorded as handed out: how likely it works and what it would teach."""
    from sureshot.cli import show
    from sureshot.cli.quick import load_numba

    with opened(campaign, storage) as found:
        load_numba()
        case = pairs(context, "--context") if context else None
        trials = found.ask_batch(q, context=case, author=author or None, beyond_budget=beyond)
        if as_json:
            print_json([trial.to_dict() for trial in trials])
        else:
            show.asked(trials, found.spec.words, named_again(campaign, storage))


def tell(
    words: Annotated[list[str], typer.Argument(metavar="[TRIAL] OUTCOME", help="The trial's number and its outcome.")],
    of: Of = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", help="A trial that was never asked: power=14,catalyst=Co, or its name, as in A12."),
    ] = None,
    context: Context = None,
    note: Note = None,
    campaign: Name = None,
    storage: Store = None,
    author: Author = "",
    as_json: Json = False,
) -> None:
    """How a trial went: tell 1 success, tell 1 7 --of 10, or tell --at power=14,catalyst=Co success."""
    wanted = 1 if at else 2
    if len(words) != wanted:
        form = "tell --at power=14,catalyst=Co OUTCOME" if at else "tell TRIAL OUTCOME"
        got = " ".join(words)
        raise typer.BadParameter(f"write it as sureshot {form}, got {got!r} (an outcome of several words in quotes).")
    if context and not at:
        raise typer.BadParameter("--context belongs to --at: a trial that was asked has its context already.")
    outcome = outcome_of(words[-1], of)
    trial = 0 if at else trial_number(words[0])
    more: dict[str, Any] = {"of": of, "note": note, "author": author or None}
    with opened(campaign, storage) as found:
        if at:
            case = pairs(context, "--context") if context else None
            space = found.spec.pool.space
            named = space.row_names is not None or len(space.names) == 1
            alone = len(at) == 1 and "=" not in at[0] and named
            row = found.tell_new(at[0] if alone else pairs(at, "--at"), outcome, context=case, **more)
        else:
            row = found.tell(trial, outcome, **more)
        _recorded(row, as_json=as_json)


def correct(
    trial: Trial,
    outcome: Annotated[str, typer.Argument(help="What it really was.")],
    of: Of = None,
    note: Note = None,
    campaign: Name = None,
    storage: Store = None,
    author: Author = "",
    as_json: Json = False,
) -> None:
    """Another outcome in place of a mistyped one; the log keeps both."""
    number, said = trial_number(trial), outcome_of(outcome, of)
    with opened(campaign, storage) as found:
        _recorded(found.correct(number, said, of=of, note=note, author=author or None), as_json=as_json)


def withdraw(
    trial: Trial,
    note: Note = None,
    campaign: Name = None,
    storage: Store = None,
    author: Author = "",
    as_json: Json = False,
) -> None:
    """A trial that failed to run, or whose outcome must not count."""
    number = trial_number(trial)
    with opened(campaign, storage) as found:
        _recorded(found.withdraw(number, note=note, author=author or None), as_json=as_json)


def note(
    text: Annotated[str, typer.Argument(help="The remark, in quotes.")],
    trial: Annotated[str | None, typer.Option("--trial", help="About this trial; else about the campaign.")] = None,
    campaign: Name = None,
    storage: Store = None,
    author: Author = "",
    as_json: Json = False,
) -> None:
    """A remark about a trial or about the campaign."""
    number = None if trial is None else trial_number(trial)
    with opened(campaign, storage) as found:
        found.note(text, trial=number, author=author or None)
        if as_json:
            print_json({"trial": number, "text": text})
        else:
            console().print(f"Noted{'' if number is None else f' for trial {number}'}.")


def import_(
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
    campaign: Name = None,
    storage: Store = None,
    author: Author = "",
    as_json: Json = False,
) -> None:
    """Record the outcomes of experiments that were never asked, all rows of the file or none."""
    from sureshot.cli import show

    if only_new and again:
        raise typer.BadParameter("--only-new and --again exclude each other: leave one out.")
    with opened(campaign, storage) as found:
        blank: Any = "refuse" if refuse_blank else "skip"
        repeated: Any = "skip" if only_new else "record" if again else "refuse"
        done = found.import_table(file, outcome=outcome, of=of, author=author or None, blank=blank, repeated=repeated)
        if as_json:
            print_json({"imported": done.recorded, "file": str(file), **done.to_dict()})
        else:
            show.imported(done, file.name)


def _recorded(row: TrialRow, *, as_json: bool) -> None:
    from sureshot.cli import show

    if as_json:
        print_json(row.to_dict())
    else:
        show.recorded(row)
