"""Several processes on one store: nothing is lost, nothing is doubled, one wins; and a killed writer loses nothing
that was acknowledged.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sureshot.errors import OutOfDate, UnknownName
from sureshot.storage import Storage, asked, open_storage, sql

ROOT = Path(__file__).parents[2]


def start(task: str, url: str, author: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.storage.racers", task, url, "shared", author],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def race(task: str, url: str, racers: int = 4, patience: float = 60) -> list[dict[str, Any]]:
    """What the processes said, all together, once all have ended well."""
    running = [start(task, url, f"racer {i}") for i in range(racers)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=patience)[0] for process in running]
    assert [process.returncode for process in running] == [0] * racers
    return [json.loads(line) for text in said for line in text.splitlines()]


def acknowledged(said: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return sorted((words["number"], words["digest"]) for words in said if "number" in words)


Opened = Callable[..., Storage]


def test_of_twenty_processes_that_open_an_empty_database_none_is_refused(database_url: str, opened: Opened) -> None:
    """While one makes the tables, the others may see a few of them, and must not take them for somebody else's."""
    said = race("create", database_url, racers=20, patience=300)
    assert sum("created" in words for words in said) == 1
    assert sum("found" in words for words in said) == 19
    assert [one.name for one in opened(database_url).campaigns()] == ["shared"]


def test_four_processes_create_ask_and_tell(database_url: str, opened: Opened) -> None:
    said = race("race", database_url)
    store = opened(database_url)

    # all found no tables and no campaign: one made it
    [creator] = [words["created"] for words in said if "created" in words]
    assert sum("found" in words for words in said) == 3
    campaign = store.campaign("shared")
    assert campaign.spec == {"by": creator}

    # whatever was acknowledged is there, and nothing else; the chain is proved, and no number is missing
    events = store.events(campaign.id)
    assert [(e.number, e.digest) for e in events] == acknowledged(said)
    assert Counter(e.kind for e in events) == {"asked": 25, "noted": 100, "told": 25}

    # no alternative was handed out twice, and none was left out
    assert [e.alternative for e in events if e.kind == "asked"] == list(range(25))

    # each trial has one outcome, told by the one who was told so; the other three were told of a conflict
    assert sorted(words["won"] for words in said if "won" in words) == list(range(1, 26))
    assert Counter(words["lost"] for words in said if "lost" in words) == Counter(dict.fromkeys(range(1, 26), 3))


def test_kill_9_loses_nothing_acknowledged(database_url: str, opened: Opened) -> None:
    store = opened(database_url)
    campaign = store.create_campaign("shared", {}, seed=0)
    for round_ in range(2):
        before = len(store.events(campaign.id))
        process = start("write_for_ever", database_url, f"round {round_}")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        lines = [process.stdout.readline() for _ in range(7 + round_)]
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdin.close()
        process.stdout.close()
        said = [json.loads(line) for line in lines if line.endswith("\n")]

        again = open_storage(database_url)
        events = again.events(campaign.id)
        again.close()
        kept = [(e.number, e.digest) for e in events[before:]]
        assert kept[: len(said)] == acknowledged(said)
        assert len(kept) % 2 == 0  # both events of an append, or neither
        assert len(kept) - len(said) <= 3  # at most the append whose acknowledgement was cut off, and the next
    assert store.append(campaign.id, [asked(0)])[0].number == len(events) + 1


def test_a_campaign_is_renamed_and_deleted_while_others_write(database_url: str, opened: Opened) -> None:
    from sqlalchemy import text

    store = opened(database_url)
    campaign = store.create_campaign("shared", {}, seed=0)
    running = [start("write_until_deleted", database_url, f"racer {i}") for i in range(3)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()  # it writes
    before = store.campaigns()[0].last_number
    store.rename_campaign(campaign.id, "renamed")
    while store.campaigns()[0].last_number <= before + 6:  # nobody is held up by that
        pass
    with pytest.raises(OutOfDate):
        store.delete_campaign(campaign.id, expected_last=before)
    store.delete_campaign(campaign.id)
    for process in running:
        said = json.loads(process.communicate(timeout=60)[0].splitlines()[-1])
        assert process.returncode == 0
        assert f"no campaign has the id {campaign.id}" in said["gone"]
    with store._backend.reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM event")) == 0  # nothing half
    assert store.campaigns() == ()


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_campaign_that_is_deleted_while_it_is_read_is_gone_and_not_damaged(
    database_url: str, opened: Opened, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    store, other = opened(database_url), opened(database_url)
    campaign = store.create_campaign("shared", {}, seed=0)
    recorded = store.append(campaign.id, [asked(0), asked(1)])
    looked = sql.read_head

    def deleted_after(*given: object) -> object:
        found = looked(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(sql, "read_head", looked)
        other.delete_campaign(campaign.id)
        return found

    monkeypatch.setattr(sql, "read_head", deleted_after)
    with suppress(UnknownName):
        digest = recorded[after - 1].digest if after else None
        assert store.events(campaign.id, after=after, digest=digest) == recorded[after:]  # of the moment before
    with pytest.raises(UnknownName, match="no campaign has the id"):
        store.events(campaign.id)


def test_what_is_recorded_between_two_looks_is_read_the_next_time(
    database_url: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = opened(database_url), opened(database_url)
    campaign = store.create_campaign("shared", {}, seed=0)
    store.append(campaign.id, [asked(0)])
    looked = sql.read_head

    def grown_after(*given: object) -> object:
        found = looked(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(sql, "read_head", looked)
        other.append(campaign.id, [asked(1)])
        return found

    monkeypatch.setattr(sql, "read_head", grown_after)
    first = store.events(campaign.id)
    assert [one.number for one in first] == [1]
    assert [one.number for one in store.events(campaign.id, after=1, digest=first[-1].digest)] == [2]


def test_a_reader_holds_up_no_writer_and_sees_one_state(database_url: str, opened: Opened) -> None:
    from sqlalchemy import text

    store, other = opened(database_url), opened(database_url)
    campaign = store.create_campaign("shared", {}, seed=0)
    store.append(campaign.id, [asked(0)])
    count = text("SELECT count(*) FROM event")
    with other._backend.reading() as reader:  # a transaction that stays open
        assert reader.scalar(count) == 1
        store.append(campaign.id, [asked(1)])
    with store._backend.writing() as writer:
        writer.execute(text("UPDATE campaign SET name = 'renamed'"))
        assert len(other.events(campaign.id)) == 2  # a reader does not wait for a writer
        assert other.campaigns()[0].name == "shared"
