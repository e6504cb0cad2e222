"""A space: the alternatives a campaign may try, as a table that a scientist can write down.

Two equal rows are one alternative: a table that repeats a row is refused, or merged when that is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput, UnknownName, about, unknown_name
from sureshot.said import Setting, Text
from sureshot.space.grid import allowed, grid_table
from sureshot.space.language.expression import Expression, parse_condition
from sureshot.space.stored import reading
from sureshot.space.tables.column import Column, Kind, Value, column
from sureshot.space.tables.index import Index, index
from sureshot.space.tables.levels import Levels, levels_of, parse_levels
from sureshot.space.tables.names import check_name
from sureshot.space.tables.read import read_cells
from sureshot.space.tables.table import Table, as_table

if TYPE_CHECKING:
    from sureshot.space.features.design import Design

__all__ = ["Space"]

Duplicates = Literal["refuse", "merge"]


@dataclass(frozen=True, eq=False)
class Space:
    """Alternatives with named, typed columns. Make one with :meth:`grid`, :meth:`from_frame` or :meth:`read`.

    >>> space = Space.grid(power=[8, 10, 12, 14], ethylene="10:40:10 sccm", catalyst=["Fe", "Co"])
    >>> len(space), space.label(25)
    (32, 'power 14, ethylene 10 sccm, catalyst Co')
    >>> space.find(power=14, ethylene=10, catalyst="Co")
    25
    """

    table: Table
    parameters: tuple[tuple[str, Levels], ...] = ()  # of a grid; empty for a table of candidates
    where: tuple[str, ...] = ()  # the constraints, as text

    @property
    def is_grid(self) -> bool:
        """Whether it is every combination of levels (less what constraints forbid), not a table of candidates."""
        return bool(self.parameters)

    # -- made from what a person has

    @classmethod
    @about("parameters")
    def grid(
        cls,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        where: str | Sequence[str] = (),
        units: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Space:
        """Every combination of the levels for which all constraints in ``where`` are true.

        Levels are a list (numbers, text or booleans) or text as on the command line (``"8,10,12,14 W"``).

        >>> len(Space.grid(power=[8, 10], time=[1, 5], where="power * time <= 40"))
        3
        """
        named: dict[str, Levels] = {}
        for given, levels in {**(parameters or {}), **more}.items():
            name = check_name(given)
            found = levels if isinstance(levels, Levels) else _levels(levels, name)
            unit = (units or {}).get(given, found.unit)
            named[name] = Levels(found.kind, found.values, unit)
        for name in units or {}:
            if check_name(name) not in named:
                raise unknown_name("column", name, named)
        conditions = _conditions(where)
        return cls(grid_table(named, conditions), tuple(named.items()), tuple(c.text for c in conditions))

    @classmethod
    def from_frame(
        cls,
        data: Any,
        *,
        where: str | Sequence[str] = (),
        kinds: Mapping[str, Kind] | None = None,
        units: Mapping[str, str] | None = None,
        without: Sequence[str] = (),
        duplicates: Duplicates = "refuse",
    ) -> Space:
        """The rows of a DataFrame (or a mapping of columns, or a list of rows), one alternative each.

        ``kinds`` says what a column holds when its cells leave it open; ``without`` leaves columns out.
        """
        return cls._from_table(as_table(data, kinds=kinds, units=units, without=without), where, duplicates)

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        where: str | Sequence[str] = (),
        kinds: Mapping[str, Kind] | None = None,
        units: Mapping[str, str] | None = None,
        without: Sequence[str] = (),
        duplicates: Duplicates = "refuse",
    ) -> Space:
        """The rows of a CSV, Parquet or Excel file, one alternative each."""
        return cls._from_table(read_cells(path).table(kinds=kinds, units=units, without=without), where, duplicates)

    @classmethod
    def _from_table(cls, table: Table, where: str | Sequence[str], duplicates: Duplicates) -> Space:
        if duplicates not in ("refuse", "merge"):
            raise unknown_name("way with duplicates", duplicates, ("refuse", "merge"), field="duplicates")
        if not len(table):
            raise InvalidInput("a space must have at least one alternative, got no rows", fix="add one")
        conditions = _conditions(where)
        if conditions:
            keep = np.flatnonzero(allowed(table.columns, conditions, len(table)))
            if not len(keep):
                raise InvalidInput(
                    f"a space must keep at least one of its {len(table):,} rows, got none", fix=f"loosen {where!r}"
                )
            table = table.take(keep)
        rows = index(table.columns)
        again = rows.repeated()
        if again is not None:
            if duplicates == "refuse":
                first, second = (table.place(i) for i in again)
                raise InvalidInput(
                    f"alternatives must differ, got {table.label(again[0])} twice, in {first} and {second}",
                    fix=Text("remove one, or merge all such rows with ", Setting("duplicates", "merge")),
                )
            keep = rows.distinct()
            note = f"rows that repeated an earlier one were merged with it: {len(table) - len(keep):,}"
            table = replace(table.take(keep), notes=(*table.notes, note))
        return cls(table, (), tuple(c.text for c in conditions))

    # -- looked at

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"Space({len(self):,} alternative{'s' * (len(self) != 1)}: {', '.join(self.names)})"

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""
        return self.table.columns

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self.table.names

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read kindly, renamed or merged: to be shown once."""
        return self.table.notes

    def column(self, name: str) -> Column:
        """The column of that name, or an error that names the nearest."""
        return self.table.column(name)

    def row(self, i: int) -> dict[str, Value]:
        """The cells of one alternative, by column."""
        at = self._checked(i)
        return {column.name: column.value(at) for column in self.columns}

    def label(self, i: int) -> str:
        """How a person reads an alternative: ``power 14 W, ethylene 10 sccm, catalyst Co``."""
        return self.table.label(self._checked(i))

    def to_frame(self) -> Any:
        """The alternatives as a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame({column.name: column.values() for column in self.columns})

    # -- searched

    def find(self, values: Mapping[str, object] | None = None, /, **more: object) -> int:
        """The row of the alternative with these cells, or an error that names what is unknown and the nearest."""
        given = {**(values or {}), **more}
        for name in given:
            self.column(name)
        missing = [name for name in self.names if name not in given]
        if missing:
            raise InvalidInput(f"an alternative must have a value for every column, got none for {', '.join(missing)}.")
        codes = [column.code(given[column.name]) for column in self.columns]
        row = int(self._index.find([np.array([code], dtype=np.int32) for code in codes])[0])
        if row < 0:
            raise UnknownName(self._absent(codes))
        return row

    def find_many(self, data: Any) -> NDArray[np.intp]:
        """The row of each of many alternatives (a table with the same columns), -1 for those not in the space.

        For bulk import: a hundred thousand rows in well under a second.
        """
        kinds = {column.name: column.kind for column in self.columns}
        given = as_table(data, only=self.names, kinds=kinds)
        each = [(one, given.column(one.name)) for one in self.columns]
        return self._index.find([one.lookup(other.levels)[other.codes] for one, other in each])

    @cached_property
    def _index(self) -> Index:
        return index(self.columns)

    def _absent(self, codes: Sequence[int]) -> str:
        each = zip(self.columns, codes, strict=True)
        one = Table(tuple(replace(c, codes=np.array([code], dtype=np.int32)) for c, code in each))
        text = one.label(0)
        broken = [w for w in self.where if not allowed(one.columns, [parse_condition(w)], 1)[0]]
        if broken:
            return f"no alternative is {text}: the constraint {broken[0]} forbids it."
        differing = np.sum([c.codes != code for c, code in zip(self.columns, codes, strict=True)], axis=0)
        near = int(np.argmin(differing))
        known = "each value is known, but not together"
        return f"no alternative is {text}: {known}. The nearest is row {near}, {self.label(near)}."

    def _checked(self, i: int) -> int:
        if not isinstance(i, (int, np.integer)) or isinstance(i, bool) or not 0 <= i < len(self):
            raise InvalidInput(f"a row must be a whole number from 0 to {len(self) - 1}, got {i!r}.")
        return int(i)

    # -- turned into features, and kept

    def design(self, formula: str | None = None, *, standardise: bool = True) -> Design:
        """The features of the alternatives; without a formula, an intercept, linear terms and dummies."""
        from sureshot.space.features.design import Design

        return Design.fit(self, formula, standardise=standardise)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the alternatives (columns, units, levels, rows in order), however they were written down."""
        digest = sha256()
        for one in self.columns:
            head = [one.name, one.kind, one.unit, len(one), one.levels.tolist()]
            digest.update(json.dumps(head, ensure_ascii=True, separators=(",", ":")).encode())
            digest.update(np.ascontiguousarray(one.codes, dtype="<i4").tobytes())
        return digest.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """A specification that JSON can hold: the parameters and constraints of a grid, or the rows of a table."""
        head = {"version": 1, "where": list(self.where), "notes": list(self.notes)}
        if self.parameters:
            listed = [
                {"name": name, "kind": levels.kind, "unit": levels.unit, "levels": list(levels.values)}
                for name, levels in self.parameters
            ]
            return {**head, "grid": listed, "hash": self.content_hash}
        columns = [
            {"name": c.name, "kind": c.kind, "unit": c.unit, "levels": c.levels.tolist(), "codes": c.codes.tolist()}
            for c in self.columns
        ]
        return {**head, "table": columns, "hash": self.content_hash}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Space:
        """The space that :meth:`to_dict` wrote, checked against its hash."""
        with reading("space", stored):
            if "grid" in stored:
                named = {p["name"]: Levels(p["kind"], tuple(p["levels"]), p["unit"]) for p in stored["grid"]}
                space = cls.grid(named, where=list(stored["where"]))
            else:
                table = Table(tuple(column(**one) for one in stored["table"]), notes=tuple(stored["notes"]))
                space = cls(table, (), tuple(stored["where"]))
            same = space.content_hash == stored["hash"]
        if not same:
            raise InvalidInput("a stored space must match its hash, and does not: it was changed after it was stored.")
        return space


def _levels(levels: Any, name: str) -> Levels:
    return parse_levels(levels, name=name) if isinstance(levels, str) else levels_of(levels, name=name)


@about("where")
def _conditions(where: str | Iterable[str]) -> tuple[Expression, ...]:
    return tuple(parse_condition(text) for text in ([where] if isinstance(where, str) else where))
