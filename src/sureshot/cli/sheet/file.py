"""The file behind ``sureshot sheet``: read as every table is, written back with more columns, whole or not at all.

A text file keeps every character that is not in a column of sureshot's own: blank lines, spaces, quotes, line ends.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sureshot.errors import Conflict, InvalidInput
from sureshot.files import write_whole

if TYPE_CHECKING:
    from sureshot.space.tables.table import Cells

__all__ = ["SheetFile", "read_sheet", "write_sheet"]


@dataclass(frozen=True)
class SheetFile:
    """A file as it was read."""

    path: Path
    cells: Cells
    stamp: tuple[int, int]  # when it was changed last, and its size

    @cached_property
    def header(self) -> list[str]:
        """The names of its columns."""
        return self.cells.names

    def column(self, name: str) -> list[str]:
        """The cells of one column, as text."""
        from sureshot.space.tables.cells import is_null
        from sureshot.space.tables.column import show

        found = self.cells.column(self.header.index(name))
        return ["" if is_null(cell) else show(cell).strip() for cell in found]


def read_sheet(path: Path) -> SheetFile:
    """The file, read as candidates and imports are."""
    from sureshot.space.tables.read import read_cells

    stamp = _stamp(path) if path.exists() else (0, 0)
    return SheetFile(path, read_cells(path), stamp)


def write_sheet(sheet: SheetFile, columns: Mapping[str, Sequence[str]], to: Path | None = None) -> list[str]:
    """Write the file with these columns filled, in place where they exist, else at the end; what to know of it.

    The new file takes the old one's place in one step: whoever reads meets the one or the other, never a half. If
    the file was changed since it was read, nothing is written.
    """
    target, suffix = to or sheet.path, sheet.path.suffix.lower()
    if target.suffix.lower() != suffix:
        raise InvalidInput(
            f"--to must end as the file does, got {target.name!r} for {sheet.path.name!r}: call it "
            f"{target.stem + sheet.path.suffix!r}."
        )
    raw, notes = sheet.path.read_bytes(), list[str]()
    if _stamp(sheet.path) != sheet.stamp:
        raise Conflict(f"{sheet.path.name} was changed while it was read: nothing was written, run the command again.")
    if suffix == ".xlsx":
        from sureshot.cli.sheet.excel import excel_content

        content, notes = excel_content(sheet, raw, columns, in_place=to is None)
    elif suffix == ".parquet":
        content = _parquet_content(raw, columns)
    else:
        content = _text_content(sheet, raw, columns)
    write_whole(target, content)
    return notes


def _text_content(sheet: SheetFile, raw: bytes, columns: Mapping[str, Sequence[str]]) -> bytes:
    from sureshot.space.tables.text import records

    encoding, separator = sheet.cells.encoding, sheet.cells.separator
    lines = list(io.StringIO(raw.decode(encoding), newline=""))
    more = [name for name in columns if name not in sheet.header]
    top = -1 - sheet.cells.above  # titles, then the header
    for row, (first, last, _) in enumerate(records(list(lines), separator, sheet.path.name), start=top):
        if row < -1:
            continue
        whole = "".join(lines[first - 1 : last])
        body = whole.rstrip("\r\n")
        new = {name: name if row < 0 else cells[row] for name, cells in columns.items()}
        kept = [new.get(name, cell) for name, cell in zip(sheet.header, _as_typed(body, separator), strict=True)]
        line = separator.join([*kept, *(new[name] for name in more)])
        lines[first - 1 : last] = [line + whole[len(body) :], *[""] * (last - first)]
    text = "".join(lines)
    if encoding == "utf-16":  # in the order of bytes that it had
        return raw[:2] + text.encode("utf-16-le" if raw[:2] == b"\xff\xfe" else "utf-16-be")
    return text.encode(encoding)


def _parquet_content(raw: bytes, columns: Mapping[str, Sequence[str]]) -> bytes:
    """The columns of sureshot's own beside those that are there, each with its type."""
    import pyarrow as pa
    from pyarrow import parquet

    table = parquet.read_table(pa.BufferReader(raw))
    for name, cells in columns.items():
        read, kind = {"priority": (int, pa.int64()), "chance": (float, pa.float64())}.get(name, (str, pa.string()))
        column = pa.array([read(cell) if cell else None for cell in cells], kind)
        at = table.schema.get_field_index(name)
        table = table.append_column(name, column) if at < 0 else table.set_column(at, name, column)
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def _as_typed(record: str, separator: str) -> list[str]:
    """The cells of a record with their spaces and quotes."""
    found, start, quoted = [], 0, False
    for i, char in enumerate(record):
        if char == '"' and record[start : i + 1].lstrip(" ").startswith('"'):
            quoted = not quoted
        elif char == separator and not quoted:
            found.append(record[start:i])
            start = i + 1
    return [*found, record[start:]]


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
