"""The trials of a campaign as its events leave them: a pure fold, without any belief.

Outcomes count in the order in which they were first told; a correction changes an outcome in its place, a withdrawal
takes it out. So a campaign with a corrected mistake is believed to the last bit like one that never had it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from sureshot.campaign.log.requests import REQUESTED, Request, note_request
from sureshot.campaign.log.sound import opening_payload
from sureshot.core.numerics.stable import Array
from sureshot.errors import CorruptLog, UnknownName
from sureshot.storage import Event

__all__ = ["Entry", "Ledger", "counts", "extended", "tally", "totals", "unlisted"]

K = TypeVar("K", bound=Hashable)

State = Literal["pending", "told", "withdrawn"]


class Entry(NamedTuple):
    """One trial as it stands."""

    trial: int
    state: State
    asked: bool  # or told without being asked
    alternative: int | None  # row of the pool; None: not in it, see the levels in `payload_json`
    context_json: str | None
    payload_json: str | None  # of the event that opened it
    opened: int  # number of that event
    opened_at: str
    opened_by: str | None
    told: int = 0  # number of the event with the first outcome; 0: none
    told_at: str | None = None
    told_by: str | None = None
    successes: int | None = None
    of: int | None = None
    corrections: int = 0
    first: tuple[int, int] | None = None  # successes and tries as first told, where they were corrected since
    outcome: int = 0  # number of the event with the outcome that counts; 0: none
    withdrawn: int = 0  # number of the event that took it out; 0: none

    @property
    def context(self) -> dict[str, Any] | None:
        """The case that it was tried in, as a dict of your own."""
        return None if self.context_json is None else json.loads(self.context_json)

    @property
    def payload(self) -> dict[str, Any]:
        """What was recorded when it was opened, as a dict of your own."""
        return opening_payload(self.opened, self.payload_json)

    @property
    def levels(self) -> dict[str, Any]:
        """The levels of an alternative that is not in the pool, as they were recorded."""
        return self.payload["levels"]  # type: ignore[no-any-return]

    @property
    def tried(self) -> int | str:
        """What was tried: a row of the pool, or the levels of what is not in it, equal where these are."""
        return unlisted(self.levels) if self.alternative is None else self.alternative


def unlisted(levels: Mapping[str, Any]) -> str:
    """The levels of an alternative that is not in the pool as one text, equal where they are."""
    return json.dumps(dict(levels), sort_keys=True)


@dataclass(frozen=True, slots=True)
class Ledger:
    """All trials after event ``last``."""

    last: int = 0
    digest: str = ""  # of event `last`
    trials: dict[int, Entry] = field(default_factory=dict)
    order: tuple[int, ...] = ()  # trials in the order of their first outcome, withdrawn ones too
    notes: dict[int | None, list[str]] = field(default_factory=dict)  # of each trial; None: of the campaign
    rewritten: int = 0  # the last event that changed or took out an outcome told before
    learned: int = 0  # the last event that changed what is believed
    requests: dict[str, Request] = field(default_factory=dict)  # what was recorded under each key
    simulated: dict[str, Any] | None = None  # the world that answers, where no lab does

    def entry(self, trial: int) -> Entry:
        """The trial of that number, or an error that says which there are."""
        if trial not in self.trials:
            known = f"its trials are 1 to {len(self.trials)}" if self.trials else "it has no trials yet"
            raise UnknownName(f"no trial has the number {trial}: {known}.", field="trial", value=trial)
        return self.trials[trial]

    def counted(self) -> list[Entry]:
        """The trials whose outcomes count, in order."""
        return [entry for trial in self.order if (entry := self.trials[trial]).state == "told"]

    def pending(self) -> list[Entry]:
        """The trials whose outcomes are outstanding, in order."""
        return [entry for entry in self.trials.values() if entry.state == "pending"]

    def used(self) -> int:
        """How many trials were asked and not withdrawn: what a budget counts."""
        return sum(entry.asked and entry.state != "withdrawn" for entry in self.trials.values())


def counts(told: Sequence[Entry]) -> tuple[Array, Array]:
    """(n,) each: the successes of trials with outcomes, and the tries."""
    won, of = (np.fromiter((getattr(e, k) for e in told), np.float64, len(told)) for k in ("successes", "of"))
    return won, of


def tally(keyed: Iterable[tuple[K, Entry]]) -> dict[K, tuple[int, int]]:
    """The successes and the tries of all trials with the same key."""
    found: dict[K, tuple[int, int]] = {}
    for key, entry in keyed:
        won, of = found.get(key, (0, 0))
        found[key] = won + (entry.successes or 0), of + (entry.of or 0)
    return found


def totals(told: Iterable[Entry]) -> tuple[int, int]:
    """The successes and the tries of all these trials."""
    return tally(("all", entry) for entry in told).get("all", (0, 0))


def _may_follow(entry: Entry | None, kind: str, ahead: int) -> bool:
    """Whether an event of this kind may follow; of a trial that is not there, if it is the next one."""
    if entry is None:
        return ahead == 1 and (kind == "asked" or kind == "told")
    state = entry.state
    if kind == "told":
        return state == "pending"
    return (kind == "withdrawn" and state != "withdrawn") or (kind == "corrected" and state == "told")


def extended(ledger: Ledger, events: Iterable[Event]) -> Ledger:
    """The ledger after more events."""
    last, digest = ledger.last, ledger.digest
    rewritten, learned, simulated = ledger.rewritten, ledger.learned, ledger.simulated
    trials, order, requests = dict(ledger.trials), list(ledger.order), dict(ledger.requests)
    notes = {trial: list(texts) for trial, texts in ledger.notes.items()}
    for event in events:  # unpacked once: a hundred thousand in a fraction of a second
        last, at, kind, trial, alternative, context_json, successes, of, text, author, payload_json, digest = event
        if text:
            notes.setdefault(trial, []).append(text)
        if payload_json is not None and payload_json.startswith(REQUESTED):
            note_request(requests, trial, payload_json, last)
        if trial is None or (kind == "noted" and trial in trials):
            if trial is None and payload_json is not None:
                simulated = json.loads(payload_json).get("simulated", simulated)
            continue
        entry = trials.get(trial)
        if not _may_follow(entry, kind, trial - len(trials)):
            stands = "none was opened" if entry is None else f"trial {trial} is {entry.state}"
            fix = "the log was written by something else, so restore the store from a backup"
            raise CorruptLog(f"no trial can be {kind} where {stands}", fix=fix, place=f"event {last}")
        if entry is None:
            waits = kind == "asked"
            trials[trial] = Entry(
                trial=trial,
                state="pending" if waits else "told",
                asked=waits,
                alternative=alternative,
                context_json=context_json,
                payload_json=payload_json,
                opened=last,
                opened_at=at,
                opened_by=author,
                told=0 if waits else last,
                told_at=None if waits else at,
                told_by=None if waits else author,
                successes=successes,
                of=of,
                outcome=0 if waits else last,
            )
            if waits:
                continue
            order.append(trial)
        elif kind == "told":
            trials[trial] = entry._replace(
                state="told", told=last, told_at=at, told_by=author, successes=successes, of=of, outcome=last
            )
            order.append(trial)
        elif kind == "corrected":
            again = entry.corrections + 1
            first = entry.first or (entry.successes or 0, entry.of or 0)
            trials[trial] = entry._replace(
                successes=successes, of=of, told_at=at, told_by=author, corrections=again, first=first, outcome=last
            )
            rewritten = last
        else:
            trials[trial] = entry._replace(state="withdrawn", withdrawn=last)
            if entry.state == "pending":
                continue  # nothing was learned from it
            rewritten = last
        learned = last
    return Ledger(
        last=last,
        digest=digest,
        trials=trials,
        order=tuple(order),
        notes=notes,
        rewritten=rewritten,
        learned=learned,
        requests=requests,
        simulated=simulated,
    )
