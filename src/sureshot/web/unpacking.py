"""What a compressed file unpacks to, measured before anybody opens it: Excel's .xlsx (a zip of XML), and Parquet.

A few kilobytes can unpack to more than a machine holds, or say "column XFD, row 1,048,576" in every row. So the sizes
that a file states are checked first, and then what really comes out, up to the first byte or cell too many.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

from sureshot.errors import InvalidInput
from sureshot.web.settings import Settings

__all__ = ["CELLS", "check_parquet", "check_workbook", "too_many_rows", "too_wide"]

#: Cells of a sheet, the empty ones that a row or the sheet's stated size brings too.
CELLS = 10_000_000
#: Parts of a workbook: sheets, pictures, styles.
PARTS = 1_000
_CHUNK = 1 << 16
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d*)")


def too_many_rows(settings: Settings) -> InvalidInput:
    """That a table is too long."""
    return InvalidInput(
        f"a file may have {settings.upload_rows:,} rows, got more", fix="choose those that you would really try"
    )


def too_wide(found: int, most: int) -> InvalidInput:
    """That a table is too wide."""
    return InvalidInput(f"a file may have {most:,} columns, got {found:,}", fix="leave out those that are not needed")


def _too_large(settings: Settings, found: int) -> InvalidInput:
    return InvalidInput(
        f"a file may unpack to {settings.unpacked_bytes:,} bytes, got {found:,} or more",
        fix="save what is needed as .csv, and nothing else",
    )


def _not_readable(kind: str, why: object) -> InvalidInput:
    return InvalidInput(f"the file must be {kind}, and cannot be read as one ({why})", fix="save it again as .csv")


# -- Excel


def check_workbook(path: Path, settings: Settings, *, columns: int) -> None:
    """Refuse a workbook with too much in it, one that lies about it, and one that is not a workbook."""
    try:
        with zipfile.ZipFile(path) as book:
            parts = book.infolist()
            if len(parts) > PARTS:
                raise _not_readable("an Excel workbook", f"it has {len(parts):,} parts")
            left, stated = settings.unpacked_bytes, sum(one.file_size for one in parts)
            if stated > left:
                raise _too_large(settings, stated)
            for one in parts:
                if one.flag_bits & 1:
                    raise _not_readable("an Excel workbook without a password", "it is encrypted")
                with book.open(one) as part:
                    left -= _unpacked(part, one.filename, left, settings, columns)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise _not_readable("an Excel workbook", error) from error


def _unpacked(part: IO[bytes], name: str, left: int, settings: Settings, columns: int) -> int:
    """How many bytes a part is; those that are XML are looked through for cells."""
    sheet: _Sheet | None = _Sheet(settings, columns)
    size = 0
    while chunk := part.read(_CHUNK):
        size += len(chunk)
        if size > left:
            raise _too_large(settings, settings.unpacked_bytes + size - left)
        sheet = None if sheet is None else _looked_at(sheet, chunk, name)
    if sheet is not None and size:
        _looked_at(sheet, b"", name)
    return size


def _looked_at(sheet: _Sheet, chunk: bytes, name: str) -> _Sheet | None:
    """The sheet after more of it; None for what is not XML and need not be, such as a picture."""
    try:
        sheet.feed(chunk)
        return sheet
    except expat.ExpatError as error:
        if name.lower().endswith((".xml", ".rels")):
            raise _not_readable("an Excel workbook", f"{name}: {error}") from error
        return None


class _Sheet:
    """Counts the rows and cells of a sheet as its XML goes by, as wide and long as a reader would make it."""

    def __init__(self, settings: Settings, columns: int) -> None:
        self._settings, self._columns = settings, columns
        self._row = self._rows = self._width = self._at = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._started
        self._parser.StartDoctypeDeclHandler = self._declared

    def feed(self, chunk: bytes) -> None:
        """The next bytes; none: that was all."""
        self._parser.Parse(chunk, not chunk)

    def _declared(self, *_: object) -> None:
        raise _not_readable("an Excel workbook", "it declares entities, which Excel never does")

    def _started(self, tag: str, given: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if kind == "c":
            found = _REFERENCE.match(given.get("r", ""))
            self._at = _column(found[1]) if found else self._at + 1
            self._widened(self._at)
        elif kind == "row":
            stated = given.get("r", "")
            self._row = int(stated) if stated.isascii() and stated.isdigit() else self._row + 1
            self._rows, self._at = self._rows + 1, 0
            if max(self._row, self._rows) > self._settings.upload_rows + 1:
                raise too_many_rows(self._settings)
            self._widened(0)
        elif kind == "dimension":
            for end in given.get("ref", "").split(":"):
                if found := _REFERENCE.match(end):
                    self._widened(_column(found[1]))

    def _widened(self, column: int) -> None:
        self._width = max(self._width, column)
        if self._width > self._columns:
            raise too_wide(self._width, self._columns)
        if self._width * self._rows > CELLS:
            raise InvalidInput(
                f"a sheet may have {CELLS:,} cells, empty ones among them, got more",
                fix="save it as .csv, or delete the empty columns and rows beside the table",
            )


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


def check_parquet(path: Path, settings: Settings, *, columns: int) -> None:
    """Refuse a Parquet file with too many rows or too much in its cells, each as often as it is repeated."""
    try:
        from pyarrow import ArrowException, types
        from pyarrow.parquet import ParquetFile
    except ImportError:
        return  # then nobody can open it, and whoever tries says so
    try:
        with ParquetFile(path) as file:
            about, schema = file.metadata, file.schema_arrow
            if about.num_rows > settings.upload_rows:
                raise too_many_rows(settings)
            if len(schema.names) > columns:
                raise too_wide(len(schema.names), columns)
            stated = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
            if stated > settings.unpacked_bytes:
                raise _too_large(settings, stated)
            nested = [one.name for one in schema if types.is_nested(one.type)]
            if nested:
                raise InvalidInput(
                    f"cells must be numbers or text, got lists in column {nested[0]!r}", fix="leave it out"
                )
            texts = [one.name for one in schema if _is_text(types, one.type)]
        with ParquetFile(path, read_dictionary=texts) as file:  # each different text once, however often it comes
            left, rows = settings.unpacked_bytes, 0
            for batch in file.iter_batches(batch_size=_CHUNK):
                rows += batch.num_rows
                left -= sum(_held(column) for column in batch.columns)
                if rows > settings.upload_rows:
                    raise too_many_rows(settings)
                if left < 0:
                    raise _too_large(settings, settings.unpacked_bytes - left)
    except (ArrowException, OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise _not_readable("a Parquet file", error) from error


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
