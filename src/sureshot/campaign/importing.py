"""Many outcomes at once, from a table: all of them or none, and an error names the row."""

from __future__ import annotations

import json
from typing import Any, Literal, get_args

import numpy as np

from sureshot.campaign.answers.results import Imported
from sureshot.campaign.answers.wording import count
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.seen_before import already, marked, repeated_rows
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.model.words import PENDING
from sureshot.campaign.outcome_table import columns_of
from sureshot.campaign.settings import located, named
from sureshot.errors import InvalidInput, unknown_name
from sureshot.space.beyond import beyond_levels
from sureshot.space.tables.cells import Place
from sureshot.space.tables.column import Value
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
    columns, place, blanks = columns_of(data, pool, outcome=outcome, of=of, passed_over=skipped)
    results = columns[outcome]
    counts = []
    for i, (cell, tries) in enumerate(zip(results, columns[of] if of else [None] * len(results), strict=True)):
        with named(place, i):
            if _is_blank(cell):
                got = repr(cell) if isinstance(cell, str) and cell.strip() else "none"
                raise InvalidInput(
                    f"every row must have an outcome, got {got} in {outcome!r}: fill it or leave it out."
                )
            counts.append(spec.words.counts(cell, tries))
    if not counts:
        return Imported(recorded=0, trials=None, blank=blanks, repeated=0), []
    levels = {name: columns[name] for name in pool.space.names}
    contexts = _contexts(pool, {name: columns[name] for name in pool.context_names}, place, len(counts))
    rows, others = located(pool, levels, place, len(counts))
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


def _contexts(pool: Pool, columns: dict[str, list[Any]], place: Place, n: int) -> list[dict[str, Any] | None]:
    if not pool.contextual:
        return [None] * n
    seen: dict[str, dict[str, Any] | None] = {}
    found = []
    for at in range(n):
        one = {name: cells[at] for name, cells in columns.items()}
        key = json.dumps(one, default=repr)
        if key not in seen:
            with named(place, at):
                seen[key] = pool.checked(one)
        found.append(seen[key])
    return found


def _is_blank(cell: object) -> bool:
    """Whether a cell says nothing, or that the experiment is still running."""
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in ("", PENDING)):
        return True
    return (isinstance(cell, float | np.floating) and bool(np.isnan(cell))) or str(cell) in ("<NA>", "NaT")
