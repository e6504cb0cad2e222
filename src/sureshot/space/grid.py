"""Every combination of the levels, less those that a constraint forbids; made block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput, UnknownName, unknown_name
from sureshot.space.language.evaluate import holds
from sureshot.space.language.expression import Expression
from sureshot.space.tables.column import Column, column
from sureshot.space.tables.levels import Levels
from sureshot.space.tables.table import MAX_ALTERNATIVES, Table, too_many

__all__ = ["MAX_COMBINATIONS", "allowed", "grid_table"]

#: The most combinations that constraints are tried on: some 10 seconds of work.
MAX_COMBINATIONS = 100_000_000

#: Rows evaluated at once: a few megabytes for each column.
BLOCK = 1 << 18


def grid_table(parameters: Mapping[str, Levels], conditions: Sequence[Expression]) -> Table:
    """The grid as a table; the last parameter changes fastest. Its size is checked before anything is made."""
    if not parameters:
        raise InvalidInput("a grid must have at least one parameter, got none", fix="name one, as in power=[8, 10]")
    sizes = [len(levels.values) for levels in parameters.values()]
    total = prod(sizes)
    told = " x ".join(map(str, sizes))
    if not conditions and total > MAX_ALTERNATIVES:
        raise InvalidInput(
            f"a grid must have at most {MAX_ALTERNATIVES:,} alternatives, got {told} = {total:,}",
            fix="use fewer levels or add constraints",
        )
    if total > MAX_COMBINATIONS:
        raise InvalidInput(
            f"a grid must have at most {MAX_COMBINATIONS:,} combinations before its constraints, got {told} = "
            f"{total:,}",
            fix="use fewer levels",
        )
    single = [_each_once(name, levels) for name, levels in parameters.items()]
    kept: list[tuple[NDArray[np.int32], ...]] = []
    count = 0
    for start in range(0, total, BLOCK):
        n = min(BLOCK, total - start)
        codes = tuple(code.astype(np.int32) for code in np.unravel_index(np.arange(start, start + n), sizes))
        if conditions:
            keep = allowed(_columns(single, codes), conditions, n)
            codes = tuple(code[keep] for code in codes)
        count += len(codes[0])
        if count > MAX_ALTERNATIVES:
            raise too_many(count)
        kept.append(codes)
    if count == 0:
        raise InvalidInput(
            f"a grid must keep at least one alternative, got none of {total:,}",
            fix=f"loosen {' and '.join(repr(condition.text) for condition in conditions)}",
        )
    joined = tuple(np.concatenate(parts) for parts in zip(*kept, strict=True))
    return Table(_columns(single, joined))


def allowed(columns: Sequence[Column], conditions: Sequence[Expression], n: int) -> NDArray[np.bool_]:
    """Of which rows all constraints are true, block by block."""
    by_name = {column.name: column for column in columns}

    def lookup(name: str) -> Column:
        if name in by_name:
            return by_name[name]
        if any(column.kind != "number" and name in column.levels for column in columns):
            raise UnknownName(f"unknown column {name!r}", value=name, fix=f"it is a level: put it in quotes, '{name}'")
        raise unknown_name("column", name, by_name)

    keep = np.ones(n, dtype=bool)
    for condition in conditions:
        for start in range(0, n, BLOCK):
            rows = slice(start, min(start + BLOCK, n))
            keep[rows] &= holds(condition, lookup, rows, rows.stop - start)
    return keep


def _each_once(name: str, levels: Levels) -> Column:
    """A column with one row for each level, in the order given (a boolean's levels are always False, True)."""
    codes = levels.values if levels.kind == "boolean" else range(len(levels.values))
    return column(name, levels.kind, levels.values, codes, unit=levels.unit)


def _columns(single: Sequence[Column], codes: Sequence[NDArray[Any]]) -> tuple[Column, ...]:
    return tuple(one.take(code) for one, code in zip(single, codes, strict=True))
