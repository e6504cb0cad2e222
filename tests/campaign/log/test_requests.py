"""Keys of requests: what is recorded, and how it is read again."""

from __future__ import annotations

import pytest

from sureshot.campaign.log.requests import (
    LONGEST,
    REQUESTED,
    Request,
    checked_key,
    handed_out_for,
    note_request,
    request_of,
)
from sureshot.errors import InvalidInput
from sureshot.storage.fields import document_text


def test_what_is_recorded_begins_so_that_others_need_not_be_read() -> None:
    request = request_of('a "key"', 2, {"age": 61.0}, False)
    assert document_text({**request, "probability": 0.5}, "payload").startswith(REQUESTED)


def test_a_request_is_the_same_whatever_the_order_of_its_context() -> None:
    one = request_of("k", 1, {"age": 61.0, "ward": "A"}, False)
    assert one == request_of("k", 1, {"ward": "A", "age": 61.0}, False)
    assert one != request_of("k", 1, {"ward": "A", "age": 62.0}, False)
    assert one != request_of("k", 2, {"ward": "A", "age": 61.0}, False)
    assert one != request_of("k", 1, {"ward": "A", "age": 61.0}, True)


@pytest.mark.parametrize("key", ["", "x" * (LONGEST + 1), "two\nlines", 3, None])
def test_what_is_not_a_key_is_refused(key: object) -> None:
    with pytest.raises(InvalidInput, match="`key` must be text") as found:
        checked_key(key)
    assert found.value.field == "key"


def test_another_request_under_the_same_key_is_refused() -> None:
    with pytest.raises(InvalidInput, match="another request") as found:
        handed_out_for({"k": Request("digest", (1,))}, request_of("k", 2))
    assert (found.value.field, found.value.value) == ("key", "k")


def test_the_trials_of_the_same_request_are_found_again_and_those_of_another_key_or_none_are_not() -> None:
    request = request_of("k", 2, None, False)
    known = {"k": Request(request["request"]["digest"], (3, 4))}
    assert handed_out_for(known, request) == (3, 4)
    assert handed_out_for(known, request_of("other", 2, None, False)) == ()
    assert request_of(None, 2, None, False) == {}
    assert handed_out_for(known, {}) == ()


def test_of_what_was_recorded_with_a_trial_only_its_request_is_read() -> None:
    """So that the keys of a long log are known at once, whatever was recorded with its trials."""
    request = request_of("k", 1, None, False)
    found: dict[str, Request] = {}
    for trial in (7, 8):
        note_request(found, trial, document_text(request, "payload")[:-1] + ', "cautions": [this is not even JSON')
    assert found == {"k": Request(request["request"]["digest"], (7, 8))}
