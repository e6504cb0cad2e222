"""What a compressed file unpacks to, measured before anybody opens it: Excel's .xlsx (a zip of XML), and Parquet.

The sizes that a file states are checked first, and then what really comes out, up to the first byte or cell beyond
:class:`~sureshot.space.tables.limits.TableLimits`.
"""

from __future__ import annotations

import os
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Any
from xml.parsers import expat

from sureshot.errors import InvalidInput
from sureshot.space.tables.limits import TableLimits

__all__ = ["Workbook", "check_parquet", "check_workbook", "not_readable"]

_CHUNK = 1 << 16
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{0,20})$")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
#: Elements of which a reader makes an object each, of some size.
_STYLES = frozenset({"xf", "font", "fill", "border", "dxf", "numFmt", "cellStyle"})
#: Elements that a reader spreads over every cell of their range.
_SPREAD = frozenset({"mergeCell", "hyperlink"})


def not_readable(kind: str, name: str, why: object) -> InvalidInput:
    """That a file is not what its ending says."""
    told = " ".join(str(why).split()).rstrip(".")[:200]
    because = f" ({told})" if told else ""
    return InvalidInput(
        f"{name} must be {kind}, and cannot be read as one{because}", fix="save it again, there or as .csv"
    )


# -- Excel


@dataclass(frozen=True, slots=True)
class Workbook:
    """What was seen of a workbook on the way."""

    formulas: bool  # whether a cell of any sheet has one


def check_workbook(file: IO[bytes], limits: TableLimits, name: str = "the file") -> Workbook:
    """Refuse a workbook with too much in it, one that lies about it, and one that is not a workbook."""
    kind, size = "an Excel workbook", file.seek(0, os.SEEK_END)
    count = _Count(limits)
    try:
        with zipfile.ZipFile(file) as book:
            parts = book.infolist()
            limits.refuse_parts(len(parts))
            limits.refuse_unpacked(sum(one.file_size for one in parts), size)
            unpacked = 0
            for one in parts:
                if one.flag_bits & 1:
                    raise not_readable("an Excel workbook without a password", name, "it is encrypted")
                if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise not_readable(kind, name, "it is packed as Excel never does")
                with book.open(one) as part:
                    unpacked = count.part(part, one.filename, unpacked, size)
    except _Odd as error:
        raise not_readable(kind, name, error) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise not_readable(kind, name, error) from error
    return Workbook(count.formulas)


class _Odd(Exception):
    """Something that no workbook has."""


