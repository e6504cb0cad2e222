"""What happened in a campaign, event by event: each with its sentence, who recorded it and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sureshot.campaign.answers.wording import in_case
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Entry, Ledger, State
from sureshot.campaign.model.spec import Spec
from sureshot.storage import Event
from sureshot.storage.records import Kind

__all__ = ["EventRow", "event_rows", "first_needed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow(Document):
    """One event. ``str()`` is a sentence."""

    number: int  # as ``rewind`` takes it
    at: str  # when it was recorded: UTC, ISO 8601
    kind: Kind
    author: str | None
    trial: int | None  # None: it is about the campaign
    label: str | None  # what the trial tried
    context: dict[str, Any] | None  # in which case
    outcome: str | None  # that was told, in the campaign's words ...
    was: str | None  # ... in place of this one, if it was corrected
    successes: int | None  # the same in numbers: so many ...
    of: int | None  # ... of so many tries
    text: str | None  # a note, or the reason
    state: State | None  # of the trial now
    counts: bool  # whether it has the outcome of its trial that counts now
    words: str  # what happened

    def __str__(self) -> str:
        return f"{self.words}." if self.text is None else f"{self.words}: {self.text}"


def first_needed(events: Sequence[Event], ledger: Ledger) -> int:
    """The earliest event that must be known to say what was corrected in these."""
    opened = [ledger.entry(one.trial).opened for one in events if one.kind == "corrected" and one.trial is not None]
    return min([one.number for one in events] + opened, default=1)


def event_rows(spec: Spec, ledger: Ledger, events: Sequence[Event], before: Iterable[Event] = ()) -> list[EventRow]:
    """These events in order, after the ``ledger`` of all; ``before`` are those since :func:`first_needed`."""
    last: dict[int, str] = {}  # the outcome of each trial so far
    for one in before:
        _remember(spec, one, last)
    found = []
    for one in events:
        found.append(_row(spec, ledger, one, None if one.trial is None else last.get(one.trial)))
        _remember(spec, one, last)
    return found


def _remember(spec: Spec, event: Event, last: dict[int, str]) -> None:
    outcome = _outcome(spec, event)
    if event.trial is not None and outcome is not None:
        last[event.trial] = outcome


def _outcome(spec: Spec, event: Event) -> str | None:
    if event.successes is None or event.of is None:
        return None
    return spec.words.name(event.successes, event.of)


def _row(spec: Spec, ledger: Ledger, event: Event, was: str | None) -> EventRow:
    entry = None if event.trial is None else ledger.entry(event.trial)
    outcome = _outcome(spec, event)
    return EventRow(
        number=event.number,
        at=event.at,
        kind=event.kind,
        author=event.author,
        trial=event.trial,
        label=None if entry is None else spec.pool.label(entry),
        context=None if entry is None else entry.context,
        outcome=outcome,
        was=was if event.kind == "corrected" else None,
        successes=event.successes,
        of=event.of,
        text=event.text,
        state=None if entry is None else entry.state,
        counts=entry is not None and entry.state == "told" and entry.outcome == event.number,
        words=_words(spec, event, entry, outcome, was),
    )


def _words(spec: Spec, event: Event, entry: Entry | None, outcome: str | None, was: str | None) -> str:
    """``Trial 3 came out single``; what was tried is said where the trial begins."""
    if entry is None:
        return "Note on the campaign"
    trial = f"Trial {entry.trial}"
    tried = f"{spec.pool.label(entry)}{in_case(entry.context)}"
    if event.kind == "asked":
        return f"{trial} was asked for: {tried}"
    if event.kind == "told":
        return (
            f"{trial} came out {outcome}"
            if entry.asked
            else f"{trial} was told without being asked: {tried}; {outcome}"
        )
    if event.kind == "corrected":
        return f"{trial} was corrected to {outcome}" + (f", from {was}" if was is not None and was != outcome else "")
    if event.kind == "withdrawn":
        return f"{trial} was withdrawn, with its outcome" if entry.told else f"{trial} was withdrawn: it was not run"
    return f"Note on trial {entry.trial}"
