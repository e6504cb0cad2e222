"""Copy a campaign from one store to another: a file that grew into a server, a colleague's store into one's own."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from datetime import datetime

from sureshot.errors import StorageError
from sureshot.storage.protocol import Storage
from sureshot.storage.records import CampaignRecord, Event, NewEvent

__all__ = ["copy_campaign", "events_anew"]


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
        events=events_anew(events)[0],
    )
    if copied.digest != original.digest or target.events(copied.id) != events:
        raise StorageError(f"the copy of campaign {name!r} differs from the original: do not use {copied.name!r}.")
    return copied


def events_anew(
    events: Iterable[Event],
    *,
    only: Container[int] | None = None,
    opening: Callable[[Event], str | None] = lambda event: event.payload_json,
) -> tuple[list[NewEvent], dict[int, int]]:
    """The events as they were before they were recorded, and the number that the store will give to each trial.

    Of trials, ``only`` these go along; ``opening`` says what is kept with the event that opens one, as JSON.
    """
    numbers: dict[int, int] = {}
    new = []
    for event in events:
        trial, payload_json = event.trial, event.payload_json
        if trial is not None:
            if only is not None and trial not in only:
                continue
            if trial in numbers:
                trial = numbers[trial]
            else:
                numbers[trial] = len(numbers) + 1
                trial, payload_json = None, opening(event)
        same = {name: value for name, value in event._asdict().items() if name not in ("number", "digest")}
        new.append(NewEvent(**{**same, "trial": trial, "payload_json": payload_json}))
    return new, numbers
