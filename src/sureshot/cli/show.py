"""What a campaign answers, on the screen: short lines and tables that fit the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from sureshot.campaign.answers.wording import (
    EXPLAINED,
    INTERVAL,
    POINT,
    VALUE,
    case,
    count,
    in_case,
    narrowed,
    percent,
    percents,
    points,
    succeeded,
    when,
)
from sureshot.cli.screen.output import console, glued
from sureshot.cli.words import typed
from sureshot.said import said

if TYPE_CHECKING:
    from rich.console import Console

    from sureshot.campaign import Advice, Imported, Recommendation, Status, Trial, TrialRow, Words
    from sureshot.cli.sheet.sheet import Sheet
    from sureshot.storage import CampaignSummary

__all__ = [
    "advice",
    "asked",
    "batch",
    "best",
    "campaigns",
    "history",
    "imported",
    "noted",
    "plate",
    "recorded",
    "sheet",
    "status",
]

GAP = " " * 8

#: As many parameters as have a column each in a table of trials.
_APART = 6


def asked(trials: Sequence[Trial], words: Words, where: str = "") -> None:
    """Each trial: what to try, what to expect, what it would change, what to type when it is done.

    ``where`` names campaign and store again, as they were named in the call.
    """
    screen = console()
    answers = f"{_typed(words.success)} (or {_typed(words.failure)}){where}"
    if len(trials) > 1:
        batch(trials)
        if not trials[0].outcomes:
            screen.print(f"{INTERVAL} {VALUE}", style="dim")
        screen.print(f"Then, for each: sureshot tell {trials[0].number} {answers}", style="dim")
        return
    (trial,) = trials
    tried = GAP + "   ".join(trial.settings)
    screen.print(Text.assemble((trial.heading, "bold"), (tried, "bold cyan")))
    if trial.details:
        screen.print(trial.details, style="cyan")
    if trial.context:
        screen.print(f"in the case {case(trial.context)}")
    noted(screen, trial.cautions)
    screen.print(_worth(screen.width, trial.success, trial.probability, trial.interval, trial.value, trial.over))
    screen.print(trial.changes)
    if trial.on_purpose:
        screen.print(trial.on_purpose)
    if not trial.outcomes:
        screen.print(f"{INTERVAL} {VALUE}", style="dim")
    if trial.looked_at:
        screen.print(narrowed(trial.looked_at, trial.alternatives), style="dim")
    screen.print(f"Then: sureshot tell {trial.number} {answers}", style="dim")


def plate(trials: Sequence[Trial], file: Path, tell: str) -> None:
    """Trials that were written to a file, and what to type when it is filled in."""
    batch(trials)
    done = f"{count(len(trials), 'trial')} written to {file}."
    console().print(f"{done} Then: fill in the column with the outcomes, and {tell}", style="dim")


def batch(trials: Sequence[Trial]) -> None:
    """Trials to run at once, a row each; then what holds for all of them, and which repeat one another."""
    from rich.table import Table

    from sureshot.campaign.answers.repeats import repeats_among

    screen, first = console(), trials[0]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("trial", justify="right", no_wrap=True)
    apart = len(first.levels) <= _APART and all(len(one.settings) == len(one.levels) for one in trials)
    for name in first.levels if apart else ("try",):
        table.add_column(name, overflow="fold", style="cyan")
    table.add_column(f"chance of {first.success}", justify="right")
    table.add_column("value", justify="right", no_wrap=True)
    for one in trials:
        cells = [part.removeprefix(f"{name} ") for name, part in zip(one.levels, one.settings, strict=False)]
        likely = f"{percent(one.probability)} ({percents(*one.interval)})"
        value = points(one.value).removesuffix(" points")
        table.add_row(str(one.number), *(cells if apart else [one.label]), likely, value)
    screen.print(table)
    if first.context:
        screen.print(f"in the case {case(first.context)}")
    noted(screen, list(dict.fromkeys(caution for one in trials for caution in one.cautions)))
    for words in repeats_among(trials):
        screen.print(words)
    if first.looked_at:
        screen.print(narrowed(first.looked_at, first.alternatives), style="dim")


def _worth(
    width: int, success: str, probability: float, interval: tuple[float, float], value: float, over: str = ""
) -> str:
    """Chance and value, side by side where there is room."""
    likely = f"chance of {success}  {percent(probability)} ({percents(*interval)})"
    worth = f"value of this trial  {points(value)}{over}"
    gap = min(len(GAP), width - len(likely) - len(worth))
    return likely + (" " * gap if gap >= 2 else "\n") + worth


def noted(screen: Console, cautions: Sequence[str]) -> None:
    """What to beware of, a line each."""
    for caution in cautions:
        screen.print(f"Note: {said(caution, typed)}.", style="yellow")


def _typed(word: str) -> str:
    bare = word.replace(" ", "")
    return shlex.quote(word) if shlex.quote(bare) != bare else f'"{word}"' if " " in word else word


def recorded(row: TrialRow) -> None:
    """One line: what is known of the trial now."""
    outcome = row.outcome if row.state == "told" else row.state
    again = (
        f" (corrected {row.corrections} times)" if row.corrections > 1 else " (corrected)" if row.corrections else ""
    )
    screen = console()
    screen.print(f"Trial {row.trial}, {row.label}{in_case(row.context)}: {outcome}{again}.")
    noted(screen, row.cautions)


def imported(found: Imported, file: str) -> None:
    """How many outcomes came out of a table, and what about the other rows."""
    screen = console()
    screen.print(f"{file}: {found.words}")
    noted(screen, found.cautions)


def best(found: Recommendation, advice: Advice) -> None:
    """What to choose, and whether to go on."""
    screen = console()
    if found.unknown is not None:
        screen.print(said(found.unknown, typed), style="bold")
    else:
        style = "bold" if found.known == "only failures" else "bold green"
        screen.print(Text.assemble((found.choice, style), f": {found.sureness}"))
    if found.not_most_successful:
        screen.print(found.not_most_successful)
    if found.seen:
        screen.print(found.seen)
    noted(screen, found.cautions)
    words = said(advice.words, typed)
    screen.print(words[:1].upper() + words[1:])
    if found.outcomes <= EXPLAINED:
        explained = [INTERVAL] * (found.unknown is None) + [POINT] * ("points" in words)
        screen.print(" ".join(explained), style="dim")


def advice(found: Advice) -> None:
    """Whether to go on, and the numbers behind it."""
    screen = console()
    words = said(found.words, typed)
    screen.print(words[:1].upper() + words[1:], style="bold")
    wide = max(len(what) for what, _ in found.numbers)
    for what, number in found.numbers:
        screen.print(Text.assemble((f"{what:{wide}}", "dim"), f"  {number}"))
    noted(screen, found.cautions)
    screen.print(POINT, style="dim")


def status(found: Status, rows: Sequence[TrialRow], *, details: bool = False) -> None:
    """How the campaign stands, and what is still running; with details, how it was made too."""
    screen = console()
    screen.print(found.about)
    if found.archived_at is not None:
        screen.print(f"archived {when(found.archived_at)}", style="yellow")
    if found.viewed_at is not None:
        screen.print(f"as it stood after event {found.viewed_at}", style="yellow")
    screen.print(found.progress)
    for line in found.details if details else ():
        screen.print(line, style="dim")
    for row in rows:
        if row.state == "pending":
            screen.print(f"waiting for trial {row.trial}: {row.label}{in_case(row.context)}", style="cyan")
    noted(screen, found.cautions)
    for note in found.notes:
        screen.print(f"Noted: {note}", style="dim")


def campaigns(found: Sequence[CampaignSummary]) -> None:
    """The campaigns of a store."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, side in (("campaign", "left"), ("events", "right"), ("last", "left")):
        table.add_column(name, justify=side, overflow="fold")  # type: ignore[arg-type]
    for one in found:
        moment = when(one.last_at or one.created_at)
        table.add_row(one.name, str(one.last_number), f"{moment}{', archived' if one.archived_at else ''}")
    console().print(table)


