"""Copy a campaign from one store to another: a file that grew into a server, a colleague's store into one's own; or by
way of a document, its export, which proves itself by the same digests.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from datetime import datetime
from typing import Any

from sureshot.errors import CorruptLog, InvalidInput, StorageError, SureshotError
from sureshot.said import Call
from sureshot.schema import shown
from sureshot.storage import chain, fields
from sureshot.storage.memory import MemoryStorage
from sureshot.storage.protocol import Storage
from sureshot.storage.records import CampaignRecord, Event, NewEvent

__all__ = [
    "EXPORT_VERSION",
    "copy_campaign",
    "events_anew",
    "exported_campaign",
    "listed",
    "proved_export",
    "restore_campaign",
]

#: Of an export as it is written now.
EXPORT_VERSION = 1

_KEPT = ("name", "created_at", "seed", "spec", "digest")


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


def exported_campaign(record: CampaignRecord, events: Iterable[Event]) -> dict[str, Any]:
    """A campaign as a JSON document: its specification and its events, in order, each with its digest."""
    every = [listed(event) for event in events]
    kept = {name: getattr(record, name) for name in _KEPT}
    return {"version": EXPORT_VERSION, **kept, "events": every}


def restore_campaign(document: Mapping[str, Any], target: Storage, *, as_name: str | None = None) -> CampaignRecord:
    """The campaign that :func:`exported_campaign` gave, in ``target``: whole, or not at all.

    Every digest is computed anew before anything is stored: what was changed since is a
    :class:`~sureshot.errors.CorruptLog` that names the event.
    """
    record, events = proved_export(document)
    rehearsed = MemoryStorage()  # what a store would refuse is refused here
    written: dict[str, Any] = {
        "spec": record.spec,
        "seed": record.seed,
        "created_at": datetime.fromisoformat(record.created_at),
        "events": events_anew(events)[0],
    }
    if rehearsed.events(rehearsed.create_campaign("rehearsed", **written).id) != events:
        raise CorruptLog("the trials of the export are not numbered as they were opened", fix=_AGAIN)
    return target.create_campaign(as_name or record.name, **written)


_AGAIN = "export the campaign again, and leave the file as it is"


def proved_export(document: Mapping[str, Any]) -> tuple[CampaignRecord, tuple[Event, ...]]:
    """The campaign and the events of an export, proved by their digests."""
    if not isinstance(document, Mapping) or not {"version", "events", *_KEPT} <= set(document):
        believed = isinstance(document, Mapping) and "belief" in document
        what = ("what ", Call("posterior"), " gives") if believed else ("another document",)
        raise InvalidInput("a campaign is made again from its whole export (", Call("export"), "), got ", *what, ".")
    if document["version"] != EXPORT_VERSION:
        raise InvalidInput(
            f"an export must be of version {EXPORT_VERSION}, got {shown(document['version'])}", fix="update sureshot"
        )
    try:
        at = datetime.fromisoformat(document["created_at"])
        record = chain.new_record(document["name"], document["spec"], document["seed"], at)
        rows = [_columns(one) for one in document["events"]]
        found = list(chain.digests(record.digest, rows))
        kept = [one["digest"] for one in document["events"]]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, SureshotError):
            raise
        raise CorruptLog(f"the export lacks what sureshot writes into it ({error!r})", fix=_AGAIN) from error
    if record.digest != document["digest"] or record.created_at != document["created_at"]:
        raise CorruptLog("the specification, the seed or the date of the export was changed", fix=_AGAIN)
    for number, (row, digest) in enumerate(zip(rows, found, strict=True), start=1):
        if row[0] != number or kept[number - 1] != digest:
            raise CorruptLog(f"event {number} of the export is not what was recorded there", fix=_AGAIN)
    return record, tuple(Event._make((*row, digest)) for row, digest in zip(rows, found, strict=True))


#: The columns of an event that hold documents, and what these are called in an export.
_DOCUMENTS = {name: name.removesuffix("_json") for name in Event._fields if name.endswith("_json")}


def listed(event: Event) -> dict[str, Any]:
    """An event as a person and JSON read it. Digests are of texts: one that was written another way goes along."""
    found = {name: value for name, value in event._asdict().items() if name not in _DOCUMENTS}
    for column, name in _DOCUMENTS.items():
        text = getattr(event, column)
        found[name] = None if text is None else fields.read_document(text)
        if text is not None and fields.document_text(found[name], name) != text:
            found[column] = text
    return found


def _columns(event: Mapping[str, Any]) -> tuple[object, ...]:
    """The columns of an exported event that its digest covers, as they are stored."""
    found: dict[str, object] = {**event}
    for column, name in _DOCUMENTS.items():
        held = event[name]
        if column not in event:
            found[column] = None if held is None else fields.document_text(held, name)
        elif fields.read_document(event[column]) != held:
            raise ValueError(f"{column} is not {name}")
    return tuple(found[name] for name in Event._fields if name != "digest")


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
