"""A file that somebody sent: kept for as long as it is read, in a folder of ours, and measured before it is opened.

Errors call it as its owner does, so it keeps the last part of its name, made harmless. How large it may be is said by
:class:`~sureshot.web.settings.Settings`: in bytes, in rows, and in what it unpacks to.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from starlette.datastructures import UploadFile

from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.space.tables.limits import TableLimits
from sureshot.space.tables.read import ENDINGS
from sureshot.space.tables.unpacking import check_parquet, check_workbook
from sureshot.web.settings import Settings

__all__ = ["is_given", "saved", "shown_name"]

#: What a file without a name is called.
OURS = "file"
#: Of a name, and of its ending: in characters, of which each has four bytes at most where the disk takes 255.
_LONG, _LONG_ENDING = 60, 10


def is_given(upload: object) -> bool:
    """Whether a field of a form holds a file; one that was left empty has no name."""
    return isinstance(upload, UploadFile) and bool(upload.filename)


def shown_name(name: str) -> str:
    r"""The last part of a file's name, short and on one line, with its ending: for a person to read.

    >>> shown_name("../../etc/passwd"), shown_name("C:\\runs\\march.csv"), len(shown_name("m" * 300 + ".csv"))
    ('passwd', 'march.csv', 60)
    """
    last = PurePosixPath("".join(one if one.isprintable() else "?" for one in name.replace("\\", "/")))
    ending = last.suffix[:_LONG_ENDING]
    return f"{last.stem[: _LONG - len(ending)]}{ending}" if last.name not in ("", "..") else OURS


@contextmanager
def saved(
    upload: UploadFile, settings: Settings, *, field: str = "candidates", endings: Sequence[str] = ENDINGS
) -> Iterator[Path]:
    """The file that was sent, on the disk, until the block ends. What it may not be is an error about ``field``."""
    with tempfile.TemporaryDirectory(prefix="sureshot-upload-") as folder:  # only its owner may look into it
        path = Path(folder) / _name(upload, field, endings)
        with path.open("wb") as file:
            _copied(upload.file, file, settings, field)
        try:
            measure(path, settings)
        except SureshotError as error:
            error.field = field
            raise
        yield path


def measure(path: Path, settings: Settings) -> None:
    """Refuse a file that has too many rows, or unpacks to too much, by what it is and not by what it says it is."""
    ending, limits = path.suffix.lower(), settings.tables
    if ending == ".xlsx":
        with path.open("rb") as file:
            check_workbook(file, limits)
    elif ending == ".parquet":
        check_parquet(path, limits)
    elif ending in ENDINGS:
        _check_text(path, limits)


def _name(upload: UploadFile, field: str, endings: Sequence[str]) -> str:
    """What the file is called, if it can be read by its ending."""
    if not upload.filename:
        raise InvalidInput("a file must be chosen, got none", field=field, fix="choose one, then send it")
    name = shown_name(upload.filename)
    ending = PurePosixPath(name).suffix.lower()
    if ending not in endings:
        raise unknown_name("kind of file", ending or name, endings, field=field)
    return name


def _copied(source: BinaryIO, to: BinaryIO, settings: Settings, field: str) -> None:
    source.seek(0, 2)
    size = source.tell()
    if not size:
        raise InvalidInput("a file must have something in it, got an empty one", field=field, fix="choose another")
    if size > settings.upload_bytes:
        raise InvalidInput(
            f"a file may have {settings.upload_bytes:,} bytes, got {size:,}",
            field=field,
            value=size,
            fix="leave out columns that are not needed, or make the campaign where the file is, with the command",
        )
    source.seek(0)
    shutil.copyfileobj(source, to)


def _check_text(path: Path, limits: TableLimits) -> None:
    """Count lines and cells before anything is parsed; line ends of any system."""
    rows = 0
    with path.open("rb") as file:
        for line in file:
            rows += line.count(b"\r") or 1
            if len(line) > limits.columns:  # a shorter one can't have as many cells
                limits.refuse_columns(
                    1 + max(part.count(mark) for part in line.split(b"\r") for mark in (b",", b";", b"\t"))
                )
            limits.refuse_rows(rows - 1)  # one is the header
