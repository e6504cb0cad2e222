"""A call that records something has a key: called again under the same key, it records nothing more and gives back what
it gave.

Whoever records over a network may not learn whether it was: the answer is lost, or the server stops. The key, the
caller's or a random one, is recorded with the events, so it is known wherever and whenever the log is read. Tables of
outcomes need none: what is recorded already is found by their rows.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from sureshot.campaign.log.sound import in_event
from sureshot.errors import InvalidInput
from sureshot.schema import TEXT, record, wrong
from sureshot.storage import NewEvent
from sureshot.storage.fields import document_text

__all__ = ["LONGEST", "REQUESTED", "Keyed", "Request", "checked_key", "keyed", "note_request", "recorded_before"]

#: The longest key, in characters.
LONGEST = 200
#: How what is recorded with an event begins if the call had a key: others need not be read.
REQUESTED = '{"request":'

_REQUEST = record({"key": TEXT, "digest": TEXT})

_decode = json.JSONDecoder().raw_decode


class Request(NamedTuple):
    """What was recorded under a key, and the trials that it is about."""

    digest: str  # of what was said
    trials: tuple[int, ...]


class Keyed(NamedTuple):
    """A call, and the key that it is recorded under."""

    key: str
    digest: str  # of what is said
    given: bool  # by the caller, who may have called before; else nobody knows it yet

    def on(self, events: Sequence[NewEvent]) -> list[NewEvent]:
        """The events with the key, before all else that is recorded with them (see :data:`REQUESTED`)."""
        request = {"request": {"key": self.key, "digest": self.digest}}
        return [
            replace(event, payload_json=document_text({**request, **json.loads(event.payload_json or "{}")}, "payload"))
            for event in events
        ]


def checked_key(key: object) -> str:
    """A key as it is recorded."""
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST or not key.isprintable():
        raise InvalidInput(
            f"`key` must be text of 1 to {LONGEST} printable characters", got=key, fix="a random one is best"
        )
    return key


def keyed(key: str | None, *said: Any) -> Keyed:
    """A call in which this is ``said``, under the caller's key or a random one: its kind, and all that it records but
    who does so. :meth:`~sureshot.campaign.Campaign.ask` had keys first, and names no kind: stores are full of them.
    """
    digest = sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    return Keyed(secrets.token_urlsafe(12) if key is None else checked_key(key), digest, key is not None)


def recorded_before(requests: Mapping[str, Request], call: Keyed) -> tuple[int, ...] | None:
    """The trials of what was recorded for the same call before; None: nothing was. That something else is said under
    the same key is refused.
    """
    before = requests.get(call.key) if call.given else None
    if before is None:
        return None
    if call.digest != before.digest:
        raise InvalidInput(
            "`key` was used for another request, which said something else",
            got=call.key,
            fix="choose a new key for each request",
        )
    return before.trials


def note_request(requests: dict[str, Request], trial: int | None, payload_json: str, event: int) -> None:
    """One more event that was recorded under a key. Of what was recorded with it, only the request is read."""
    with in_event(event):
        try:
            found, _ = _decode(payload_json, len(REQUESTED))
        except (ValueError, RecursionError) as error:
            raise wrong("payload.request", f"must be JSON ({error})") from error
        _REQUEST(found, "payload.request")
    before = requests.get(found["key"])
    trials = () if before is None else before.trials
    requests[found["key"]] = Request(found["digest"], trials if trial is None else (*trials, trial))
