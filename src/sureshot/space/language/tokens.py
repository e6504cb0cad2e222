"""The words of a formula: numbers, names and signs. Quotes, backticks, dots and square brackets are not among them."""

from __future__ import annotations

import re

from sureshot.errors import InvalidInput
from sureshot.space.language.expression import FUNCTIONS

__all__ = ["SPECIAL", "refused", "split_arguments", "tokens_of"]

#: Functions with a form of their own; the plain ones are those of expressions.
SPECIAL = ("C", "I", "bs", "center", "poly", "scale")

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*:^(){},=/%]))"
)
_ALLOWED = "columns, + - * : ** ( ), { arithmetic }, " + ", ".join(
    f"{name}()" for name in sorted({*SPECIAL, *FUNCTIONS}, key=str.lower)
)
_FIXES = {
    "~": "a formula has only a right-hand side: leave out the outcome and the ~",
    "|": "a formula has one part: leave out the |",
    "`": "columns are written without backticks: rename a column that is no single word",
    ".": "list the columns by name; a . for all columns, or before an attribute, is not read",
    "/": "write a + a:b for nesting, or I(a / b) for a ratio",
    "%": "write I(a % b) for a remainder",
}


def tokens_of(text: str) -> list[tuple[str, str, int, int]]:
    """Kind, word, start and end of each word; the first character that belongs to none is an error."""
    tokens, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise refused(text[at:].lstrip()[0], text, "")
        kind = str(found.lastgroup)
        if kind == "name" and found[kind].startswith("_"):
            raise refused(found[kind], text, "")
        tokens.append((kind, found[kind], found.start(kind), found.end(kind)))
        at = found.end()
    return tokens


def split_arguments(text: str) -> list[str]:
    """Arguments at the top level of a call."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def refused(token: str, text: str, why: str) -> InvalidInput:
    """The error for a word that may not stand where it does: it names the word and all that may."""
    if not token:
        return InvalidInput(f"a formula must be complete, got {text!r}: {why or 'a term is missing at the end'}.")
    fix = why or _FIXES.get(token, "remove it")
    return InvalidInput(f"a formula must not contain {token!r} here, got {text!r}: {fix}. It may use {_ALLOWED}.")
