"""One reader of files for whoever needs a table: candidates, an import, a sheet. By the ending: CSV, Parquet, Excel.

What had to be guessed or converted is said in a note; the rest is an error that names the line.
"""

from __future__ import annotations

import io
import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput, unknown_name
from sureshot.space.tables.cells import Unsaved
from sureshot.space.tables.frames import factorised
from sureshot.space.tables.guards import unguarded
from sureshot.space.tables.limits import LIMITS
from sureshot.space.tables.table import Cells, cells_of
from sureshot.space.tables.text import TOP, check_header, filled, no_rows, passed_over, read_text, titles_above
from sureshot.space.tables.unpacking import check_parquet, check_workbook, not_readable

__all__ = ["ENDINGS", "cells_in", "open_book", "read_cells"]

_BOOK = "an Excel workbook"


def read_cells(path: str | Path) -> Cells:
    """The cells of a file by its ending, before any of them is judged: .csv, .tsv and .txt; .parquet (needs pyarrow);
    .xlsx (needs openpyxl).
    """
    file = Path(path)
    suffix = file.suffix.lower()
    try:
        if not file.exists():
            raise InvalidInput(f"the file must exist, got {str(path)!r}: check the path.")
        if suffix not in _READERS:
            raise unknown_name("kind of file", suffix or file.name, _READERS)
        if not file.is_file():
            what = "a folder" if file.is_dir() else "something else"
            raise InvalidInput(f"{str(path)!r} must be a file, got {what}", fix="name a file")
        LIMITS.refuse_bytes(file.stat().st_size)
        found = _READERS[suffix](file)
        return found if suffix == ".parquet" else unguarded(found)
    except InvalidInput as error:
        if file.name in str(error):
            raise
        raise error.at(file.name) from error
    except OSError as error:
        why = error.strerror or error
        raise InvalidInput(f"{str(path)!r} can't be read ({why}): check the path.") from error
    except MemoryError as error:
        fix = "leave out the columns and rows that are not needed, or read it on a larger machine"
        raise InvalidInput(f"{file.name} takes more memory than there is", fix=fix) from error


def cells_in(given: Any) -> Cells:
    """The cells of a table as somebody gives it: a file, a DataFrame, a mapping of columns, or a list of rows."""
    return read_cells(Path(given)) if isinstance(given, str | os.PathLike) else cells_of(given)


def _read_parquet(file: Path) -> Cells:
    import pandas as pd

    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise InvalidInput("to read Parquet, pyarrow must be installed: pip install 'sureshot[tables]'.") from error
    check_parquet(file, LIMITS, file.name)
    try:
        frame = pd.read_parquet(file, engine="pyarrow")
    except MemoryError:
        raise
    except Exception as error:  # Arrow, and pandas of what is written beside the columns, raise whatever they like
        raise not_readable("a Parquet file", file.name, error) from error
    if not len(frame):
        raise no_rows(file)
    return replace(cells_of(frame), file=file.name, lines=range(len(frame)))


def _read_excel(file: Path) -> Cells:
    """The cells of the first sheet; formulas are read by their results."""
    _check_openpyxl()
    content = file.read_bytes()
    formulas = check_workbook(io.BytesIO(content), LIMITS, file.name).formulas
    try:
        return _first_sheet(file, content, formulas=formulas)
    except (InvalidInput, MemoryError):
        raise
    except Exception as error:  # a sheet is read while one goes through it, and openpyxl passes on what is wrong there
        raise not_readable(_BOOK, file.name, error) from error


def _first_sheet(file: Path, content: bytes, *, formulas: bool) -> Cells:
    book, _ = open_book(file, content, read_only=True, data_only=True)
    page = _first(book)
    found = {i: row for i, row in enumerate(page.iter_rows(values_only=True), start=1) if any(map(filled, row))}
    unsaved = _formulas(file, content) if formulas else {}
    for line, cells in unsaved.items():
        row = list(found.get(line, ()))
        row += [None] * (max(cells) + 1 - len(row))
        for i, formula in cells.items():
            row[i] = formula if row[i] is None else row[i]
        found[line] = tuple(row)
    rows = sorted(found.items())
    notes = (f"{file.name}: sheet {page.title!r} was read, the others not",) if len(book.worksheets) > 1 else ()
    above = titles_above([row for _, row in rows[:TOP]])
    titles, rows = rows[:above], rows[above:]
    used = [i for _, row in rows for i, cell in enumerate(row) if filled(cell)]
    first, last = min(used, default=0), max(used, default=-1)
    LIMITS.refuse_sheet_cells(len(rows) * (last + 1 - first))
    lines = [line for line, _ in rows[1:]]
    header, *below = [[*row[first : last + 1], *[None] * (last + 1 - max(first, len(row)))] for _, row in rows] or [[]]
    check_header(header, file, f"row {rows[0][0]}" if titles else "the first line", before=first)
    if not below:
        raise no_rows(file)
    columns = list(zip(*below, strict=True))
    notes = (*notes, *passed_over(titles, "row", file))
    coded = [factorised(column) for column in columns]
    return Cells(header, coded.__getitem__, notes, file=file.name, lines=lines, above=above, beside=first)


def _first(book: Any) -> Any:
    """The first sheet of a workbook, as wide as its rows are and not as it says itself."""
    if not book.worksheets:
        raise InvalidInput("a workbook must have a sheet with cells, got none", fix="put the table on one")
    page = book.worksheets[0]
    page.reset_dimensions()
    return page


def _formulas(file: Path, content: bytes) -> dict[int, dict[int, Unsaved]]:
    """The formulas of the first sheet by row and column: where no result is in the file, they are not blank."""
    page = _first(open_book(file, content, read_only=True)[0])
    every = {
        line: {i: Unsaved(cell.value) for i, cell in enumerate(row) if cell.data_type == "f"}
        for line, row in enumerate(page.iter_rows(), start=1)
    }
    return {line: cells for line, cells in every.items() if cells}


def _check_openpyxl() -> None:
    try:
        import openpyxl  # noqa: F401
    except ImportError as error:
        raise InvalidInput("to read Excel, openpyxl must be installed: pip install 'sureshot[tables]'.") from error


def open_book(file: Path, content: bytes, **options: bool) -> tuple[Any, list[str]]:
    """The workbook, and what openpyxl says that it will lose when it writes it."""
    _check_openpyxl()
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            book = load_workbook(io.BytesIO(content), **options)
    except MemoryError:
        raise
    except Exception as error:  # openpyxl passes on whatever zip and XML raise
        raise not_readable(_BOOK, file.name, error) from error
    removed = [text.partition(" is not supported")[0] for one in said if "removed" in (text := str(one.message))]
    return book, list(dict.fromkeys(removed))


_READERS = {
    ".csv": read_text,
    ".tsv": read_text,
    ".txt": read_text,
    ".parquet": _read_parquet,
    ".xlsx": _read_excel,
}
#: The endings of files that can be read.
ENDINGS = tuple(_READERS)
