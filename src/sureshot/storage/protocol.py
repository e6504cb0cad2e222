"""What a storage is: the protocol that SQLite, PostgreSQL, memory and a store of your own keep.

A storage knows nothing of beliefs or features. It creates campaigns, appends events and gives them back, in
order and proved. :class:`sureshot.testing.StorageConformance` says in tests what the words here mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from sureshot.storage.records import CampaignRecord, CampaignSummary, Event, NewEvent, Snapshot

__all__ = ["Storage"]


class Storage(Protocol):
    """A store of campaigns, safe for several threads and, unless it lives in memory, for several processes.

    Whatever a method acknowledged by returning is kept; a method that raises has changed nothing.
    """

    def create_campaign(
        self,
        name: str,
        spec: Mapping[str, Any],
        *,
        seed: int,
        created_at: datetime | None = None,
        events: Sequence[NewEvent] = (),
    ) -> CampaignRecord:
        """A new campaign, with its first ``events``: both are stored, or neither is.

        A name that is taken is a :class:`~sureshot.errors.Conflict`.
        """

    def campaigns(self) -> tuple[CampaignSummary, ...]:
        """All campaigns in the order of their creation, archived ones too, without their specifications."""

    def campaign(self, name: str) -> CampaignRecord:
        """The campaign of that name, or :class:`~sureshot.errors.UnknownName` with the nearest one."""

    def rename_campaign(self, campaign_id: int, name: str) -> CampaignRecord:
        """Another name for a campaign, and nothing else: digests do not cover it, so its history stays proved.

        A name that another campaign has is a :class:`~sureshot.errors.Conflict`.
        """

    def archive_campaign(self, campaign_id: int, *, archived: bool = True) -> CampaignRecord:
        """Say that a campaign is to be left out of lists, or no longer; it is read and written as before.

        Archived twice, it keeps the first moment.
        """

    def delete_campaign(self, campaign_id: int, *, expected_last: int | None = None) -> None:
        """Remove a campaign with its events and its snapshot, for ever: whole, or not at all.

        ``expected_last`` is the number of the last event that the caller knows and has kept a copy of. If somebody
        appended since, nothing is removed and :class:`~sureshot.errors.OutOfDate` is raised. Whoever still holds
        the campaign is told that there is none of its id: no other campaign ever gets it.
        """

    def append(
        self,
        campaign_id: int,
        events: Sequence[NewEvent],
        *,
        expected_last: int | None = None,
        expected_trials: int | None = None,
        known: tuple[int, str] | None = None,
    ) -> tuple[Event, ...]:
        """Record events, all or none, and give them back with their numbers, trials and digests.

        ``expected_last`` is the number of the last event when the caller decided. If somebody appended since,
        nothing is recorded and :class:`~sureshot.errors.OutOfDate` is raised. ``expected_trials`` is the number of
        trials then, and refuses only if somebody opened another since: for ``ask``, so that no trial is handed out
        twice unless meant, while outcomes may come in. Neither appends at the end, wherever that is: for outcomes and
        notes.

        ``known`` is the number and the digest of the last event that the caller read (0 and that of the campaign, if
        there was none). If that is not in the log any more, an earlier state of the store was restored: nothing is
        recorded, and :class:`~sureshot.errors.OtherLog` is raised.

        An unknown trial is an :class:`~sureshot.errors.UnknownName`; a second outcome, an outcome for a withdrawn
        trial, a correction of nothing and a second withdrawal are each a :class:`~sureshot.errors.Conflict`.
        """

    def turn(self, campaign_id: int, meanwhile: Callable[[], object] | None = None) -> AbstractContextManager[None]:
        """Whoever decides at length what to record takes turns with the others who do so in this campaign: in the order
        in which they came, in this process and in all others. Who only appends or reads does not wait.

        Whoever is next may call ``meanwhile``, again and again until it is their turn: it prepares what it can.

        A turn saves work, it is not a lock: where it can't be had, the block is entered all the same, for
        ``expected_trials`` refuses what somebody else was quicker with.
        """

    def events(self, campaign_id: int, *, after: int = 0, digest: str | None = None) -> tuple[Event, ...]:
        """The events with numbers above ``after``, in order, each proved to follow the one before.

        ``digest`` is that of event ``after`` as the caller read it (of 0: that of the campaign). If the log has another
        there, or ends before, :class:`~sureshot.errors.OtherLog` is raised.

        Raises :class:`~sureshot.errors.CorruptLog` with the number of the first event that does not.
        """

    def put_snapshot(self, campaign_id: int, number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
        """Keep what was computed from the first ``number`` events in place of an earlier snapshot.

        ``digest`` is that of event ``number`` as the caller read it; if the log says otherwise, the snapshot is
        of another history: a :class:`~sureshot.errors.Conflict`.
        """

    def get_snapshot(self, campaign_id: int) -> Snapshot | None:
        """The snapshot, if there is one, its payload is intact and its digest is that of its event in the log."""

    def close(self) -> None:
        """Let go of files and connections. The storage can't be used afterwards."""
