"""JSON and TOML from outside: measured before anybody looks into them, whoever sent them.

A few bytes can be nested deeper than Python goes, name a key of twenty thousand parts, or hold a number of thousands of
digits. What every document may have is stated here, once, for files, requests and what is typed.
"""

from __future__ import annotations

import errno
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput
from sureshot.said import Setting

__all__ = [
    "DEPTH",
    "JSON_BYTES",
    "TOML_BYTES",
    "NotReadable",
    "decoded",
    "deeper",
    "read_json",
    "read_toml",
    "unwritable",
    "whole_file",
]

#: Lists and tables inside each other, and parts of a key that dots join.
DEPTH = 50
#: Of a JSON document: sureshot's own largest, a posterior of 1,000 features, is 41 MB.
JSON_BYTES = 100_000_000
#: Of a TOML document: a person wrote it.
TOML_BYTES = 1_000_000
#: Lists and objects in a JSON document, each of which takes a hundred times the memory that it takes on the disk.
OBJECTS = 3_000_000
#: Of a whole number: the largest float has as many.
DIGITS = 309

_NESTS = (dict, list, tuple, Mapping)
_FLAT = "make it flatter"
_SMALLER = "write a smaller one"


class NotReadable(InvalidInput):
    """A document that is not JSON, or not TOML, at all."""


def read_json(given: bytes | str, what: str = "the document") -> Any:
    """What a JSON document says. One that is not JSON, or holds what sureshot never writes (NaN, half of a character),
    is refused like one that is too large.

    >>> read_json('{"age": 61}')
    {'age': 61}
    >>> read_json("[" * 51 + "]" * 51)
    Traceback (most recent call last):
    sureshot.errors.InvalidInput: the document must be nested at most 50 deep, got more: make it flatter.
    """
    text = decoded(given, JSON_BYTES, what)
    objects = text.count("{") + text.count("[")
    if objects > OBJECTS:
        raise InvalidInput(
            f"{what} must have at most {OBJECTS:,} lists and objects, got {objects:,}", fix="send less at once"
        )
    try:
        found = _DECODER.decode(text)
    except InvalidInput as error:
        raise error.at(what) from None
    except RecursionError:
        raise _too_deep(what) from None
    except ValueError as error:
        raise NotReadable(f"{what} must be JSON ({error})", fix="fix it there, or make it anew") from error
    if objects > DEPTH and deeper(found):
        raise _too_deep(what)
    if "\\u" in text and not _encodes(found):
        for name, value in found.items() if isinstance(found, dict) else ():
            if isinstance(value, str) and not _encodes(value):
                raise unwritable(name, value)
        raise InvalidInput(f"{what} must hold text without lone surrogates", fix="remove them")
    return found


def unwritable(name: str, text: str) -> InvalidInput:
    """The error for the input of that name, in whose text is what no store can hold."""
    return InvalidInput(
        f"`{name}` must be text without NUL or lone surrogates", got=Setting(name, text), fix="remove them"
    )


def read_toml(given: bytes | str, what: str = "the document") -> dict[str, Any]:
    """What a TOML document says.

    >>> read_toml("budget = 30")
    {'budget': 30}
    """
    import tomllib  # its patterns, as ours, take a while to compile

    text = decoded(given, TOML_BYTES, what)
    if _deepest(text) > DEPTH:
        raise _too_deep(what)
    try:
        found = tomllib.loads(text, parse_float=_float)
    except InvalidInput as error:
        raise error.at(what) from None
    except RecursionError:
        raise _too_deep(what) from None
    except tomllib.TOMLDecodeError as error:
        raise NotReadable(f"{what} must be TOML ({error})", fix="fix it there") from error
    except ValueError:  # more digits than Python reads
        raise _too_many_digits().at(what) from None
    if any(isinstance(one, int) and abs(one) >= 10**DIGITS for one in _said(found)):
        raise _too_many_digits().at(what)
    return found


