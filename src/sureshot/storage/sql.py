"""Campaigns in a SQL database: the one class behind SQLite and PostgreSQL, on SQLAlchemy Core.

Every append is one short transaction that first locks its campaign (SQLite: the whole file), then checks the rules
against what is there now, then writes. Reads take no locks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from sureshot.errors import Conflict
from sureshot.storage import chain, fields, naming, rules
from sureshot.storage.backend import Backend
from sureshot.storage.records import CampaignRecord, CampaignSummary, Event, NewEvent, Snapshot
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
        draft = naming.new_record(name, spec, seed, created_at)
        values = {
            "name": draft.name,
            "created_at": draft.created_at,
            "seed": draft.seed,
            "spec": draft.spec_json,
            "spec_sha256": draft.spec_sha256,
            "digest": draft.digest,
        }
        first = rules.End(0, 0, draft.digest)
        admitted = rules.admit(f"campaign {draft.name!r}", events, first, {}, at=fields.now())
        try:
            with self._backend.writing() as connection:
                made = connection.execute(insert(campaign).values(values)).inserted_primary_key
                assert made is not None
                if admitted:
                    self._backend.insert_many(connection, event, [(int(made[0]), *one) for one in admitted])
        except IntegrityError:
            raise naming.name_taken(draft.name) from None
        return replace(draft, id=int(made[0]))

    def campaigns(self) -> tuple[CampaignSummary, ...]:
        """All campaigns in the order of their creation."""
        last = (
            select(func.max(event.c.number)).where(event.c.campaign_id == campaign.c.id).correlate(campaign)
        ).scalar_subquery()
        query = (
            select(campaign.c.id, campaign.c.name, campaign.c.created_at, func.coalesce(event.c.number, 0), event.c.at)
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
                raise naming.no_campaign(name, connection.scalars(select(campaign.c.name)))
        found = CampaignRecord(
            id=row.id,
            name=row.name,
            created_at=row.created_at,
            seed=row.seed,
            spec_json=row.spec,
            spec_sha256=row.spec_sha256,
            digest=row.digest,
        )
        return chain.verified_campaign(found)

    def append(
        self, campaign_id: int, events: Sequence[NewEvent], *, expected_last: int | None = None
    ) -> tuple[Event, ...]:
        """Record events, all or none."""
        try:
            with self._backend.writing() as connection:
                title, genesis = _locked(connection, campaign_id)
                end = _end(connection, campaign_id, genesis)
                rules.check_expected(title, end, expected_last)
                states = _states(connection, campaign_id, rules.trials_named(events, end))
                admitted = rules.admit(title, events, end, states, at=fields.now())
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

    def last_number(self, campaign_id: int) -> int:
        """The number of the last event."""
        with self._backend.reading() as connection:
            _, genesis = _head(connection, campaign_id)
            return _end(connection, campaign_id, genesis).number

    def put_snapshot(self, campaign_id: int, number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
        """Keep what was computed from the first events, in place of an earlier snapshot."""
        made = naming.new_snapshot(number, digest, payload)
        values = {
            "campaign_id": campaign_id,
            "number": made.number,
            "digest": made.digest,
            "payload": made.payload_json,
            "payload_sha256": chain.text_digest(made.payload_json),
            "at": made.at,
        }
        with self._backend.writing() as connection:
            _locked(connection, campaign_id)
            if digest != connection.scalar(_digest_of(campaign_id, made.number)):
                raise naming.other_history(made.number)
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
    """The campaign as an error message calls it, and the digest that its chain begins with."""
    query = select(campaign.c.name, campaign.c.digest).where(campaign.c.id == campaign_id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise naming.no_campaign_id(campaign_id)
    return f"campaign {row.name!r}", row.digest


def _locked(connection: Connection, campaign_id: int) -> tuple[str, str]:
    """As :func:`_head`, with every other append to this campaign waiting until we commit."""
    return _head(connection, campaign_id, lock=True)


def _end(connection: Connection, campaign_id: int, genesis: str) -> rules.End:
    mine = event.c.campaign_id == campaign_id
    last = select(event.c.number, event.c.digest).where(mine).order_by(event.c.number.desc()).limit(1)
    row = connection.execute(last).first()
    if row is None:
        return rules.End(0, 0, genesis)
    return rules.End(row.number, connection.scalar(select(func.max(event.c.trial)).where(mine)) or 0, row.digest)


def _states(connection: Connection, campaign_id: int, trials: list[int]) -> dict[int, rules.TrialState]:
    found: list[Event] = []
    for first in range(0, len(trials), TRIALS_AT_ONCE):
        some = trials[first : first + TRIALS_AT_ONCE]
        query = select(*COLUMNS).where(event.c.campaign_id == campaign_id, event.c.trial.in_(some))
        found += [Event._make(row) for row in connection.execute(query.order_by(event.c.number))]
    return rules.states_of(trials, found)


def _digest_of(campaign_id: int, number: int) -> Any:
    return select(event.c.digest).where(event.c.campaign_id == campaign_id, event.c.number == number)
