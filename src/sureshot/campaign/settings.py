"""Settings that a person tried or asks about, as rows, levels or a table: each found in the pool, or beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.model.pool import Pool
from sureshot.errors import InvalidInput, SureshotError
from sureshot.said import Call, Text
from sureshot.space.tables.cells import Place, is_null
from sureshot.space.tables.column import Value, show
from sureshot.space.tables.frames import is_frame, is_other_frame
from sureshot.space.tables.names import meant
from sureshot.space.tables.read import cells_in
from sureshot.space.tables.table import cells_of

__all__ = [
    "Cases",
    "Settings",
    "bare_cells",
    "called_by_name",
    "cases_of",
    "contexts_of",
    "located",
    "named",
    "settings_of",
]


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """Settings in the order in which somebody gave them."""

    rows: NDArray[np.intp]  # (n,) of the pool; -1: not in it
    outside: dict[int, dict[str, Value]]  # the levels of those that are not, by their place in ``rows``


def settings_of(pool: Pool, given: Any) -> Settings:
    """What somebody asks about: the number of a row or several, the levels of one or several (a mapping, a list of
    mappings), or a table of levels (a frame, a mapping of columns). Other columns of a table are passed over.
    """
    if is_frame(given) or is_other_frame(given) or _is_columns(given):
        return _of_table(pool, given)
    if isinstance(given, str) or not (isinstance(given, Sequence) or _listed(given)):
        row, levels = pool.located(given)
        return Settings(np.array([-1 if row is None else row]), {} if levels is None else {0: levels})
    listed = given.tolist() if hasattr(given, "tolist") else list(given)
    if not listed:
        raise _none()
    rows, outside = np.full(len(listed), -1, dtype=np.intp), dict[int, dict[str, Value]]()
    for i, one in enumerate(listed):
        with named(lambda at: f"row {at}", i):
            row, levels = pool.located(one)
        if row is not None:
            rows[i] = row
        elif levels is not None:
            outside[i] = levels
    return Settings(rows, outside)


def _is_columns(given: object) -> bool:
    """Whether it is a mapping of columns, not the levels of one alternative."""
    cells = given.values() if isinstance(given, Mapping) else ()
    return any(isinstance(one, list | tuple | np.ndarray) or is_frame(one) for one in cells)


def _listed(given: object) -> bool:
    """Whether it is a column of a frame, or the index of one."""
    return hasattr(given, "tolist") and getattr(given, "ndim", 0) == 1


def _none() -> InvalidInput:
    return InvalidInput("there must be at least one setting to predict, got none", field="rows", fix="leave it out")


def _of_table(pool: Pool, given: Any) -> Settings:
    cells = cells_of(given)
    if not cells.names or not len(cells.coded(0)[1]):
        raise _none()
    names = [meant(name, pool.tried_names) for name in cells.names]
    wanted = [name for name in pool.space.names if name in names]
    needed = {one.name for one in pool.design.action.inputs}
    missing = [name for name in pool.space.names if name in needed and name not in names]
    called = None if pool.space.row_names is None else pool.space.row_names.column
    if missing and called not in names:
        got = ", ".join(cells.names)
        raise InvalidInput(f"the rows must have a column {missing[0]!r}, got {got}", field="rows", fix="add it")
    coded = [bare_cells(pool, name, *cells.coded(names.index(name)), cells.place) for name in wanted]
    kinds = {name: kind for name, kind in pool.kinds.items() if name in wanted}
    table = replace(cells, headers=wanted, coded=coded.__getitem__, order={}).table(kinds=kinds) if wanted else None
    n = len(cells.coded(0)[1])
    levels = {} if table is None else {column.name: column.values().tolist() for column in table.columns}
    if called is not None and called in names:
        return Settings(*called_by_name(pool, cells.column(names.index(called)), levels, cells.place))
    if len(wanted) == len(pool.space.names):
        return Settings(*located(pool, levels, cells.place, n))
    rows = [{name: values[i] for name, values in levels.items()} for i in range(n)]
    return settings_of(pool, rows)


@contextmanager
def named(place: Place, row: int) -> Iterator[None]:
    """An error about a row, with its place."""
    try:
        yield
    except SureshotError as error:
        raise error.at(place(row)) from error


def located(
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
            with named(place, at):
                pool.located({name: cells[at] for name, cells in levels.items()})
        raise


def called_by_name(
    pool: Pool, names: list[Any], levels: dict[str, list[Any]], place: Place
) -> tuple[NDArray[np.intp], dict[int, dict[str, Value]]]:
    """The row of each alternative by its name, levels that stand beside it being its own; where there is no name, by
    its levels, or these if they are not in the pool.
    """
    column = "" if pool.space.row_names is None else pool.space.row_names.column
    rows, others = np.full(len(names), -1, dtype=np.intp), {}
    for at, name in enumerate(names):
        given = {one: cells[at] for one, cells in levels.items()}
        with named(place, at):
            row, outside = pool.located(given if is_null(name) or not show(name).strip() else {column: name, **given})
        if row is not None:
            rows[at] = row
        elif outside is not None:
            others[at] = outside
    return rows, others


def contexts_of(pool: Pool, columns: dict[str, list[Any]], place: Place, n: int) -> list[dict[str, Any] | None]:
    """The context of each row, checked; None where the campaign has none."""
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


def bare_cells(
    pool: Pool, name: str, cells: Sequence[object], codes: NDArray[Any], place: Place
) -> tuple[list[object], NDArray[Any]]:
    """The different cells of a column without the units that were written into them."""
    found = []
    for i, cell in enumerate(cells):
        try:
            found.append(pool.bare(name, cell))
        except InvalidInput as error:
            raise error.at(place(int(np.argmax(codes == i)))) from error
    return found, codes


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """A table of cases: its columns as they were given, and the context of each row."""

    columns: dict[str, list[object]]
    contexts: list[dict[str, Value]]
    place: Place


def cases_of(pool: Pool, given: Any) -> Cases:
    """The cases of a file, a frame, a mapping of columns or a list of contexts. Other columns than those of a context
    are not looked at.
    """
    if not pool.contextual:
        fix = Text("see ", Call("best"))
        raise InvalidInput("this campaign has no contexts: one choice is best in every case", field="cases", fix=fix)
    cells = cells_in(given)
    names = [meant(name, pool.context_names) for name in cells.names]
    missing = [one.name for one in pool.design.context_inputs if one.name not in names]
    if missing:
        got = ", ".join(cells.names)
        raise InvalidInput(f"the cases must have a column {missing[0]!r}, got {got}", field="cases", fix="add it")
    wanted = [name for name in pool.context_names if name in names]
    kinds = {name: kind for name, kind in pool.kinds.items() if name in wanted}
    table = cells.take([names.index(name) for name in wanted]).table(kinds=kinds)
    columns = {column.name: column.values().tolist() for column in table.columns}
    contexts = contexts_of(pool, columns, cells.place, len(table))
    whole = {name: cells.column(i) for i, name in enumerate(cells.names)}
    return Cases(whole, [one for one in contexts if one is not None], cells.place)
