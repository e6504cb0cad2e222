"""Texts of users on a screen: what would steer a terminal, or turn the order of what is read, is shown and not obeyed.

Whoever may write a note, a name or a level could else move the cursor, rename the window, fill the clipboard, set a
link or forge a line for whoever looks. Texts are stored as they are, and files have them as they are.
"""

from __future__ import annotations

import re

__all__ = ["escaped_json", "guarded", "visible"]

#: All controls but line ends and tabs, the marks that turn the direction of writing or can't be seen, other ends of
#: lines, and halves of characters, which are bytes that were no text. Joiners stay: scripts and emoji need them.
_STEERS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u115f\\u1160\\u180e\\u3164\\uffa0\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb"
    "\\U000e0000-\\U000e007f\\ud800-\\udfff"
)
_STEERING = re.compile(f"[{_STEERS}]")
#: The same, but for what our own libraries write to a terminal: colours, and the lines of a bar.
_STRANGE = re.compile(rf"(\x1b\[(?:[\d;]*m|\d*[ABCDG]|[012]?K|\?25[lh])|\r)|[{_STEERS}]")


def visible(text: str) -> str:
    r"""The text with an escape in the place of each character that would steer a terminal.

    >>> print(visible("fine\x1b[31m, \u202eenod"))
    fine\x1b[31m, \u202eenod
    """
    return _STEERING.sub(lambda found: _escape(found[0]), text)


def guarded(text: str) -> str:
    r"""What is written to a terminal, with an escape for what none of our libraries writes: nothing gets past this.

    >>> guarded("\x1b[1mbold\x1b[0m \x1b]0;title\x07") == "\x1b[1mbold\x1b[0m \\x1b]0;title\\x07"
    True
    """
    return _STRANGE.sub(lambda found: found[1] or _escape(found[0]), text)


def escaped_json(text: str) -> str:
    r"""A JSON document of the same value, without such characters.

    >>> escaped_json('"\u202e\x9b"')
    '"\\u202e\\u009b"'
    """
    return _STEERING.sub(lambda found: "".join(f"\\u{unit:04x}" for unit in _units(found[0])), text)


def _escape(char: str) -> str:
    return ascii(char)[1:-1]


def _units(char: str) -> list[int]:
    """The character in UTF-16, as JSON escapes it."""
    whole = char.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(whole[i : i + 2], "big") for i in range(0, len(whole), 2)]
