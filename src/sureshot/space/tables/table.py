"""Rows with named columns, from whatever a person has: a DataFrame, columns, a list of rows, one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput, unknown_name
from sureshot.said import Setting, Text
from sureshot.space.tables.cells import Place, typed_column
from sureshot.space.tables.column import Column, Kind, Value
from sureshot.space.tables.frames import columns_of, factorised, order_of
from sureshot.space.tables.names import from_header, meant
from sureshot.space.tables.row_names import RowNames, row_names

__all__ = ["MAX_ALTERNATIVES", "Cells", "Table", "as_table", "cells_of", "too_many"]

#: The most rows that a table may have: 5 million, some 20 MB a column.
MAX_ALTERNATIVES = 5_000_000


def numbered(row: int) -> str:
    """The place of a row in a table that no file holds. No lambda: worlds of the lab travel to other processes."""
    return f"row {row}"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of one length, at least one. ``place`` names a row for a person."""

    columns: tuple[Column, ...]
    place: Place = numbered
    notes: tuple[str, ...] = ()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # of numbers that were declared by theirs
    row_names: RowNames | None = None  # what each row is called, where a column says so

    def __len__(self) -> int:
        return len(self.columns[0])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """The column of that name, or an error that names the nearest."""
        for column in self.columns:
            if column.name == name:
                return column
        raise unknown_name("column", name, self.names)

    def label(self, row: int) -> str:
        """How a person reads a row: ``power 14 W, catalyst Co``."""
        return ", ".join(column.label(row) for column in self.columns)

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Some of the rows, in any order and number."""
        place, columns = self.place, tuple(column.take(rows) for column in self.columns)
        named = None if self.row_names is None else self.row_names.take(rows)
        return replace(self, columns=columns, place=lambda i: place(int(rows[i])), row_names=named)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A table as it was given, before any cell is judged, and what was noticed about its file.

    ``coded(i)`` is column i as its different cells and, for each row, which of them it holds.
    """

    headers: Sequence[object]
    coded: Callable[[int], tuple[Sequence[object], NDArray[Any]]]
    notes: tuple[str, ...] = ()
    order: Mapping[str, Sequence[Value]] = field(default_factory=dict)  # of levels, where somebody declared one
    file: str = ""
    row: str = "row"  # what a row is called: a line of text, a row in Excel
    lines: Sequence[int] = ()  # where each row stands in the file
    encoding: str = ""
    separator: str = ""  # between the cells of a text file
    above: int = 0  # lines above the header that were passed over as titles
    beside: int = 0  # empty columns before the first one, in Excel

    def place(self, i: int) -> str:
        """How a person finds a row again."""
        return f"{self.row} {self.lines[i] if self.lines else i}" + (f" of {self.file}" if self.file else "")

    @property
    def names(self) -> list[str]:
        """The headers as text."""
        return [str(header).strip() for header in self.headers]

    def column(self, i: int) -> list[object]:
        """The cells of one column, row by row."""
        unique, codes = self.coded(i)
        return [unique[code] for code in codes.tolist()]

    def take(self, at: Sequence[int]) -> Cells:
        """Some of the columns, in this order."""
        return replace(self, headers=[self.headers[i] for i in at], coded=lambda i: self.coded(at[i]))

    def some(self, rows: Sequence[int]) -> Cells:
        """Some of the rows; cells that only others have are gone."""

        def coded(i: int) -> tuple[Sequence[object], NDArray[Any]]:
            cells, codes = self.coded(i)
            used, recoded = np.unique(codes[list(rows)], return_inverse=True)
            return [cells[at] for at in used], recoded

        return replace(self, coded=coded, lines=[self.lines[i] if self.lines else i for i in rows])

    def table(
        self,
        *,
        kinds: Mapping[str, Kind] | None = None,
        levels: Mapping[str, Sequence[Value]] | None = None,
        units: Mapping[str, str] | None = None,
        without: Iterable[str] = (),
        id: str | None = None,
        again: bool = False,
    ) -> Table:
        """The table that these cells are, each column of one kind; the column ``id`` names its rows, each once unless a
        row may come ``again``.
        """
        unwanted, called = _unwanted(without), self.names
        named_by = None if id is None else self._named_by(id)
        if named_by is not None:
            rest = [i for i in range(len(called)) if i != named_by]
            found = row_names(called[named_by], *self.coded(named_by), self.place, again=again)
            others = [name for name in unwanted if name != id]
            table = self.take(rest).table(kinds=kinds, levels=levels, units=units, without=others)
            return replace(table, row_names=found)
        at = [i for i, name in enumerate(called) if name not in unwanted or called.count(name) > 1]
        headers = [self.headers[i] for i in at]
        named = [_named(header) for header in headers]
        names = [name for name, _ in named]
        for i, name in enumerate(names):
            if name in names[:i]:
                k = names.index(name)
                also = "" if headers[k] == headers[i] else f" (from {headers[k]!r} and {headers[i]!r})"
                raise InvalidInput(
                    f"columns must have different names, got {name!r} for columns {at[k] + 1} and {at[i] + 1}{also}",
                    fix="rename or remove one",
                )
        left_out = {_known(name, names) for name in unwanted if called.count(name) != 1}
        declared = {_known(name, names): kind for name, kind in (kinds or {}).items()}
        ordered = {**{name: given for name, given in self.order.items() if name in called}, **(levels or {})}
        fixed = {_known(name, names): tuple(g) for name, g in ordered.items() if name not in unwanted}
        with_unit = {_known(name, names): unit for name, unit in (units or {}).items()}
        columns, told = [], list(self.notes)
        for i, header, (name, unit) in zip(at, headers, named, strict=True):
            if name in left_out:
                continue
            column, notes = typed_column(
                name,
                *self.coded(i),
                self.place,
                unit=with_unit.get(name, unit),
                kind=declared.get(name),
                levels=fixed.get(name),
                decimal_comma=self.separator not in ("", ","),
            )
            columns.append(column)
            if name != str(header).strip() and not unit:
                told.append(f"column {header!r} is called {name}")
            told += notes
        if not columns:
            raise InvalidInput("a table must have at least one column, got none", fix="add one")
        return Table(tuple(columns), self.place, tuple(told))

    def _named_by(self, name: str) -> int:
        """Which column names the rows."""
        called = [meant(one, [name]) for one in self.names]
        if called.count(name) != 1:
            if name in called:
                raise InvalidInput(f"`id` must name one column, got {name!r}, which is there twice", fix="rename one")
            raise unknown_name("column", name, self.names, field="id")
        return called.index(name)


