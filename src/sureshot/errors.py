"""Every error that sureshot raises on purpose.

Each states the rule, the value that broke it and the fix, and is raised before anything is changed.
There are few, with one base; each is also the builtin that fits, so ``except ValueError`` works too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from typing import Any, Self

from sureshot.passwords import hidden
from sureshot.said import Dialect, Record, Setting, Text, marked, named, said

__all__ = [
    "Conflict",
    "CorruptLog",
    "InvalidInput",
    "NotKnown",
    "Notice",
    "OtherLog",
    "OutOfDate",
    "PluginError",
    "Recorded",
    "StorageError",
    "SureshotError",
    "UnknownName",
    "about",
    "given",
    "unknown_name",
    "whole_number",
]

_UNSAID: Any = object()
#: Characters of a value, or of a part of a sentence, that an error shows, where nobody chose which part of it to show.
_LONG = 1_000


class SureshotError(Exception):
    """Base of all errors that sureshot raises on purpose: a sentence, and what it is about as data.

    The sentence is plain text, in which `` `name` `` is an input, and records (:mod:`sureshot.said`); ``got`` and
    ``fix`` are added to it. Passwords in the URLs of databases are left out of all of it.

    - ``field``: the input that is wrong; if not given, the first that the sentence names.
    - ``value``: what was given for it, as JSON holds it; ``got`` if the sentence shows it, ``value`` if not.
    - ``fix``: what to do; ``rule`` is the sentence without it.
    - ``place``: where in a file or table, the outermost first.

    >>> error = InvalidInput("`budget` must be at least 1", got=0, fix="leave it out for an open end")
    >>> print(error)
    `budget` must be at least 1, got 0: leave it out for an open end.
    >>> error.field, error.value
    ('budget', 0)
    """

    def __init__(
        self,
        *sentence: str | Record,
        field: str | None = None,
        got: object = _UNSAID,
        value: object = None,
        fix: str | None = None,
        place: str | tuple[str, ...] = (),
    ) -> None:
        parts: list[str | Record] = [marked(_cut(part)) if isinstance(part, str) else part for part in sentence]
        if got is not _UNSAID:
            value = got.value if isinstance(got, Setting) else got
            shown: str | Record = got if isinstance(got, Setting) else _cut(repr(got))
            if isinstance(got, Setting) and isinstance(got.value, str):
                shown = Setting(got.name, _cut(got.value))
            parts += [", got ", shown if isinstance(value, str | int | float) else str(shown)]  # others may not travel
        self.rule = Text(*map(_without_passwords, Text(*parts).parts))
        if fix is not None:
            fix = _cut(fix)
            parts += [": ", marked(fix)]
        if len(parts) > len(sentence) and not str(parts[-1]).endswith((".", "?")):
            parts.append(".")
        self.sentence = Text(*map(_without_passwords, Text(*parts).parts))
        super().__init__(self.sentence)
        self.field = named(self.sentence) if field is None else field
        self.value = _short(_plain(value))
        self.fix = None if fix is None else Text(*map(_without_passwords, marked(fix).parts))
        self.place = (place,) if isinstance(place, str) else place

    def __str__(self) -> str:
        return self.said(str)

    def said(self, dialect: Dialect) -> str:
        """The whole error in the words of a shell, which can be written down whatever was given."""
        return _written(": ".join([*map(hidden, self.place), said(self.sentence, dialect)]))

    def at(self, *place: str) -> Self:
        """The same error with where it is, before the place that it has."""
        return self.moved(*place, *self.place)

    def moved(self, *place: str) -> Self:
        """The same error with this place instead of the one that it has, or with none."""
        found = self._again()
        found.place = place
        return found

    def reworded(self, dialect: Dialect) -> Self:
        """The same error in these words, whatever shell shows it: keys as they stand in a file."""
        found = self._again()
        found.sentence = Text(said(self.sentence, dialect))
        found.fix = None if self.fix is None else Text(said(self.fix, dialect))
        return found

    def _again(self) -> Self:
        """Another error like this one; not by ``copy``, which libraries teach to hand on this very object."""
        found = type(self).__new__(type(self), *self.args)
        found.args = self.args
        found.__dict__.update(self.__dict__)
        return found

    def wrong(self, *known: str) -> str:
        """What is wrong and where, but for the places that are ``known``, and not what to do.

        >>> CorruptLog("event 4 is lost", fix="restore it", place=("store.db", "campaign 'a'")).wrong("store.db")
        "campaign 'a': event 4 is lost"
        """
        return _written(": ".join([*(hidden(one) for one in self.place if one not in known), str(self.rule)]))

    def as_dict(self, dialect: Dialect = str) -> dict[str, Any]:
        """For a machine, as JSON holds it."""
        return {
            "kind": type(self).__name__,
            "message": self.said(dialect),
            "field": self.field,
            "value": self.value,
            "fix": None if self.fix is None else _written(said(self.fix, dialect)),
            "place": _written(": ".join(map(hidden, self.place))) or None,
        }


class InvalidInput(SureshotError, ValueError):
    """A value breaks a rule: a NaN feature, an outcome of 2, a negative precision."""


class UnknownName(SureshotError, LookupError):
    """A name that is not known: a link, a policy, a covariance form, a campaign, a trial."""


class PluginError(SureshotError, ImportError):
    """A module of your own can't be loaded: there is none of that name, or it raises something."""


