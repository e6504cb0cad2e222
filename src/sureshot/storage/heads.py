"""The head of each campaign: where its log must end, under a seal.

A log that lost its last events is still a valid chain. So its last number and digest, and how many trials it has, stand
in a table of their own, thus on another page of the file, written in the transaction of each append and compared with
the events whenever they are read. The seal is a SHA-256 over that and over what no other digest covers: the campaign's
id, its name, since when it is archived; and over the number of the store, so that a page of another store shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from sureshot.errors import CorruptLog
from sureshot.storage import chain, rules
from sureshot.storage.records import CampaignRecord, CampaignSummary, Event
from sureshot.storage.tables import campaign, event, head, store

__all__ = ["Head", "first_head", "proved_campaigns", "read_head", "remove_head", "write_head"]


class Head(NamedTuple):
    """What the seal covers, in this order."""

    store: str  # the number of the store that it is in
    id: int
    name: str
    archived_at: str | None
    genesis: str  # the digest that the chain begins with
    number: int  # of the last event; 0: none
    trials: int
    digest: str  # of the last event; of none: the genesis

    @property
    def title(self) -> str:
        """The campaign as an error message calls it."""
        return f"campaign {self.name!r}"

    @property
    def end(self) -> rules.End:
        """Where the log ends."""
        return rules.End(self.number, self.trials, self.digest)

    def after(self, events: tuple[Event, ...]) -> Head:
        """The head once these are recorded."""
        if not events:
            return self
        opened = max((one.trial or 0 for one in events), default=0)
        return self._replace(number=events[-1].number, trials=max(self.trials, opened), digest=events[-1].digest)


_MINE = event.c.campaign_id == campaign.c.id
_LAST = select(func.max(event.c.number)).where(_MINE).correlate(campaign).scalar_subquery()
_TRIALS = select(func.max(event.c.trial)).where(_MINE).correlate(campaign).scalar_subquery()

#: A campaign, its head, and the end of its log as the events have it, in one look.
_LOOK = (
    select(
        select(store.c.id).scalar_subquery().label("store"),
        campaign.c.id,
        campaign.c.name,
        campaign.c.archived_at,
        campaign.c.genesis,
        head.c.number,
        head.c.trials,
        head.c.digest,
        head.c.seal,
        event.c.number.label("last"),
        event.c.digest.label("last_digest"),
        _TRIALS.label("last_trial"),
    )
    .select_from(campaign)
    .outerjoin(head, head.c.campaign_id == campaign.c.id)
    .outerjoin(event, and_(_MINE, event.c.number == _LAST))
)


def read_head(connection: Connection, campaign_id: int, *, lock: bool = False) -> Head:
    """The head of a campaign, proved to be what was written, and to be where the log ends.

    With ``lock``, every other append to this campaign waits until we commit.
    """
    if lock:  # first: what is looked at afterwards is what others committed meanwhile
        connection.execute(select(campaign.c.id).where(campaign.c.id == campaign_id).with_for_update())
    row = connection.execute(_LOOK.where(campaign.c.id == campaign_id)).first()
    if row is None:
        _refuse_orphans(connection)
        raise rules.no_campaign_id(campaign_id)
    return _proved(row)


def first_head(connection: Connection, made: CampaignRecord) -> Head:
    """The head of a campaign that is just made, without any event."""
    number = connection.scalar(select(store.c.id))
    if number is None:
        raise CorruptLog("the number of the store is missing", fix=chain.RESTORE)
    one = Head(number, made.id, made.name, made.archived_at, made.digest, 0, 0, made.digest)
    connection.execute(insert(head).values(campaign_id=made.id, **_kept(one)))
    return one


def write_head(connection: Connection, one: Head) -> None:
    """Keep where the log of a campaign ends, or what it is called, under a new seal."""
    connection.execute(update(head).where(head.c.campaign_id == one.id).values(_kept(one)))


def remove_head(connection: Connection, campaign_id: int) -> None:
    """Remove the head of a campaign that is deleted."""
    connection.execute(delete(head).where(head.c.campaign_id == campaign_id))


def proved_campaigns(connection: Connection) -> tuple[CampaignSummary, ...]:
    """All campaigns in the order of their creation, each proved to be what was recorded, and none left out."""
    _refuse_orphans(connection)
    columns = [column for column in event.c if column.name != "campaign_id"]
    earlier = event.alias()
    before = select(earlier.c.digest).where(earlier.c.campaign_id == campaign.c.id, earlier.c.number == _LAST - 1)
    wide = _LOOK.add_columns(
        campaign.c.created_at,
        campaign.c.seed,
        campaign.c.spec_sha256,
        before.correlate(campaign).scalar_subquery().label("before"),
        *(column.label(f"event_{column.name}") for column in columns),
    )
    found = []
    for row in connection.execute(wide.order_by(campaign.c.id)):
        one = _proved(row)
        if _digest_or_none([row.created_at, row.seed, row.spec_sha256]) != one.genesis:
            raise CorruptLog(f"{one.title}: its seed or date is not the one it was created with", fix=chain.RESTORE)
        if one.number:
            last, digest = row[-len(columns) :], row.before if one.number > 1 else one.genesis
            chain.verified([last], after=one.number - 1, digest=digest, campaign=one.title)
        found.append(CampaignSummary(one.id, one.name, row.created_at, one.number, row.event_at, one.archived_at))
    return tuple(found)


def _refuse_orphans(connection: Connection) -> None:
    known = select(campaign.c.id).where(campaign.c.id == head.c.campaign_id)
    lost = connection.scalar(select(head.c.campaign_id).where(~known.exists()))
    if lost is not None:
        raise CorruptLog(f"the campaign of number {lost!r} is missing", fix=chain.RESTORE)


def _proved(row: Any) -> Head:
    one = Head._make(row[: len(Head._fields)])
    if row.seal is None or row.seal != _digest_or_none(one):
        said = f"{one.title}: its name, its archiving or where its log ends is not what was recorded"
        raise CorruptLog(said, fix=chain.RESTORE)
    found = row.last or 0
    if found != one.number:
        shorter = isinstance(found, int) and found < one.number
        what = f"{_missing(found, one.number)} missing" if shorter else f"has an event {found!r}"
        raise CorruptLog(f"{one.title}: its log must end with event {one.number}, and {what}", fix=chain.RESTORE)
    if row.last_digest != (one.digest if one.number else None):
        said = f"{one.title}: event {one.number} is not what was recorded after event {one.number - 1}"
        raise CorruptLog(said, fix=chain.RESTORE)
    if (row.last_trial or 0) != one.trials:
        said = f"{one.title}: it must have {one.trials} trials, and the last is {row.last_trial!r}"
        raise CorruptLog(said, fix=chain.RESTORE)
    return one


def _missing(found: int, last: int) -> str:
    return f"event {last} is" if found + 1 == last else f"events {found + 1} to {last} are"


def _kept(one: Head) -> dict[str, object]:
    return {"number": one.number, "trials": one.trials, "digest": one.digest, "seal": chain.lines_digest(one)}


def _digest_or_none(values: Sequence[object]) -> str | None:
    """None: one of them is nothing that was ever stored."""
    with suppress(TypeError):
        return chain.lines_digest(values)
    return None
