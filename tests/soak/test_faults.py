"""A few faults of each kind at each door of each store; and the judge sees what is lost, doubled or half.

The long version is ``python -m soak faults_sqlite faults_postgres``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from soak.bench import SqliteBench
from soak.doors.calls import KINDS, Answer, Call, new_call, whole
from soak.doors.library import Library
from soak.judging import Wrong, advises, agrees, standing
from soak.parts import faults_postgres, faults_sqlite
from soak.plan import OFTEN, prepared
from soak.running import Case
from soak.scene import AT_COMMIT, Fault, Scene, played
from soak.stores.disk import disk

from sureshot import Campaign
from sureshot.storage import NewEvent, asked, told, withdrawn

ONCE = dict.fromkeys(OFTEN, 1)
SEED = 20261119


def one_of_each(part: object, faults: int) -> list[Case]:
    """A case for each fault at each door, and one for the fault that only the web knows."""
    with closing(part.run(SEED, often=ONCE)) as found:  # type: ignore[attr-defined]
        return list(islice(found, len(ONCE) * faults + 1))


def test_sqlite() -> None:
    cases = one_of_each(faults_sqlite, 13)
    assert [case for case in cases if case.verdict == "BROKEN"] == []
    assert {"killed", "read-only", "WAL deleted", "pages swapped", "a newer version migrates"} <= faults_of(cases)


def test_postgresql() -> None:
    cases = one_of_each(faults_postgres, 14)
    assert [case for case in cases if case.verdict == "BROKEN"] == []
    assert {"killed", "server away", "connection cut after COMMIT", "blocks damaged"} <= faults_of(cases)


def faults_of(cases: list[Case]) -> set[str]:
    return {case.what.partition(": ")[2] for case in cases}


# --- the judge can fail --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteBench]:
    with prepared() as (_, doors, opened):
        door = next(door for door in doors if isinstance(door, Library))
        yield SqliteBench(door, opened.enter_context(disk(tmp_path_factory.mktemp("disk"), 8)))


def lost(scene: Scene) -> Iterator[None]:
    """What was acknowledged is gone: the file is as it was before."""
    with closing(sqlite3.connect(scene.bench.url)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # all of it is in the file itself
    before = Path(scene.bench.url).read_bytes()
    yield
    scene.bench.door.leave()
    Path(scene.bench.url).write_bytes(before)


def doubled(scene: Scene) -> Iterator[None]:
    """It is recorded twice."""
    yield
    with closing(scene.bench.opened()) as store:
        number = store.campaign(scene.call.campaign).id
        last = store.events(number)[-1]
        more = NewEvent(kind="noted", text=last.text, payload_json=last.payload_json)
        store.append(number, [more])


def half(scene: Scene) -> Iterator[None]:
    """Of an ask for three trials, one is there."""
    yield from ()
    scene.kill()
    with closing(scene.bench.opened()) as store:
        store.append(store.campaign(scene.call.campaign).id, [asked(1)])
    yield


def nothing(_scene: Scene) -> Iterator[None]:
    yield


@pytest.mark.parametrize(
    ("done", "kind", "verdict", "words"),
    [
        (nothing, "note", "held", ""),
        (lost, "note", "BROKEN", "acknowledged, and not there"),
        (doubled, "note", "BROKEN", "half or doubled: 2 events instead of 1"),
        (half, "ask three", "BROKEN", "half or doubled: 1 events instead of 3"),
    ],
)
def test_what_is_lost_doubled_or_half_is_broken(
    bench: SqliteBench, done: object, kind: str, verdict: str, words: str
) -> None:
    fault = Fault("made up", done, kinds=(kind,), at=5)  # type: ignore[arg-type]
    number = KINDS.index(kind) + 10 * (verdict == "held")
    found = played(bench, fault, number + 100 * len(words), SEED)
    assert found.what == "sqlite, library: made up"
    assert found.verdict == verdict
    assert words in found.told
    assert verdict == "held" or found.told.startswith(f"seed {SEED}, case ")


def test_each_call_is_recorded_whole(bench: SqliteBench) -> None:
    bench.turn_over()
    for number, kind in enumerate(KINDS):
        call = new_call(kind, 10_000 + number)
        before = bench.campaign(call)
        bench.door.ready(bench.url, call.campaign)
        assert bench.door.call(call).ok
        with closing(bench.opened()) as store:
            events = store.events(store.campaign(call.campaign).id)
        assert standing(call, before, events) is not None
        assert whole(call, events[len(before) :]) == ""


def test_the_gate_stops_where_it_is_told_to(bench: SqliteBench) -> None:
    bench.turn_over()
    where = []
    for number, stop in enumerate((5, 5, 300, AT_COMMIT)):
        call = new_call("note", 20_000 + number)
        bench.campaign(call)
        bench.door.ready(bench.url, call.campaign)
        answer = bench.door.begin(call, stop=stop)
        assert bench.door.entered is not None
        stopped = bench.door.entered.stopped(answer.done)
        assert stopped is not None
        assert not answer.done()
        where.append(stopped.where)
        bench.door.entered.go()
        assert answer.result(60).ok
        assert bench.door.steps() > 300
    assert where[0] == where[1] != where[2]
    assert where[3].startswith("storage/backend.py:")
    assert where[3].endswith(" writing")


NOTE = Call("note", "c", "k")


def test_the_words_of_the_judge() -> None:
    assert advises("`q` must be at least 1, got 0: leave it out.")
    assert not advises("the disk is full")
    assert not advises("x can't be used: disk I/O error.")
    assert not advises("Traceback: it failed.")
    with pytest.raises(Wrong, match="acknowledged, and not there"):
        agrees(Answer(ok=True), None)
    with pytest.raises(Wrong, match="recorded, and it says"):
        agrees(Answer(kind="StorageError", words="The disk is full: make room. Nothing was recorded."), ())
    with pytest.raises(Wrong, match="does not say what to do"):
        agrees(Answer(kind="StorageError", words="oops"), None)
    with pytest.raises(Wrong, match="no clean answer"):
        agrees(Answer(broken="Traceback"), None)
    agrees(Answer(gone=True), None)


def test_what_others_were_told_is_missed_too() -> None:
    campaign = Campaign.create("c", {"power": [8, 10]}, seed=1, storage=":memory:")
    campaign.note("theirs", author="other")
    events = campaign.storage.events(1)
    assert standing(NOTE, (), events, ["theirs"]) is None
    with pytest.raises(Wrong, match="somebody else was told"):
        standing(NOTE, (), events, ["theirs", "more"])
    campaign.note("theirs", author="other")
    with pytest.raises(Wrong, match="more than once"):
        standing(NOTE, (), campaign.storage.events(1))
    with pytest.raises(Wrong, match="of 1 events before"):
        standing(NOTE, ("another",), events)
    with pytest.raises(Wrong, match="gone"):
        standing(NOTE, (), None)


def test_an_answer_names_the_trials_that_are_there() -> None:
    campaign = Campaign.create("c", {"power": [8, 10]}, seed=1, storage=":memory:")
    campaign.storage.append(1, [asked(0), told(1, 1), withdrawn(1)])
    with pytest.raises(Wrong, match=r"answered trials \[2\], recorded \[1\]"):
        agrees(Answer(ok=True, found=[2]), campaign.storage.events(1)[:1])
