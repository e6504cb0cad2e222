"""The hash chain over a campaign: every event carries the SHA-256 of all that came before it and of itself.

The chain begins with the campaign's own digest, over its ``created_at``, ``seed`` and ``spec_sha256``; each event's
digest is over the digest before it and its columns in the order of the table, from ``number`` to ``payload``. What
is hashed is text in UTF-8: the digest before (64 hexadecimal characters), then every column as JSON, each on a
line of its own (``context`` and ``payload`` are stored as text, and are text here too).

So one digest names one exact history: a snapshot that carries it belongs to that history and no other, two stores
with the same last digest hold the same campaign, and a row that was changed, removed or put in by hand is found,
by number, when the events are read.

The chain guards against accidents and careless edits. It is not a signature: whoever can write the database can
compute it again. Events cut off at the end leave a shorter valid chain: where a log must end stands in the head of the
campaign (:mod:`~sureshot.storage.heads`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Any

from sureshot.errors import CorruptLog
from sureshot.said import Call, Text
from sureshot.storage import fields
from sureshot.storage.records import CampaignRecord, Event

__all__ = [
    "RESTORE",
    "SEE_DOCTOR",
    "campaign_digest",
    "digests",
    "lines_digest",
    "new_record",
    "text_digest",
    "verified",
    "verified_campaign",
]

Columns = Sequence[object]

AT_ONCE = 1_000
"""How many events are written as JSON in one call: three times as fast as one by one."""

# JSON escapes line ends within text: a line end in the output is always a separator.
_encode = json.JSONEncoder(ensure_ascii=False, separators=("\n", ":")).encode


def text_digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, as hexadecimal."""
    return sha256(text.encode()).hexdigest()


def lines_digest(values: Sequence[object]) -> str:
    """SHA-256 of values as JSON, each on a line of its own. What a database should not hold is a ``TypeError``."""
    return text_digest(_encode(list(values))[1:-1])


def campaign_digest(created_at: str, seed: int, spec_sha256: str) -> str:
    """Where the chain of a campaign begins. Its name is left out: a campaign may be copied under another."""
    return lines_digest([created_at, seed, spec_sha256])


def digests(before: str, events: Iterable[Columns]) -> Iterator[str]:
    r"""The digest of each event; ``events`` are columns in the order of :class:`Event`, without ``digest``.

    >>> [first] = digests("0" * 64, [(1, "2026-03-01T12:00:00.000000Z", "noted", "two\nlines")])
    >>> first == text_digest("0" * 64 + '\n1\n"2026-03-01T12:00:00.000000Z"\n"noted"\n"two\\nlines"')
    True
    """
    rest = iter(events)
    while some := list(islice(rest, AT_ONCE)):
        for text in _encode(some)[2:-2].split("]\n["):
            before = sha256(f"{before}\n{text}".encode()).hexdigest()
            yield before


def verified(rows: Sequence[Columns], *, after: int, digest: str, campaign: str) -> tuple[Event, ...]:
    """The rows as events, each proved to follow the one before; ``digest`` is that of event ``after``."""
    proved = _proved(digest, rows)
    for number, (row, expected) in enumerate(zip(rows, proved, strict=True), start=after + 1):
        if row[0] != number:
            said = f"{campaign}: event {number} is missing, event {row[0]!r} stands in its place"
            raise CorruptLog(said, fix=RESTORE)
        if row[-1] != expected:
            said = f"{campaign}: event {number} is not what was recorded after event {number - 1}"
            raise CorruptLog(said, fix=RESTORE)
    return tuple(map(Event._make, rows))


def _proved(digest: str, rows: Sequence[Columns]) -> list[str | None]:
    """The digest that each row should have; None from the first on that holds what is no JSON: bytes, where the file
    is damaged.
    """
    try:
        return list(digests(digest, (row[:-1] for row in rows)))
    except TypeError:
        found: list[str | None] = []
        with suppress(TypeError):
            for row in rows:
                [digest] = digests(digest, [row[:-1]])
                found.append(digest)
        return found + [None] * (len(rows) - len(found))


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


def verified_campaign(record: CampaignRecord) -> CampaignRecord:
    """The campaign, proved to be the one that was created."""
    if not isinstance(record.spec_json, str) or text_digest(record.spec_json) != record.spec_sha256:
        said = f"campaign {record.name!r}: its specification is not the one it was created with"
        raise CorruptLog(said, fix=RESTORE)
    begins = None
    with suppress(TypeError):
        begins = campaign_digest(record.created_at, record.seed, record.spec_sha256)
    if begins != record.digest:
        said = f"campaign {record.name!r}: its seed or date is not the one it was created with"
        raise CorruptLog(said, fix=RESTORE)
    return record


SEE_DOCTOR = Text("; ", Call("doctor"), " says what is damaged")

RESTORE = Text(
    "restore the store from a backup (what was wrong is corrected by new events, never in old rows)", SEE_DOCTOR
)
"""What to do about a store that is not what was recorded."""
