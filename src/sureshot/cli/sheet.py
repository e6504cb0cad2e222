"""``sureshot sheet``: the one-file way. A table of candidates with an outcome column, ranked by what a trial of each is
worth. There is no store: the file is all there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from sureshot.cli.session import leaving_out
from sureshot.cli.sheet_file import SheetFile, read_sheet, write_sheet
from sureshot.errors import InvalidInput, SureshotError, unknown_name

if TYPE_CHECKING:
    from sureshot.campaign.outcome import Words
    from sureshot.space import Table

__all__ = ["OUTCOME", "PENDING", "Sheet", "fill"]

#: The column that holds the outcomes, unless another is named.
OUTCOME = "outcome"
#: What an outcome cell says while the experiment runs.
PENDING = "PENDING"
#: The columns that sureshot writes and never reads.
OWN = ("priority", "chance", "next")

#: Up to so many rows each is valued exactly; beyond, through a Laplace update of one Gaussian.
EXACT = 1_000


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One row of the sheet, with what is believed of it."""

    line: int
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
    notes: tuple[str, ...]


def fill(
    path: Path,
    *,
    outcome: str | None,
    success: str,
    failure: str,
    without: list[str],
    names: list[str],
    formula: str | None,
    to: Path | None = None,
) -> Sheet:
    """Read the file, rank the rows without an outcome, write it back."""
    from sureshot.campaign.outcome import checked_words
    from sureshot.space.read import read_table

    words = checked_words(success, failure)
    sheet = read_sheet(path)
    column = _outcome_column(sheet, outcome)
    there = [name for name in (column, *OWN) if name in sheet.header]
    with leaving_out():
        table = read_table(path, without=[*there, *without], kinds=dict.fromkeys(names, "category"))
    told, running = _outcomes(sheet, column, words)
    ranked = _rank(table, told, running, formula)
    blank = [i for i in range(len(sheet.rows)) if i not in told and i not in running]
    order = sorted(blank, key=lambda i: (-round(ranked.values[i], 9), -ranked.probability[i], i))
    place = {row: n for n, row in enumerate(order, start=1)}
    rows = range(len(sheet.rows))
    added = {
        "priority": [str(place.get(i, "")) for i in rows],
        "chance": [f"{ranked.probability[i]:.3f}" for i in rows],
        "next": ["next" if place.get(i) == 1 else "" for i in rows],
    }
    if column not in sheet.header:
        added = {column: [""] * len(sheet.rows), **added}
    write_sheet(sheet, added, to)
    notes = (*table.notes, *(() if column in sheet.header else (f"an empty column {column!r} was added",)))
    top = max(rows, key=lambda i: ranked.probability[i])
    return Sheet(
        file=str(to or path),
        rows=len(sheet.rows),
        outcomes=len(told),
        successes=sum(told.values()),
        pending=len(running),
        next=_suggestion(sheet, table, ranked, order[0], ranked.values[order[0]]) if order else None,
        best=_suggestion(sheet, table, ranked, top, None),
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class _Ranked:
    probability: list[float]
    low: list[float]
    high: list[float]
    values: list[float]


def _rank(table: Table, told: dict[int, int], running: list[int], formula: str | None) -> _Ranked:
    """What is believed of each row after the outcomes, in the order of the lines, and what a trial of it is worth."""
    from sureshot import core, policies
    from sureshot.campaign.suggest import one_gaussian
    from sureshot.core import auto_prior
    from sureshot.space import Design

    design = Design.fit(table, formula)
    X = design.matrix(table)
    belief: Any = auto_prior(design.width, intercept=design.has_intercept)
    if told:
        belief, _ = core.observe_many(belief, X[list(told)], list(told.values()))
    waiting = X[running] if running else None
    rng: Any = Random(len(told))  # draws the outcomes of more pending rows than can be followed one by one
    if len(X) <= EXACT:
        values = policies.knowledge_gradient(belief, X, pending=waiting, rng=rng)
    else:
        values = policies.knowledge_gradient(one_gaussian(belief), X, lookahead="update", pending=waiting, rng=rng)
    low, high = core.interval(belief, X)
    return _Ranked(core.predictive(belief, X).tolist(), low.tolist(), high.tolist(), values.tolist())


def _outcome_column(sheet: SheetFile, asked_for: str | None) -> str:
    if asked_for is not None:
        if asked_for not in sheet.header:
            raise type(e := unknown_name("column", asked_for, sheet.header))(f"{sheet.path.name}: {e}")
        return asked_for
    return next((name for name in sheet.header if name.lower() == OUTCOME), OUTCOME)


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
                f"line {sheet.lines[i]} of {sheet.path.name}: {column} must be {words.success!r}, {words.failure!r}, "
                f"{PENDING} or blank, got {cell!r}: mend the cell, or say with --success and --failure what your "
                "words are."
            ) from None
    return told, running


def _suggestion(sheet: SheetFile, table: Table, ranked: _Ranked, i: int, value: float | None) -> Suggestion:
    label = ", ".join(column.label(i) for column in table.columns)
    return Suggestion(sheet.lines[i], label, ranked.probability[i], (ranked.low[i], ranked.high[i]), value)
