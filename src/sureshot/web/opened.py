"""The campaigns of a store, opened when they are first wanted and kept open; each is used by one request at a time.

What takes long is worked out apart, on a second view of the campaign and in a thread of its own: a page waits for it
for a moment only, and who wants to record something does not wait at all. An address names a campaign by its number in
the store, which stays when it is renamed.

If an earlier state of the store is restored under us, what we hold is of another log: it is let go, and opened again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from sureshot.campaign import Campaign
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.view import beside, handed_on
from sureshot.errors import Conflict, OtherLog, UnknownName
from sureshot.storage import CampaignSummary, Storage

__all__ = ["Held", "Opened"]

T = TypeVar("T")

#: Answers of one campaign that are kept, at most: of more (pages of a table, cases), the last ones. A look at it as it
#: once was is one too, with a belief of its own.
KEPT = 32
#: Threads that work something out apart, at once.
WORKERS = 2
#: Things of one campaign that wait to be worked out, at most: of more, those asked for last.
WAITING = 8
#: How often a campaign is looked for again that was renamed while it was opened.
RENAMED = 10


class Held:
    """A campaign that is open, and the answers that it gave since its last event."""

    apart: Apart

    def __init__(self, number: int, campaign: Campaign) -> None:
        self.number, self.campaign, self.lock = number, campaign, threading.RLock()
        self._answers: tuple[int, dict[Hashable, Any]] = (-1, {})

    def answer(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What ``compute`` gives; kept under the key until something is recorded."""
        last = self.last()
        if self._answers[0] != last:
            self._answers = last, {}
        known = self._answers[1]
        found = known.pop(key) if key in known else compute()
        while len(known) >= KEPT:
            known.pop(next(iter(known)))
        known[key] = found  # as the last, which goes last
        return found

    def last(self) -> int:
        """The number of the last event, those of others too."""
        return self.campaign.last_event()


class _Task(NamedTuple):
    """Something to be worked out, and after which event."""

    future: Future[Any]
    last: int
    work: Callable[[Held], Any]


class Apart:
    """What is worked out of one campaign apart from it, one thing after another, in one thread while there is any."""

    def __init__(self, held: Held, workers: threading.Semaphore) -> None:
        self.looker, self._workers = Held(held.number, beside(held.campaign)), workers
        self._guard = threading.Lock()
        self._last, self._begun = -1, OrderedDict[Hashable, Future[Any]]()
        self._waiting: deque[_Task] = deque()
        self._running = False

    def soon(self, last: int, key: Hashable, work: Callable[[Held], T], within: float) -> T | None:
        """What ``work`` gives after event ``last``, if it is done within so many seconds; else it goes on, and None."""
        with self._guard:
            if last > self._last:  # whoever read the list before somebody else did is given what is newer
                self._last, self._begun = last, OrderedDict()
                self._let_go(0)
            task = self._begun.get(key)
            if task is None or (task.done() and task.exception() is not None):
                task = self._begin(key, work)
            self._begun.move_to_end(key)
        try:
            return task.result(timeout=within)  # type: ignore[no-any-return]
        except TimeoutError:
            return None

    def _begin(self, key: Hashable, work: Callable[[Held], Any]) -> Future[Any]:
        if not self._running:
            threading.Thread(target=self._run, daemon=True).start()
            self._running = True
        self._let_go(WAITING - 1)
        task = self._begun[key] = Future()
        self._waiting.append(_Task(task, self._last, work))
        while len(self._begun) > KEPT:
            self._begun.popitem(last=False)
        return task

    def _let_go(self, most: int) -> None:
        """Of what waits, keep so many, those asked for last."""
        while len(self._waiting) > most:
            self._waiting.popleft().future.set_exception(TimeoutError())

    def _run(self) -> None:
        while True:
            with self._guard:
                if not self._waiting:
                    self._running = False
                    return
                task = self._waiting.popleft()
            with self.looker.lock, self._workers:  # in this order: who waits for a campaign keeps no other waiting
                try:
                    if task.last < self._last:  # nobody wants it any more
                        raise TimeoutError
                    task.future.set_result(task.work(self.looker))
                except BaseException as error:
                    task.future.set_exception(error)

    def exchange(self, held: Held) -> None:
        """Let the campaign and what looks at it have what either knows, unless that is being worked out."""
        if self.looker.lock.acquire(blocking=False):
            try:
                handed_on(self.looker.campaign, held.campaign)
                handed_on(held.campaign, self.looker.campaign)
            finally:
                self.looker.lock.release()


