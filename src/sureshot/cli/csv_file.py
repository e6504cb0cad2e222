"""A table as a CSV file that any program reads: plain numbers, blank where there is nothing to say."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sureshot.files import write_whole

__all__ = ["write_csv"]


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
