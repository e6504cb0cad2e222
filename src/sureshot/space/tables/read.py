"""Tables from files: CSV as labs write it, Parquet, Excel. What is read kindly is said in a note; the rest is an error.

CSV is read with the standard library, row by row, because the errors must name the line, and because a reader that
renames a second ``power`` column or pads a short row in silence is the wrong one here.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.errors import InvalidInput, unknown_name
from sureshot.space.tables.cells import Place, as_number
from sureshot.space.tables.column import Kind
from sureshot.space.tables.table import MAX_ALTERNATIVES, Table, as_table, build, factorised, too_many

__all__ = ["Cells", "read_cells", "read_table"]

#: Byte-order marks, and how the file behind each is written.
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SEPARATORS = (",", ";", "\t")
_SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".xlsx")


@dataclass(frozen=True, slots=True)
class Cells:
    """A file as it stands, before any cell is judged: the different cells of each column, and which one a row holds."""

    headers: list[object]
    cells: Sequence[tuple[Sequence[object], NDArray[Any]]]
    n: int
    place: Place
    notes: list[str]
    decimal_comma: bool = False

    def column(self, i: int) -> list[object]:
        """The cells of one column, row by row."""
        unique, codes = self.cells[i]
        return [unique[code] for code in codes.tolist()]

    def table(
        self,
        headers: Sequence[object] | None = None,
        cells: Sequence[tuple[Sequence[object], NDArray[Any]]] | None = None,
        **options: Any,
    ) -> Table:
        """The table that these cells are, or others in their place."""
        return build(
            self.headers if headers is None else headers,
            self.cells if cells is None else cells,
            self.n,
            self.place,
            decimal_comma=self.decimal_comma,
            notes=self.notes,
            **options,
        )


def read_table(
    path: str | Path,
    *,
    kinds: Mapping[str, Kind] | None = None,
    units: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
) -> Table:
    """The table in a file, by its ending: .csv, .tsv and .txt; .parquet (needs pyarrow); .xlsx (needs openpyxl)."""
    options: dict[str, Any] = {"kinds": kinds, "units": units, "without": without}
    file = _checked(path)
    if file.suffix.lower() == ".parquet":
        return as_table(_read_parquet(file), **options)
    return read_cells(file).table(**options)


def read_cells(path: str | Path) -> Cells:
    """The cells of a file, by the same endings."""
    file = _checked(path)
    if file.suffix.lower() == ".parquet":
        frame = _read_parquet(file)
        cells = [factorised(frame.iloc[:, i]) for i in range(frame.shape[1])]
        return Cells(list(frame.columns), cells, len(frame), lambda i: f"row {i}", [])
    return _read_excel(file) if file.suffix.lower() == ".xlsx" else _read_text(file)


def _checked(path: str | Path) -> Path:
    file = Path(path)
    if not file.exists():
        raise InvalidInput(f"the file must exist, got {str(path)!r}: check the path.")
    if file.suffix.lower() not in _SUFFIXES:
        raise unknown_name("kind of file", file.suffix.lower() or file.name, _SUFFIXES)
    return file


def _read_text(file: Path) -> Cells:
    encoding = _encoding(file)
    try:
        return _read_csv(file, encoding, [])
    except UnicodeDecodeError:
        pass
    try:
        return _read_csv(file, "cp1252", [f"{file.name} is not UTF-8 and was read as Windows-1252: check the accents"])
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.name} must be text in UTF-8, got byte {error.start}: save it as UTF-8.") from error


def _encoding(file: Path) -> str:
    with file.open("rb") as stream:
        head = stream.read(4096)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        raise InvalidInput(f"{file.name} must be a text file, got zero bytes in it: export it as CSV.")
    return "utf-8"


def _read_csv(file: Path, encoding: str, notes: list[str]) -> Cells:
    with file.open(encoding=encoding, newline="") as stream:
        first = next((line for line in stream if line.strip()), "")
        if not first:
            raise InvalidInput(f"{file.name} must have a header and rows, got an empty file: fill it.")
        separator = max(_SEPARATORS, key=first.count)
        stream.seek(0)
        rows = _rows(csv.reader(stream, delimiter=separator, skipinitialspace=True, strict=True), file)
        _, header = next(rows)
        _check_header(header, file)
        indexes: list[dict[str, int]] = [{} for _ in header]
        codes = [array("i") for _ in header]
        lines = array("i")
        for line, row in rows:
            if len(row) != len(header):
                raise _ragged(file, line, row, header, separator)
            if len(lines) == MAX_ALTERNATIVES:
                raise too_many(len(lines) + 1 + sum(1 for _ in rows))
            lines.append(line)
            for index, code, cell in zip(indexes, codes, row, strict=True):
                code.append(index.setdefault(cell.strip(), len(index)))
    if not lines:
        raise InvalidInput(f"{file.name} must have rows below its header, got none: add one alternative a line.")
    if separator != "," and file.suffix.lower() != ".tsv":
        notes = [*notes, f"{file.name} was read with {separator!r} between its columns"]
    cells = [(list(index), np.frombuffer(code, dtype=np.int32)) for index, code in zip(indexes, codes, strict=True)]
    return Cells(
        list(header),
        cells,
        len(lines),
        lambda i: f"line {lines[i]} of {file.name}",
        notes,
        decimal_comma=separator != ",",
    )


def _rows(reader: Any, file: Path) -> Iterator[tuple[int, list[str]]]:
    """Each row with its line; blank lines are passed over."""
    try:
        line = 1
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(f"{error}", fix="mend the quotes", place=f"line {reader.line_num} of {file.name}") from error


def _check_header(header: Sequence[object], file: Path) -> None:
    for i, name in enumerate(header):
        if name is None or not str(name).strip():
            told = f"every column must have a name, got none for column {i + 1}"
            raise InvalidInput(told, fix="name it", place=file.name)
        if as_number(name) is not None:
            raise InvalidInput(
                f"the first line must name the columns, got {name!r} for column {i + 1}",
                fix="add a header line such as power,ethylene,catalyst",
                place=file.name,
            )


def _ragged(file: Path, line: int, row: list[str], header: list[str], separator: str) -> InvalidInput:
    told = f"a row must have {len(header)} cells, one for each column, got {len(row)}"
    commas = separator == "," and len(row) > len(header)
    fix = (
        "quote cells that hold a comma; with decimal commas, put ; between the columns" if commas else "fill or cut it"
    )
    return InvalidInput(told, fix=fix, place=f"line {line} of {file.name}")


def _read_parquet(file: Path) -> Any:
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
        raise InvalidInput(f"{file.name} must have rows, got none: add one for each alternative.")
    return frame


def _read_excel(file: Path) -> Cells:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise InvalidInput("to read Excel, openpyxl must be installed: pip install 'sureshot[tables]'.") from error
    try:
        book = load_workbook(file, read_only=True, data_only=True)
    except Exception as error:  # openpyxl passes on whatever zip and XML raise
        raise InvalidInput(f"{file.name} must be an Excel workbook, and cannot be read as one: {error}.") from error
    sheet = book.worksheets[0]
    filled = [
        (i, row) for i, row in enumerate(sheet.iter_rows(values_only=True), start=1) if any(c is not None for c in row)
    ]
    notes = [f"{file.name}: sheet {sheet.title!r} was read, the others not"] if len(book.worksheets) > 1 else []
    book.close()
    if len(filled) < 2:
        raise InvalidInput(f"{file.name} must have a header and rows, got {len(filled)} filled rows: fill it.")
    width = max(i + 1 for _, row in filled for i, cell in enumerate(row) if cell is not None)
    header = list(filled[0][1][:width])
    _check_header(header, file)
    columns = [[row[i] for _, row in filled[1:]] for i in range(width)]
    lines = [i for i, _ in filled[1:]]
    cells = [factorised(column) for column in columns]
    return Cells(header, cells, len(lines), lambda i: f"row {lines[i]} of {file.name}", notes)
