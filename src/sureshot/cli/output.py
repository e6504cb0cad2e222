"""What reaches the screen: text that fits the terminal, or one JSON document."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, TextIO, cast

from sureshot.cli.words import typed
from sureshot.said import Text, said

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console", "csv_text", "document", "glued", "json_text", "print_json", "say"]

#: Wider than any line: what goes into a file or another program is not wrapped.
_UNWRAPPED = 10_000
#: A space that no line is broken at, until it is written: a character that nobody types, as wide as a space.
_GLUE = "\ue000"
#: The space between a number and its unit: a percent sign, points, or a short word that is not a word of a sentence.
_UNIT = re.compile(
    r"(?<=\d) (?=(?:%|points?\b|(?!(?:a|all|and|are|as|at|best|but|by|for|from|has|have|here|if|in|is|it|left|less|"
    r"more|new|not|of|on|or|row|rows|than|that|the|then|they|this|time|to|try|was|were|will|with)\b)"
    r"[^\W\d_][\w/µ°²³⁻¹]{0,4}(?![\w-])|°))"
)
#: Some of several: 7 of 10.
_SHARE = re.compile(r"(?<=\d) of (?=\d)")


def glued(text: str) -> str:
    r"""The text with numbers that stay on a line with their units, and 7 of 10 on one, as :func:`console` prints it.

    >>> glued("50 % at 30 sccm, 3 of 30").split()
    ['50\ue000%', 'at', '30\ue000sccm,', '3\ue000of\ue00030']
    """
    return _SHARE.sub(f"{_GLUE}of{_GLUE}", _UNIT.sub(_GLUE, text))


class _Unglued:
    """A file that writes plain spaces."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(text.replace(_GLUE, " "))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def console() -> Console:
    """The screen. Numbers are not coloured, and nothing in the text is taken for markup or emoji.

    Lines fit a terminal (or COLUMNS, where that is set); elsewhere they are as long as they are. None is broken between
    a number and its unit.
    """
    from rich.console import Console
    from rich.text import Text

    class Screen(Console):
        def print(self, *objects: Any, **options: Any) -> None:
            for one in objects:
                if isinstance(one, Text):
                    one.plain = glued(one.plain)
            super().print(*(glued(one) if isinstance(one, str) else one for one in objects), **options)

    file = cast(TextIO, _Unglued(sys.stdout))
    screen = Screen(file=file, highlight=False, markup=False, emoji=False, soft_wrap=False)
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
    listed = [getattr(values, "tolist", lambda values=values: values)() for values in columns.values()]
    writer.writerows([_cell(one) for one in row] for row in zip(*listed, strict=True))
    return text.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else int(value) if value.is_integer() and abs(value) < 1e15 else value


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
