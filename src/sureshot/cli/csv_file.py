"""A table as a CSV file that any program reads: plain numbers, blank where there is nothing to say."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sureshot.cli.sheet.file import write_whole
from sureshot.errors import InvalidInput
from sureshot.said import Setting, Text

__all__ = ["refuse_existing", "write_csv"]


def refuse_existing(file: Path, *, force: bool) -> None:
    """Refuse to write over a file, unless that is meant; to be asked before anything takes long."""
    if file.exists() and not force:
        fix = Text("choose another name, or write over it with ", Setting("force", True))
        raise InvalidInput(f"{file} is there already, and would be lost", fix=fix)


def write_csv(file: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns of one length, whole or not at all."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(columns)
    listed = [getattr(values, "tolist", lambda values=values: values)() for values in columns.values()]
    for row in zip(*listed, strict=True):
        out.writerow([_cell(one) for one in row])
    write_whole(file, text.getvalue().encode())


def _cell(value: object) -> object:
    """As a person writes it: 14, not 14.0; nothing for what is not known."""
    if isinstance(value, float):
        return "" if value != value else int(value) if value.is_integer() and abs(value) < 1e15 else value
    return "" if value is None else value
