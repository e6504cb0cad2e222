"""Keys of requests: what is recorded, and how it is read again."""

from __future__ import annotations

import time

import pytest

from sureshot.campaign.log.ledger import Ledger, extended
from sureshot.campaign.log.requests import LONGEST, REQUESTED, Request, checked_key, request_of
from sureshot.errors import InvalidInput
from sureshot.storage import asked, open_storage
from sureshot.storage.fields import document_text


def test_what_is_recorded_begins_so_that_others_need_not_be_read() -> None:
    request = request_of('a "key"', q=2, context={"age": 61.0}, beyond_budget=False)
    assert document_text({**request, "probability": 0.5}, "payload").startswith(REQUESTED)


def test_a_request_is_the_same_whatever_the_order_of_its_context() -> None:
    one = request_of("k", q=1, context={"age": 61.0, "ward": "A"}, beyond_budget=False)
    assert one == request_of("k", q=1, context={"ward": "A", "age": 61.0}, beyond_budget=False)
    assert one != request_of("k", q=1, context={"ward": "A", "age": 62.0}, beyond_budget=False)
    assert one != request_of("k", q=2, context={"ward": "A", "age": 61.0}, beyond_budget=False)
    assert one != request_of("k", q=1, context={"ward": "A", "age": 61.0}, beyond_budget=True)


@pytest.mark.parametrize("key", ["", "x" * (LONGEST + 1), "two\nlines", 3, None])
def test_what_is_not_a_key_is_refused(key: object) -> None:
    with pytest.raises(InvalidInput, match="`key` must be text") as found:
        checked_key(key)
    assert found.value.field == "key"


def test_another_request_under_the_same_key_is_refused() -> None:
    with pytest.raises(InvalidInput, match="another request") as found:
        Request("digest", (1,)).refuse_other("k", "other digest")
    assert (found.value.field, found.value.value) == ("key", "k")


def test_the_keys_of_ten_thousand_trials_are_known_in_a_moment() -> None:
    store = open_storage(":memory:")
    made = store.create_campaign("long", {}, seed=1)
    filler = {"cautions": [{"words": "x" * 50}] * 20}
    new = [
        asked(1, payload={**request_of(f"k{i}", q=1, context=None, beyond_budget=False), **filler})
        for i in range(10_000)
    ]
    events = store.append(made.id, new)
    before = time.perf_counter()
    ledger = extended(Ledger(), events)
    assert time.perf_counter() - before < 1.0
    assert ledger.requests["k9999"].trials == (10_000,)
    assert len(ledger.requests) == 10_000
