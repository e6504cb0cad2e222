"""What reaches the screen: text that fits the terminal, or one JSON document.

All that a command says passes through here, and what texts of users could do to a terminal ends here: see
:mod:`sureshot.cli.screen.visible`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TextIO, cast

from sureshot import said
from sureshot.cli.screen.streams import Stream
from sureshot.cli.screen.visible import escaped_json, visible
from sureshot.cli.words import typed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["console", "document", "glued", "json_text", "print_data", "print_json", "progress", "say", "tell"]

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


def console(*, stderr: bool = False) -> Console:
    """The screen. Numbers are not coloured, and nothing in the text is taken for markup, emoji or a command to the
    terminal.

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

        def render_str(self, text: str, **options: Any) -> Text:  # each string, in tables too
            return super().render_str(visible(text), **options)

        def render(self, renderable: Any, options: Any = None) -> Any:
            if isinstance(renderable, Text) and visible(renderable.plain) != renderable.plain:
                renderable = _visible_text(renderable)
            return super().render(renderable, options)

    file = cast(TextIO, _Unglued(sys.stderr if stderr else sys.stdout))
    screen = Screen(file=file, highlight=False, markup=False, emoji=False, soft_wrap=False)
    if not screen.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        screen.width = _UNWRAPPED
    return screen


def _visible_text(text: Text) -> Text:
    """The text made visible, each style on the characters that it was on."""
    from rich.text import Span

    at = list(accumulate((len(visible(one)) for one in text.plain), initial=0))  # where each character stands now
    made = text.blank_copy(visible(text.plain))
    made.spans = [Span(at[one.start], at[min(one.end, len(at) - 1)], one.style) for one in text.spans]
    return made


def json_text(value: object) -> str:
    """One JSON document, in full."""
    return escaped_json(json.dumps(document(value), ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def print_json(value: object) -> None:
    """One JSON document on standard output; in ASCII where that can't hold its characters."""
    text = json_text(value)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document(value), indent=2, allow_nan=False) + "\n"
    sys.stdout.write(text)


def print_data(text: str) -> None:
    """A table on standard output: on a screen made visible, into a file or another program as it is."""
    if isinstance(sys.stdout, Stream) and not sys.stdout.isatty():
        sys.stdout.write_data(text)
    else:
        sys.stdout.write(visible(text))


def progress(text: str, done: bool) -> None:
    """How far it is, on one line of standard error that each word of it takes the place of."""
    sys.stderr.write(f"\r{visible(text)}" + ("\n" if done else ""))
    sys.stderr.flush()


def tell(text: str) -> None:
    """A line on standard error: an error, or how far it is."""
    sys.stderr.write(f"{visible(text)}\n")


def say(value: object, show: Callable[[], None], *, as_json: bool) -> None:
    """What a command answers: as one JSON document, or on the screen."""
    if as_json:
        print_json(value)
    else:
        show()


def document(value: object) -> Any:
    """A value as JSON holds it, sentences as the command says them."""
    return said.document(value, typed)
