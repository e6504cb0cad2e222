"""Files that are written for a person: never over another one unasked, and whole or not at all."""

from __future__ import annotations

import csv
import io
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.said import Setting, Text

__all__ = ["csv_text", "free_path", "guarded", "guarded_cell", "write_whole"]

#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def free_path(path: str | os.PathLike[str], *, force: bool) -> Path:
    """Where a file is to go: its folder is there, and nothing is lost by it unless ``force`` says so. To be asked
    before anything takes long.
    """
    to = Path(path)
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


def csv_text(columns: Mapping[str, Sequence[object]]) -> str:
    """A table as CSV: a header, then a line for each row. What is missing is blank, and 14.0 is 14.

    >>> print(csv_text({"power": [8.0, 10.5], "outcome": ["success", None]}), end="")
    power,outcome
    8,success
    10.5,
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    listed = [getattr(values, "tolist", lambda values=values: values)() for values in columns.values()]
    writer.writerows([_cell(one) for one in row] for row in zip(*listed, strict=True))
    return text.getvalue()


def guarded(columns: Mapping[str, Sequence[object]]) -> dict[str, Sequence[object]]:
    """The same table for a person who opens it in a spreadsheet: a text that would be run there as a formula, because
    of how it begins, has an apostrophe before it. Numbers stay as they are.

    >>> guarded({"note": ["=1+1", "-OH", "fine"], "power": [-3.0, 4.0, 5.0]})
    {'note': ["'=1+1", "'-OH", 'fine'], 'power': [-3.0, 4.0, 5.0]}
    """
    listed = {name: getattr(cells, "tolist", lambda cells=cells: cells)() for name, cells in columns.items()}
    return {str(guarded_cell(name)): [guarded_cell(one) for one in cells] for name, cells in listed.items()}


def guarded_cell(one: object) -> object:
    """One cell of such a table."""
    return f"'{one}" if isinstance(one, str) and one.startswith(_FORMULA) else one


def _cell(value: object) -> object:
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else int(value) if value.is_integer() and abs(value) < 1e15 else value


def write_whole(target: Path, content: bytes) -> None:
    """Write a file in one step: it is there in full or as it was before."""
    try:
        _replace(target.resolve(), content)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        why = getattr(error, "strerror", None) or error
        raise StorageError(f"{target} can't be written ({why}): nothing was changed. Choose another place.") from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".sureshot-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        os.chmod(name, mode)  # mkstemp lets nobody else read it
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
