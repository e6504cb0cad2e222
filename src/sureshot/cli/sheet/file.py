"""The file behind ``sureshot sheet``: read as it stands, written back with more columns, whole or not at all.

CSV is handled here; Excel in :mod:`sureshot.cli.sheet.excel`.
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sureshot.errors import Conflict, InvalidInput, StorageError

__all__ = ["SheetFile", "filled", "read_sheet", "write_sheet", "write_whole"]

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SEPARATORS = (",", ";", "\t")
_SUFFIXES = (".csv", ".tsv", ".txt")
EXCEL = ".xlsx"


@dataclass(frozen=True, slots=True)
class SheetFile:
    """The cells of a file as text, and how it was written."""

    path: Path
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # those that are not blank
    lines: tuple[int, ...]  # where each row stands in the file
    stamp: tuple[int, int]  # when it was changed last, and its size
    encoding: str = "utf-8"
    separator: str = ","
    newline: str = "\n"
    raw: bytes = b""  # of an Excel file
    notes: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """What a row of the file is called."""
        return "row" if self.path.suffix.lower() == EXCEL else "line"

    def column(self, name: str) -> list[str]:
        """The cells of one column."""
        at = self.header.index(name)
        return [row[at].strip() for row in self.rows]


def read_sheet(path: Path) -> SheetFile:
    """The file as text; ragged rows and the like are left to the reader of tables, who says what is wrong."""
    if path.suffix.lower() not in (*_SUFFIXES, EXCEL):
        raise InvalidInput(
            f"a sheet must be a CSV file (.csv, .tsv or .txt) or an Excel file (.xlsx), got {path.name!r}: save it as "
            "one of them."
        )
    try:
        stamp, raw = _stamp(path), path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path} can't be read ({error.strerror}): check the path.") from error
    if path.suffix.lower() == EXCEL:
        from sureshot.cli.sheet.excel import read_excel

        return read_excel(path, raw, stamp)
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        encoding = "cp1252"
        text = raw.decode(encoding, errors="replace")
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    kept: list[tuple[str, ...]] = []
    lines: list[int] = []
    line = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            kept.append(tuple(row))
            lines.append(line)
        line = reader.line_num + 1
    filled(path, len(kept))
    newline = "\r\n" if "\r\n" in text else "\n"
    header = tuple(cell.strip() for cell in kept[0])
    return SheetFile(path, header, tuple(kept[1:]), tuple(lines[1:]), stamp, encoding, separator, newline)


def filled(path: Path, lines: int) -> None:
    """Refuse a file without rows below its header."""
    if lines < 2:
        raise InvalidInput(f"{path.name} must have a header and rows, got {lines} filled lines: fill it.")


def write_sheet(sheet: SheetFile, columns: Mapping[str, Sequence[str]], to: Path | None = None) -> None:
    """Write the file with these columns filled, in place where they exist, else at the end; rows stay in order.

    The new file takes the old one's place in one step: whoever reads meets the one or the other, never a half. If
    the file was changed since it was read, nothing is written.
    """
    target = to or sheet.path
    if target.suffix.lower() != sheet.path.suffix.lower():
        raise InvalidInput(
            f"--to must end as the file does, got {target.name!r} for {sheet.path.name!r}: call it "
            f"{target.stem + sheet.path.suffix!r}."
        )
    if sheet.place == "row":
        from sureshot.cli.sheet.excel import excel_content

        content = excel_content(sheet, columns, in_place=to is None)
    else:
        content = _csv_content(sheet, columns)
    if to is None and _stamp(sheet.path) != sheet.stamp:
        raise Conflict(f"{sheet.path.name} was changed while it was read: nothing was written, run the command again.")
    write_whole(target, content)


def _csv_content(sheet: SheetFile, columns: Mapping[str, Sequence[str]]) -> bytes:
    header = [*sheet.header, *(name for name in columns if name not in sheet.header)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sheet.separator, lineterminator=sheet.newline)
    writer.writerow(header)
    for i, row in enumerate(sheet.rows):
        old = dict(zip(sheet.header, row, strict=True))
        writer.writerow([columns[name][i] if name in columns else old[name] for name in header])
    return out.getvalue().encode(sheet.encoding, errors="replace")


def write_whole(target: Path, content: bytes) -> None:
    """Write a file in one step: it is there in full or as it was before."""
    try:
        _replace(target.resolve(), content)
    except OSError as error:
        raise StorageError(f"{target} can't be written ({error.strerror}): nothing was changed.") from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        os.chmod(name, mode)  # mkstemp gives a name
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
