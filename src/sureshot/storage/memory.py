"""Campaigns in this process's memory: for tests, examples and simulations. Gone when the process ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain as chain_of
from itertools import count
from threading import Lock, RLock
from typing import Any

from sureshot.storage import chain, fields, rules
from sureshot.storage.records import CampaignRecord, CampaignSummary, Event, NewEvent, Snapshot, new_snapshot

__all__ = ["MemoryStorage"]


@dataclass(slots=True)
class _Log:
    """One campaign and all that belongs to it; only ever touched under the storage's lock."""

    record: CampaignRecord
    events: list[Event] = field(default_factory=list)
    trials: dict[int, list[Event]] = field(default_factory=dict)  # the events of each
    snapshot: Snapshot | None = None
    turns: Lock = field(default_factory=Lock)

    def extend(
        self, new: Sequence[NewEvent], expected_last: int | None = None, expected_trials: int | None = None
    ) -> tuple[Event, ...]:
        end = rules.End(len(self.events), len(self.trials), self.digest(len(self.events)) or "")
        title = f"campaign {self.record.name!r}"
        admitted = rules.admit(title, new, end, self._of, expected_last=expected_last, expected_trials=expected_trials)
        self.events.extend(admitted)
        for event in admitted:
            if event.trial is not None:
                self.trials.setdefault(event.trial, []).append(event)
        return admitted

    def digest(self, number: int) -> str | None:
        """The digest of an event, of 0 that of the campaign; None: there is none of that number."""
        if number == 0:
            return self.record.digest
        return self.events[number - 1].digest if number <= len(self.events) else None

    def refuse_other(self, number: int, digest: str | None) -> None:
        """Refuse who read another log than this."""
        rules.refuse_other_log(f"campaign {self.record.name!r}", number, digest, self.digest(number))

    def _of(self, trials: Sequence[int]) -> Iterator[Event]:
        return chain_of(*(self.trials[trial] for trial in trials))


class MemoryStorage:
    """A :class:`~sureshot.storage.Storage` in plain Python, safe for threads."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._logs: dict[int, _Log] = {}
        self._ids = count(1)  # none is given twice

    def create_campaign(
        self,
        name: str,
        spec: Mapping[str, Any],
        *,
        seed: int,
        created_at: datetime | None = None,
        events: Sequence[NewEvent] = (),
    ) -> CampaignRecord:
        """A new campaign, with its first events."""
        draft = chain.new_record(name, spec, seed, created_at)
        with self._lock:
            self._refuse_taken(draft.name)
            log = _Log(draft)
            log.extend(events)
            log.record = draft._replace(id=next(self._ids))
            self._logs[log.record.id] = log
        return log.record

    def campaigns(self) -> tuple[CampaignSummary, ...]:
        """All campaigns in the order of their creation."""
        with self._lock:
            return tuple(
                CampaignSummary(
                    id=log.record.id,
                    name=log.record.name,
                    created_at=log.record.created_at,
                    last_number=len(log.events),
                    last_at=log.events[-1].at if log.events else None,
                    archived_at=log.record.archived_at,
                )
                for log in self._logs.values()
            )

    def campaign(self, name: str) -> CampaignRecord:
        """The campaign of that name."""
        with self._lock:
            by_name = {log.record.name: log.record for log in self._logs.values()}
        if name not in by_name:
            raise rules.no_campaign(name, by_name)
        return by_name[name]

    def rename_campaign(self, campaign_id: int, name: str) -> CampaignRecord:
        """Another name for a campaign."""
        new = fields.name_text(name)
        with self._lock:
            log = self._log(campaign_id)
            if new != log.record.name:
                self._refuse_taken(new)
            log.record = log.record._replace(name=new)
            return log.record

    def archive_campaign(self, campaign_id: int, *, archived: bool = True) -> CampaignRecord:
        """Say that a campaign is to be left out of lists, or no longer."""
        with self._lock:
            log = self._log(campaign_id)
            log.record = log.record._replace(archived_at=log.record.archived_at or fields.now() if archived else None)
            return log.record

    def delete_campaign(self, campaign_id: int, *, expected_last: int | None = None) -> None:
        """Remove a campaign and all that belongs to it."""
        with self._lock:
            log = self._log(campaign_id)
            rules.refuse_out_of_date(f"campaign {log.record.name!r}", expected_last, len(log.events))
            del self._logs[campaign_id]

    def append(
        self,
        campaign_id: int,
        events: Sequence[NewEvent],
        *,
        expected_last: int | None = None,
        expected_trials: int | None = None,
        known: tuple[int, str] | None = None,
    ) -> tuple[Event, ...]:
        """Record events, all or none."""
        with self._lock:
            log = self._log(campaign_id)
            if known is not None:
                log.refuse_other(*known)
            return log.extend(events, expected_last, expected_trials)

    @contextmanager
    def turn(self, campaign_id: int, meanwhile: Callable[[], object] | None = None) -> Iterator[None]:  # noqa: ARG002
        """Take turns with the other threads that decide in this campaign. They share one interpreter, so that nothing
        is won by what one of them would do ``meanwhile``.
        """
        with self._lock:
            turns = self._log(campaign_id).turns
        with turns:
            yield

    def events(self, campaign_id: int, *, after: int = 0, digest: str | None = None) -> tuple[Event, ...]:
        """The events with numbers above ``after``, in order."""
        start = fields.whole(after, "after")
        with self._lock:
            log = self._log(campaign_id)
            log.refuse_other(start, digest)
            return tuple(log.events[start:])

    def put_snapshot(self, campaign_id: int, number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
        """Keep what was computed from the first events."""
        snapshot = new_snapshot(number, digest, payload)
        with self._lock:
            log = self._log(campaign_id)
            if log.digest(snapshot.number) != digest:
                raise rules.other_history(snapshot.number)
            log.snapshot = snapshot
        return snapshot

    def get_snapshot(self, campaign_id: int) -> Snapshot | None:
        """The snapshot, if there is one."""
        with self._lock:
            return self._log(campaign_id).snapshot

    def close(self) -> None:
        """Nothing to let go of."""

    def _refuse_taken(self, name: str) -> None:
        if any(log.record.name == name for log in self._logs.values()):
            raise rules.name_taken(name)

    def _log(self, campaign_id: int) -> _Log:
        if campaign_id not in self._logs:
            raise rules.no_campaign_id(campaign_id)
        return self._logs[campaign_id]
