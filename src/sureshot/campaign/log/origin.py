"""Where the outcomes of a campaign come from, through all the campaigns that they were copied from.

The *root* of outcomes is the digest that begins the log in which they were first told. A campaign made from another has
the root of that one, whatever either did since: so what one of a family learned is known as such to all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sureshot.storage import CampaignRecord, Event

__all__ = ["copied_from", "root"]


def root(record: CampaignRecord, events: Sequence[Event]) -> str:
    """The root of the outcomes of a campaign: its own beginning, or that of the one in which they were first told."""
    before = _origin(events[0]) if events else {}
    return str(before.get("root", record.digest))


def copied_from(events: Sequence[Event]) -> set[str]:
    """The digests of the logs that outcomes were copied from, at every step: all that older versions kept of it."""
    return {str(found["digest"]) for found in map(_origin, events) if "digest" in found}


def _origin(event: Event) -> dict[str, Any]:
    """What a note says about the campaign that this one is made from; nothing, if it is another event."""
    if event.kind != "noted" or event.trial is not None:
        return {}
    found = (event.payload or {}).get("from")
    return found if isinstance(found, dict) else {}