class Conflict(SureshotError, RuntimeError):
    """What is to be recorded contradicts what already is: a name that is taken, a second outcome for one trial."""


class OutOfDate(Conflict):
    """Somebody else recorded something since you read: read the new events, decide again and append again."""


class OtherLog(Conflict):
    """The log does not continue what this process read, for an earlier state of the store was restored meanwhile: open
    the campaign again, see what is in it, and decide again.
    """


class StorageError(SureshotError, OSError):
    """The store can't be opened or used: no permission, not a database, no server, a newer schema, no driver."""


class NotKnown(StorageError):
    """The connection to a server was lost, and whether what was to be recorded is recorded can't be found out now: look
    into the history later, or repeat the call with the same key, under which it is recorded once.
    """


class Recorded(StorageError):
    """What was to be recorded is, and what failed came after it: there is nothing to repeat."""


class CorruptLog(StorageError):
    """A stored campaign is not what was once recorded: a row was changed, lost or put in from outside."""


class Notice(UserWarning):
    """Something that may be meant otherwise than it was read: ``(0.0, 1.0)``, which is two levels and no range."""


@contextmanager
def about(field: str, *, whole: bool = False) -> Iterator[None]:
    """Errors from within, or from a function that this decorates, are about that input if they name none; with
    ``whole`` also if they name a part of it, as the degree in a formula. A plugin is no part of any input.
    """
    try:
        yield
    except SureshotError as error:
        if error.field is None or (whole and not isinstance(error, PluginError)):
            error.field = field
        raise


@contextmanager
def given(inputs: object) -> Iterator[None]:
    """Errors from within show what was given for the input that they are about, an attribute of ``inputs``, if they
    show nothing of it; the beginning, if it is long.
    """
    try:
        yield
    except SureshotError as error:
        if error.value is None and error.field is not None:
            error.value = _short(_plain(getattr(inputs, error.field, None)))
        raise


def unknown_name(
    kind: str, name: object, choices: Iterable[str], *, field: str | None = None, otherwise: str = ""
) -> UnknownName:
    """The error for a name that is not among the choices, with the nearest one; if none is near, what to do
    ``otherwise``.

    >>> print(unknown_name("link", "logitt", ["logit", "probit"]))
    unknown link 'logitt': choose one of 'logit', 'probit'. Did you mean 'logit'?
    """
    known = sorted(choices)
    near = get_close_matches(str(name), known, n=1)
    hint = f". Did you mean {near[0]!r}?" if near else f". {otherwise}." if otherwise else "."
    fix = f"choose one of {', '.join(map(repr, known))}{hint}"
    return UnknownName("unknown ", kind, f" {name!r}", field=field, value=name, fix=fix)


def whole_number(name: str, value: object, least: int = 1, *, of: str = "") -> int:
    """The input of that name, if it is a whole number (``of`` what) of at least so much.

    >>> whole_number("q", 2.5, of="trials")
    Traceback (most recent call last):
    sureshot.errors.InvalidInput: `q` must be a whole number of trials, at least 1, got q=2.5.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        what = f"a whole number of {of}" if of else "a whole number"
        raise InvalidInput(f"`{name}` must be {what}, at least {least}", got=Setting(name, value))
    return int(value)


def _cut(text: str) -> str:
    """A text that is too long to be read in an error, without its middle. One with records in it is ours."""
    if len(text) <= 2 * _LONG or isinstance(text, Text):
        return text
    return f"{text[:_LONG]} ... {text[-_LONG // 2 :]}"


def _short(value: object) -> object:
    text = json.dumps(value)
    return value if len(text) <= _LONG else f"{text[:_LONG]}..."


def _without_passwords(part: str | Record) -> str | Record:
    if isinstance(part, Setting):
        return Setting(part.name, hidden(part.value)) if isinstance(part.value, str) else part
    return hidden(part) if isinstance(part, str) else part


def _written(text: str) -> str:
    """A text without halves of characters (of a file name that is no text), which no file or screen takes; of one
    that is too long for all the records in it, both ends.
    """
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 4 * _LONG else f"{text[: 2 * _LONG]} ... {text[-_LONG:]}"


def _plain(value: object) -> object:
    """A value as JSON holds it: what it can't hold is shown."""
    if isinstance(value, str):
        value = hidden(value)
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=lambda one: one.item()))  # NumPy's numbers
    except (AttributeError, TypeError, ValueError, RecursionError):
        return repr(value)
