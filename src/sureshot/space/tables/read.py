"""One reader of files for whoever needs a table: candidates, an import, a sheet. By the ending: CSV, Parquet, Excel.

What had to be guessed or converted is said in a note; the rest is an error that names the line.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput, unknown_name
from sureshot.space.tables.cells import Unsaved
from sureshot.space.tables.frames import factorised
from sureshot.space.tables.table import MAX_ALTERNATIVES, Cells, cells_of, too_many
from sureshot.space.tables.text import TOP, check_header, filled, no_rows, passed_over, read_text, titles_above

__all__ = ["ENDINGS", "cells_in", "open_book", "read_cells"]


def read_cells(path: str | Path) -> Cells:
    """The cells of a file by its ending, before any of them is judged: .csv, .tsv and .txt; .parquet (needs pyarrow);
    .xlsx (needs openpyxl).
    """
    file = Path(path)
    if not file.exists():
        raise InvalidInput(f"the file must exist, got {str(path)!r}: check the path.")
    suffix = file.suffix.lower()
    if suffix not in _READERS:
        raise unknown_name("kind of file", suffix or file.name, _READERS)
    try:
        return _READERS[suffix](file)
    except OSError as error:
        raise InvalidInput(f"{path} can't be read ({error.strerror}): check the path.") from error


def cells_in(given: Any) -> Cells:
    """The cells of a table as somebody gives it: a file, a DataFrame, a mapping of columns, or a list of rows."""
    return read_cells(Path(given)) if isinstance(given, str | os.PathLike) else cells_of(given)


def _read_parquet(file: Path) -> Cells:
    import pandas as pd

    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise InvalidInput("to read Parquet, pyarrow must be installed: pip install 'sureshot[tables]'.") from error
    try:
        n = parquet.ParquetFile(file).metadata.num_rows  # before anything is loaded
        if n > MAX_ALTERNATIVES:
            raise too_many(n)
        frame = pd.read_parquet(file, engine="pyarrow")
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{file.name} must be a Parquet file, and cannot be read as one: {error}.") from error
    if not len(frame):
        raise no_rows(file)
    return replace(cells_of(frame), file=file.name, lines=range(len(frame)))


def _read_excel(file: Path) -> Cells:
    """The cells of the first sheet; formulas are read by their results."""
    content = file.read_bytes()
    try:
        return _first_sheet(file, content)
    except InvalidInput:
        raise
    except Exception as error:  # a sheet is read while one goes through it, and openpyxl passes on what is wrong there
        raise _no_workbook(file, error) from error


def _first_sheet(file: Path, content: bytes) -> Cells:
    book, _ = open_book(file, content, read_only=True, data_only=True)
    page = book.worksheets[0]
    every = dict(enumerate(page.iter_rows(values_only=True), start=1))
    every |= _never_computed(file, content, [i for i, row in every.items() if not any(map(filled, row))])
    rows = [(i, row) for i, row in every.items() if any(map(filled, row))]
    notes = (f"{file.name}: sheet {page.title!r} was read, the others not",) if len(book.worksheets) > 1 else ()
    above = titles_above([row for _, row in rows[:TOP]])
    titles, rows = rows[:above], rows[above:]
    used = [i for _, row in rows for i, cell in enumerate(row) if filled(cell)]
    first, last = min(used, default=0), max(used, default=-1)
    header = list(rows[0][1][first : last + 1]) if rows else []
    check_header(header, file, f"row {rows[0][0]}" if titles else "the first line", before=first)
    if len(rows) == 1:
        raise no_rows(file)
    lines = [line for line, _ in rows[1:]]
    columns = [[row[i] for _, row in rows[1:]] for i in range(first, last + 1)]
    notes = (*notes, *passed_over(titles, "row", file))
    if any(None in column for column in columns):  # blank, or a formula that was never computed
        formulas = open_book(file, content, read_only=True)[0].worksheets[0].iter_rows()
        at = {line: i for i, line in enumerate(lines)}
        for line, row in enumerate(formulas, start=1):
            for column, cell in zip(columns, row[first:], strict=False):
                if line in at and cell.data_type == "f" and column[at[line]] is None:
                    column[at[line]] = Unsaved(cell.value)
    coded = [factorised(column) for column in columns]
    return Cells(header, coded.__getitem__, notes, file=file.name, lines=lines, above=above, beside=first)


def _never_computed(file: Path, content: bytes, blank: Sequence[int]) -> dict[int, tuple[object, ...]]:
    """Rows without a value that hold formulas, which nothing has computed: they are not blank."""
    found: dict[int, tuple[object, ...]] = {}
    if blank:
        wanted, formulas = set(blank), open_book(file, content, read_only=True)[0].worksheets[0].iter_rows()
        for line, row in enumerate(formulas, start=1):
            if line in wanted and any(cell.data_type == "f" for cell in row):
                found[line] = tuple(Unsaved(cell.value) if cell.data_type == "f" else cell.value for cell in row)
    return found


def open_book(file: Path, content: bytes, **options: bool) -> tuple[Any, list[str]]:
    """The workbook, and what openpyxl says that it will lose when it writes it."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise InvalidInput("to read Excel, openpyxl must be installed: pip install 'sureshot[tables]'.") from error
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            book = load_workbook(io.BytesIO(content), **options)
    except Exception as error:  # openpyxl passes on whatever zip and XML raise
        raise _no_workbook(file, error) from error
    removed = [text.partition(" is not supported")[0] for one in said if "removed" in (text := str(one.message))]
    return book, list(dict.fromkeys(removed))


def _no_workbook(file: Path, error: Exception) -> InvalidInput:
    return InvalidInput(f"{file.name} must be an Excel workbook, and cannot be read as one: {error}.")


_READERS = {
    ".csv": read_text,
    ".tsv": read_text,
    ".txt": read_text,
    ".parquet": _read_parquet,
    ".xlsx": _read_excel,
}
#: The endings of files that can be read.
ENDINGS = tuple(_READERS)
