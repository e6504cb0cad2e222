"""``sureshot sheet``: the one-file way. A table of candidates with an outcome column, ranked by what a trial of each is
worth. There is no store: the file is all there is.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.campaign.answers.wording import narrowed
from sureshot.campaign.model.options import Options
from sureshot.cli.session import leaving_out
from sureshot.cli.sheet.file import SheetFile, read_sheet, write_sheet
from sureshot.cli.words import option_for
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.files import free_path

if TYPE_CHECKING:
    from sureshot.campaign.model.words import Words
    from sureshot.space import Table

__all__ = ["OUTCOME", "PENDING", "Sheet", "fill"]

#: The column that holds the outcomes, unless another is named.
OUTCOME = "outcome"
#: What an outcome cell says while the experiment runs.
PENDING = "PENDING"
#: The columns that sureshot writes and never reads.
OWN = ("priority", "chance", "next")

#: What else people call the column with the outcomes, and what they call a success.
_CALLED = frozenset({"outcome", "outcomes", "result", "results", "response", "success", "succeeded", "worked", "works"})
_GOOD = frozenset({"good", "ok", "pass", "passed", "positive", "succeeded", "worked", "works", "y", "yes"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One row of the sheet, with what is believed of it."""

    line: int
    id: str | None  # what the row is called, where a column names the rows
    alternative: str
    probability: float
    interval: tuple[float, float]
    value: float | None  # of trying it next


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was read and what comes of it."""

    file: str
    rows: int
    outcomes: int
    successes: int
    pending: int
    next: Suggestion | None  # None: every row has its outcome
    best: Suggestion
    despite: str | None  # why that is the best, if it failed itself
    notes: tuple[str, ...]
    place: str  # what a row of the file is called: a line of text, a row in Excel
    then: str  # the command to be typed when the outcome is in the file


def fill(path: Path, *, outcome: str | None = None, to: Path | None = None, force: bool = False, **said: Any) -> Sheet:
    """Read the file, rank the rows without an outcome, write it back. What is ``said`` are options of a campaign."""
    from sureshot.campaign.model.words import checked_words

    if to is not None and to != path:
        free_path(to, force=force)
    options = Options(**said)
    words = checked_words(options.success, options.failure)
    sheet = read_sheet(path)
    column = _outcome_column(sheet, outcome, words)
    _refuse_to_write_over(sheet)
    there = [name for name in (column, *OWN) if name in sheet.header]
    with leaving_out():
        table = sheet.cells.table(
            without=[*there, *(options.without or ())],
            kinds=dict.fromkeys(options.names or (), "category"),
            id=options.id,
            again=True,
        )
        _refuse_one_name_for_two(table)
    told, running = _outcomes(sheet, column, words)
    rows = range(len(table))
    blank = [i for i in rows if i not in told and i not in running]
    ranked = _rank(table, told, running, blank, options)
    order = ranked.order
    place = {row: n for n, row in enumerate(order, start=1)}
    added = {
        "priority": [str(place.get(i, "")) for i in rows],
        "chance": [f"{ranked.probability[i]:.3f}".replace(".", _decimal(sheet)) for i in rows],
        "next": ["next" if place.get(i) == 1 else "" for i in rows],
    }
    if column not in sheet.header:
        added = {column: [""] * len(table), **added}
    notes = [*write_sheet(sheet, added, to), *table.notes, *ranked.notes]
    if column not in sheet.header:
        notes.append(f"an empty column {column!r} was added")
    top = max(rows, key=lambda i: ranked.probability[i])
    return Sheet(
        file=str(to or path),
        rows=len(table),
        outcomes=len(told),
        successes=sum(told.values()),
        pending=len(running),
        next=_suggestion(sheet, table, ranked, order[0], ranked.value) if order else None,
        best=_suggestion(sheet, table, ranked, top, None),
        despite=_despite(table, ranked, told, top),
        notes=tuple(notes),
        place=sheet.cells.row,
        then=_then(to or path, {"outcome": outcome, **said}),
    )


@dataclass(frozen=True, slots=True)
class _Ranked:
    probability: list[float]
    low: list[float]
    high: list[float]
    order: list[int]  # the rows that may be tried, the next one first
    value: float | None  # of trying that one
    notes: list[str]


def _rank(table: Table, told: dict[int, int], running: list[int], blank: list[int], options: Options) -> _Ranked:
    """What is believed of each row after the outcomes, and the blank rows in the order in which to try them."""
    from sureshot import core, policies
    from sureshot.campaign.model.pool import taken_as_parameters
    from sureshot.space import begin

    design, X, belief = begin(table, shape=options.shape, formula=options.formula)
    if told:
        belief = core.fit(belief, X[list(told)], list(told.values())).belief
    order, value, notes = list[int](), None, list(design.notes)
    if blank:
        now = policies.situation(
            belief, X, rows=X[list(told)], outcomes=list(told.values()), pending=X[running], candidates=blank
        )
        (decision,) = policies.decide(policies.default_policy(grid=False), now, len(told))
        scores, chance = decision.scores.tolist(), now.probability.tolist()
        others = [row for row in blank if row != decision.alternative]
        order = [decision.alternative, *sorted(others, key=lambda i: (-scores[i], -chance[i], i))]
        value = decision.value
        if decision.looked_at:
            notes.append(narrowed(decision.looked_at, len(X)).removesuffix("."))
    low, high = core.interval(belief, X)
    notes += taken_as_parameters(table, design.inputs)
    return _Ranked(core.predictive(belief, X).tolist(), low.tolist(), high.tolist(), order, value, notes)


def _then(file: Path, said: Mapping[str, str | list[str] | None]) -> str:
    """The same command again, with all that was said this time."""
    words = ["sureshot", "sheet", str(file)]
    for name, value in said.items():
        for one in [value] if isinstance(value, str) else value or []:
            words += [option_for(name), one]
    return shlex.join(words)


def _refuse_one_name_for_two(table: Table) -> None:
    """Refuse a name that two different rows have: a row tried again is one more row, and has its name again."""
    first: dict[str, int] = {}
    for i, name in enumerate(table.row_names.names if table.row_names else ()):
        before = first.setdefault(name, i)
        if _label(table, before) != _label(table, i):
            raise InvalidInput(
                f"rows of one name must be alike, got {name!r} for {_label(table, before)} and for {_label(table, i)}",
                field="id",
                fix="rename one",
                place=table.place(i),
            )


def _refuse_to_write_over(sheet: SheetFile) -> None:
    """Refuse a file in which a column of another's has a name that is to be written."""
    own = {"priority": r"\d*(\.0)?", "chance": r"([01]([.,]\d*)?)?", "next": r"(next)?"}
    there = [name for name in OWN if name in sheet.header]
    for name in there:
        cells = [cell for cell in sheet.column(name) if cell]
        other = next((cell for cell in cells if not re.fullmatch(own[name], cell)), None)
        if other is None and len(there) == 1 and cells:
            other = cells[0]  # they are written together
        if other is not None:
            raise InvalidInput(
                f"this command writes the columns {', '.join(OWN)}, and {name} holds {other!r}, which is not its own",
                fix=f"call that column something else, such as my_{name}",
                place=sheet.path.name,
            )


