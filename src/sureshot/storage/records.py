"""What a store holds, as frozen values: campaigns, events, snapshots.

A campaign is an immutable specification and an append-only list of events, numbered 1, 2, 3 ... without gaps.
An event is of one of five kinds. A *trial* is opened by ``asked``, or by ``told`` for an experiment that was
never asked; it gets the next trial number of its campaign. Then::

    asked ──> told ──> corrected*       (the last told or corrected outcome counts)
      └────────┴──────────┴──> withdrawn      (the trial, and its outcome if any, no longer counts)

``noted`` is text about a trial or about the campaign. JSON documents are kept as text, so that a record can't
change under anybody's hands; ``.context``, ``.payload`` and ``.spec`` read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

from sureshot.errors import InvalidInput, unknown_name
from sureshot.storage import fields

__all__ = [
    "KINDS",
    "CampaignRecord",
    "CampaignSummary",
    "Event",
    "Kind",
    "NewEvent",
    "Snapshot",
    "asked",
    "corrected",
    "new_snapshot",
    "noted",
    "told",
    "withdrawn",
]

Kind = Literal["asked", "told", "corrected", "withdrawn", "noted"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Event(NamedTuple):
    """One event as recorded. The fields up to ``payload_json`` are what ``digest`` covers, in this order."""

    number: int  # 1, 2, 3 ... within the campaign
    at: str  # when it was recorded: UTC, ISO 8601 with microseconds
    kind: Kind
    trial: int | None  # None: a note about the whole campaign
    alternative: int | None  # the row of the alternative, where the event opens a trial
    context_json: str | None  # the context, where the event opens a trial
    successes: int | None  # told and corrected: so many successes ...
    of: int | None  # ... of so many tries
    text: str | None
    author: str | None
    payload_json: str | None  # whatever else belongs to it
    digest: str  # SHA-256 of the digest before it and of this event: see `sureshot.storage.chain`

    @property
    def context(self) -> dict[str, Any] | None:
        """The context as a dict of your own."""
        return None if self.context_json is None else fields.read_document(self.context_json)

    @property
    def payload(self) -> dict[str, Any] | None:
        """The rest as a dict of your own."""
        return None if self.payload_json is None else fields.read_document(self.payload_json)


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be recorded. Make one with :func:`asked`, :func:`told`, :func:`corrected`, :func:`withdrawn`
    or :func:`noted`, which check their fields; the store adds the number, the moment and the digest.
    """

    kind: Kind
    trial: int | None = None  # None: it opens a trial (asked, told), or is a note about the campaign
    alternative: int | None = None
    context_json: str | None = None
    successes: int | None = None
    of: int | None = None
    text: str | None = None
    author: str | None = None
    payload_json: str | None = None
    at: str | None = None  # None: when it is recorded

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of event", self.kind, KINDS)
        counted = self.kind in ("told", "corrected")
        if counted != (self.successes is not None) or counted != (self.of is not None):
            raise InvalidInput(
                f"`successes` and `of` belong to told and corrected events, and only to them, "
                f"got kind={self.kind!r}, successes={self.successes!r}, of={self.of!r}."
            )
        if self.kind == "asked" and self.trial is not None:
            raise InvalidInput(f"an asked event opens a new trial, which the store numbers, got trial={self.trial!r}.")
        if self.kind in ("corrected", "withdrawn") and self.trial is None:
            raise InvalidInput(f"a {self.kind} event must name its trial, got trial=None.")
        if not self.opens and (self.alternative is not None or self.context_json is not None):
            raise InvalidInput(
                "`alternative` and `context` are recorded where a trial is opened, and stay: "
                f"leave them out of this {self.kind} event of trial {self.trial}."
            )
        if self.kind == "noted" and not (self.text or "").strip():
            raise InvalidInput("a note must have text", field="text", got=self.text)

    @property
    def opens(self) -> bool:
        """Whether it opens a trial: asked, or told without having been asked."""
        return self.kind in ("asked", "told") and self.trial is None


Document = Mapping[str, Any] | None


