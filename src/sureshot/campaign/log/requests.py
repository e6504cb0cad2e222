"""Requests with a key: asked again under the same key, the same trials are given again.

Whoever asks over a network may not learn whether the trials were handed out: the answer is lost, or the server stops.
The key is recorded with the trials, in the same event, so it is known wherever and whenever the log is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from sureshot.errors import InvalidInput

__all__ = ["LONGEST", "REQUESTED", "Request", "checked_key", "handed_out_for", "note_request", "request_of"]

#: The longest key, in characters.
LONGEST = 200
#: How what is recorded with a trial begins if it was asked for under a key: others need not be read.
REQUESTED = '{"request":'

_decode = json.JSONDecoder().raw_decode


class Request(NamedTuple):
    """What was asked for under a key, and the trials that were handed out for it."""

    digest: str  # of what was asked for
    trials: tuple[int, ...]


def checked_key(key: object) -> str:
    """A key as it is recorded."""
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST or not key.isprintable():
        raise InvalidInput(
            f"`key` must be text of 1 to {LONGEST} printable characters", got=key, fix="a random one is best"
        )
    return key


def request_of(key: str | None, *said: Any) -> dict[str, Any]:
    """What is recorded with the trials of a request, before all else (see :data:`REQUESTED`): its key, and a digest of
    what is ``said`` in it; nothing where it has no key.
    """
    if key is None:
        return {}
    digest = sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    return {"request": {"key": checked_key(key), "digest": digest}}


def handed_out_for(requests: Mapping[str, Request], request: Mapping[str, Any]) -> tuple[int, ...]:
    """The trials that were handed out before for what :func:`request_of` gave: none if it is new, or has no key. That
    something else is asked for under the same key is refused.
    """
    if not request:
        return ()
    key, digest = request["request"]["key"], request["request"]["digest"]
    before = requests.get(key)
    if before is None:
        return ()
    if digest != before.digest:
        raise InvalidInput(
            "`key` was used for another request, with another number of trials, another context or another outcome",
            got=key,
            fix="choose a new key for each request",
        )
    return before.trials


def note_request(requests: dict[str, Request], trial: int, payload_json: str) -> None:
    """One more trial that was asked for under a key. Of what was recorded with it, only the request is read."""
    found, _ = _decode(payload_json, len(REQUESTED))
    before = requests.get(found["key"])
    trials = () if before is None else before.trials
    requests[found["key"]] = Request(found["digest"], (*trials, trial))
