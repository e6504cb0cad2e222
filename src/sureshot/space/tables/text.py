"""Text files as labs write them: comma, semicolon or tab between the cells; UTF-8, UTF-16 or Windows-1252.

CSV is read with the standard library, row by row, because the errors must name the line, and because a reader that
renames a second ``power`` column or pads a short row in silence is the wrong one here.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from sureshot.errors import InvalidInput
from sureshot.space.tables.column import as_number
from sureshot.space.tables.limits import CELL, LIMITS
from sureshot.space.tables.table import MAX_ALTERNATIVES, Cells, too_many

__all__ = ["TOP", "check_header", "filled", "no_rows", "passed_over", "read_text", "records", "titles_above"]

#: Byte-order marks, and how the file behind each is written.
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SEPARATORS = (",", ";", "\t")
#: Filled lines among which the header is looked for.
TOP = 10


def read_text(file: Path) -> Cells:
    """The cells of a text file."""
    encoding = _encoding(file)
    try:
        return _read(file, encoding, ())
    except UnicodeDecodeError as error:
        if encoding != "utf-8":  # its mark says what it is
            told = f"{file.name} must be {encoding.removesuffix('-sig').upper()}, as its first bytes say"
            raise InvalidInput(f"{told}, and holds something else too", fix="save it again, as UTF-8") from error
    try:
        return _read(file, "cp1252", (f"{file.name} is not UTF-8 and was read as Windows-1252: check the accents",))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.name} must be text in UTF-8, got something else: save it as UTF-8.") from error


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
        if "field limit" in str(error):
            told = f"a cell may have {CELL:,} characters, got more"
            fix = "close the quote that is open, or shorten it"
            raise InvalidInput(told, fix=fix, place=f"line {line} of {name}") from error
        raise InvalidInput(f"{error}", fix="fix the quotes", place=f"line {reader.line_num} of {name}") from error


def titles_above(rows: Sequence[Sequence[object]]) -> int:
    """How many of the first filled lines of a file are titles above its header: one cell each, above several names.

    >>> titles_above([["Screening in March", ""], ["power", "cat"], ["8", "Fe"]]), titles_above([["power"], ["8"]])
    (1, 0)
    """
    at = next((i for i, row in enumerate(rows) if sum(map(filled, row)) != 1), None)
    names = [cell for cell in rows[at] if filled(cell)] if at else []
    return at if at and all(as_number(name) is None for name in names) else 0


def passed_over(titles: Sequence[tuple[int, Sequence[object]]], row: str, file: Path) -> tuple[str, ...]:
    """A note for each line above the header that was passed over as a title."""
    texts = [(line, next(str(cell).strip() for cell in cells if filled(cell))) for line, cells in titles]
    return tuple(f"{file.name}: {row} {line}, {text!r}, was passed over as a title" for line, text in texts)


def check_header(header: Sequence[object], file: Path, line: str = "the first line", *, before: int = 0) -> None:
    """Refuse a header in which a column has no name, or which is a row of numbers; ``before`` columns are blank."""
    if not header:
        raise InvalidInput(f"{file.name} must have a header and rows, got an empty file: fill it.")
    for i, name in enumerate(header, start=before + 1):
        if not filled(name):
            told = f"every column must have a name, got none for column {i} in {line}"
            fix = "name it there, remove the column if it is empty, or remove what stands above the names"
            raise InvalidInput(told, fix=fix, place=file.name)
        if as_number(name) is not None:
            raise InvalidInput(
                f"{line} must name the columns, got {name!r} for column {i}",
                fix="add a header line such as power,ethylene,catalyst, or remove what stands above it",
                place=file.name,
            )


def filled(cell: object) -> bool:
    """Whether a cell says anything."""
    return cell is not None and str(cell).strip() != ""


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
        top = list(islice((line for line in stream if line.strip()), TOP))
        separator = _separator(top)
        stream.seek(0)
        every = records(stream, separator, file.name)
        head = list(islice(every, TOP))
        above = titles_above([row for _, _, row in head])
        at, _, header = head[above] if head else (0, 0, [])
        check_header(header, file, f"line {at}" if above else "the first line")
        LIMITS.refuse_columns(len(header))
        notes = (*notes, *passed_over([(line, row) for line, _, row in head[:above]], "line", file))
        rows = chain(head[above + 1 :], every)
        indexes: list[dict[str, int]] = [{} for _ in header]
        codes = [array("i") for _ in header]
        lines = array("i")
        for line, _, row in rows:
            if len(row) != len(header):
                raise _ragged(file, line, row, header, separator, title=0 if lines or above else at)
            if len(lines) == MAX_ALTERNATIVES:
                raise too_many(len(lines) + 1 + sum(1 for _ in rows))
            lines.append(line)
            LIMITS.refuse_text_cells(len(lines) * len(header))
            for index, code, cell in zip(indexes, codes, row, strict=True):
                code.append(index.setdefault(cell.strip(), len(index)))
    if not lines:
        raise no_rows(file)
    for index, code in zip(indexes, codes, strict=True):
        for cell, found in index.items():
            if "\0" in cell:
                where = f"line {lines[code.index(found)]} of {file.name}"
                raise InvalidInput("a cell must be text, got one with a zero byte", fix="export it again", place=where)
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
        above=above,
    )


def _separator(top: Sequence[str]) -> str:
    """What stands between the cells: what the first line has most of, or where it has none, the line after it."""
    first = next((line for line in top if any(sign in line for sign in _SEPARATORS)), "")
    return max(_SEPARATORS, key=first.count)


def _ragged(file: Path, line: int, row: list[str], header: list[str], separator: str, *, title: int) -> InvalidInput:
    told = f"a row must have {len(header)} cells, one for each column, got {len(row)}"
    commas = separator == "," and len(row) > len(header)
    fix = (
        "quote cells that hold a comma; with decimal commas, put ; between the columns" if commas else "fill or cut it"
    )
    if title:
        fix += f". If line {title} is a title and not the names of the columns, remove it"
    return InvalidInput(told, fix=fix, place=f"line {line} of {file.name}")
