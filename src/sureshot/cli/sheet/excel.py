"""Excel behind ``sureshot sheet``: the first sheet is the table, all else in the workbook stays as openpyxl keeps it.

What openpyxl can't keep (drawings, pivot tables, some kinds of validation) would be lost in silence when it writes the
file: that is looked for, and then only another file is written to.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from sureshot.cli.sheet.file import SheetFile, filled
from sureshot.errors import InvalidInput

__all__ = ["excel_content", "read_excel"]

#: Parts of a workbook that a person would miss.
_PARTS = ("charts", "ctrlProps", "drawings", "embeddings", "externalLinks", "media", "pivotTables", "slicers", "tables")
_FORMULAS = "formulas are kept, and their results computed anew when the file is opened in Excel"


def read_excel(path: Path, raw: bytes, stamp: tuple[int, int]) -> SheetFile:
    """The cells of the first sheet as text."""
    book, _ = _opened(path, raw, results=False)
    values, formulas = _opened(path, raw, results=True)[0].worksheets[0], book.worksheets[0]
    rows = [
        (i, row) for i, row in enumerate(values.iter_rows(values_only=True), start=1) if any(c is not None for c in row)
    ]
    filled(path, len(rows))
    width = max(i + 1 for _, row in rows for i, cell in enumerate(row) if cell is not None)
    header = tuple(_text(cell) for cell in rows[0][1][:width])
    for line, row in rows:
        for at, name in enumerate(header):
            if row[at] is None and formulas.cell(line, at + 1).data_type == "f":
                raise InvalidInput(
                    f"{name} is a formula without its result",
                    fix="open the file in Excel, save it and run the command again",
                    place=f"row {line} of {path.name}",
                )
    computed = any(cell.data_type == "f" for page in book.worksheets for row in page.iter_rows() for cell in row)
    kept = tuple(tuple(_text(cell) for cell in row[:width]) for _, row in rows[1:])
    notes = (_FORMULAS,) if computed else ()
    return SheetFile(path, header, kept, tuple(line for line, _ in rows[1:]), stamp, raw=raw, notes=notes)


def excel_content(sheet: SheetFile, columns: Mapping[str, Sequence[str]], *, in_place: bool) -> bytes:
    """The workbook with these columns filled, in place where they exist, else at the end."""
    book, lost = _opened(sheet.path, sheet.raw, results=False)
    page = book.worksheets[0]
    top = sheet.lines[0] - 1
    while all(cell.value is None for cell in page[top]):
        top -= 1
    for name, cells in columns.items():
        at = sheet.header.index(name) + 1 if name in sheet.header else 0
        if not at:
            at = next(i for i in range(len(sheet.header) + 1, page.max_column + 2) if page.cell(top, i).value is None)
            page.cell(top, at).value = name
            page.cell(top, at)._style = copy(page.cell(top, at - 1)._style)
        for line, cell in zip(sheet.lines, cells, strict=True):
            page.cell(line, at).value = _cell(cell)
    out = io.BytesIO()
    book.save(out)
    before, after = (_parts(content) for content in (sheet.raw, out.getvalue()))
    lost += [kind for kind in _PARTS if after[kind] < before[kind]]
    if lost and in_place:
        raise InvalidInput(
            f"{sheet.path.name} holds what openpyxl can't write back ({', '.join(lost)}): keep it, and write into "
            "another file with --to."
        )
    return out.getvalue()


def _opened(path: Path, raw: bytes, *, results: bool) -> tuple[Any, list[str]]:
    """The workbook, with the results of formulas or with the formulas; and what openpyxl says that it will lose."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise InvalidInput("to read Excel, openpyxl must be installed: pip install 'sureshot[tables]'.") from error
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            book = load_workbook(io.BytesIO(raw), data_only=results)
    except Exception as error:  # openpyxl passes on whatever zip and XML raise
        raise InvalidInput(f"{path.name} must be an Excel workbook, and cannot be read as one: {error}.") from error
    removed = [text.partition(" is not supported")[0] for one in said if "removed" in (text := str(one.message))]
    return book, list(dict.fromkeys(removed))


def _parts(content: bytes) -> Counter[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        names = [name.split("/") for name in file.namelist() if not name.endswith(".rels")]
    return Counter(name[1] for name in names if len(name) > 2)


def _text(cell: object) -> str:
    from sureshot.space.tables.column import show

    return "" if cell is None else show(cell).strip()


def _cell(text: str) -> str | float | None:
    if not text:
        return None
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        return text
