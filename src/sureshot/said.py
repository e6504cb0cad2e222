"""Sentences that each shell says in its own words: plain text, and records of what is named in it.

Python says ``context={"ward": ...}``, the command ``--context ward=...``, a page the label of a field. A shell brings
its own words as a function from a record to text; those of Python are ``str``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Call", "Case", "Dialect", "Field", "Record", "Setting", "Text", "marked", "named", "said"]


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

    @property
    def needs_outcome(self) -> bool:
        """Whether the outcome of the trial is said with it."""
        return self.trial is not None and self.name in ("tell", "correct")

    def __str__(self) -> str:
        trial = "" if self.trial is None else str(self.trial)
        return f"{self.name}({trial}{', ...' * self.needs_outcome})"


Record: TypeAlias = Field | Setting | Case | Call
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
