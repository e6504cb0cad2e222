"""Many outcomes at once, from a table: all of them or none, and an error names the row."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.flat import own_name
from sureshot.campaign.answers.wording import columns_passed_over, count, noted
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.seen_before import already, marked, repeated_rows
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.model.words import PENDING
from sureshot.campaign.outcome_table import columns_of, tries_name
from sureshot.campaign.settings import called_by_name, contexts_of, located, named
from sureshot.documents import JSON_BYTES, read_json, whole_file
from sureshot.errors import Conflict, InvalidInput, unknown_name
from sureshot.said import Call, Text
from sureshot.space.beyond import beyond_levels, outside_levels
from sureshot.space.tables.cells import Place
from sureshot.space.tables.column import Value, as_number
from sureshot.storage import NewEvent, told

__all__ = ["Blank", "Imported", "Repeated", "imported", "is_blank", "read_export"]

Blank = Literal["skip", "refuse"]
Repeated = Literal["refuse", "skip", "record"]

#: Rows beyond the levels that are named one by one, at most.
_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Document):
    """What came of a table of outcomes."""

    recorded: int
    trials: tuple[int, int] | None  # the first and the last of them; None: nothing was recorded
    blank: int  # rows without an outcome (or pending), passed over
    repeated: int  # rows that an earlier import had recorded, passed over
    again: int = 0  # ... or, on purpose, recorded once more
    cautions: tuple[str, ...] = ()  # which rows lie beyond the levels or ranges
    columns: tuple[str, ...] = ()  # neither parameters nor outcomes, passed over
    outside: tuple[int, ...] = ()  # the trials with a number outside its levels

    @property
    def words(self) -> str:
        """What was recorded and what was not, in a sentence."""
        parts = [f"{count(self.recorded, 'outcome')} recorded"]
        if self.trials is not None:
            first, last = self.trials
            parts[0] += f" as trial {first}" if first == last else f" as trials {first} to {last}"
        if self.blank:
            parts.append(f"{count(self.blank, 'row')} without an outcome passed over")
        if self.repeated:
            parts.append(f"{count(self.repeated, 'row')} of an earlier import passed over")
        if self.again:
            parts.append(f"{self.again:,} of them had been recorded by an earlier import, and count twice")
        if self.columns:
            parts.append(columns_passed_over(self.columns))
        return f"{'; '.join(parts)}."

    def __str__(self) -> str:
        return f"{self.words}{noted(self.cautions)}"


def imported(
    spec: Spec,
    ledger: Ledger,
    data: Any,
    *,
    outcome: str,
    of: str | None,
    author: str | None,
    blank: Blank,
    repeated: Repeated,
) -> tuple[Imported, list[NewEvent]]:
    """What a person should know about a table (a file, a DataFrame, columns or rows), and the events that record it,
    whose trials have no numbers yet.
    """
    pool = spec.pool
    for name, given, known in (("blank", blank, get_args(Blank)), ("repeated", repeated, get_args(Repeated))):
        if given not in known:
            raise unknown_name(f"value of {name}", given, known, field=name)
    skipped = is_blank if blank == "skip" else lambda _: False
    columns, place, blanks, ignored = columns_of(data, pool, outcome=outcome, of=of, passed_over=skipped)
    results = columns[outcome]
    several = columns.get(tries_name(pool, of), [None] * len(results))
    counts = []
    for i, (cell, tries) in enumerate(zip(results, several, strict=True)):
        with named(place, i):
            if is_blank(cell):
                got = repr(cell) if isinstance(cell, str) and cell.strip() else "none"
                raise InvalidInput(
                    f"every row must have an outcome, got {got} in {outcome!r}: fill it or leave it out."
                )
            counts.append(spec.words.counts(cell, None if is_blank(tries) else tries))
    if not counts:
        return Imported(recorded=0, trials=None, blank=blanks, repeated=0, columns=ignored), []
    levels = {name: columns[name] for name in pool.space.names if name in columns}
    contexts = contexts_of(pool, {name: columns[name] for name in pool.context_names}, place, len(counts))
    called = None if pool.space.row_names is None else columns.get(pool.space.row_names.column)
    if called is None:
        rows, others = located(pool, levels, place, len(counts))
    else:
        rows, others = called_by_name(pool, called, levels, place)
    _refuse_trials(pool, ledger, columns.get(own_name(pool, "trial"), ()), rows)
    events = []
    for at, (won, total) in enumerate(counts):
        payload = {"levels": others[at]} if at in others else None
        row = None if payload else int(rows[at])
        events.append(told(None, won, of=total, alternative=row, context=contexts[at], payload=payload, author=author))
    known_before = repeated_rows(ledger, events)
    if known_before and repeated == "refuse":
        raise already(known_before, len(events))
    left_out = set(known_before) if repeated == "skip" else set()
    kept = [at for at in range(len(events)) if at not in left_out]
    found = Imported(
        recorded=len(kept),
        trials=None,
        blank=blanks,
        repeated=len(left_out),
        again=len(known_before) - len(left_out),
        cautions=_cautions(pool, kept, others, contexts, place),
        columns=ignored,
        outside=tuple(i for i, at in enumerate(kept) if at in others and outside_levels(pool.space, others[at])),
    )
    return found, marked([events[at] for at in kept])


def _refuse_trials(pool: Pool, ledger: Ledger, cells: Sequence[object], rows: NDArray[np.intp]) -> None:
    """Refuse a table whose rows are trials of this campaign: as experiments of their own they would count twice."""
    numbers = [as_number(cell) for cell in cells]
    both = zip(numbers, rows, strict=bool(numbers))
    named = [(number, int(row)) for number, row in both if number is not None and number.is_integer()]
    entries = [(ledger.trials.get(int(number)), row) for number, row in named]
    if entries and all(entry is not None and entry.alternative == row for entry, row in entries):
        raise Conflict(
            f"the rows are trials of this campaign (column {own_name(pool, 'trial')!r}), not experiments that were "
            "never asked",
            fix=Text("tell their outcomes with ", Call("tell_table"), "; if they are others, remove that column"),
        )


def _cautions(
    pool: Pool, kept: list[int], others: dict[int, dict[str, Value]], contexts: list[Any], place: Place
) -> tuple[str, ...]:
    """Which rows lie beyond the levels, constraints or ranges: the first few by name, the rest by their number."""
    found: list[str] = []
    more = 0
    for at in kept:
        unusual = pool.unusual(contexts[at])
        if at not in others and not unusual:
            continue
        if len(found) < _NAMED:
            levels = beyond_levels(pool.space, others[at]) if at in others else ()
            found.append(f"{place(at)}: {'; '.join((*levels, *unusual))}")
        else:
            more += 1
    return (*found, *([f"{count(more, 'more row')} beyond the levels or ranges"] if more else []))


def is_blank(cell: object) -> bool:
    """Whether a cell says nothing, or that the experiment is still running."""
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in ("", PENDING)):
        return True
    return (isinstance(cell, float | np.floating) and bool(np.isnan(cell))) or str(cell) in ("<NA>", "NaT")


def read_export(file: str | os.PathLike[str]) -> dict[str, Any]:
    """The document in a file that holds a whole campaign."""
    if not isinstance(file, str | os.PathLike):
        raise InvalidInput("a campaign is made again from what ", Call("export"), " gave, or from its file", got=file)
    path = Path(file)
    try:
        found = read_json(whole_file(path, JSON_BYTES), path.name)
    except OSError as error:
        raise InvalidInput(f"{path} can't be read ({error.strerror}): check the path.") from error
    return found  # type: ignore[no-any-return]  # what is none is refused by who needs one
