"""New campaigns and snapshots, and what is said about names and ids that are taken or unknown.

The same in every storage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sureshot.errors import Conflict, UnknownName, unknown_name
from sureshot.said import Call, Text
from sureshot.storage import fields
from sureshot.storage.chain import campaign_digest, text_digest
from sureshot.storage.records import CampaignRecord, Snapshot

__all__ = ["name_taken", "new_record", "new_snapshot", "no_campaign", "no_campaign_id", "other_history"]


def new_record(name: str, spec: Mapping[str, Any], seed: int, created_at: datetime | None) -> CampaignRecord:
    """A campaign that is not stored yet, checked; its id is 0."""
    text = fields.document_text(spec, "spec")
    number = fields.whole(seed, "seed")
    at = fields.now() if created_at is None else fields.moment_text(created_at)
    sha = text_digest(text)
    return CampaignRecord(
        id=0,
        name=fields.name_text(name),
        created_at=at,
        seed=number,
        spec_json=text,
        spec_sha256=sha,
        digest=campaign_digest(at, number, sha),
    )


def new_snapshot(number: int, digest: str, payload: Mapping[str, Any]) -> Snapshot:
    """A snapshot that is not stored yet, checked."""
    text = fields.document_text(payload, "payload")
    return Snapshot(number=fields.whole(number, "number", least=1), digest=digest, payload_json=text, at=fields.now())


def name_taken(name: str) -> Conflict:
    """The error for a second campaign of one name."""
    return Conflict(
        f"there already is a campaign {name!r} in this store",
        field="name",
        value=name,
        fix="open it, or choose another name",
    )


def no_campaign(name: object, known: Iterable[str]) -> UnknownName:
    """The error for a name that no campaign has."""
    names = sorted(known)
    if not names:
        return UnknownName(
            f"unknown campaign {name!r}: this store holds no campaigns yet",
            value=name,
            fix=Text("make one with ", Call("Campaign.create")),
        )
    return unknown_name("campaign", name, names, field="name")


def no_campaign_id(campaign_id: object) -> UnknownName:
    """The error for an id that no campaign has."""
    return UnknownName(f"no campaign has the id {campaign_id!r} in this store: look it up by its name.")


def other_history(number: int) -> Conflict:
    """The error for a snapshot that this log did not make."""
    return Conflict(f"the snapshot's digest is not that of event {number} in this log: read the events and fold again.")
