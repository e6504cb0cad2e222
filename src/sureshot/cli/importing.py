"""The table behind ``sureshot import``: its columns as the campaign takes them, and the place of each row."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import InvalidInput, SureshotError

if TYPE_CHECKING:
    from sureshot.campaign.pool import Pool

__all__ = ["columns_of", "relined"]

Place = Callable[[int], str]
_TEXT = (".csv", ".tsv", ".txt")


def columns_of(path: Path, pool: Pool, outcome: str, of: str | None) -> tuple[dict[str, Sequence[Any]], Place]:
    """The cells of the columns that the campaign needs, checked line by line, and how a row is found in the file."""
    from sureshot.cli.sheet_file import check_header, read_sheet
    from sureshot.space.names import from_header
    from sureshot.space.read import read_table

    results = [name for name in (outcome, of) if name]
    wanted = [*pool.space.names, *pool.context_names]
    kinds = {column.name: column.kind for column in pool.space.columns}
    if path.suffix.lower() not in _TEXT:
        table = read_table(path)
        return {column.name: column.values().tolist() for column in table.columns}, table.place
    if not path.exists():
        raise InvalidInput(f"the file must exist, got {str(path)!r}: check the path.")
    sheet = read_sheet(path)
    for name in results:
        if name not in sheet.header:
            check_header(sheet)
            raise InvalidInput(
                f"{path.name} must have a column {name!r}, got {', '.join(sheet.header)}: add it, or name yours with "
                f"--{'outcome' if name == outcome else 'of'}."
            )
    named = {header: _clean(header, from_header) for header in sheet.header}
    missing = [name for name in wanted if name not in named.values()]
    if missing:
        raise InvalidInput(f"{path.name} must have a column {missing[0]!r}, got {', '.join(sheet.header)}: add it.")
    needless = [header for header, name in named.items() if name not in wanted]
    table = read_table(path, without=needless, kinds=kinds)
    cells: dict[str, Sequence[Any]] = {column.name: column.values().tolist() for column in table.columns}
    cells.update({name: sheet.column(name) for name in results})
    if of:
        cells.update({name: [_whole(cell) for cell in cells[name]] for name in results})
    return cells, table.place


def relined(error: SureshotError, place: Place) -> SureshotError:
    """An error about row i of the table, as one about its place in the file."""
    found = re.match(r"row (\d+): ", str(error))
    return error if found is None else type(error)(f"{place(int(found[1]))}: {str(error)[found.end() :]}")


def _clean(header: str, from_header: Callable[[object], tuple[str, str]]) -> str:
    try:
        return from_header(header)[0]
    except InvalidInput:
        return header


def _whole(cell: str) -> int | str:
    try:
        return int(cell)
    except ValueError:
        return cell
