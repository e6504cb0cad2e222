"""An earlier state of the store is restored under a campaign that is open: nothing is recorded, and it is said."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from sureshot import Campaign, Space
from sureshot.errors import OtherLog
from sureshot.storage import backup, open_storage

SAID = "event 4 as it was read is not in it .* Nothing was recorded: open the campaign again"


def as_recorded(campaign: Campaign) -> list[str | None]:
    return [one.text for one in campaign.events()]


@pytest.mark.parametrize("since", [0, 3, 6])
def test_a_restored_file(tmp_path: Path, since: int) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with closing(open_storage(path)) as store:
        mine = Campaign.create("oven", Space.grid(power=[8, 10, 12]), seed=1, storage=store)
        trial = mine.ask()
        backup(store, copy)
        mine.tell(trial, "success")
        mine.note("three"), mine.note("four")
        with closing(sqlite3.connect(copy)) as earlier, closing(sqlite3.connect(path)) as now:
            earlier.backup(now)
        theirs = Campaign.open("oven", store)
        for number in range(since):
            theirs.note(f"new {number}")
        before = as_recorded(theirs)
        for do in (
            lambda: mine.note("five"),
            lambda: mine.tell(trial, "success"),
            mine.ask,
            mine.history,
            mine.events,
            mine.status,
        ):
            with pytest.raises(OtherLog, match=SAID):
                do()
        assert as_recorded(theirs) == before
        again = Campaign.open("oven", store)
        again.note("five")
        assert len(again.events()) == 2 + since


def test_a_restored_server(postgres_url: str) -> None:
    with closing(open_storage(postgres_url)) as store:
        mine = Campaign.create("oven", Space.grid(power=[8, 10, 12]), seed=1, storage=store)
        head = "SELECT number, trials, digest, seal FROM campaign_head"
        with psycopg.connect(postgres_url) as connection:
            earlier = connection.execute(head).fetchone()
        assert earlier is not None
        for text in ("one", "two", "three", "four"):
            mine.note(text)
        with psycopg.connect(postgres_url) as connection:
            connection.execute("DELETE FROM event")
            connection.execute("UPDATE campaign_head SET number = %s, trials = %s, digest = %s, seal = %s", earlier)
        with pytest.raises(OtherLog, match=SAID):
            mine.note("five")
        assert Campaign.open("oven", store).last_event() == 0
