"""What may stand in one field of the store, and how it is written: whole numbers, text, moments, JSON documents.

The same text goes to every database and comes back unchanged, so a campaign reads the same on SQLite and on
PostgreSQL: floats as Python's shortest repr (bit-equal when read again), moments in UTC with microseconds.
Each function hands back what is stored, or raises :class:`~sureshot.errors.InvalidInput`.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, overload

from sureshot.documents import DEPTH, deeper, unwritable
from sureshot.errors import CorruptLog, InvalidInput
from sureshot.said import Setting

__all__ = [
    "BIGGEST",
    "document_text",
    "moment_text",
    "name_text",
    "note_text",
    "now",
    "plain_text",
    "read_document",
    "whole",
]

BIGGEST = 2**63 - 1
"""The largest whole number that both databases hold (a signed 64-bit integer)."""

NAME_LENGTH = 200
"""The longest name of a campaign, in characters: it must fit on a line and in a URL."""

NOTE_LENGTH = 10_000
"""The longest note, in characters: all notes of a page must be read at once."""


@overload
def whole(value: object, name: str, *, least: int = ...) -> int: ...
@overload
def whole(value: object, name: str, *, least: int = ..., optional: bool) -> int | None: ...
def whole(value: object, name: str, *, least: int = 0, optional: bool = False) -> int | None:
    """A whole number from ``least`` to :data:`BIGGEST`; True and 1.0 are not whole numbers here.

    >>> whole(3, "trial", least=1)
    3
    """
    if value is None and optional:
        return None
    try:
        if isinstance(value, bool):
            raise TypeError
        number = int(operator.index(value))  # type: ignore[arg-type]  # the TypeError is what we want to know
    except TypeError:
        raise InvalidInput(
            f"`{name}` must be a whole number", got=Setting(name, value), fix="write 1, for example"
        ) from None
    if not least <= number <= BIGGEST:
        raise InvalidInput(
            f"`{name}` must lie between {least} and {BIGGEST:,}",
            got=number,
            field=name,
            fix=f"write {least}, for example",
        )
    return number


def plain_text(value: object, name: str) -> str | None:
    """Text, or None. NUL and lone surrogates are refused: PostgreSQL can't hold them."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"`{name}` must be text", got=Setting(name, value), fix="put it in quotes")
    text = str(value)
    if "\x00" in text or not _encodes(text):
        raise unwritable(name, text)
    return text


def name_text(value: object) -> str:
    """The name of a campaign: one line of at most 200 printable characters, no spaces at the ends.

    >>> name_text("nanotubes 2")
    'nanotubes 2'
    """
    text = plain_text(value, "name")
    if text is None or not text or text != text.strip() or len(text) > NAME_LENGTH or not text.isprintable():
        raise InvalidInput(
            f"`name` must be 1 to {NAME_LENGTH} printable characters on one line, without spaces at the ends",
            got=Setting("name", text),
            fix="choose one such as 'nanotubes'",
        )
    return text


def note_text(value: object) -> str | None:
    """What is said beside an event, or None: at most 10,000 characters. Longer ones that were recorded once stay."""
    text = plain_text(value, "text")
    if text is not None and len(text) > NOTE_LENGTH:
        raise InvalidInput(
            f"a note must have at most {NOTE_LENGTH:,} characters, got {len(text):,}",
            field="text",
            value=len(text),
            fix="shorten it, and say where the rest is kept",
        )
    return text


def now() -> str:
    """The present moment, as it is stored."""
    return moment_text(datetime.now(UTC))


def moment_text(value: datetime) -> str:
    """A moment in UTC, to the microsecond, always 27 characters: it sorts as text.

    >>> from datetime import timedelta, timezone
    >>> moment_text(datetime(2026, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))))
    '2026-02-28T23:30:00.000000Z'
    """
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InvalidInput(f"a moment must be a datetime with a time zone, got {value!r}: add tzinfo=datetime.UTC.")
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"a moment must lie between the years 1 and 9999 in UTC, got {value!r}.") from None
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def document_text(value: object, name: str) -> str:
    """A JSON object as compact text, keys in the order given.

    >>> document_text({"power": 0.1, "catalyst": "Fe"}, "context")
    '{"power":0.1,"catalyst":"Fe"}'
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(f"`{name}` must be a mapping with text keys (a JSON object), got {type(value).__name__}.")
    if deeper(value):  # or holds itself
        raise InvalidInput(f"`{name}` must be nested at most {DEPTH} deep, got more", fix="make it flat")
    try:
        text = _ENCODER.encode(_plain(value, name))
    except (TypeError, ValueError) as error:  # an object that is no JSON, NaN, an infinity
        raise InvalidInput(
            f"`{name}` must hold only JSON: text, finite numbers, true, false, null, lists and objects ({error})."
        ) from None
    if not _encodes(text):
        odd = _ODD.search(text)
        raise InvalidInput(
            f"`{name}` must hold text without lone surrogates",
            got=Setting(name, json.loads(odd[0]) if odd else ""),
            fix="remove them: they are bytes that are not UTF-8",
        )
    return text


def read_document(text: str) -> dict[str, Any]:
    """A JSON object from the text that :func:`document_text` wrote: a new one each time, the caller's own."""
    try:
        document = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise CorruptLog(f"a stored document must be JSON, and is not ({error})", fix=_RESTORE) from error
    if not isinstance(document, dict):
        raise CorruptLog("a stored document must be a JSON object, and is something else", fix=_RESTORE)
    return document


#: A text with a lone surrogate, in JSON.
_ODD = re.compile(r'"(?:[^"\\]|\\.)*[\ud800-\udfff](?:[^"\\]|\\.)*"')
_RESTORE = "restore the store from a backup"


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(value: Any, name: str) -> Any:
    """The value with mappings as dicts; keys that are not text are refused, for JSON would change them."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InvalidInput(f"`{name}` must have text as keys, got the key {key!r}", fix=f"write {str(key)!r}")
        return {key: _plain(entry, name) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry, name) for entry in value]
    return value


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
