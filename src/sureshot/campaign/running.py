"""A campaign whose experiments are a function: ask, call, tell, again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from sureshot.campaign.answers.trial import TrialRow
from sureshot.campaign.model.pool import Context
from sureshot.errors import Conflict, InvalidInput, whole_number
from sureshot.said import Case

if TYPE_CHECKING:
    from sureshot.campaign.recording import Recording

__all__ = ["Cases", "Ran", "run"]

#: The longest message that a note keeps of an exception.
MOST_TEXT = 1_000

Cases: TypeAlias = Context | Callable[[], Context] | Iterator[Context]
"""The case of each trial: always the same, or the next one of a function or an iterator."""

Ran: TypeAlias = Callable[[TrialRow, int, int], object]
"""Told after each trial: how it went, how many are done, of how many."""


def run(
    campaign: Recording,
    function: Callable[..., Any],
    n: int | None,
    *,
    context: Cases | None,
    author: str | None,
    progress: Ran | None,
) -> tuple[TrialRow, ...]:
    """See :meth:`~sureshot.campaign.Campaign.run`."""
    if not callable(function):
        raise InvalidInput(
            "`function` must take the levels of a trial and give back its outcome", fix="write lambda levels: ..."
        )
    if n is not None:
        whole_number("n", n, of="trials")
    names = campaign.spec.pool.context_names
    if bool(names) != (context is not None):
        rule, fix = ("decides in a context", "give ") if names else ("has no contexts, got one", "leave `context` out")
        raise InvalidInput(f"this campaign {rule}", *([": ", fix, Case(names), "."] if names else [f": {fix}."]))
    left = campaign.status(checked=False).left
    if n is None and left is None:
        raise InvalidInput("`n` must say how many trials to run, for this campaign has no budget", fix="write n=30")
    total = min(one for one in (n, left) if one is not None)
    return tuple(_each(campaign, function, total, context, author, progress))


def _each(
    campaign: Recording,
    function: Callable[..., Any],
    total: int,
    context: Cases | None,
    author: str | None,
    progress: Ran | None,
) -> Iterator[TrialRow]:
    for done in range(1, total + 1):
        case = None if context is None else _next_case(context)
        if context is not None and case is None:
            return  # no case is left
        try:
            trial = campaign.ask(case, author=author)
        except Conflict as error:
            if error.field == "stopping":
                return  # what is known is enough
            raise
        try:
            levels = dict(trial.levels)
            outcome = function(levels) if trial.context is None else function(levels, dict(trial.context))
            won, of = outcome if isinstance(outcome, tuple) and len(outcome) == 2 else (outcome, None)
            campaign.spec.words.counts(won, of)  # what is no outcome is refused
        except BaseException as error:
            said = "".join(one if one.isprintable() else " " for one in f"{type(error).__name__}: {error}")
            campaign.withdraw(trial, author=author, note=f"the function raised {said}"[:MOST_TEXT])
            error.add_note(f"in trial {trial.number} of campaign {campaign.name!r} ({trial.label}), which is withdrawn")
            raise
        row = campaign.tell(trial, won, of=of, author=author)  # what fails here takes no outcome back
        if progress is not None:
            progress(row, done, total)
        yield row


def _next_case(context: Cases) -> Context | None:
    if isinstance(context, Mapping):
        return context
    return next(context, None) if isinstance(context, Iterator) else context()
