"""Sentences that each shell says in its own words: plain text, and records of what is named in it.

Python says ``context={"ward": ...}``, the command ``--context ward=...``, a page the label of a field. A shell brings
its own words as a function from a record to text; those of Python are ``str``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, TypeAlias

__all__ = [
    "Call",
    "Case",
    "Dialect",
    "Field",
    "Record",
    "Remade",
    "Setting",
    "Text",
    "document",
    "marked",
    "named",
    "said",
]


@dataclass(frozen=True, slots=True)
class Field:
    """An input by its name, as :class:`~sureshot.campaign.Campaign` calls it: ``prior``."""

    name: str

    def __str__(self) -> str:
        return f"`{self.name}`"


@dataclass(frozen=True, slots=True)
class Setting:
    """An input and a value for it: ``duplicates='merge'``."""

    name: str
    value: object

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"


@dataclass(frozen=True, slots=True)
class Case:
    """A context with these columns: ``context={"ward": ...}``."""

    columns: tuple[str, ...]
    name = "context"

    def __str__(self) -> str:
        return "context={" + ", ".join(f'"{column}": ...' for column in self.columns) + "}"


@dataclass(frozen=True, slots=True)
class Call:
    """Something that a campaign can do, perhaps with a trial: ``ask()``, ``tell(3, ...)``, ``withdraw(3)``."""

    name: str
    trial: int | None = None
    apart: bool = False  # set apart from the sentence by backticks, where it is typed

    @property
    def needs_outcome(self) -> bool:
        """Whether the outcome of the trial is said with it."""
        return self.trial is not None and self.name in ("tell", "correct")

    def __str__(self) -> str:
        trial = "" if self.trial is None else str(self.trial)
        call = f"{self.name}({trial}{', ...' * self.needs_outcome})"
        return f"`{call}`" if self.apart else call


@dataclass(frozen=True, slots=True)
class Remade:
    """A new campaign made from an old one, with one setting said anew:
    ``Campaign.create_from('oven-2', 'oven', shape='auto')``.
    """

    old: str
    new: str
    setting: Setting
    name = "Campaign.create_from"

    def __str__(self) -> str:
        return f"`{self.name}({self.new!r}, {self.old!r}, {self.setting})`"


Record: TypeAlias = Field | Setting | Case | Call | Remade
Dialect: TypeAlias = Callable[[Record], str]


class Text(str):
    """A text in Python's words that keeps its records, so that it can be said in others.

    >>> text = Text("leave ", Field("prior"), " out")
    >>> text, said(text, lambda record: f"--{record.name}")
    ('leave `prior` out', 'leave --prior out')
    """

    parts: tuple[str | Record, ...]

    def __new__(cls, *parts: str | Record) -> Text:
        """Of plain texts, records and other such texts."""
        flat = tuple(one for part in parts for one in (part.parts if isinstance(part, Text) else (part,)))
        made = super().__new__(cls, "".join(map(str, flat)))
        made.parts = flat
        return made

    def __getnewargs__(self) -> tuple[str | Record, ...]:  # type: ignore[override]
        return self.parts


def marked(text: str) -> Text:
    """A text in which a name between backticks is an input.

    >>> marked("leave `prior` out").parts
    ('leave ', Field(name='prior'), ' out')
    """
    if isinstance(text, Text):
        return text
    first, *rest = text.split("`")
    parts: list[str | Record] = [first]
    for name, after in zip(rest[::2], rest[1::2], strict=False):
        parts += [Field(name) if name.isidentifier() else f"`{name}`", after]
    return Text(*parts, *(f"`{alone}" for alone in rest[len(rest) // 2 * 2 :]))


def said(text: str, dialect: Dialect) -> str:
    """The text in the words of a shell; one without records is the same everywhere."""
    if not isinstance(text, Text):
        return text
    return "".join(part if isinstance(part, str) else dialect(part) for part in text.parts)


def named(text: str) -> str | None:
    """The first input that a text names."""
    parts = text.parts if isinstance(text, Text) else ()
    return next((part.name for part in parts if isinstance(part, Field | Setting | Case)), None)


def document(value: object, dialect: Dialect = str) -> Any:
    """A value as JSON holds it: records as objects, tuples as lists, what is no number as null, sentences in the words
    of a shell.

    >>> document({"interval": (0.1, float("nan")), "fix": Text("leave ", Field("prior"), " out")})
    {'interval': [0.1, None], 'fix': 'leave `prior` out'}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return document(asdict(value), dialect)
    if isinstance(value, Mapping):
        return {str(key): document(one, dialect) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [document(one, dialect) for one in value]
    if isinstance(value, Text):
        return said(value, dialect)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
