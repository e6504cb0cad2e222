"""The rows of a table that are alternatives: those that the constraints allow, each of them once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from sureshot.errors import InvalidInput, unknown_name
from sureshot.said import Setting, Text
from sureshot.space.grid import allowed
from sureshot.space.language.expression import Expression
from sureshot.space.tables.index import index
from sureshot.space.tables.table import Table

__all__ = ["Duplicates", "candidates"]

Duplicates = Literal["refuse", "merge"]

#: Rows that a note names, at most.
_NAMED = 5


def candidates(table: Table, conditions: Sequence[Expression], duplicates: Duplicates) -> Table:
    """The rows for which all conditions are true; equal ones are refused, or merged with the first of them."""
    if duplicates not in ("refuse", "merge"):
        raise unknown_name("way with duplicates", duplicates, ("refuse", "merge"), field="duplicates")
    if not len(table):
        raise InvalidInput("a space must have at least one alternative, got no rows", fix="add one")
    if conditions:
        keep = np.flatnonzero(allowed(table.columns, conditions, len(table)))
        if not len(keep):
            raise InvalidInput(
                f"a space must keep at least one of its {len(table):,} rows, got none",
                fix=f"loosen {' and '.join(repr(one.text) for one in conditions)}",
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
        if table.row_names is not None:
            gone = table.row_names.take(np.setdiff1d(np.arange(len(table)), keep)).names
            note += f" ({', '.join(gone[:_NAMED])}{', ...' * (len(gone) > _NAMED)})"
        table = replace(table.take(keep), notes=(*table.notes, note))
    return table
