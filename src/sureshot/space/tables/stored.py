"""A table as JSON can hold it: each column's levels, and the level of each row. No pickle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.tables.column import KINDS, Column, column
from sureshot.space.tables.table import MAX_ALTERNATIVES, Table, too_many

__all__ = ["table_from_dict", "table_to_dict"]


def table_to_dict(table: Table) -> list[dict[str, Any]]:
    """Name, kind, unit, levels and codes of each column."""
    return [
        {"name": c.name, "kind": c.kind, "unit": c.unit, "levels": c.levels.tolist(), "codes": c.codes.tolist()}
        for c in table.columns
    ]


def table_from_dict(stored: Any, notes: tuple[str, ...]) -> Table:
    """The table again; what does not fit together is an error."""
    columns = tuple(_column(one) for one in stored)
    lengths = {len(c) for c in columns}
    if len(lengths) != 1 or 0 in lengths:
        raise InvalidInput(f"the columns of a stored table must have one length above 0, got {sorted(lengths)}.")
    (n,) = lengths
    if n > MAX_ALTERNATIVES:
        raise too_many(n)
    if len({c.name for c in columns}) != len(columns):
        raise InvalidInput("the columns of a stored table must have different names, and do not.")
    return Table(columns, notes=notes)


def _column(one: Mapping[str, Any]) -> Column:
    if one["kind"] not in KINDS:
        raise InvalidInput(f"the kind of a stored column must be one of {', '.join(KINDS)}, got {one['kind']!r}.")
    found = column(one["name"], one["kind"], one["levels"], one["codes"], unit=str(one["unit"]))
    codes = np.asarray(found.codes)
    if codes.ndim != 1 or (len(codes) and (codes.min() < 0 or codes.max() >= len(found.levels))):
        raise InvalidInput(f"the codes of stored column {found.name} must name its {len(found.levels)} levels.")
    return found
