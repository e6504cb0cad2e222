"""A table of outcomes as columns: a file, a DataFrame, a mapping of columns or a list of rows.

Only the columns that a campaign needs are looked at; others may be as odd as they like. Outcomes stay as they were
written, to be judged by the campaign's words; alternatives and contexts get the kinds that the campaign has.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.model.pool import Pool
from sureshot.errors import InvalidInput
from sureshot.said import Setting, Text
from sureshot.space import Table
from sureshot.space.tables.cells import Place
from sureshot.space.tables.names import from_header
from sureshot.space.tables.read import Cells, read_cells

__all__ = ["columns_of"]


def columns_of(data: Any, pool: Pool, *, outcome: str, of: str | None) -> tuple[dict[str, list[Any]], Place]:
    """The cells of each column that is needed, and how a person finds a row again."""
    results = [name for name in (outcome, of) if name]
    needed = [*results, *pool.space.names, *pool.context_names]
    file = read_cells(Path(data)) if isinstance(data, str | os.PathLike) else None
    place: Place = _row_number
    if file is not None:
        names, cells, place = [str(header).strip() for header in file.headers], [], file.place
    elif isinstance(data, Table):
        names, cells, place = list(data.names), [column.values().tolist() for column in data.columns], data.place
    elif hasattr(data, "columns") and hasattr(data, "iloc"):
        names = [str(name) for name in data.columns]
        cells = [data.iloc[:, i].tolist() for i in range(len(names))]
    elif isinstance(data, Mapping):
        names, cells = [str(name) for name in data], [list(column) for column in data.values()]
    elif isinstance(data, Iterable):
        names, cells = _turned(list(data))
    else:
        raise InvalidInput(f"a table must be a file, a DataFrame, columns or a list of rows, got {data!r}.")
    clean = [_clean(name, needed) for name in names]
    _check_names(clean, needed, "the table" if file is None else Path(data).name, outcome=outcome, of=of)
    if file is not None:
        found = _of_file(file, clean, pool, results)
    else:
        lengths = {len(column) for column in cells}
        if len(lengths) > 1:
            raise InvalidInput(f"columns must have one length, got {sorted(lengths)}: fill or cut them.")
        found = {name: _bare(pool, name, column, place) for name, column in zip(clean, cells, strict=True)}
    return found, place


def _of_file(file: Cells, names: list[str], pool: Pool, results: list[str]) -> dict[str, list[Any]]:
    """The cells of a file: those of alternatives and contexts judged at once, line by line, by the campaign's kinds."""
    found = {name: file.column(names.index(name)) for name in results}
    wanted = [*pool.space.names, *pool.context_names]
    judged = []
    for name in wanted:
        unique, codes = file.cells[names.index(name)]
        judged.append((_bare(pool, name, list(unique), partial(_first_place, file, codes)), codes))
    table = file.table(wanted, judged, kinds=pool.kinds)
    return {**found, **{column.name: column.values().tolist() for column in table.columns}}


def _first_place(file: Cells, codes: NDArray[Any], cell: int) -> str:
    return file.place(int(np.argmax(codes == cell)))


def _turned(rows: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Rows as columns."""
    if not rows:
        raise InvalidInput("a table must have at least one row, got none: add one.")
    names = list(rows[0]) if isinstance(rows[0], Mapping) else []
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or set(row) != set(names):
            told_names = f" with the columns {', '.join(map(str, names))}" if names else ""
            raise InvalidInput(f"every row must be a mapping{told_names}", got=row, place=f"row {i}")
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


def _check_names(names: list[str], needed: Sequence[str], what: str, *, outcome: str, of: str | None) -> None:
    for i, name in enumerate(names):
        if name in names[:i] and name in needed:
            raise InvalidInput(
                f"columns must have different names, got {name!r} for columns {names.index(name) + 1} and {i + 1}: "
                "rename or remove one."
            )
    for name in needed:
        if name not in names:
            raise _missing(name, names, needed, what, outcome=outcome, of=of)


def _missing(
    name: str, got: list[str], needed: Sequence[str], what: str, *, outcome: str, of: str | None
) -> InvalidInput:
    """The error for a column that a table lacks, with the one that is probably meant."""
    spare = [other for other in got if other not in needed]
    lower = {other.lower(): other for other in spare}
    close = get_close_matches(name.lower(), lower, n=1)
    meant = lower[close[0]] if close else None
    if name not in (outcome, of):
        fix = f"rename {meant!r}" if meant else "add it"
    else:
        option = "outcome" if name == outcome else "of"
        yours = meant or (spare[0] if len(spare) == 1 else "...")
        fix = Text("name yours with ", Setting(option, yours), ", or add it")
    return InvalidInput(f"{what} must have a column {name!r}, got {', '.join(got)}", fix=fix)


def _bare(pool: Pool, name: str, cells: list[Any], place: Place) -> list[Any]:
    """The cells of a column without the units that were written into them."""
    if not any(isinstance(cell, str) for cell in cells):
        return cells
    found = []
    for i, cell in enumerate(cells):
        try:
            found.append(pool.bare(name, cell))
        except InvalidInput as error:
            raise error.at(place(i)) from error
    return found
