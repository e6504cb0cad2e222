"""What reaches the screen: text that fits the terminal, or one JSON document."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from sureshot.cli.words import typed
from sureshot.said import Text, said

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console", "document", "json_text", "print_json", "say"]

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