def asked(
    alternative: int | None = None,
    *,
    context: Document = None,
    payload: Document = None,
    text: str | None = None,
    author: str | None = None,
    at: datetime | None = None,
) -> NewEvent:
    """An alternative (a row of the campaign's table) was handed out to be tried: opens a trial."""
    return NewEvent(
        "asked",
        alternative=fields.whole(alternative, "alternative", optional=True),
        context_json=_document(context, "context"),
        **_common(payload, text, author, at),
    )


def told(
    trial: int | None,
    successes: int,
    *,
    of: int = 1,
    alternative: int | None = None,
    context: Document = None,
    payload: Document = None,
    text: str | None = None,
    author: str | None = None,
    at: datetime | None = None,
) -> NewEvent:
    """The outcome of a trial: 0 or 1, or ``successes`` of so many.

    ``trial=None`` records an experiment that was never asked, with its alternative: it opens a trial.
    """
    won, tries = _outcome(successes, of)
    return NewEvent(
        "told",
        trial=fields.whole(trial, "trial", least=1, optional=True),
        alternative=fields.whole(alternative, "alternative", optional=True),
        context_json=_document(context, "context"),
        successes=won,
        of=tries,
        **_common(payload, text, author, at),
    )


def corrected(
    trial: int,
    successes: int,
    *,
    of: int = 1,
    payload: Document = None,
    text: str | None = None,
    author: str | None = None,
    at: datetime | None = None,
) -> NewEvent:
    """Another outcome in place of the one told."""
    won, tries = _outcome(successes, of)
    number = fields.whole(trial, "trial", least=1)
    return NewEvent("corrected", trial=number, successes=won, of=tries, **_common(payload, text, author, at))


def withdrawn(
    trial: int,
    *,
    payload: Document = None,
    text: str | None = None,
    author: str | None = None,
    at: datetime | None = None,
) -> NewEvent:
    """A trial that was not run, or whose outcome must not count."""
    return NewEvent("withdrawn", trial=fields.whole(trial, "trial", least=1), **_common(payload, text, author, at))


def noted(
    text: str,
    *,
    trial: int | None = None,
    payload: Document = None,
    author: str | None = None,
    at: datetime | None = None,
) -> NewEvent:
    """A remark about a trial, or about the campaign."""
    number = fields.whole(trial, "trial", least=1, optional=True)
    return NewEvent("noted", trial=number, **_common(payload, text, author, at))


def _outcome(successes: object, of: object) -> tuple[int, int]:
    tries = fields.whole(of, "of", least=1)
    won = fields.whole(successes, "successes")
    if won > tries:
        raise InvalidInput(f"`successes` must lie between 0 and `of`, got successes={won} of={tries}.")
    return won, tries


def _document(value: Document, name: str) -> str | None:
    return None if value is None else fields.document_text(value, name)


def _common(payload: Document, text: object, author: object, at: datetime | None) -> dict[str, Any]:
    return {
        "payload_json": _document(payload, "payload"),
        "text": fields.note_text(text),
        "author": fields.plain_text(author, "author"),
        "at": None if at is None else fields.moment_text(at),
    }


class CampaignRecord(NamedTuple):
    """A campaign as stored, in the order of the table's columns: its specification never changes, its name may."""

    id: int
    name: str
    created_at: str
    seed: int
    spec_json: str
    spec_sha256: str  # of the text `spec_json`
    digest: str  # where the chain of its events begins
    archived_at: str | None = None  # since when it is left out of lists; None: it is in use

    @property
    def spec(self) -> dict[str, Any]:
        """The specification as a dict of your own."""
        return fields.read_document(self.spec_json)


class CampaignSummary(NamedTuple):
    """One line of a list of campaigns, without the specification (which may be long)."""

    id: int
    name: str
    created_at: str
    last_number: int  # 0: no event yet
    last_at: str | None
    archived_at: str | None = None


class Snapshot(NamedTuple):
    """What was computed from the first ``number`` events: a cache. The log whose last digest is ``digest`` made it."""

    number: int
    digest: str
    payload_json: str
    at: str

    @property
    def payload(self) -> dict[str, Any]:
        """What was computed, as a dict of your own."""
        return fields.read_document(self.payload_json)


def new_snapshot(number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
    """A snapshot that is not stored yet, checked."""
    text = fields.document_text(payload, "payload")
    return Snapshot(number=fields.whole(number, "number", least=1), digest=digest, payload_json=text, at=fields.now())
