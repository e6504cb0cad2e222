"""A campaign's log as this process knows it: read on, written to, folded into a belief when one is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Literal, TypeVar

import numpy as np

from sureshot.campaign.log.believed import Base, folded, snapshot_base, snapshot_payload
from sureshot.campaign.log.ledger import Entry, Ledger, extended
from sureshot.campaign.log.requests import Keyed, recorded_before
from sureshot.campaign.log.sound import refuse_unreadable, refuse_unsound
from sureshot.campaign.model.prior import belief_to_dict
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture
from sureshot.errors import Conflict, CorruptLog, NotKnown, OutOfDate, Recorded, SureshotError
from sureshot.said import Setting
from sureshot.storage import CampaignRecord, Event, NewEvent, Storage
from sureshot.storage.rules import refuse_other_log

__all__ = ["Log"]

T = TypeVar("T")

#: How often events are decided again when others record something meanwhile.
ATTEMPTS = 50
#: A snapshot is kept after so many more outcomes.
SNAPSHOT_EVERY = 4096


@contextmanager
def _of_campaign(name: str) -> Iterator[None]:
    """Errors about events say of which campaign."""
    try:
        yield
    except CorruptLog as error:
        raise error.at(f"campaign {name!r}") from error


class Log:
    """The state of a :class:`~sureshot.campaign.Campaign`, all of it a cache of what the store holds."""

    def __init__(self, record: CampaignRecord, storage: Storage, spec: Spec, until: int | None) -> None:
        self.record, self.storage, self.spec, self.until = record, storage, spec, until
        self._ledger, self._read = Ledger(digest=record.digest), False
        self.kept = 0  # outcomes in the snapshot
        self._base: Base | None = None
        self._belief: tuple[int, Belief | Mixture] | None = None  # and the last event that it knows

    @property
    def ledger(self) -> Ledger:
        """The trials as they were when the log was last read; it is read when this is first wanted."""
        return self._ledger if self._read else self.sync()

    def sync(self) -> Ledger:
        """Read what was recorded since; a view of an earlier time stops there."""
        if self.until is None or self._ledger.last < self.until:
            known = self._ledger
            self._extend(self.storage.events(self.record.id, after=known.last, digest=known.digest))
        return self._ledger

    def begun(self) -> None:
        """Take it that there is nothing to read yet: this process has just made the campaign."""
        self._read = True

    def events(self) -> tuple[Event, ...]:
        """All events up to now, as they are recorded."""
        every = self.storage.events(self.record.id, digest=self.record.digest)[: self.until]
        known = self._ledger
        if known.last:
            found = every[known.last - 1].digest if known.last <= len(every) else None
            refuse_other_log(f"campaign {self.record.name!r}", known.last, known.digest, found)
        self._extend(every[self._ledger.last :])
        return every

    def _extend(self, events: Sequence[Event]) -> None:
        """Take in events that follow those known; of a view of an earlier time, not the later ones."""
        if self.until is not None:
            events = events[: self.until - self._ledger.last]
        if events:
            with _of_campaign(self.record.name):
                refuse_unsound(self.spec.pool, events, trials=len(self._ledger.trials))
                self._ledger = extended(self._ledger, events)
        self._read = True

    def record_decided(
        self,
        call: Keyed | None,
        decide: Callable[[Ledger], tuple[T, Sequence[NewEvent]]],
        *,
        unless: Literal["anything", "trials"] = "anything",
        prepare: Callable[[], object] | None = None,
    ) -> tuple[T | None, list[int]]:
        """Record events that depend on all before them, in one's turn, and give back what ``decide`` gave with them,
        and their trials; for what this call recorded before, None and its trials.

        They are decided again if others recorded ``anything`` meanwhile, or only if they opened ``trials``. Whoever is
        next keeps up with what others record, and does ``prepare``, so that their turn is short.
        """
        self.writable()
        with self.storage.turn(self.record.id, None if prepare is None else self._keeping_up(prepare)):
            for _ in range(ATTEMPTS):
                ledger = self.sync()
                before = None if call is None else recorded_before(ledger.requests, call)
                if before is not None:
                    return None, list(before)
                found, events = decide(ledger)
                trials = unless == "trials"
                expected = {"expected_trials": len(ledger.trials)} if trials else {"expected_last": ledger.last}
                try:
                    return found, self.append(events, call, **expected) if events else []
                except OutOfDate:
                    continue
        raise OutOfDate(f"others recorded something {ATTEMPTS} times while this was being decided: try again.")

    def _keeping_up(self, prepare: Callable[[], object]) -> Callable[[], None]:
        """Read what others recorded, and prepare once nobody recorded anything since the last look: a trial that is
        handed out is often told at once, and all would have to be prepared again.
        """
        read = prepared = -1

        def keep_up() -> None:
            nonlocal read, prepared
            before, read = read, self.sync().last
            if prepared < read == before:
                prepare()
                prepared = read

        return keep_up

    def append_once(self, event: NewEvent, call: Keyed) -> list[int]:
        """Record one event, whatever others record meanwhile, once for each call; gives back its trial, if any."""
        if call.given:
            return self.record_decided(call, lambda _: (None, [event]))[1]
        return self.append([event], call)

    def append(self, events: Sequence[NewEvent], call: Keyed | None = None, **expected: int) -> list[int]:
        """Record, and read everything since; gives back the trials."""
        self.writable()
        if not self._read:
            self.sync()  # a log that can't be read is not written to
        events = events if call is None else call.on(events)
        refuse_unreadable(self.spec.pool, events, trials=len(self._ledger.trials))
        try:
            known = self._ledger.last, self._ledger.digest
            recorded = self.storage.append(self.record.id, events, known=known, **expected)
        except NotKnown as error:
            if call is None:
                raise
            again = Setting("key", call.key)
            raise NotKnown(error.sentence, " Or repeat it with ", again, ": then it is recorded once.") from error
        try:
            if recorded and recorded[0].number == self._ledger.last + 1:
                self._extend(recorded)
            else:
                self.sync()
            self._keep()
        except SureshotError as error:
            last = f"event {recorded[-1].number}" if recorded else "nothing new"
            raise Recorded(f"this is recorded ({last}), but what came after failed: ", error.sentence) from error
        return [event.trial for event in recorded if event.trial is not None]

    def writable(self) -> None:
        """Refuse to write to a view of an earlier time."""
        if self.until is not None:
            raise Conflict(
                f"this is campaign {self.record.name!r} as of event {self.until}, to look at only: open it again "
                "to go on."
            )

    def believed(self) -> Belief | Mixture:
        """The belief after the ledger's outcomes: from the last whole block, if no outcome in it changed since."""
        ledger = self.ledger
        if self._belief is not None and self._belief[0] == ledger.learned:
            return self._belief[1]
        counted = ledger.counted()
        before = self._belief[0] if self._belief is not None else 0
        if self._base is None or ledger.rewritten > before:
            self._base = self._from_snapshot(counted) or Base(0, self.spec.prior)
        self._base, belief = folded(self.spec.pool, self._base, counted)
        self._belief = ledger.learned, belief
        return belief

    def take_over(self, other: Log) -> None:
        """Have the belief that another log of the same campaign computed, if it is of a later event."""
        theirs, ours = other._belief, self._belief
        if theirs is not None and (ours is None or theirs[0] > ours[0]):
            self._base, self._belief, self.kept = other._base, theirs, other.kept

    def verify(self) -> None:
        """Refuse a belief in use that is not, to the last bit, what the prior and all outcomes give."""
        _, fresh = folded(self.spec.pool, Base(0, self.spec.prior), self.sync().counted())
        if belief_to_dict(fresh) != belief_to_dict(self.believed()):
            raise CorruptLog(
                "the belief in use is not what the log gives: delete the row of this campaign in `snapshot`."
            )

    def rng(self, number: int, *, stream: int) -> np.random.Generator:
        """Randomness derived from the campaign's seed and an event; asking and answering have streams of their own."""
        return np.random.default_rng([self.record.seed, number, stream])

    def _from_snapshot(self, counted: Sequence[Entry]) -> Base | None:
        found = self.storage.get_snapshot(self.record.id)
        base = None if found is None else snapshot_base(found.payload, counted, self.record.spec_sha256)
        if base is not None and base.belief.d != self.spec.pool.design.width:
            base = None
        self.kept = 0 if base is None else base.outcomes
        return base

    def _keep(self) -> None:
        """Keep a snapshot now and then. It is a cache: a store that refuses it does no harm."""
        if len(self.ledger.order) - self.kept < SNAPSHOT_EVERY:
            return
        self.believed()
        if self._base is not None and self._base.outcomes > self.kept:
            payload = snapshot_payload(self._base, self.ledger.counted(), self.record.spec_sha256)
            with suppress(SureshotError):
                self.storage.put_snapshot(self.record.id, self.ledger.last, self.ledger.digest, payload)
            self.kept = self._base.outcomes
