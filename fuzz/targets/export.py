"""Exports of whole campaigns. Where one has no digests they are computed for it, so that what it says is looked at."""

from __future__ import annotations

import json
from typing import Any

from fuzz.nested import inside as mutated  # noqa: F401  # what the frame looks for


def target(data: bytes) -> None:
    """The campaign made again, and asked."""
    from fuzz.stored import looked_at
    from sureshot import Campaign
    from sureshot.documents import read_json

    found = read_json(data)
    if isinstance(found, dict) and "digest" not in found:
        found = _proved(found)
    looked_at(Campaign.import_export(found, storage=":memory:"))


def _proved(found: dict[str, Any]) -> dict[str, Any]:
    """The export with digests that are right; as it is, where there can be none."""
    from datetime import datetime

    from sureshot.storage import chain
    from sureshot.storage.copying import _columns

    try:
        at = datetime.fromisoformat(found["created_at"])
        record = chain.new_record(found["name"], found["spec"], found["seed"], at)
        rows = [_columns(one) for one in found["events"]]
        digests = chain.digests(record.digest, rows)
        events = [{**one, "digest": digest} for one, digest in zip(found["events"], digests, strict=True)]
        json.dumps(events)
    except Exception:  # whatever is wrong with it is for sureshot to say
        return {**found, "digest": ""}
    return {**found, "digest": record.digest, "created_at": record.created_at, "events": events}
