"""Text files as labs write them: comma, semicolon or tab between the cells; UTF-8, UTF-16 or Windows-1252.

CSV is read with the standard library, row by row, because the errors must name the line, and because a reader that
renames a second ``power`` column or pads a short row in silence is the wrong one here.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.tables.column import as_number
from sureshot.space.tables.table import MAX_ALTERNATIVES, Cells, too_many

__all__ = ["check_header", "no_rows", "read_text", "records"]

#: Byte-order marks, and how the file behind each is written.
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SEPARATORS = (",", ";", "\t")


def read_text(file: Path) -> Cells:
    """The cells of a text file."""
    try:
        return _read(file, _encoding(file), ())
    except UnicodeDecodeError:
        pass
    try:
        return _read(file, "cp1252", (f"{file.name} is not UTF-8 and was read as Windows-1252: check the accents",))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.name} must be text in UTF-8, got byte {error.start}: save it as UTF-8.") from error


def records(lines: Iterable[str], separator: str, name: str) -> Iterator[tuple[int, int, list[str]]]:
    """The first and the last line of each record, and its cells; blank lines are passed over."""
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    try:
        line = 1
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, reader.line_num, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(f"{error}", fix="fix the quotes", place=f"line {reader.line_num} of {name}") from error


def check_header(header: Sequence[object], file: Path) -> None:
    """Refuse a header in which a column has no name, or which is a row of numbers."""
    if not header:
        raise InvalidInput(f"{file.name} must have a header and rows, got an empty file: fill it.")
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


def no_rows(file: Path) -> InvalidInput:
    """The error for a file with nothing below its header."""
    return InvalidInput(f"{file.name} must have rows below its header, got none: add one alternative a line.")


def _encoding(file: Path) -> str:
    with file.open("rb") as stream:
        head = stream.read(4096)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        raise InvalidInput(f"{file.name} must be a text file, got zero bytes in it: export it as CSV.")
    return "utf-8"


def _read(file: Path, encoding: str, notes: tuple[str, ...]) -> Cells:
    with file.open(encoding=encoding, newline="") as stream:
        first = next((line for line in stream if line.strip()), "")
        separator = max(_SEPARATORS, key=first.count)
        stream.seek(0)
        rows = records(stream, separator, file.name)
        _, _, header = next(rows, (0, 0, []))
        check_header(header, file)
        indexes: list[dict[str, int]] = [{} for _ in header]
        codes = [array("i") for _ in header]
        lines = array("i")
        for line, _, row in rows:
            if len(row) != len(header):
                raise _ragged(file, line, row, header, separator)
            if len(lines) == MAX_ALTERNATIVES:
                raise too_many(len(lines) + 1 + sum(1 for _ in rows))
            lines.append(line)
            for index, code, cell in zip(indexes, codes, row, strict=True):
                code.append(index.setdefault(cell.strip(), len(index)))
    if not lines:
        raise no_rows(file)
    if separator != "," and file.suffix.lower() != ".tsv":
        notes = (*notes, f"{file.name} was read with {separator!r} between its columns")
    coded = [(list(index), np.frombuffer(code, dtype=np.int32)) for index, code in zip(indexes, codes, strict=True)]
    return Cells(
        header,
        coded.__getitem__,
        notes,
        file=file.name,
        row="line",
        lines=lines,
        encoding=encoding,
        separator=separator,
    )


def _ragged(file: Path, line: int, row: list[str], header: list[str], separator: str) -> InvalidInput:
    told = f"a row must have {len(header)} cells, one for each column, got {len(row)}"
    commas = separator == "," and len(row) > len(header)
    fix = (
        "quote cells that hold a comma; with decimal commas, put ; between the columns" if commas else "fill or cut it"
    )
    return InvalidInput(told, fix=fix, place=f"line {line} of {file.name}")
