"""Campaigns in a SQL database: the one class behind SQLite and PostgreSQL, on SQLAlchemy Core.

Every append is one short transaction that first locks its campaign (SQLite: the whole file), then checks the rules
against what is there now, then writes. Reads take no locks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from sureshot.errors import Conflict, CorruptLog, OtherLog, SureshotError
from sureshot.storage import chain, fields, rules
from sureshot.storage.backend import Backend
from sureshot.storage.heads import Head, first_head, proved_campaigns, read_head, remove_head, write_head
from sureshot.storage.records import CampaignRecord, CampaignSummary, Event, NewEvent, Snapshot, new_snapshot
from sureshot.storage.tables import campaign, event, snapshot

__all__ = ["SqlStorage"]

COLUMNS = [column for column in event.c if column.name != "campaign_id"]
"""The columns of an event in the order of :class:`Event`'s fields."""

TRIALS_AT_ONCE = 500
"""How many trials one query asks for: below the limit on parameters of every SQLite."""


class SqlStorage:
    """A :class:`~sureshot.storage.Storage` in a database. Open one with :func:`~sureshot.storage.open_storage`."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def __repr__(self) -> str:
        return f"SqlStorage({self._backend.place!r})"

    def create_campaign(
        self,
        name: str,
        spec: Mapping[str, Any],
        *,
        seed: int,
        created_at: datetime | None = None,
        events: Sequence[NewEvent] = (),
    ) -> CampaignRecord:
        """A new campaign, with its first events in the same transaction."""
        draft = chain.new_record(name, spec, seed, created_at)
        _, *columns = zip(campaign.c.keys(), draft, strict=True)  # the database gives the id
        new = insert(campaign).values(dict(columns)).returning(campaign.c.id)
        admitted = rules.admit(f"campaign {draft.name!r}", events, rules.End(0, 0, draft.digest))
        there = select(campaign.c.id).where(campaign.c.name == draft.name, campaign.c.genesis == draft.digest)

        def write(connection: Connection, again: bool) -> CampaignRecord:
            if again and (found := connection.scalar(there)) is not None:
                return draft._replace(id=found)
            made = draft._replace(id=connection.execute(new).scalar_one())
            head = first_head(connection, made)
            if admitted:
                self._backend.insert_many(connection, event, [(made.id, *one) for one in admitted])
                write_head(connection, head.after(admitted))
            return made

        try:
            return self._backend.written(write)
        except IntegrityError:
            raise rules.name_taken(draft.name) from None

    def campaigns(self) -> tuple[CampaignSummary, ...]:
        """All campaigns in the order of their creation."""
        with self._backend.reading() as connection:
            return proved_campaigns(connection)

    def campaign(self, name: str) -> CampaignRecord:
        """The campaign of that name."""
        with self._backend.reading() as connection:
            row = connection.execute(select(campaign).where(campaign.c.name == str(name))).first()
            if row is None:
                raise _no_campaign(name, proved_campaigns(connection))
            found = chain.verified_campaign(CampaignRecord._make(row))
            if (head := read_head(connection, found.id)).genesis != found.digest or head.name != found.name:
                raise CorruptLog(f"campaign {found.name!r}: another stands in its place", fix=chain.RESTORE)
        return found

    def rename_campaign(self, campaign_id: int, name: str) -> CampaignRecord:
        """Another name for a campaign."""
        new = fields.name_text(name)
        try:
            return self._changed(campaign_id, name=new)
        except IntegrityError:
            raise rules.name_taken(new) from None

    def archive_campaign(self, campaign_id: int, *, archived: bool = True) -> CampaignRecord:
        """Say that a campaign is to be left out of lists, or no longer."""
        since = func.coalesce(campaign.c.archived_at, fields.now()) if archived else None
        return self._changed(campaign_id, archived_at=since)

    def _changed(self, campaign_id: int, **values: Any) -> CampaignRecord:
        mine = campaign.c.id == campaign_id

        def write(connection: Connection, _again: bool) -> CampaignRecord:
            head = read_head(connection, campaign_id, lock=True)
            connection.execute(update(campaign).where(mine).values(values))
            found = CampaignRecord._make(connection.execute(select(campaign).where(mine)).one())
            write_head(connection, head._replace(name=found.name, archived_at=found.archived_at))
            return found

        return self._backend.written(write)

    def delete_campaign(self, campaign_id: int, *, expected_last: int | None = None) -> None:
        """Remove a campaign and all that belongs to it."""

        def write(connection: Connection, again: bool) -> None:
            if again and connection.scalar(select(campaign.c.id).where(campaign.c.id == campaign_id)) is None:
                return
            head = read_head(connection, campaign_id, lock=True)
            rules.refuse_out_of_date(head.title, expected_last, head.number)
            remove_head(connection, campaign_id)
            for table in (snapshot, event):
                connection.execute(delete(table).where(table.c.campaign_id == campaign_id))
            connection.execute(delete(campaign).where(campaign.c.id == campaign_id))

        self._backend.written(write)

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
        expected = {"expected_last": expected_last, "expected_trials": expected_trials}
        sent: list[tuple[Event, ...]] = []

        def write(connection: Connection, _again: bool) -> tuple[Event, ...]:
            head = read_head(connection, campaign_id, lock=True)
            for before in sent:  # and then the connection was lost
                if before and _digest_of(connection, campaign_id, before[-1].number) == before[-1].digest:
                    return before
            if known is not None:
                rules.refuse_other_log(head.title, *known, _digest_at(connection, head, known[0]))
            past = partial(_events_of, connection, head)
            admitted = rules.admit(head.title, events, head.end, past, **expected)
            if admitted:
                sent.append(admitted)
                self._backend.insert_many(connection, event, [(campaign_id, *one) for one in admitted])
                write_head(connection, head.after(admitted))
            return admitted

        try:
            return self._backend.written(write)
        except IntegrityError as error:  # somebody wrote past our rules; the database held them
            raise Conflict(f"the database refused the events, nothing was recorded: {error.orig}") from error

    def turn(self, campaign_id: int, meanwhile: Callable[[], object] | None = None) -> AbstractContextManager[None]:
        """Take turns with all who decide in this campaign, in whatever process."""
        return self._backend.turn(campaign_id, meanwhile)

    def events(self, campaign_id: int, *, after: int = 0, digest: str | None = None) -> tuple[Event, ...]:
        """The events with numbers above ``after``, in order, each proved to follow the one before."""
        start = fields.whole(after, "after")
        with suppress(CorruptLog, OtherLog), self._backend.reading(whole=False) as connection:  # a log only grows
            return _events_after(connection, campaign_id, start, digest)
        with self._backend.reading() as connection:  # unless it was deleted meanwhile
            return _events_after(connection, campaign_id, start, digest)

    def put_snapshot(self, campaign_id: int, number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
        """Keep what was computed from the first events, in place of an earlier snapshot."""
        made = new_snapshot(number, digest, payload)
        values = (campaign_id, made.number, digest, made.payload_json, chain.text_digest(made.payload_json), made.at)
        with self._backend.writing() as connection:
            read_head(connection, campaign_id, lock=True)
            if digest != _digest_of(connection, campaign_id, made.number):
                raise rules.other_history(made.number)
            connection.execute(delete(snapshot).where(snapshot.c.campaign_id == campaign_id))
            connection.execute(insert(snapshot).values(values))
        return made

    def get_snapshot(self, campaign_id: int) -> Snapshot | None:
        """The snapshot, if its payload is intact and its digest is that of its event in the log."""
        query = (
            select(snapshot, event.c.digest.label("in_log"))
            .outerjoin(event, and_(event.c.campaign_id == snapshot.c.campaign_id, event.c.number == snapshot.c.number))
            .where(snapshot.c.campaign_id == campaign_id)
        )
        with self._backend.reading() as connection:
            row = connection.execute(query).first()
            if row is None and connection.scalar(select(campaign.c.id).where(campaign.c.id == campaign_id)) is None:
                raise rules.no_campaign_id(campaign_id)
        if row is None or row.digest != row.in_log or not isinstance(row.payload, str):
            return None
        if chain.text_digest(row.payload) != row.payload_sha256:
            return None
        return Snapshot(number=row.number, digest=row.digest, payload_json=row.payload, at=row.at)

    def close(self) -> None:
        """Let go of files and connections."""
        self._backend.engine.dispose()


def _events_after(connection: Connection, campaign_id: int, start: int, digest: str | None) -> tuple[Event, ...]:
    """See :meth:`SqlStorage.events`: up to where the head says that the log ends."""
    head = read_head(connection, campaign_id)
    mine = event.c.campaign_id == campaign_id, event.c.number.between(start, head.number)
    rows = connection.execute(select(*COLUMNS).where(*mine).order_by(event.c.number)).all()
    begins, there = 0, head.genesis
    if rows and rows[0][0] == start:  # the event before the first one wanted: where the chain goes on
        begins, there = 1, rows[0][-1]
    found = chain.verified(rows[begins:], after=start, digest=there, campaign=head.title)
    last = found[-1] if found else None
    if start < head.number and (last is None or (last.number, last.digest) != (head.number, head.digest)):
        said = f"{head.title}: its log must go on to event {head.number}, and ends with event {last and last.number}"
        raise CorruptLog(said, fix=chain.RESTORE)
    rules.refuse_other_log(head.title, start, digest, there if start <= head.number else None)
    return found


def _digest_at(connection: Connection, head: Head, number: int) -> str | None:
    """The digest that the log of that head has after so many events; None: it ends before."""
    if number in (0, head.number):
        return head.digest if number else head.genesis
    return _digest_of(connection, head.id, number)


def _digest_of(connection: Connection, campaign_id: int, number: int) -> str | None:
    """The digest of an event; None: there is none of that number."""
    return connection.scalar(select(event.c.digest).where(event.c.campaign_id == campaign_id, event.c.number == number))


def _events_of(connection: Connection, head: Head, trials: list[int]) -> Iterator[Event]:
    """The events of these trials, in order; a trial without any is one that was lost."""
    missing = set(trials)
    for first in range(0, len(trials), TRIALS_AT_ONCE):
        some = trials[first : first + TRIALS_AT_ONCE]
        query = select(*COLUMNS).where(event.c.campaign_id == head.id, event.c.trial.in_(some))
        for one in map(Event._make, connection.execute(query.order_by(event.c.number))):
            missing.discard(one.trial)
            yield one
    if missing:
        raise CorruptLog(f"{head.title}: trial {min(missing)} is missing", fix=chain.RESTORE)


def _no_campaign(name: str, known: Sequence[CampaignSummary]) -> SureshotError:
    """Why a name is not found: there is none, or what leads to it is damaged."""
    if any(one.name == name for one in known):
        return CorruptLog(f"campaign {name!r} is there, and its entry in the index is not", fix=chain.RESTORE)
    return rules.no_campaign(name, (one.name for one in known))
