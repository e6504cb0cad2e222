"""Names that a column gives to the rows of a table: ``sample A12`` in the place of all its levels.

They are no parameter: nothing is learned from them. A person knows a row by its name, so each row has one of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput, UnknownName
from sureshot.space.tables.cells import Place, is_null
from sureshot.space.tables.column import show

__all__ = ["RowNames", "row_names"]


@dataclass(frozen=True, eq=False)
class RowNames:
    """What each row is called, and the header of the column that says so."""

    column: str
    names: tuple[str, ...]

    def label(self, row: int) -> str:
        """How a person reads it: ``sample A12``."""
        return f"{self.column} {self.names[row]}"

    def take(self, rows: NDArray[np.intp]) -> RowNames:
        """The names of some of the rows."""
        return replace(self, names=tuple(self.names[i] for i in rows.tolist()))

    def row(self, name: object) -> int:
        """The row of that name, or an error that names the nearest."""
        found = self._rows.get(show(name).strip())
        if found is None:
            near = get_close_matches(show(name), self.names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"they are called {self.names[0]!r} and so on"
            raise UnknownName(f"no {self.column} is called {show(name)!r}", value=show(name), fix=hint)
        return found

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}


def row_names(
    header: str, cells: Sequence[object], codes: NDArray[Any], place: Place, *, again: bool = False
) -> RowNames:
    """The names in a column with these different ``cells``; each row must have one, and unless a row may come ``again``
    no two the same.

    >>> row_names("sample", ["A1", "A2"], np.array([1, 0]), str).label(0)
    'sample A2'
    """
    texts = ["" if is_null(cell) else show(cell).strip() for cell in cells]
    names = tuple(texts[code] for code in codes.tolist())
    seen: dict[str, int] = {}
    for row, name in enumerate(names):
        if not name:
            fix = "name the row, or leave `id` out"
            raise InvalidInput(f"{header} must name every row, got nothing", field="id", fix=fix, place=place(row))
        if name in seen and not again:
            told = f"{header} must name each row once, got {name!r} in {place(seen[name])} and in {place(row)}"
            raise InvalidInput(told, field="id", fix="rename one, or name another column with `id`")
        seen[name] = row
    return RowNames(header, names)
