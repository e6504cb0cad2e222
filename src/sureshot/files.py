"""Files that are written for a person: never over another one unasked, and whole or not at all."""

from __future__ import annotations

import csv
import errno
import math
import os
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.said import Setting, Text

__all__ = ["LEFT", "csv_text", "free_path", "guarded_cell", "refuse_without_folder", "unguarded_cell", "write_whole"]

#: How the name of a file begins that is being written, and of one that a process left that was killed at it.
LEFT = ".sureshot-"

#: What a spreadsheet takes for the beginning of a formula, perhaps behind apostrophes, of which we write one more.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
#: A text that is read as a number, and not run.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def free_path(path: str | os.PathLike[str], *, force: bool) -> Path:
    """Where a file is to go: its folder is there, and nothing is lost by it unless ``force`` says so. To be asked
    before anything takes long.
    """
    to = Path(path)
    if not to.is_absolute():
        refuse_without_folder()
    try:
        there, inside, is_folder = os.path.lexists(to), to.parent.is_dir(), to.is_dir()
        plain = not there or to.is_file()
    except OSError as error:  # a name that no file can have
        raise InvalidInput(f"{str(to)!r} can't be a file ({error.strerror}): name another.") from error
    if not inside:
        raise InvalidInput(f"there is no folder {str(to.parent)!r} to put {to.name!r} in: make it first.")
    if is_folder:
        raise InvalidInput(f"{str(to)!r} is a folder: name a file in it.")
    if not plain:
        raise InvalidInput(f"{str(to)!r} is there, and is not a file that can be overwritten: name another.")
    if there and not force:
        raise Conflict(
            f"{str(to)!r} is there already",
            field="force",
            value=str(to),
            fix=Text("name another file, or overwrite it with ", Setting("force", True)),
        )
    return to


def refuse_without_folder() -> None:
    """Refuse to go on where the folder that one works in was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        fix = "go to another one, as with cd ~, or write whole paths"
        raise StorageError("the folder that you work in is gone", fix=fix) from None


def csv_text(columns: Mapping[str, Sequence[object]]) -> str:
    """A table as CSV: a header, then a line for each row. What is missing is blank, and 14.0 is 14. It may be opened in
    a spreadsheet: a text that would be run there as a formula has an apostrophe before it (see :func:`guarded_cell`).

    >>> print(csv_text({"power": [8.0, 10.5], "outcome": ["success", None], "note": ["=1+1", "fine"]}), end="")
    power,outcome,note
    8,success,'=1+1
    10.5,,fine
    """
    lines: list[str] = []
    # Cells that hold an end of a line are quoted, whichever it is: else what comes after it would be a row of its own.
    writer = csv.writer(SimpleNamespace(write=lambda line: lines.append(f"{line[:-2]}\n")), lineterminator="\r\n")
    writer.writerow(map(guarded_cell, columns))
    listed = [getattr(values, "tolist", lambda values=values: values)() for values in columns.values()]
    writer.writerows([_cell(one) for one in row] for row in zip(*listed, strict=True))
    return "".join(lines)


def guarded_cell(one: object) -> object:
    """A cell of a table that a person may open in a spreadsheet: a text that would be run there as a formula, because
    of how it begins, has an apostrophe before it, and one more if it has some. What is a number stays as it is.

    >>> [guarded_cell(one) for one in ("=1+1", "-OH", "'@", "fine", "it's", -3.0, "-3")]
    ["'=1+1", "'-OH", "''@", 'fine', "it's", -3.0, '-3']
    """
    if isinstance(one, str) and _FORMULA.match(one) and not _NUMBER.fullmatch(one):
        return f"'{one}"
    return one


def unguarded_cell(one: object) -> object:
    """The cell that :func:`guarded_cell` made this of.

    >>> [unguarded_cell(one) for one in ("'=1+1", "''@", "'fine'", "-3")]
    ['=1+1', "'@", "'fine'", '-3']
    """
    return one[1:] if isinstance(one, str) and one.startswith("'") and _FORMULA.match(one) else one


def _cell(value: object) -> object:
    if not isinstance(value, float):
        return guarded_cell(value)
    return None if math.isnan(value) else int(value) if value.is_integer() and abs(value) < 1e15 else value


def write_whole(target: Path, content: bytes) -> None:
    """Write a file in one step: it is there in full or as it was before.

    A new file may be read by whom the system's umask lets read it. One that is there keeps its owner, group, mode and
    attributes. Where it has other names (hard links), or belongs to somebody to whom we can't give another in its
    place, that can't be had in one step: then it is written into. What goes wrong there is taken back, and until it is
    done the new content lies whole in a file beside it, ``.sureshot-...``: a power cut loses neither.
    """
    if not target.is_absolute():
        refuse_without_folder()
    try:
        _write(target.resolve(), content)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        why = getattr(error, "strerror", None) or error
        raise StorageError(f"{target} can't be written ({why}): nothing was changed. Choose another place.") from error


def _write(target: Path, content: bytes) -> None:
    before = target.stat() if target.exists() else None
    if before is not None and not os.access(target, os.W_OK):  # its folder would let us put another in its place
        raise PermissionError(errno.EACCES, "it is write-protected")
    aside = target.parent / f"{LEFT}{secrets.token_hex(8)}"
    mode = 0o666 if before is None else 0o600  # less the umask; what is secret is so from the beginning
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            _filled(stream, content)
        if before is None or _made_alike(aside, target, before):
            os.replace(aside, target)
        else:
            _write_into(target, content)
            aside.unlink()
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _made_alike(aside: Path, target: Path, before: os.stat_result) -> bool:
    """Give a file the owner, group, mode and attributes of another, in whose place it is to go; whether it could be."""
    if before.st_nlink > 1:
        return False
    own = aside.stat()
    try:
        if (own.st_uid, own.st_gid) != (before.st_uid, before.st_gid):
            os.chown(aside, before.st_uid, before.st_gid)
        shutil.copystat(target, aside)
    except OSError:
        return False
    os.utime(aside)  # but it was changed now
    return True


def _write_into(target: Path, content: bytes) -> None:
    """Write over what is in a file, and take that back if it fails."""
    with target.open("r+b") as stream:
        before = stream.read()
        try:
            stream.seek(0)
            _filled(stream, content)
        except BaseException:
            stream.seek(0)
            _filled(stream, before)
            raise


def _filled(stream: BinaryIO, content: bytes) -> None:
    """Write to the end of a file, down to the disk."""
    stream.write(content)
    stream.truncate()
    stream.flush()
    os.fsync(stream.fileno())
