"""What is looked at: a campaign as it is now, or as it was after an event, and in which case. All in the address."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlencode

from fastapi import Request

from sureshot.campaign import Campaign
from sureshot.web.opened import Held

__all__ = ["CASE", "Look", "address", "look_of"]

T = TypeVar("T")

#: Before the name of a context's column, in an address and in a form.
CASE = "case."


@dataclass(frozen=True, slots=True)
class Look:
    """One way to look at a campaign."""

    to: int | None  # the last event that is seen; None: all
    case: tuple[tuple[str, str], ...]  # as it was typed

    @property
    def context(self) -> dict[str, str] | None:
        """The case, as a campaign takes it; None: none was said."""
        return dict(self.case) or None

    @property
    def query(self) -> dict[str, object]:
        """The same in an address."""
        return {"to": self.to, **{f"{CASE}{name}": value for name, value in self.case}}

    def view(self, held: Held) -> Campaign:
        """The campaign as it is looked at."""
        to = self.to
        return held.campaign if to is None else held.answer(("as of", to), lambda: held.campaign.rewind(to))

    def answer(self, held: Held, name: Hashable, compute: Callable[[], T]) -> T:
        """What ``compute`` gives, kept until something is recorded."""
        return held.answer((self, name), compute)


def look_of(request: Request, to: int | None) -> Look:
    """As the address says."""
    given = request.query_params
    typed = {key.removeprefix(CASE): value.strip() for key, value in given.items() if key.startswith(CASE)}
    return Look(to, tuple((name, value) for name, value in typed.items() if value))


def address(path: str, **query: object) -> str:
    """A path with its query; what is None or empty is left out.

    >>> address("/c/1/results", to=3, x="", y=None, reveal=True)
    '/c/1/results?to=3&reveal=true'
    """
    said = {name: _said(value) for name, value in query.items() if value not in (None, "", False)}
    return f"{path}?{urlencode(said)}" if said else path


def _said(value: object) -> str:
    return "true" if value is True else str(value)
