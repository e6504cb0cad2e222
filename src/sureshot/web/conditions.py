"""Conditions of a request: what it expects to find (``If-Match``), what it has already (``If-None-Match``), and which
requests are under way (``Idempotency-Key``).

A tag names one state: of a campaign by its last event, its name and whether it is archived; of a trial by its last
event and how many notes it has.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from fastapi import Request

from sureshot._version import __version__
from sureshot.campaign import TrialRow
from sureshot.errors import Conflict
from sureshot.web.opened import Held

__all__ = [
    "Changed",
    "ConditionMissing",
    "InFlight",
    "UnderWay",
    "campaign_tag",
    "is_known",
    "refuse_changed",
    "trial_tag",
]


class Changed(Conflict):
    """Somebody else changed it since it was read."""


class ConditionMissing(Conflict):
    """Only what the caller has seen may be changed so, and the request does not say which state that is."""


class InFlight(Conflict):
    """The same request is under way."""

    wait = 1  # seconds, before it is worth repeating


def campaign_tag(held: Held) -> str:
    """Of all that a campaign answers. Another version of sureshot may answer otherwise."""
    campaign = held.campaign
    rest = sha256(f"{held.number}\n{campaign.name}\n{campaign.archived}\n{__version__}".encode()).hexdigest()
    return f'"{held.last()}-{rest[:12]}"'


def trial_tag(row: TrialRow) -> str:
    """Of one trial."""
    last = max(row.opened_event, row.told_event or 0, row.withdrawn_event or 0)
    return f'"{row.trial}-{last}-{len(row.notes)}"'


def is_known(request: Request, tag: str) -> bool:
    """Whether the caller has this state already."""
    return _names(request.headers.get("if-none-match", ""), tag)


def refuse_changed(request: Request, tag: str, *, needed: str | None = None) -> None:
    """Refuse what was decided on another state than this; with ``needed``, also what does not say on which."""
    given = request.headers.get("if-match")
    if given is None and needed is not None:
        raise ConditionMissing(f"{needed} needs the ETag of what you have seen", fix="read it, and send it as If-Match")
    if given is not None and not _names(given, tag):
        raise Changed("somebody changed it since you read it", fix="read it again and decide anew", value=given)


def _names(header: str, tag: str) -> bool:
    """Whether one of the tags in a header is this one, or it is ``*``: any.

    >>> _names('"1-a", W/"2-b"', '"2-b"'), _names("*", '"1-a"'), _names("", '"1-a"')
    (True, True, False)
    """
    return header.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in header.split(","))


class UnderWay:
    """The keys of requests that this process is answering now."""

    def __init__(self) -> None:
        self._lock, self._keys = threading.Lock(), set[tuple[int, str]]()

    @contextmanager
    def alone(self, campaign: int, key: str | None) -> Iterator[None]:
        """For one request of a key at a time; another is refused, and may come back when the first is done."""
        if key is None:
            yield
            return
        with self._lock:
            if (campaign, key) in self._keys:
                raise InFlight(
                    "a request with this key is under way", field="key", value=key, fix="wait, and repeat it"
                )
            self._keys.add((campaign, key))
        try:
            yield
        finally:
            with self._lock:
                self._keys.discard((campaign, key))
