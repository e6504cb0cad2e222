"""Many outcomes at once, from a table: all of them or none, and an error names the row."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sureshot.campaign.outcome import Words
from sureshot.campaign.pool import Pool
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.space import Table
from sureshot.space.cells import Place
from sureshot.space.column import Value
from sureshot.space.names import from_header
from sureshot.space.read import read_table
from sureshot.storage import NewEvent, told

__all__ = ["Blank", "imported"]

Blank = Literal["refuse", "skip"]


def imported(
    pool: Pool, words: Words, data: Any, *, outcome: str, of: str | None, author: str | None, blank: Blank
) -> list[NewEvent]:
    """The events that record a table: a file, a DataFrame, a mapping of columns, or a list of rows."""
    if blank not in ("refuse", "skip"):
        raise unknown_name("way with blanks", blank, ("refuse", "skip"))
    needed = [outcome, *([of] if of else []), *pool.space.names, *pool.context_names]
    columns, place = _columns(data, needed)
    for name in needed:
        if name not in columns:
            raise InvalidInput(f"the table must have a column {name!r}, got {', '.join(columns)}: add it.")
    results, tries = columns[outcome], columns[of] if of else [None] * len(columns[outcome])
    keep = [i for i, cell in enumerate(results) if not (blank == "skip" and _is_blank(cell))]
    counts = []
    for i in keep:
        with _named(place, i):
            if _is_blank(results[i]):
                raise InvalidInput(f"every row must have an outcome, got none in {outcome!r}: fill it or leave it out.")
            counts.append(words.counts(results[i], tries[i]))
    if not keep:
        return []
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
    return events


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
        raise type(error)(f"{place(row)}: {error}") from error


def _columns(data: Any, needed: Sequence[str]) -> tuple[dict[str, list[Any]], Place]:
    """The cells of each column as they are: their kinds are judged where they are used."""
    place: Place = _row_number
    if isinstance(data, str | os.PathLike):
        data = read_table(Path(data))
    if isinstance(data, Table):
        place = data.place
        names = list(data.names)
        cells = [column.values().tolist() for column in data.columns]
    elif hasattr(data, "columns") and hasattr(data, "iloc"):
        names = [str(name) for name in data.columns]
        cells = [data.iloc[:, i].tolist() for i in range(len(names))]
    elif isinstance(data, Mapping):
        names = [str(name) for name in data]
        cells = [list(column) for column in data.values()]
    elif isinstance(data, Iterable):
        names, cells = _turned(list(data))
    else:
        raise InvalidInput(f"a table must be a file, a DataFrame, columns or a list of rows, got {data!r}.")
    names = [_clean(name, needed) for name in names]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InvalidInput(f"columns must have different names, got {name!r} twice: rename or remove one.")
    lengths = {len(column) for column in cells}
    if len(lengths) > 1:
        raise InvalidInput(f"columns must have one length, got {sorted(lengths)}: fill or cut them.")
    return dict(zip(names, cells, strict=True)), place


def _turned(rows: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Rows as columns."""
    if not rows:
        raise InvalidInput("a table must have at least one row, got none: add one.")
    names = list(rows[0]) if isinstance(rows[0], Mapping) else []
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or set(row) != set(names):
            told_names = f" with the columns {', '.join(map(str, names))}" if names else ""
            raise InvalidInput(f"row {i}: every row must be a mapping{told_names}, got {row!r}.")
    return [str(name) for name in names], [[row[name] for row in rows] for name in names]


def _clean(header: str, needed: Sequence[str]) -> str:
    """The name of a column as the space has it: ``Flow rate (sccm)`` is ``Flow_rate``."""
    if header not in needed:
        with suppress(InvalidInput):
            name, _ = from_header(header)
            return name if name in needed else header
    return header


def _row_number(i: int) -> str:
    return f"row {i}"


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
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return True
    return (isinstance(cell, float | np.floating) and bool(np.isnan(cell))) or str(cell) in ("<NA>", "NaT")
