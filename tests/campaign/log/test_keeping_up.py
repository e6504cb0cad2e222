"""Whoever is next reads what others record, and prepares their decision once nobody records anything for a moment."""

from __future__ import annotations

from sureshot import Campaign, Space
from sureshot.storage import Storage


def test_what_comes_at_once_is_prepared_together(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("shared", space, seed=1, storage=memory)
    other, prepared = Campaign.open("shared", memory), list[int]()
    keep_up = campaign._log._keeping_up(lambda: prepared.append(campaign._log.ledger.last))
    trial = other.ask()
    keep_up()  # one event more than before: the next may follow at once
    other.tell(trial, 1)
    keep_up()
    assert prepared == []
    keep_up()
    keep_up()
    assert prepared == [2]
    other.ask()
    keep_up()
    keep_up()
    assert prepared == [2, 3]


def test_where_nobody_records_anything_all_is_prepared_at_the_second_look(memory: Storage, space: Space) -> None:
    campaign, prepared = Campaign.create("alone", space, seed=1, storage=memory), list[int]()
    keep_up = campaign._log._keeping_up(lambda: prepared.append(campaign._log.ledger.last))
    for _ in range(3):
        keep_up()
    assert prepared == [0]
