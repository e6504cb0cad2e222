"""Keys of requests: what is recorded, and how it is read again."""

from __future__ import annotations

import json

import pytest

from sureshot.campaign.log.requests import (
    LONGEST,
    REQUESTED,
    Request,
    checked_key,
    keyed,
    note_request,
    recorded_before,
)
from sureshot.errors import InvalidInput
from sureshot.storage import asked, noted


def test_what_is_recorded_begins_so_that_others_need_not_be_read() -> None:
    with_more, without = keyed('a "key"', 2).on([asked(3, payload={"probability": 0.5}), noted("warm")])
    assert with_more.payload_json.startswith(REQUESTED)
    assert json.loads(with_more.payload_json)["probability"] == 0.5
    assert json.loads(without.payload_json)["request"]["key"] == 'a "key"'


def test_a_request_is_the_same_whatever_the_order_of_its_context() -> None:
    one = keyed("k", 1, {"age": 61.0, "ward": "A"}, False)
    assert one == keyed("k", 1, {"ward": "A", "age": 61.0}, False)
    assert one != keyed("k", 1, {"ward": "A", "age": 62.0}, False)
    assert one != keyed("k", 2, {"ward": "A", "age": 61.0}, False)
    assert one != keyed("k", 1, {"ward": "A", "age": 61.0}, True)


@pytest.mark.parametrize("key", ["", "x" * (LONGEST + 1), "two\nlines", 3, None])
def test_what_is_not_a_key_is_refused(key: object) -> None:
    with pytest.raises(InvalidInput, match="`key` must be text") as found:
        checked_key(key)
    assert found.value.field == "key"


def test_another_request_under_the_same_key_is_refused() -> None:
    with pytest.raises(InvalidInput, match="another request") as found:
        recorded_before({"k": Request("digest", (1,))}, keyed("k", 2))
    assert (found.value.field, found.value.value) == ("key", "k")


def test_what_the_same_call_recorded_is_found_again_and_that_of_another_key_or_none_is_not() -> None:
    call = keyed("k", 2, None, False)
    known = {"k": Request(call.digest, (3, 4))}
    assert recorded_before(known, call) == (3, 4)
    assert recorded_before(known, keyed("other", 2, None, False)) is None
    mine, yours = keyed(None, 2, None, False), keyed(None, 2, None, False)
    assert mine.key != yours.key
    assert recorded_before(known, mine) is None


def test_of_what_was_recorded_with_an_event_only_its_request_is_read() -> None:
    """So that the keys of a long log are known at once, whatever was recorded with its trials."""
    call = keyed("k", 1, None, False)
    (event,) = call.on([asked(1)])
    found: dict[str, Request] = {}
    for trial in (7, 8, None):
        note_request(found, trial, event.payload_json[:-1] + ', "cautions": [this is not even JSON', 1)
    assert found == {"k": Request(call.digest, (7, 8))}
