"""Campaigns that are kept open: what is worked out apart is right, bounded, and keeps nobody else waiting."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sureshot import Campaign, Space
from sureshot.errors import OtherLog, UnknownName
from sureshot.storage import CampaignSummary, Storage, backup, open_storage
from sureshot.web.opened import KEPT, WAITING, Held, Opened

#: Seconds: long enough for whatever is not kept waiting, and so long is waited in vain for what is.
LONG, SHORT = 60.0, 0.01


@pytest.fixture
def two(store: Storage) -> tuple[CampaignSummary, ...]:
    for name in ("first", "second"):
        Campaign.create(name, Space.grid(power=[8, 10]), seed=1, storage=store)
    return store.campaigns()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What takes long takes until it is set."""
    found = threading.Event()
    yield found
    found.set()


def waits(gate: threading.Event) -> Callable[[Held], bool]:
    return lambda _: gate.wait(LONG)


def impatient(opened: Opened, line: CampaignSummary, key: object, work: Callable[[Held], Any]) -> Any:
    return opened._find(line).apart.soon(line.last_number, key, work, SHORT)


def test_what_takes_long_in_one_campaign_keeps_no_other_waiting(
    store: Storage, two: tuple[CampaignSummary, ...], gate: threading.Event
) -> None:
    opened, (slow, quick) = Opened(store, 64, LONG), two
    for key in range(4):
        assert impatient(opened, slow, key, waits(gate)) is None
    assert opened.soon(quick, "quick", lambda held: held.campaign.name) == "second"


def test_threads_and_answers_do_not_pile_up(
    store: Storage, two: tuple[CampaignSummary, ...], gate: threading.Event
) -> None:
    opened, line = Opened(store, 64, LONG), two[0]
    before = threading.active_count()
    for key in range(3 * WAITING):
        assert impatient(opened, line, key, waits(gate)) is None
    apart = opened._find(line).apart
    assert threading.active_count() <= before + 1
    assert len(apart._waiting) == WAITING
    gate.set()
    for key in range(2 * KEPT):
        assert opened.soon(line, ("quick", key), lambda _, key=key: key) == key  # type: ignore[misc]
    assert len(apart._begun) == KEPT


def test_of_many_answers_those_that_are_wanted_again_and_again_are_kept(
    store: Storage, two: tuple[CampaignSummary, ...]
) -> None:
    opened, line, worked_out = Opened(store, 64, LONG), two[0], list[str]()
    with opened.use(line.id) as held:
        for page in range(3 * KEPT):
            held.answer("best", lambda: worked_out.append("best"))
            held.answer(("page", page), lambda: None)
        assert len(held._answers[1]) == KEPT
    for page in range(3 * KEPT):
        opened.soon(line, "best", lambda _: worked_out.append("apart"))
        opened.soon(line, ("page", page), lambda _: None)
    assert worked_out == ["best", "apart"]


def test_the_last_that_were_asked_for_are_worked_out(
    store: Storage, two: tuple[CampaignSummary, ...], gate: threading.Event
) -> None:
    opened, line = Opened(store, 64, LONG), two[0]
    assert impatient(opened, line, "slow", waits(gate)) is None
    done: list[int] = []

    def noting(key: int) -> Callable[[Held], bool]:
        def work(_: Held) -> bool:
            done.append(key)
            return True

        return work

    for key in range(2 * WAITING):
        impatient(opened, line, key, noting(key))
    gate.set()
    assert opened.soon(line, 2 * WAITING - 1, lambda _: False) is True
    assert done[-WAITING:] == list(range(WAITING, 2 * WAITING))


def test_an_older_list_is_answered_from_the_newer_event(store: Storage, two: tuple[CampaignSummary, ...]) -> None:
    opened, old = Opened(store, 64, LONG), two[0]
    Campaign.open("first", store).tell_new(0, "success")
    new = opened.summary(old.id)
    worked_out: list[int] = []

    def told(held: Held) -> int:
        worked_out.append(held.campaign.status().told)
        return worked_out[-1]

    assert [opened.soon(line, "told", told) for line in (new, old, new)] == [1, 1, 1]
    assert worked_out == [1]


def test_who_looks_apart_learns_of_another_name_too(store: Storage, two: tuple[CampaignSummary, ...]) -> None:
    opened, number = Opened(store, 64, LONG), two[0].id
    with opened.looking(number) as held:
        assert held.campaign.name == "first"
    with opened.use(number) as held:
        held.campaign.rename("third")
    with opened.looking(number) as held:
        assert held.campaign.name == "third"
    assert opened.soon(opened.summary(number), "name", lambda held: held.campaign.name) == "third"
    with opened.use(number) as held:
        held.campaign.archive()
    with opened.looking(number) as held:
        assert held.campaign.archived


@pytest.mark.parametrize("since", [0, 1, 2])
def test_a_campaign_whose_store_was_restored_is_opened_again(tmp_path: Path, since: int) -> None:
    """By SQLite itself, under us; and others recorded so many events since. Two events are undone."""
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with closing(open_storage(path)) as store:
        campaign = Campaign.create("oven", Space.grid(power=[8, 10]), seed=1, storage=store)
        backup(store, copy)
        opened = Opened(store, 64, LONG)
        for text in ("one", "two"):
            with opened.use(campaign.number) as held:
                held.campaign.note(text)
        assert opened.soon(opened.summary(campaign.number), "last", Held.last) == 2
        with closing(sqlite3.connect(copy)) as earlier, closing(sqlite3.connect(path)) as now:
            earlier.backup(now)
        with closing(open_storage(path)) as other:
            for _ in range(since):
                Campaign.open("oven", other).note("of others")
        line = opened.summary(campaign.number)
        assert opened.soon(line, "last", Held.last) == since
        with opened.use(campaign.number) as held:
            assert [one.text for one in held.campaign.events()] == ["of others"] * since
            held.campaign.note("after")
        assert "after" in [one.text for one in Campaign.open("oven", store).events()]


def test_a_log_that_turns_out_to_be_another_one_is_refused_once(tmp_path: Path) -> None:
    """More was recorded since than had been: only the digest tells."""
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with closing(open_storage(path)) as store:
        campaign = Campaign.create("oven", Space.grid(power=[8, 10]), seed=1, storage=store)
        backup(store, copy)
        opened = Opened(store, 64, LONG)
        with opened.use(campaign.number) as held:
            held.campaign.note("one")
        with closing(sqlite3.connect(copy)) as earlier, closing(sqlite3.connect(path)) as now:
            earlier.backup(now)
        other = Campaign.open("oven", store)
        other.note("of others"), other.note("of others")
        with pytest.raises(OtherLog), opened.use(campaign.number) as held:
            held.campaign.note("after")
        assert other.last_event() == 2
        with opened.use(campaign.number) as held:
            held.campaign.note("after")
        assert other.last_event() == 3


def test_a_name_that_another_campaign_has_by_now_does_not_lead_to_that(
    store: Storage, two: tuple[CampaignSummary, ...]
) -> None:
    opened, (first, second) = Opened(store, 64, LONG), two  # the lines as they were before all this
    store.rename_campaign(first.id, "third")
    store.rename_campaign(second.id, "first")
    with opened.use_line(first) as held:
        assert (held.campaign.number, held.campaign.name) == (first.id, "third")
    with opened.use_line(second) as held:
        assert (held.campaign.number, held.campaign.name) == (second.id, "first")
    Campaign.open("first", store).delete()
    with pytest.raises(UnknownName, match="no campaign 2"), Opened(store, 64, LONG).use_line(second):
        pass
