"""Whatever a campaign, a parameter or a note is called: a database keeps it as text, and runs nothing of it."""

from __future__ import annotations

import pytest

from sureshot import Campaign, Contexts, Space
from sureshot.errors import UnknownName
from sureshot.storage import Storage

NASTY = [
    "'; DROP TABLE campaign; --",
    '"; DELETE FROM event; --',
    "' OR '1'='1",
    "x' UNION SELECT name, seed FROM campaign --",
    "%(name)s %s :name $1 ? {name}",
    "\\'; SELECT pg_sleep(60); --",
    "$$; DROP SCHEMA public CASCADE; $$",
    "/* */ -- ;",
    "ʼ; DROP TABLE event; --",  # a letter that some code pages turn into an apostrophe
    "%_%",
]


@pytest.mark.parametrize("nasty", NASTY)
def test_it_comes_back_as_it_was_and_nothing_else_changed(store: Storage, nasty: str) -> None:
    other = Campaign.create("other", Space.grid(power=[8, 10]), seed=1, storage=store)
    other.tell_new(0, 1)
    before = other.export()
    cases = Contexts(ward=[nasty, "B"])
    made = Campaign.create(
        nasty, Space.grid(gas=[nasty, "He"]), context=cases, success=nasty, failure="no", policy="random", seed=1,
        storage=store,
    )  # fmt: skip
    (trial,) = made.ask_batch(1, context={"ward": nasty}, author=nasty, key=nasty[:40])
    made.tell(trial, nasty, author=nasty, note=nasty)
    made.note(nasty, author=nasty)
    made.tell_new({"gas": nasty}, "no", context={"ward": nasty}, note=nasty, key=f"2{nasty[:40]}")
    again = Campaign.open(nasty, store)
    assert again.export() == made.export()
    again.verify()
    assert again.recorded_under(nasty[:40])
    assert not again.recorded_under("%")
    assert [one.number for one in again.ask_batch(1, context={"ward": nasty}, key=nasty[:40])] == [1]
    row = again.history()[0]
    assert (row.opened_by, row.told_by, row.context) == (nasty, nasty, {"ward": nasty})
    assert nasty in row.notes
    again.rename(f"{nasty}2")
    again.archive()
    assert [one.name for one in store.campaigns()] == ["other", f"{nasty}2"]
    for missing in (nasty, "%", "_ther", "other' --"):
        with pytest.raises(UnknownName):
            Campaign.open(missing, store)
    again.delete(expected_last=again.last_event())
    assert [one.name for one in store.campaigns()] == ["other"]
    assert Campaign.open("other", store).export() == before
