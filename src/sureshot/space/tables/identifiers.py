"""Columns that only name the rows of a table (``sample 17``): as parameters they teach nothing about other rows."""

from __future__ import annotations

import numpy as np

from sureshot.space.tables.column import Column
from sureshot.space.tables.table import Table

__all__ = ["identifiers"]

#: With fewer rows than this, different values in every row say nothing.
FEWEST = 4
#: What people call such columns.
_NAMES = frozenset({"id", "index", "key", "name", "no", "nr", "num", "number", "row", "run", "sample", "sample_id"})


def identifiers(table: Table) -> tuple[str, ...]:
    """The columns that seem to name rows: another name in each, or a running number. A guess, to be said and no more.

    >>> from sureshot.space.tables.table import as_table
    >>> identifiers(as_table({"sample": ["a", "b", "c", "d"], "nr": [1, 2, 3, 4], "power": [8.5, 9, 9.5, 10]}))
    ('sample', 'nr')
    """
    if len(table) < FEWEST or len(table.columns) < 2:
        return ()
    return tuple(one.name for one in table.columns if _names_rows(one))


def _names_rows(one: Column) -> bool:
    if one.kind == "boolean" or len(np.unique(one.codes)) < len(one):
        return False
    if one.kind == "category" or one.name.lower() in _NAMES:
        return True
    return bool((np.diff(one.numbers()) == 1.0).all() and one.numbers()[0] in (0.0, 1.0))
