"""What reaches the screen: text that fits the terminal, or one JSON document."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.cli.words import typed
from sureshot.errors import Conflict, InvalidInput
from sureshot.said import Setting, Text, said

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console", "csv_text", "document", "json_text", "new_file", "print_json", "say"]

#: Wider than any line: what goes into a file or another program is not wrapped.
_UNWRAPPED = 10_000


def console() -> Console:
    """The screen. Numbers are not coloured, and nothing in the text is taken for markup or emoji.

    Lines fit a terminal (or COLUMNS, where that is set); elsewhere they are as long as they are.
    """
    from rich.console import Console

    screen = Console(highlight=False, markup=False, emoji=False, soft_wrap=False)
    if not screen.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        screen.width = _UNWRAPPED
    return screen


def json_text(value: object) -> str:
    """One JSON document, in full."""
    return json.dumps(document(value), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json_text(value))


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
    for row in zip(*columns.values(), strict=True):
        writer.writerow([int(one) if isinstance(one, float) and one.is_integer() else one for one in row])
    return text.getvalue()


def new_file(path: Path, force: bool) -> None:
    """Refuse to write over a file that is there, unless by force, or into a folder that is not. Called before anything
    is recorded.
    """
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"there is no folder {path.parent} to write {path.name} in", fix="make it first")
    if path.exists() and not force:
        raise Conflict(
            f"there already is a file {path}",
            field="force",
            value=str(path),
            fix=Text("name another, or write over it with ", Setting("force", True)),
        )


def say(value: object, show: Callable[[], None], *, as_json: bool) -> None:
    """What a command answers: as one JSON document, or on the screen."""
    if as_json:
        print_json(value)
    else:
        show()


def document(value: object) -> Any:
    """A value as JSON holds it: records as objects, tuples as lists, what is no number as null, sentences as the
    command says them.

    >>> document({"interval": (0.1, float("nan"))})
    {'interval': [0.1, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return document(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): document(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [document(one) for one in value]
    if isinstance(value, Text):
        return said(value, typed)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
