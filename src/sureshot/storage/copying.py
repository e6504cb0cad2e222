"""Copy a campaign from one store to another: a file that grew into a server, a colleague's store into one's own."""

from __future__ import annotations

from datetime import datetime

from sureshot.errors import StorageError
from sureshot.storage.protocol import Storage
from sureshot.storage.records import CampaignRecord, Event, NewEvent

__all__ = ["copy_campaign"]


def copy_campaign(source: Storage, name: str, target: Storage, *, as_name: str | None = None) -> CampaignRecord:
    """The campaign with all its events and moments, in ``target``; its digests prove that nothing was lost.

    >>> from sureshot.storage import asked, open_storage
    >>> here, there = open_storage(":memory:"), open_storage(":memory:")
    >>> made = here.create_campaign("nanotubes", {}, seed=1)
    >>> _ = here.append(made.id, [asked(3)])
    >>> copied = copy_campaign(here, "nanotubes", there)
    >>> there.events(copied.id) == here.events(made.id)
    True
    """
    original = source.campaign(name)
    events = source.events(original.id)
    copied = target.create_campaign(
        as_name or name,
        original.spec,
        seed=original.seed,
        created_at=datetime.fromisoformat(original.created_at),
        events=_again(events),
    )
    if copied.digest != original.digest or target.events(copied.id) != events:
        raise StorageError(f"the copy of campaign {name!r} differs from the original: do not use {copied.name!r}.")
    return copied


def _again(events: tuple[Event, ...]) -> list[NewEvent]:
    """The events as they were before they were recorded; the store numbers the trials as it did then."""
    opened: set[int] = set()
    new = []
    for event in events:
        opens = event.kind in ("asked", "told") and event.trial not in opened
        if event.trial is not None:
            opened.add(event.trial)
        new.append(
            NewEvent(
                event.kind,
                trial=None if opens else event.trial,
                alternative=event.alternative,
                context_json=event.context_json,
                successes=event.successes,
                of=event.of,
                text=event.text,
                author=event.author,
                payload_json=event.payload_json,
                at=event.at,
            )
        )
    return new
