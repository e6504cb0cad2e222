"""Many outcomes at once, from a table: all of them or none, and an error names the row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from sureshot.campaign.answers.wording import count
from sureshot.campaign.columns import columns_of
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.seen_before import already, marked, repeated_rows
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.words import Words
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.space.beyond import beyond_levels
from sureshot.space.tables.cells import Place
from sureshot.space.tables.column import Value
from sureshot.storage import NewEvent, told

__all__ = ["Blank", "Bulk", "Repeated", "imported"]

Blank = Literal["skip", "refuse"]
Repeated = Literal["refuse", "skip", "record"]

#: What an outcome cell may say while the experiment runs: the row has no outcome yet.
PENDING = "pending"
#: Rows beyond the levels that are named one by one, at most.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Bulk:
    """The events that record a table, and what a person should know about it."""

    events: list[NewEvent]
    blank: int  # rows without an outcome
    repeated: int  # rows left out because an earlier import recorded them
    again: int  # ... or recorded once more
    cautions: tuple[str, ...]


def imported(
    pool: Pool,
    words: Words,
    ledger: Ledger,
    data: Any,
    *,
    outcome: str,
    of: str | None,
    author: str | None,
    blank: Blank,
    repeated: Repeated,
) -> Bulk:
    """The events that record a table: a file, a DataFrame, a mapping of columns, or a list of rows."""
    for what, given, known in (("blanks", blank, get_args(Blank)), ("repeated rows", repeated, get_args(Repeated))):
        if given not in known:
            raise unknown_name(f"way with {what}", given, known)
    columns, place = columns_of(data, pool, outcome=outcome, of=of)
    results, tries = columns[outcome], columns[of] if of else [None] * len(columns[outcome])
    keep = [i for i, cell in enumerate(results) if not (blank == "skip" and _is_blank(cell))]
    counts = []
    for i in keep:
        with _named(place, i):
            if _is_blank(results[i]):
                got = repr(results[i]) if isinstance(results[i], str) and results[i].strip() else "none"
                raise InvalidInput(
                    f"every row must have an outcome, got {got} in {outcome!r}: fill it or leave it out."
                )
            counts.append(words.counts(results[i], tries[i]))
    if not keep:
        return Bulk([], len(results), 0, 0, ())
    places = _Places(place, keep)
    levels = {name: [columns[name][i] for i in keep] for name in pool.space.names}
    contexts = _contexts(pool, {name: [columns[name][i] for i in keep] for name in pool.context_names}, places)
    rows = _rows(pool, levels, places)
    others = _outside(pool, levels, np.flatnonzero(rows < 0).tolist(), places)
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
    return Bulk(
        marked([events[at] for at in kept]),
        len(results) - len(keep),
        len(left_out),
        len(known_before) - len(left_out),
        _cautions(pool, kept, others, contexts, places),
    )


def _cautions(
    pool: Pool, kept: list[int], others: dict[int, dict[str, Value]], contexts: list[Any], places: _Places
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
            found.append(f"{places(at)}: {'; '.join((*levels, *unusual))}")
        else:
            more += 1
    return (*found, *([f"{count(more, 'more row')} beyond the levels or ranges"] if more else []))


@dataclass(frozen=True, slots=True)
class _Places:
    """How a person finds the rows that are kept: made when an error needs it."""

    place: Place
    keep: list[int]

    def __call__(self, at: int) -> str:
        return self.place(self.keep[at])

    def __len__(self) -> int:
        return len(self.keep)


@contextmanager
def _named(place: Place, row: int) -> Iterator[None]:
    """An error about a row, with its place."""
    try:
        yield
    except SureshotError as error:
        raise error.at(place(row)) from error


def _rows(pool: Pool, levels: dict[str, list[Any]], places: _Places) -> Any:
    """The row of each alternative, -1 for those not in the pool; in columns, or row by row where a cell is odd."""
    try:
        return pool.space.find_many(levels)
    except SureshotError:
        for at in range(len(places)):
            with _named(places, at):
                pool.located({name: cells[at] for name, cells in levels.items()})
        raise


def _outside(
    pool: Pool, levels: dict[str, list[Any]], which: list[int], places: _Places
) -> dict[int, dict[str, Value]]:
    """The levels of the rows that are not in the pool; in columns, or row by row to name the one that is wrong."""
    if not which:
        return {}
    try:
        return dict(
            zip(which, pool.outside({k: [cells[at] for at in which] for k, cells in levels.items()}), strict=True)
        )
    except SureshotError:
        for at in which:
            with _named(places, at):
                pool.located({name: cells[at] for name, cells in levels.items()})
        raise


def _contexts(pool: Pool, columns: dict[str, list[Any]], places: _Places) -> list[dict[str, Any] | None]:
    if not pool.contextual:
        return [None] * len(places)
    seen: dict[str, dict[str, Any] | None] = {}
    found = []
    for at in range(len(places)):
        one = {name: cells[at] for name, cells in columns.items()}
        key = json.dumps(one, default=repr)
        if key not in seen:
            with _named(places, at):
                seen[key] = pool.checked(one)
        found.append(seen[key])
    return found


def _is_blank(cell: object) -> bool:
    """Whether a cell says nothing, or that the experiment is still running."""
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in ("", PENDING)):
        return True
    return (isinstance(cell, float | np.floating) and bool(np.isnan(cell))) or str(cell) in ("<NA>", "NaT")