def _decimal(sheet: SheetFile) -> str:
    """What a decimal number is written with in this file."""
    if sheet.cells.separator in ("", ","):
        return "."
    cells = (cell for i in range(len(sheet.header)) for cell in sheet.cells.coded(i)[0])
    return "," if any(re.fullmatch(r"[+-]?\d+,\d+", str(cell)) for cell in cells) else "."


def _outcome_column(sheet: SheetFile, asked_for: str | None, words: Words) -> str:
    if asked_for is not None:
        if asked_for not in sheet.header:
            raise unknown_name("column", asked_for, sheet.header, field="outcome").at(sheet.path.name)
        return asked_for
    found = next((name for name in sheet.header if name.lower() == OUTCOME), None)
    if found is None:
        for name in sheet.header:
            _refuse_another(sheet, name, words)
    return found or OUTCOME


def _refuse_another(sheet: SheetFile, name: str, words: Words) -> None:
    """Refuse a file without an outcome column in which this one looks like it: as a parameter it would spoil all."""
    if name.lower() in OWN:
        return
    said = {cell.lower() for cell in sheet.column(name)} - {"", PENDING.lower()}
    own = {words.success.lower(), words.failure.lower(), "success", "failure"}
    called_so = any(part in _CALLED for part in re.split(r"\W+|_", name.lower()))
    if not (said and said <= own) and not (called_so and len(said) <= 2):
        return
    options = f"--outcome {shlex.quote(name)}"
    others = sorted(said - own - {"true", "false", "1", "0"}, key=lambda word: word not in _GOOD)
    if others:
        good, bad = (*others, "WORD")[:2]
        options += f" --success {shlex.quote(good)} --failure {shlex.quote(bad)}"
    raise InvalidInput(
        f"{sheet.path.name} has no column {OUTCOME!r}, and {name!r} looks like it: add {options}. If it is a "
        f"parameter, add an empty column {OUTCOME!r} to the file."
    )


def _outcomes(sheet: SheetFile, column: str, words: Words) -> tuple[dict[int, int], list[int]]:
    """The outcome of each row that has one, and the rows that are running."""
    told: dict[int, int] = {}
    running: list[int] = []
    for i, cell in enumerate(sheet.column(column) if column in sheet.header else []):
        if not cell:
            continue
        if cell.upper() == PENDING:
            running.append(i)
            continue
        try:
            told[i] = words.counts(cell)[0]
        except SureshotError:
            raise InvalidInput(
                f"{column} must be {words.success!r}, {words.failure!r}, {PENDING} or blank",
                got=cell,
                fix="fix the cell, or say with --success and --failure what your words are",
                place=sheet.cells.place(i),
            ) from None
    return told, running


def _despite(table: Table, ranked: _Ranked, told: dict[int, int], top: int) -> str | None:
    """Why the row to choose is one that failed, while others worked."""
    from sureshot.campaign.answers.most_successful import despite_failing

    worked = [i for i in told if told[i]]
    own = [won for i, won in told.items() if _label(table, i) == _label(table, top)]
    if not own or any(own) or not worked:
        return None
    other = max(worked, key=lambda i: ranked.probability[i])
    named = _label(table, other) if table.row_names is None else table.row_names.label(other)
    return despite_failing(ranked.probability[top], len(own), named, ranked.probability[other])


def _label(table: Table, i: int) -> str:
    return ", ".join(column.label(i) for column in table.columns)


def _suggestion(sheet: SheetFile, table: Table, ranked: _Ranked, i: int, value: float | None) -> Suggestion:
    from sureshot.campaign.answers.wording import detailed

    called, label = table.row_names, _label(table, i)
    return Suggestion(
        line=sheet.cells.lines[i],
        id=None if called is None else called.names[i],
        alternative=label if called is None else detailed(called.label(i), label),
        probability=ranked.probability[i],
        interval=(ranked.low[i], ranked.high[i]),
        value=value,
    )