def whole_file(path: Path, most: int) -> bytes:
    """The bytes of a file: one more than the ``most`` that are of any use, where it has more. A path that no file can
    have (a NUL in it, half of a character) is an ``OSError``, as every other file that can't be read.
    """
    try:
        stream = path.open("rb")
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can be called that") from error
    with stream:
        return stream.read(most + 1)


def decoded(given: bytes | str, most: int, what: str) -> str:
    """The text of a document of at most so many bytes, in UTF-8."""
    if len(given) > most:
        raise InvalidInput(f"{what} must have at most {most:,} bytes, got more", fix="leave out what is not needed")
    try:
        return given if isinstance(given, str) else given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{what} must be text in UTF-8, got byte {error.start}", fix="save it as UTF-8") from error


def deeper(value: object, than: int = DEPTH) -> bool:
    """Whether lists and mappings stand more than so deep inside each other.

    >>> deeper([[1]], than=1), deeper([[1]], than=2)
    (True, False)
    """
    return any(depth > than for depth, _ in enumerate(_levels(value), start=1))


def _levels(value: object) -> Iterator[list[Any]]:
    """The lists and mappings at each depth, each once, for one may hold itself. Level by level: Python does not go as
    deep as a value may.
    """
    level = [value] if isinstance(value, _NESTS) else []
    while level:
        yield level
        inner = {id(one): one for outer in level for one in _inside(outer) if isinstance(one, _NESTS)}
        level = list(inner.values())


def _inside(one: Any) -> Iterable[Any]:
    return one.values() if isinstance(one, Mapping) else one


def _said(value: object) -> Iterator[Any]:
    """Everything in a document that is not a list or a mapping, and the keys."""
    yield value
    for level in _levels(value):
        for one in level:
            yield from one
            if isinstance(one, Mapping):
                yield from one.values()


def _deepest(text: str) -> int:
    """How deep TOML goes, at least where it is TOML: brackets inside each other, and parts of a key."""
    depth = dots = deepest = 0
    for match in _tokens().finditer(text):
        token = match[0]
        if token == ".":
            dots += 1
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        if token in "[]{},=\n":
            dots = 0
        deepest = max(deepest, depth, dots)
    return deepest


@cache
def _tokens() -> re.Pattern[str]:
    """What matters for the depth of TOML. Texts and comments come first, so that what is in them is passed over; a text
    that is never closed goes on to the end, where it is looked through once.
    """
    return re.compile(
        r'"""(?:[^"\\]|\\.|""?(?!"))*+(?:"{3,5})?'
        r"|'''(?:[^']|''?(?!'))*+(?:'{3,5})?"
        r'|"(?:[^"\\\n]|\\.)*+"?'
        r"|'[^'\n]*+'?"
        r"|#[^\n]*+"
        r"|[\[\]{}.,=\n]",
        re.DOTALL,
    )


def _too_deep(what: str) -> InvalidInput:
    return InvalidInput(f"{what} must be nested at most {DEPTH} deep, got more", fix=_FLAT)


def _too_many_digits() -> InvalidInput:
    return InvalidInput(f"a number must have at most {DIGITS} digits, got more", fix=_SMALLER)


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number) and "inf" not in text:  # TOML may say it
        raise InvalidInput(f"numbers must be below 1.8e308, got {text[:20]}", fix=_SMALLER)
    return number


def _int(text: str) -> int:
    if len(text) > DIGITS + 1:  # and its sign
        raise _too_many_digits()
    return int(text)


def _constant(text: str) -> float:
    raise InvalidInput(f"JSON has no {text}", fix="write null, or a number")


def _encodes(value: object) -> bool:
    """Whether all text in a document can be written down again."""
    texts = (one for one in _said(value) if isinstance(one, str) and not one.isascii())
    return not any("\ud800" <= sign <= "\udfff" for text in texts for sign in text)


_DECODER = json.JSONDecoder(parse_float=_float, parse_int=_int, parse_constant=_constant)