def history(rows: Sequence[TrialRow]) -> None:
    """All trials, a row each."""
    from rich.table import Table

    screen = console()
    if not rows:
        screen.print("No trials yet: sureshot ask gives the first.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    who = any(row.opened_by or row.told_by for row in rows)
    table.add_column("trial", justify="right", no_wrap=True)
    table.add_column("events", no_wrap=True)
    table.add_column("tried", overflow="fold")
    table.add_column("chance", justify="right", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("outcome", overflow="fold")
    if who:
        table.add_column("who", overflow="fold")
    for row in rows:
        tried = Text(glued(row.label))
        if row.context:
            tried.append("\n" + case(row.context), style="dim")
        for note in row.notes:
            tried.append(f"\n{note}", style="dim italic")
        predicted = "" if row.probability is None else percent(row.probability)
        value = "" if row.value is None else points(row.value).removesuffix(" points")
        numbers = (row.opened_event, row.told_event, row.withdrawn_event)
        events = " ".join(map(str, dict.fromkeys(one for one in numbers if one)))
        names = ", ".join(dict.fromkeys(one for one in (row.opened_by, row.told_by) if one))
        table.add_row(str(row.trial), events, tried, predicted, value, _outcome(row), *([names] if who else []))
    screen.print(table)


def _outcome(row: TrialRow) -> Text:
    if row.state != "told":
        return Text(row.state, style="cyan" if row.state == "pending" else "dim")
    style = "green" if row.successes == row.of else "red" if not row.successes else "yellow"
    return Text(f"{glued(row.outcome or '')}{' (corrected)' if row.corrections else ''}", style=style)


def sheet(found: Sheet, success: str) -> None:
    """What to try next, out of one file."""
    screen = console()
    running = f", {found.pending} pending" if found.pending else ""
    screen.print(
        f"{found.file}: {count(found.rows, 'row')}, {count(found.outcomes, 'outcome')}"
        f"{f' ({succeeded(success, found.successes, found.outcomes)})' if found.outcomes else ''}{running}"
    )
    noted(screen, found.notes)
    if found.next is None:
        screen.print("Every row has its outcome or is pending: add rows to go on.")
    else:
        one = found.next
        place = f"Next: {found.place} {one.line}{GAP}"
        screen.print(Text.assemble((place, "bold"), (one.alternative, "bold cyan")))
        screen.print(_worth(screen.width, success, one.probability, one.interval, one.value or 0.0))
        screen.print(f"Then: write its outcome into the file, and {found.then}", style="dim")
    if found.outcomes:
        top = found.best
        sure = f": {percent(top.probability)} ({percents(*top.interval)})."
        screen.print(Text.assemble((f"So far, choose {top.alternative}", "green"), sure))
        if found.despite:
            screen.print(found.despite)
