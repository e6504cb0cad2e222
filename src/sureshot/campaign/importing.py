"""Many outcomes at once, from a table: all of them or none, and an error names the row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.results import Imported
from sureshot.campaign.answers.wording import count
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.seen_before import already, marked, repeated_rows
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.model.words import PENDING
from sureshot.campaign.outcome_table import columns_of
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.space.beyond import beyond_levels, outside_levels
from sureshot.space.tables.cells import Place, is_null
from sureshot.space.tables.column import Value, show
from sureshot.storage import NewEvent, told

__all__ = ["Blank", "Repeated", "imported"]

Blank = Literal["skip", "refuse"]
Repeated = Literal["refuse", "skip", "record"]

#: Rows beyond the levels that are named one by one, at most.
_NAMED = 5


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
    skipped = _is_blank if blank == "skip" else lambda _: False
    columns, place, blanks, ignored = columns_of(data, pool, outcome=outcome, of=of, passed_over=skipped)
    results = columns[outcome]
    counts = []
    for i, (cell, tries) in enumerate(zip(results, columns[of] if of else [None] * len(results), strict=True)):
        with _named(place, i):
            if _is_blank(cell):
                got = repr(cell) if isinstance(cell, str) and cell.strip() else "none"
                raise InvalidInput(
                    f"every row must have an outcome, got {got} in {outcome!r}: fill it or leave it out."
                )
            counts.append(spec.words.counts(cell, tries))
    if not counts:
        return Imported(recorded=0, trials=None, blank=blanks, repeated=0, columns=ignored), []
    levels = {name: columns[name] for name in pool.space.names if name in columns}
    contexts = _contexts(pool, {name: columns[name] for name in pool.context_names}, place, len(counts))
    called = None if pool.space.row_names is None else columns.get(pool.space.row_names.column)
    if called is None:
        rows, others = _located(pool, levels, place, len(counts))
    else:
        rows, others = _called(pool, called, levels, place)
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


@contextmanager
def _named(place: Place, row: int) -> Iterator[None]:
    """An error about a row, with its place."""
    try:
        yield
    except SureshotError as error:
        raise error.at(place(row)) from error


def _located(
    pool: Pool, levels: dict[str, list[Any]], place: Place, n: int
) -> tuple[NDArray[np.intp], dict[int, dict[str, Value]]]:
    """The row of each alternative, -1 for those not in the pool, and the levels of these; in columns, or row by row to
    name the one that is wrong.
    """
    which = list(range(n))
    try:
        rows = pool.space.find_many(levels)
        which = np.flatnonzero(rows < 0).tolist()
        outside = pool.outside({k: [cells[at] for at in which] for k, cells in levels.items()}) if which else []
        return rows, dict(zip(which, outside, strict=True))
    except SureshotError:
        for at in which:
            with _named(place, at):
                pool.located({name: cells[at] for name, cells in levels.items()})
        raise


def _called(
    pool: Pool, names: list[Any], levels: dict[str, list[Any]], place: Place
) -> tuple[NDArray[np.intp], dict[int, dict[str, Value]]]:
    """The row of each alternative by its name, levels that stand beside it being its own; where there is no name, by
    its levels, or these if they are not in the pool.
    """
    column = "" if pool.space.row_names is None else pool.space.row_names.column
    rows, others = np.full(len(names), -1, dtype=np.intp), {}
    for at, name in enumerate(names):
        given = {one: cells[at] for one, cells in levels.items()}
        with _named(place, at):
            row, outside = pool.located(given if is_null(name) or not show(name).strip() else {column: name, **given})
        if row is not None:
            rows[at] = row
        elif outside is not None:
            others[at] = outside
    return rows, others


def _contexts(pool: Pool, columns: dict[str, list[Any]], place: Place, n: int) -> list[dict[str, Any] | None]:
    if not pool.contextual:
        return [None] * n
    seen: dict[str, dict[str, Any] | None] = {}
    found = []
    for at in range(n):
        one = {name: cells[at] for name, cells in columns.items()}
        key = json.dumps(one, default=repr)
        if key not in seen:
            with _named(place, at):
                seen[key] = pool.checked(one)
        found.append(seen[key])
    return found


def _is_blank(cell: object) -> bool:
    """Whether a cell says nothing, or that the experiment is still running."""
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in ("", PENDING)):
        return True
    return (isinstance(cell, float | np.floating) and bool(np.isnan(cell))) or str(cell) in ("<NA>", "NaT")