class Opened:
    """All campaigns of a store, of which the last so many that were used stay open."""

    def __init__(self, storage: Storage, most: int, patience: float) -> None:
        self.storage, self._most, self._patience = storage, most, patience
        self._held: OrderedDict[int, Held] = OrderedDict()
        self._seen: dict[int, CampaignSummary] = {}  # the latest line of each campaign
        self._lock, self._workers = threading.Lock(), threading.Semaphore(WORKERS)

    def summaries(self) -> tuple[CampaignSummary, ...]:
        """One line for each campaign, archived ones too."""
        with self._lock:
            before = dict(self._seen)
        found = self.storage.campaigns()
        with self._lock:
            for one in found:
                if one.id in before and _restored(before[one.id], one):
                    self._held.pop(one.id, None)
                    self._seen[one.id] = one
                elif one.id not in self._seen or self._seen[one.id].last_number < one.last_number:
                    self._seen[one.id] = one
        return found

    def summary(self, number: int) -> CampaignSummary:
        """The line of one campaign."""
        for one in self.summaries():
            if one.id == number:
                return one
        raise UnknownName(
            f"there is no campaign {number} in this store", value=number, fix="it may have been deleted: see the list"
        )

    @contextmanager
    def use(self, number: int) -> Iterator[Held]:
        """The campaign, for this request alone as long as it lasts. One that others renamed or deleted is seen so."""
        with self.use_line(self.summary(number)) as found:
            yield found

    @contextmanager
    def use_line(self, line: CampaignSummary) -> Iterator[Held]:
        """The same, of a line that was just read."""
        found = self._find(line)
        with found.lock, self._let_go_if_other(line.id):
            found.apart.exchange(found)
            yield found

    @contextmanager
    def looking(self, number: int) -> Iterator[Held]:
        """The campaign to look at for as long as it takes, beside who records something in it."""
        found = self._find(self.summary(number)).apart.looker
        with found.lock, self._let_go_if_other(number):
            yield found

    @contextmanager
    def _let_go_if_other(self, number: int) -> Iterator[None]:
        """A campaign whose log turns out to be another one is opened again by the next request."""
        try:
            yield
        except OtherLog:
            with self._lock:
                self._held.pop(number, None)
            raise

    def spec(self, line: CampaignSummary) -> Spec:
        """What a campaign is, which never changes: nobody is waited for."""
        return self._find(line).campaign.spec

    def soon(self, line: CampaignSummary, key: Hashable, work: Callable[[Held], T]) -> T | None:
        """What ``work`` gives of a campaign, worked out apart and kept until something is recorded; None if it is not
        known after a moment: then it goes on, and is there when it is asked for again.
        """
        with self._let_go_if_other(line.id):
            return self._find(line).apart.soon(line.last_number, key, work, self._patience)

    def _find(self, line: CampaignSummary) -> Held:
        with self._lock:
            held = self._held.get(line.id)
            if held is not None and _is(held, line):
                self._held.move_to_end(line.id)
                return held
        line, campaign = self._open(line)  # perhaps twice at once: one of the two is kept
        with self._lock:
            held = self._held.get(line.id)
            if held is None or not _is(held, line):
                held = self._held[line.id] = Held(line.id, campaign)
                held.apart = Apart(held, self._workers)
            self._held.move_to_end(line.id)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
            return held

    def _open(self, line: CampaignSummary) -> tuple[CampaignSummary, Campaign]:
        """The campaign of a line, whatever it is called by now: its name may be another's already."""
        for _ in range(RENAMED):
            try:
                found = Campaign.open(line.name, self.storage)
            except UnknownName:
                found = None
            if found is not None and found.number == line.id:
                return line, found
            line = self.summary(line.id)
        raise Conflict(f"campaign {line.id} is being renamed again and again", fix="try again")

    def close(self) -> None:
        """Let go of the store."""
        self.storage.close()


def _restored(before: CampaignSummary, now: CampaignSummary) -> bool:
    """Whether a log does not go on from where it was seen to end."""
    if now.last_number == before.last_number:
        return (now.last_at, now.created_at) != (before.last_at, before.created_at)
    return now.last_number < before.last_number


def _is(held: Held, line: CampaignSummary) -> bool:
    """Whether a campaign that is open is still called so, and archived or not; by who looks at it apart, too."""
    now = line.name, line.archived_at is not None
    return all((one.name, one.archived) == now for one in (held.campaign, held.apart.looker.campaign))
