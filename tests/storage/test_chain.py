"""The digests, worked out by hand from their description."""

from __future__ import annotations

import hashlib
import json

from sureshot.storage import asked, noted, open_storage, told
from sureshot.storage.chain import AT_ONCE, digests


def by_hand(before: str, columns: tuple[object, ...]) -> str:
    lines = [before, *(json.dumps(column, ensure_ascii=False) for column in columns)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_a_digest_is_what_the_page_says() -> None:
    store = open_storage(":memory:")
    campaign = store.create_campaign("nanotubes", {"p": 0.1}, seed=7)
    spec = hashlib.sha256(b'{"p":0.1}').hexdigest()
    begin = f'"{campaign.created_at}"\n7\n"{spec}"'
    assert campaign.digest == hashlib.sha256(begin.encode()).hexdigest()
    before = campaign.digest
    awkward = 'two\nlines ]\n[ "quoted" \\ 双层'
    for event in store.append(campaign.id, [asked(3, context={awkward: awkward}), told(1, 1), noted(awkward)]):
        assert event.digest == by_hand(before, event[:-1])
        before = event.digest


def test_digests_do_not_depend_on_how_many_are_made_at_once() -> None:
    rows = [(number, "a\n]\n[", None) for number in range(2 * AT_ONCE + 1)]
    before, expected = "0" * 64, []
    for row in rows:
        before = by_hand(before, row)
        expected.append(before)
    assert list(digests("0" * 64, rows)) == expected
