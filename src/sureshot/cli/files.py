"""Tables that a command writes to a file, or to standard output under the name ``-``; never over one that is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sureshot.campaign.answers.wording import count
from sureshot.cli.options import Answer
from sureshot.cli.screen.output import console, print_data
from sureshot.files import csv_text, free_path, write_whole

__all__ = ["SCREEN", "writable", "write_csv", "written"]

#: The name that stands for standard output.
SCREEN = "-"


def writable(path: Path, force: bool) -> None:
    """Refuse a file that is there, or a folder that is not, before anything is recorded."""
    if str(path) != SCREEN:
        free_path(path, force=force)


def write_csv(path: Path, columns: Mapping[str, Sequence[object]]) -> None:
    """The table in the file, in one step, or on standard output."""
    text = csv_text(columns)
    if str(path) == SCREEN:
        print_data(text)
    else:
        write_whole(path, text.encode())


def written(path: Path, columns: Mapping[str, Sequence[object]], force: bool, noun: str) -> Answer:
    """The table written, and what a command says of it; on standard output, the table is all it says."""
    writable(path, force)
    rows = len(next(iter(columns.values())))
    if str(path) == SCREEN:
        return {"file": None, "rows": rows}, lambda: write_csv(path, columns)
    write_csv(path, columns)
    done = f"{count(rows, noun)} written to {path}."
    return {"file": str(path), "rows": rows}, lambda: console().print(done)