def as_table(
    data: Any,
    *,
    kinds: Mapping[str, Kind] | None = None,
    levels: Mapping[str, Sequence[Value]] | None = None,
    units: Mapping[str, str] | None = None,
    without: Iterable[str] = (),
    only: Sequence[str] | None = None,
    id: str | None = None,
) -> Table:
    """A table from a Table, a DataFrame, a mapping of columns (or of one row), or a list of rows.

    ``only`` picks columns before any cell is looked at: what a caller does not need may be as odd as it likes.

    >>> as_table({"power": [8, 10], "catalyst": ["Fe", "Co"]}).column("catalyst").levels.tolist()
    ['Co', 'Fe']
    """
    own = getattr(data, "table", data)
    given = own if isinstance(own, Table) else cells_of(data)
    called = [meant(name, only or ()) for name in given.names]
    for wanted in only or ():
        if wanted not in called:
            raise InvalidInput(f"the rows must have a column {wanted!r}, got {', '.join(given.names)}", fix="add it")
    if isinstance(given, Table):
        return given
    if only is not None:
        given = given.take([i for i, name in enumerate(called) if name in only])
    return given.table(kinds=kinds, levels=levels, units=units, without=without, id=id)


def cells_of(data: Any) -> Cells:
    """The cells of a DataFrame, a mapping of columns (or of one row), or a list of rows."""
    headers, arrays = columns_of(data)
    n = len(arrays[0]) if arrays else 0
    if n > MAX_ALTERNATIVES:
        raise too_many(n)
    order = {str(header): found for header, array in zip(headers, arrays, strict=True) if (found := order_of(array))}
    return Cells(headers, lambda i: factorised(arrays[i]), order=order)


def too_many(n: int) -> InvalidInput:
    """The error for more rows than the stated limit."""
    return InvalidInput(
        f"a table must have at most {MAX_ALTERNATIVES:,} alternatives, got {n:,}",
        fix="coarsen the levels, add constraints, or draw a sample of the rows",
    )


def _named(header: object) -> tuple[str, str]:
    """Name and unit of a column; an error says what else can be done than to rename it."""
    try:
        return from_header(header)
    except InvalidInput as error:
        name = str(header).strip()
        no_parameter = (". If it is not a parameter: ", Setting("without", [name]), "; if it names the rows: ")
        fix = Text((error.fix or "").removesuffix("."), *no_parameter, Setting("id", name))
        raise InvalidInput(str(error.sentence).partition(": ")[0], value=name, fix=fix) from error


def _known(name: str, names: Sequence[str]) -> str:
    """A column named by its header or by its clean name."""
    found = meant(name, names)
    if found not in names:
        raise unknown_name("column", name, names)
    return found


def _unwanted(names: Iterable[str]) -> list[str]:
    if isinstance(names, str):
        raise InvalidInput("`without` must be a list of columns", got=names, fix=f"write [{names!r}]")
    return [normalize("NFKC", name) if name.isidentifier() else name for name in names]  # as Python spells names
