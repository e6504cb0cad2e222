"""Campaigns in a SQL database: the one class behind SQLite and PostgreSQL, on SQLAlchemy Core.

Every append is one short transaction that first locks its campaign (SQLite: the whole file), then checks the rules
against what is there now, then writes. Reads take no locks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from sureshot.errors import Conflict
from sureshot.storage import chain, fields, rules
from sureshot.storage.backend import Backend
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
        try:
            with self._backend.writing() as connection:
                made = draft._replace(id=connection.execute(new).scalar_one())
                if admitted:
                    self._backend.insert_many(connection, event, [(made.id, *one) for one in admitted])
        except IntegrityError:
            raise rules.name_taken(draft.name) from None
        return made

    def campaigns(self) -> tuple[CampaignSummary, ...]:
        """All campaigns in the order of their creation."""
        last = (
            select(func.max(event.c.number)).where(event.c.campaign_id == campaign.c.id).correlate(campaign)
        ).scalar_subquery()
        query = (
            select(
                campaign.c.id,
                campaign.c.name,
                campaign.c.created_at,
                func.coalesce(event.c.number, 0),
                event.c.at,
                campaign.c.archived_at,
            )
            .select_from(campaign)
            .outerjoin(event, and_(event.c.campaign_id == campaign.c.id, event.c.number == last))
            .order_by(campaign.c.id)
        )
        with self._backend.reading() as connection:
            return tuple(CampaignSummary._make(row) for row in connection.execute(query))

    def campaign(self, name: str) -> CampaignRecord:
        """The campaign of that name."""
        with self._backend.reading() as connection:
            row = connection.execute(select(campaign).where(campaign.c.name == str(name))).first()
            if row is None:
                raise rules.no_campaign(name, connection.scalars(select(campaign.c.name)))
        return chain.verified_campaign(CampaignRecord._make(row))

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
        with self._backend.writing() as connection:
            connection.execute(update(campaign).where(mine).values(values))
            row = connection.execute(select(campaign).where(mine)).first()
            if row is None:
                raise rules.no_campaign_id(campaign_id)
        return CampaignRecord._make(row)

    def delete_campaign(self, campaign_id: int, *, expected_last: int | None = None) -> None:
        """Remove a campaign and all that belongs to it."""
        with self._backend.writing() as connection:
            title, genesis = _head(connection, campaign_id, lock=True)
            rules.refuse_out_of_date(title, expected_last, _end(connection, campaign_id, genesis).number)
            for table in (snapshot, event):
                connection.execute(delete(table).where(table.c.campaign_id == campaign_id))
            connection.execute(delete(campaign).where(campaign.c.id == campaign_id))

    def append(
        self, campaign_id: int, events: Sequence[NewEvent], *, expected_last: int | None = None
    ) -> tuple[Event, ...]:
        """Record events, all or none."""
        try:
            with self._backend.writing() as connection:
                title, genesis = _head(connection, campaign_id, lock=True)
                end, past = _end(connection, campaign_id, genesis), partial(_events_of, connection, campaign_id)
                admitted = rules.admit(title, events, end, past, expected_last=expected_last)
                if admitted:
                    self._backend.insert_many(connection, event, [(campaign_id, *one) for one in admitted])
        except IntegrityError as error:  # somebody wrote past our rules; the database held them
            raise Conflict(f"the database refused the events, nothing was recorded: {error.orig}") from error
        return admitted

    def events(self, campaign_id: int, *, after: int = 0) -> tuple[Event, ...]:
        """The events with numbers above ``after``, in order, each proved to follow the one before."""
        start = fields.whole(after, "after")
        query = (
            select(*COLUMNS).where(event.c.campaign_id == campaign_id, event.c.number >= start).order_by(event.c.number)
        )
        with self._backend.reading() as connection:
            title, digest = _head(connection, campaign_id)
            rows = connection.execute(query).all()
        begins = 0
        if rows and rows[0][0] == start:  # the event before the first one wanted: where the chain goes on
            begins, digest = 1, rows[0][-1]
        return chain.verified(rows[begins:], after=start, digest=digest, campaign=title)

    def put_snapshot(self, campaign_id: int, number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
        """Keep what was computed from the first events, in place of an earlier snapshot."""
        made = new_snapshot(number, digest, payload)
        values = (campaign_id, made.number, digest, made.payload_json, chain.text_digest(made.payload_json), made.at)
        in_log = select(event.c.digest).where(event.c.campaign_id == campaign_id, event.c.number == made.number)
        with self._backend.writing() as connection:
            _head(connection, campaign_id, lock=True)
            if digest != connection.scalar(in_log):
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
            _head(connection, campaign_id)
            row = connection.execute(query).first()
        if row is None or row.digest != row.in_log or chain.text_digest(row.payload) != row.payload_sha256:
            return None
        return Snapshot(number=row.number, digest=row.digest, payload_json=row.payload, at=row.at)

    def close(self) -> None:
        """Let go of files and connections."""
        self._backend.engine.dispose()


def _head(connection: Connection, campaign_id: int, *, lock: bool = False) -> tuple[str, str]:
    """The campaign as an error message calls it, and the digest that its chain begins with.

    With ``lock``, every other append to this campaign waits until we commit.
    """
    query = select(campaign.c.name, campaign.c.digest).where(campaign.c.id == campaign_id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise rules.no_campaign_id(campaign_id)
    return f"campaign {row.name!r}", row.digest


def _end(connection: Connection, campaign_id: int, genesis: str) -> rules.End:
    mine = event.c.campaign_id == campaign_id
    last = select(event.c.number, event.c.digest).where(mine).order_by(event.c.number.desc()).limit(1)
    row = connection.execute(last).first()
    if row is None:
        return rules.End(0, 0, genesis)
    return rules.End(row.number, connection.scalar(select(func.max(event.c.trial)).where(mine)) or 0, row.digest)


def _events_of(connection: Connection, campaign_id: int, trials: list[int]) -> Iterator[Event]:
    for first in range(0, len(trials), TRIALS_AT_ONCE):
        some = trials[first : first + TRIALS_AT_ONCE]
        query = select(*COLUMNS).where(event.c.campaign_id == campaign_id, event.c.trial.in_(some))
        yield from map(Event._make, connection.execute(query.order_by(event.c.number)))
