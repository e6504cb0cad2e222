"""A space: the alternatives a campaign may try, as a table that a scientist can write down.

Two equal rows are one alternative: a table that repeats a row is refused, or merged when that is asked for.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput, Notice, UnknownName, about, unknown_name
from sureshot.schema import by_name, wrong
from sureshot.space.candidates import Duplicates, candidates
from sureshot.space.grid import allowed, grid_table
from sureshot.space.language.expression import Expression, parse_condition
from sureshot.space.stored import check_space, reading
from sureshot.space.tables.column import Column, Kind, Value, column, show
from sureshot.space.tables.index import Index, index
from sureshot.space.tables.levels import Levels, levels_of, names_with_units, parse_levels
from sureshot.space.tables.names import check_name
from sureshot.space.tables.read import read_cells
from sureshot.space.tables.row_names import RowNames
from sureshot.space.tables.table import Table, as_table

if TYPE_CHECKING:
    from sureshot.space.features.design import Design

__all__ = ["Space"]


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
        notes: list[str] = []
        for given, levels in {**(parameters or {}), **more}.items():
            name = check_name(given)
            found = levels if isinstance(levels, Levels) else _levels(levels, name)
            unit = (units or {}).get(given, found.unit)
            named[name] = Levels(found.kind, found.values, unit)
            notes += found.notes
        for name in units or {}:
            if check_name(name) not in named:
                raise unknown_name("column", name, named)
        conditions = _conditions(where)
        table = replace(grid_table(named, conditions), notes=tuple(notes))
        for note in notes:
            warnings.warn(f"{note}.", Notice, stacklevel=3)  # past `about`
        return cls(table, tuple(named.items()), tuple(c.text for c in conditions))

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
        id: str | None = None,
    ) -> Space:
        """The rows of a DataFrame (or a mapping of columns, or a list of rows), one alternative each.

        ``kinds`` says what a column holds when its cells leave it open; ``without`` leaves columns out; ``id`` is the
        column that names the rows, which is not a parameter.

        >>> space = Space.from_frame({"sample": ["A1", "A2"], "power": [8, 10]}, id="sample")
        >>> space.label(1), space.settings(1), space.find(sample="A2")
        ('sample A2', 'power 10', 1)
        """
        return cls._from_table(as_table(data, kinds=kinds, units=units, without=without, id=id), where, duplicates)

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
        id: str | None = None,
    ) -> Space:
        """The rows of a CSV, Parquet or Excel file, one alternative each."""
        table = read_cells(path).table(kinds=kinds, units=units, without=without, id=id)
        return cls._from_table(table, where, duplicates)

    @classmethod
    def _from_table(cls, table: Table, where: str | Sequence[str], duplicates: Duplicates) -> Space:
        conditions = _conditions(where)
        return cls(candidates(table, conditions, duplicates), (), tuple(c.text for c in conditions))

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

    @property
    def row_names(self) -> RowNames | None:
        """What each alternative is called, where a column says so."""
        return self.table.row_names

    @property
    def has_names(self) -> bool:
        """Whether one word names an alternative: a name of its row, or the level of the only column."""
        return self.row_names is not None or len(self.names) == 1

    def name(self, i: int) -> str | None:
        """What an alternative is called: ``A12``; None where it is known by its levels."""
        at = self._checked(i)
        return None if self.row_names is None else self.row_names.names[at]

    def label(self, i: int) -> str:
        """How a person reads an alternative: ``power 14 W, ethylene 10 sccm, catalyst Co``, or ``sample A12``."""
        at = self._checked(i)
        return self.table.label(at) if self.row_names is None else self.row_names.label(at)

    def settings(self, i: int) -> str:
        """The levels of an alternative as a person reads them, also where it has a name."""
        return self.table.label(self._checked(i))

    def details(self, i: int) -> str:
        """The levels of an alternative whose label is a name; empty where its label says them."""
        return "" if self.row_names is None else self.settings(i)

    def to_frame(self) -> Any:
        """The alternatives as a pandas DataFrame; their names, if they have any, come first."""
        import pandas as pd

        names = {} if self.row_names is None else {self.row_names.column: list(self.row_names.names)}
        return pd.DataFrame({**names, **{column.name: column.values() for column in self.columns}})

    # -- searched

    def find(self, values: Mapping[str, object] | None = None, /, **more: object) -> int:
        """The row of the alternative with these cells, or an error that names what is unknown and the nearest.

        Where the alternatives have names, the name is enough; levels beside it must agree with it.
        """
        given = {**(values or {}), **more}
        if self.row_names is not None and self.row_names.column in given:
            row = self.row_names.row(given.pop(self.row_names.column))
            self._refuse_other_levels(row, given)
            return row
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

    def _refuse_other_levels(self, row: int, given: Mapping[str, object]) -> None:
        """Refuse levels that an alternative with a name does not have."""
        for name, value in given.items():
            one = self.column(name)
            if one.lookup([value])[0] != one.codes[row]:
                raise InvalidInput(
                    f"{self.label(row)} has {one.label(row)}, got {name} {show(value)}",
                    fix="name another one, or leave the levels out",
                )

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
        head: dict[str, Any] = {"version": 1, "where": list(self.where), "notes": list(self.notes)}
        if self.row_names is not None:
            head["row_names"] = {"column": self.row_names.column, "names": list(self.row_names.names)}
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
    def from_dict(cls, stored: Mapping[str, Any], *, at: str = "space") -> Space:
        """The space that :meth:`to_dict` wrote, checked against its hash. Errors say where in the document, which
        stands ``at``.
        """
        with reading("space", stored, at):
            check_space(stored, at)
            if "grid" in stored:
                named = {p["name"]: Levels(p["kind"], tuple(p["levels"]), p["unit"]) for p in stored["grid"]}
                space = cls.grid(named, where=list(stored["where"]))
                space = replace(space, table=replace(space.table, notes=tuple(stored["notes"])))
            else:
                columns = tuple(
                    column(one["name"], one["kind"], one["levels"], one["codes"], unit=one["unit"])
                    for one in stored["table"]
                )
                called = stored.get("row_names")
                names = None if called is None else RowNames(called["column"], tuple(called["names"]))
                table = Table(columns, notes=tuple(stored["notes"]), row_names=names)
                for i, condition in enumerate(_conditions(stored["where"])):
                    for name in condition.names:
                        by_name(f"{at}.where[{i}]", name, table.names, "columns")
                space = cls(table, (), tuple(stored["where"]))
            if space.content_hash != stored["hash"]:
                raise wrong(f"{at}.hash", "must be the hash of these alternatives, which were changed since")
        return space


def _levels(levels: Any, name: str) -> Levels:
    if isinstance(levels, str):
        return parse_levels(levels, name=name)
    found = levels_of(levels, name=name)
    told = names_with_units(name, found.values) if found.kind == "category" else ""
    return replace(found, notes=(told,)) if told else found


@about("where")
def _conditions(where: str | Iterable[str]) -> tuple[Expression, ...]:
    return tuple(parse_condition(text) for text in ([where] if isinstance(where, str) else where))
