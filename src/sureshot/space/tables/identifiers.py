"""Columns that teach nothing as parameters: those that only name the rows of a table (``sample 17``), and those that
are the same in all of them.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sureshot.said import Setting, Text
from sureshot.space.tables.column import Column, show
from sureshot.space.tables.table import Table

__all__ = ["UNVARIED", "identifiers", "only_a_name", "unvaried"]

#: What is said of something that is the same in every row.
UNVARIED = "is the same in the whole pool: nothing can be learned about it"

#: With fewer rows than this, different values in every row say nothing.
FEWEST = 4
#: What people call such columns.
_NAMES = frozenset(
    {
        "experiment",
        "id",
        "index",
        "key",
        "name",
        "no",
        "nr",
        "num",
        "number",
        "row",
        "run",
        "run_order",
        "runorder",
        "sample",
        "sample_id",
        "std_order",
        "stdorder",
    }
)


def identifiers(table: Table) -> tuple[str, ...]:
    """The columns that seem to name rows: another name in each, or a running number, in whichever order. A guess, to be
    said and no more.

    >>> from sureshot.space.tables.table import as_table
    >>> identifiers(as_table({"sample": ["a", "b", "c", "d"], "order": [3, 1, 4, 2], "power": [8.5, 9, 9.5, 10]}))
    ('sample', 'order')
    """
    if len(table) < FEWEST or len(table.columns) < 2:
        return ()
    return tuple(one.name for one in table.columns if _names_rows(one))


def only_a_name(table: Table, name: str) -> Text:
    """What to do about a column that seems to name the rows and was taken as a parameter."""
    one = table.column(name)
    what = "is different in every row"
    if _runs(one):
        numbers = one.numbers()
        what = f"is a running number, {show(numbers.min())} to {show(numbers.max())}"
    first = f"{name} {what}, and is taken as a parameter: if it only names the rows, leave it out with "
    return Text(first, Setting("without", [name]), ", or have the rows called by it with ", Setting("id", name))


def unvaried(table: Table, names: Collection[str]) -> tuple[Text, ...]:
    """What to do about those of these columns that are the same in every row.

    >>> from sureshot.space.tables.table import as_table
    >>> print(*unvaried(as_table({"power": [8, 10], "oven": ["B", "B"]}), ["power", "oven"]))
    oven is the same in the whole pool: nothing can be learned about it; leave it out with without=['oven']
    """
    same = [one.name for one in table.columns if one.name in names and len(np.unique(one.codes)) == 1]
    if len(table) < 2 or len(same) == len(table.columns):
        return ()
    return tuple(Text(f"{name} {UNVARIED}; leave it out with ", Setting("without", [name])) for name in same)


def _names_rows(one: Column) -> bool:
    if one.kind == "boolean" or len(np.unique(one.codes)) < len(one):
        return False
    return one.kind == "category" or one.name.lower() in _NAMES or _runs(one)


def _runs(one: Column) -> bool:
    """Whether it counts the rows from 0 or 1, in whichever order."""
    if one.kind != "number":
        return False
    numbers = np.sort(one.numbers())
    return bool(numbers[0] in (0.0, 1.0) and (np.diff(numbers) == 1.0).all())