class _Count:
    """Counts rows, cells and formats of a workbook as its XML goes by, as many as a reader would make of it."""

    def __init__(self, limits: TableLimits) -> None:
        self._limits = limits
        self._cells = self._shared = 0
        self._row = self._at = 0  # within a sheet
        self._rows = 0
        self._begun = self._in_sheet = False  # the first element of a part says what it is
        self._sheets: set[str] = set()
        self._folder = ""
        self.formulas = False

    def part(self, part: IO[bytes], name: str, unpacked: int, packed: int) -> int:
        """How many bytes there are with this part; one that is XML is looked through."""
        self._row = self._rows = self._at = 0
        self._begun = self._in_sheet = False
        self._folder = posixpath.dirname(posixpath.dirname(name))
        parser = self._parser()
        looked_at: Any = parser
        empty = True
        while chunk := part.read(_CHUNK):
            empty = False
            unpacked += len(chunk)
            self._limits.refuse_unpacked(unpacked, packed)
            looked_at = looked_at and self._fed(looked_at, chunk, name)
        if looked_at and not empty:
            self._fed(looked_at, b"", name)
        return unpacked

    def _parser(self) -> Any:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._started
        parser.StartDoctypeDeclHandler = self._declared
        return parser

    def _fed(self, parser: Any, chunk: bytes, name: str) -> Any:
        """The parser after more of it, none: that was all; None for what is not XML and need not be, as a picture."""
        try:
            parser.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            if name.lower().endswith((".xml", ".rels")):
                raise _Odd(f"{name[:60]}: {error}") from error
            return None
        return parser

    def _declared(self, *_: object) -> None:
        raise _Odd("it declares entities, which Excel never does")

    def _started(self, tag: str, given: dict[str, str]) -> None:
        uri, _, kind = tag.rpartition(" ")
        if not self._begun:
            self._begun, self._in_sheet = True, kind == "worksheet"
        if kind == "c":
            found = _REFERENCE.match(given["r"]) if "r" in given else None
            at = _column(found[1]) if found else self._at + 1
            if self._in_sheet and found and (at <= self._at or int(found[2] or 0) != self._row):
                raise _Odd(f"in row {self._row}, there is a cell that says {given['r'][:20]}")
            if at > self._at:
                self._cells += at - self._at
                self._at = at
                self._limits.refuse_columns(at)
                self._limits.refuse_sheet_cells(self._cells)
        elif kind == "row":
            stated = given.get("r", "")
            number = int(stated[:20]) if stated.isascii() and stated.isdigit() else self._row + 1
            if self._in_sheet and number <= self._row:
                raise _Odd(f"row {number} comes after row {self._row}")
            self._row, self._at = number, 0
            self._rows += 1
            self._cells += 1
            self._limits.refuse_sheet_row(max(number, self._rows))
            self._limits.refuse_sheet_cells(self._cells)
        elif kind == "f":
            self.formulas |= uri == _MAIN
        elif kind in _SPREAD:
            self._shared += _area(given.get("ref", ""))
            self._limits.refuse_shared(self._shared)
        elif kind in _STYLES:
            self._shared += 1
            self._limits.refuse_shared(self._shared)
        elif kind == "Relationship" and given.get("Type", "").endswith("/worksheet"):
            sheet = posixpath.normpath(posixpath.join("/", self._folder, given.get("Target", "")))
            if sheet in self._sheets:
                raise _Odd("two of its sheets are one")
            self._sheets.add(sheet)


def _area(reference: str) -> int:
    """How many cells a range has: A1:C2 has 6."""
    ends = [found for end in reference.split(":", 1) if (found := _REFERENCE.match(end))]
    if len(ends) < 2:
        return 1
    (a, top), (b, bottom) = ((_column(end[1]), int(end[2] or 0)) for end in ends)
    return (abs(b - a) + 1) * (abs(bottom - top) + 1)


def _column(letters: str) -> int:
    """The number of a column.

    >>> _column("A"), _column("XFD")
    (1, 16384)
    """
    number = 0
    for one in letters.upper():
        number = 26 * number + ord(one) - 64
    return number


# -- Parquet


def check_parquet(given: Any, limits: TableLimits, name: str = "the file") -> None:
    """Refuse a Parquet file (its path, or what Arrow reads of it) with too many rows or too much in its cells, each as
    often as it is repeated.
    """
    try:
        from pyarrow import ArrowException, types
        from pyarrow.parquet import ParquetFile
    except ImportError:
        return  # then nobody can open it, and whoever tries says so
    try:
        with ParquetFile(given) as file:
            about, schema = file.metadata, file.schema_arrow
            limits.refuse_rows(about.num_rows)
            limits.refuse_columns(len(schema.names))
            limits.refuse_unpacked(sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups)))
            texts = [one.name for one in schema if _is_text(types, one.type)]
        with ParquetFile(given, read_dictionary=texts) as file:  # each different text once, however often it comes
            unpacked, rows = 0, 0
            for batch in file.iter_batches(batch_size=_CHUNK):
                rows += batch.num_rows
                limits.refuse_rows(rows)
                unpacked += sum(_held(column) for column in batch.columns)
                limits.refuse_unpacked(unpacked)
    except (ArrowException, OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise not_readable("a Parquet file", name, error) from error


def _is_text(types: Any, kind: Any) -> bool:
    tests = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(test(kind) for test in tests)


def _held(column: Any) -> int:
    """The bytes of a column with every text written out."""
    import pyarrow as pa
    import pyarrow.compute as compute

    if not isinstance(column, pa.DictionaryArray):
        return int(column.nbytes)
    values = column.dictionary
    if not _is_text(pa.types, values.type):
        return int(column.nbytes)
    lengths = compute.cast(compute.binary_length(values), pa.int64())
    return int(compute.sum(lengths.take(column.indices)).as_py() or 0) + int(column.indices.nbytes)
