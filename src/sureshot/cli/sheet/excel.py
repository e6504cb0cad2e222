"""Excel behind ``sureshot sheet``: the first sheet is the table, all else in the workbook stays as openpyxl keeps it.

What openpyxl can't keep (drawings, pivot tables, some kinds of validation) would be lost in silence when it writes the
file: that is looked for, and then only another file is written to.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy

from sureshot.cli.sheet.file import SheetFile
from sureshot.errors import InvalidInput

__all__ = ["excel_content"]

#: Parts of a workbook that a person would miss.
_PARTS = ("charts", "ctrlProps", "drawings", "embeddings", "externalLinks", "media", "pivotTables", "slicers", "tables")
_FORMULAS = "formulas are kept, and their results computed anew when the file is opened in Excel"


def excel_content(
    sheet: SheetFile, raw: bytes, columns: Mapping[str, Sequence[str]], *, in_place: bool
) -> tuple[bytes, list[str]]:
    """The workbook with these columns filled, in place where they exist, else at the end; and what to know of it."""
    from sureshot.space.tables.limits import LIMITS
    from sureshot.space.tables.read import open_book
    from sureshot.space.tables.unpacking import check_workbook

    computed = check_workbook(io.BytesIO(raw), LIMITS, sheet.path.name).formulas
    book, lost = open_book(sheet.path, raw)
    page, lines, beside = book.worksheets[0], sheet.cells.lines, sheet.cells.beside
    top = lines[0] - 1
    while not any(str(cell.value or "").strip() for cell in page[top]):
        top -= 1
    for name, cells in columns.items():
        at = beside + sheet.header.index(name) + 1 if name in sheet.header else 0
        if not at:
            start = beside + len(sheet.header) + 1
            at = next(i for i in range(start, page.max_column + 2) if page.cell(top, i).value is None)
            page.cell(top, at).value = name
            page.cell(top, at)._style = copy(page.cell(top, at - 1)._style)
        for line, cell in zip(lines, cells, strict=True):
            page.cell(line, at).value = _cell(cell)
    out = io.BytesIO()
    book.save(out)
    before, after = (_parts(content) for content in (raw, out.getvalue()))
    lost += [kind for kind in _PARTS if after[kind] < before[kind]]
    if lost and in_place:
        raise InvalidInput(
            f"{sheet.path.name} holds what openpyxl can't write back ({', '.join(lost)}): keep it, and write into "
            "another file with --to."
        )
    return out.getvalue(), [_FORMULAS] if computed else []


def _parts(content: bytes) -> Counter[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        names = [name.split("/") for name in file.namelist() if not name.endswith(".rels")]
    return Counter(name[1] for name in names if len(name) > 2)


def _cell(text: str) -> str | float | None:
    if not text:
        return None
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        return text
