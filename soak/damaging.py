"""Stores whose files are damaged, and all that may happen to a file, its write-ahead log and its index."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from sureshot.storage import asked, corrected, noted, open_storage, told, withdrawn
from sureshot.storage import sqlite as sqlite_module

__all__ = ["NAMES", "OF_FILE", "OF_INDEX", "OF_LOG", "Damage", "Files", "Stores", "held", "put", "stores"]

PAGE = 4096
NAMES = ("store.db", "store.db-wal", "store.db-shm")
Files = dict[str, bytes]
Damage = Callable[[random.Random, Files, "Stores"], None]


class Stores(NamedTuple):
    """The files of one store, as they were at several moments, of another, and what the first one holds."""

    rest: Files  # closed
    killed: Files  # its process was killed just after it wrote
    settled: Files  # its process was killed when it had nothing to do
    earlier: Files  # closed, some events before
    other: Files  # of another store, of which a process was killed
    holds: dict[str, Any]


def fill(path: Path, seed: int, moments: dict[int, Callable[[], None]]) -> Any:
    """A store of three campaigns; after so many appends, what ``moments`` says is done."""
    rng = random.Random(seed)
    store = open_storage(path)
    ids = [store.create_campaign(name, {"by": name * 50}, seed=i).id for i, name in enumerate(("oven", "tubes", "é"))]
    for step in range(60):
        for id_ in ids[:2]:
            trial = step + 1
            new = [asked(rng.randrange(50), text="x" * rng.randrange(120), context={"age": step})]
            new.append(told(trial, rng.randrange(2), author="Ann") if step % 3 else noted("wait", trial=trial))
            new += [corrected(trial, 0)] * (step % 9 == 1) + [withdrawn(trial, text="broke")] * (step % 7 == 0)
            last = store.append(id_, new)[-1]
        if step == 25:
            store.put_snapshot(id_, last.number, last.digest, {"mean": [0.5] * 300})
            store.archive_campaign(ids[0])
        moments.get(step, lambda: None)()
    return store


def held(path: Path) -> dict[str, Any]:
    """All that the store gives."""
    with closing(open_storage(path, create=False)) as store:
        found: dict[str, Any] = {"list": store.campaigns()}
        for one in found["list"]:
            record = store.campaign(one.name)
            found[one.name] = (record, store.events(record.id), store.events(record.id, after=one.last_number // 2))
            snapshot = store.get_snapshot(record.id)  # a cache: it may be missing
            assert snapshot is None or snapshot.payload == {"mean": [0.5] * 300}
        return found


def taken(folder: Path) -> Files:
    """The files that are there."""
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).exists()}


def stores(folder: Path) -> Stores:
    """What is to be damaged."""
    found: dict[str, Files] = {}
    before, sqlite_module.SETTLED = sqlite_module.SETTLED, -1.0  # after each append
    try:
        for name, seed in (("mine", 1), ("other", 2)):
            place = folder / name
            place.mkdir()

            def take(state: str, place: Path = place) -> None:
                found[f"{place.name} {state}"] = taken(place)

            def later() -> None:
                sqlite_module.SETTLED = float("inf")

            store = fill(place / NAMES[0], seed, {40: lambda take=take: take("settled"), 52: later})
            take("killed")
            store.close()
            take("rest")
            sqlite_module.SETTLED = -1.0
    finally:
        sqlite_module.SETTLED = before
    (folder / "right").mkdir()
    holds = {}
    for state in ("rest", "killed", "settled"):
        put(folder / "right", found[f"mine {state}"])
        holds[state] = held(folder / "right" / NAMES[0])
    assert holds["rest"] == holds["killed"] != holds["settled"]
    assert set(found["mine rest"]) == {NAMES[0]}
    assert len(found["mine killed"]["store.db-wal"]) > 6 * PAGE
    earlier = {NAMES[0]: found["mine settled"][NAMES[0]]}
    return Stores(
        found["mine rest"], found["mine killed"], found["mine settled"], earlier, found["other killed"], holds
    )


def put(folder: Path, files: Files) -> None:
    """These files, and no others."""
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


# --- ways to damage ----------------------------------------------------------------------------------------------


def flip(rng: random.Random, content: bytes, most: int = 3) -> bytes:
    """Some bytes changed."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, most)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8) if rng.random() < 0.5 else rng.randint(1, 255)
    return bytes(changed)


def pages(content: bytes) -> list[bytes]:
    """The file, cut into pages."""
    return [content[at : at + PAGE] for at in range(0, len(content), PAGE)]


def bytes_changed(rng: random.Random, files: Files, _: Stores) -> None:
    """Anywhere in the file."""
    files[NAMES[0]] = flip(rng, files[NAMES[0]])


def header_changed(rng: random.Random, files: Files, _: Stores) -> None:
    """In the header."""
    content = files[NAMES[0]]
    files[NAMES[0]] = flip(rng, content[:110], 1) + content[110:]


def schema_changed(rng: random.Random, files: Files, _: Stores) -> None:
    """Where the schema stands."""
    content = files[NAMES[0]]
    files[NAMES[0]] = content[:100] + flip(rng, content[100 : 2 * PAGE]) + content[2 * PAGE :]


def page_heads_changed(rng: random.Random, files: Files, _: Stores) -> None:
    """At the head of a page."""
    content = files[NAMES[0]]
    at = PAGE * rng.randrange(1, len(content) // PAGE)
    files[NAMES[0]] = content[:at] + flip(rng, content[at : at + 40], 1) + content[at + 40 :]


def pages_swapped(rng: random.Random, files: Files, _: Stores) -> None:
    """Two pages in each other's place."""
    found = pages(files[NAMES[0]])
    one, two = rng.sample(range(1, len(found)), 2)
    found[one], found[two] = found[two], found[one]
    files[NAMES[0]] = b"".join(found)


def page_doubled(rng: random.Random, files: Files, _: Stores) -> None:
    """A page in the place of another."""
    found = pages(files[NAMES[0]])
    one, two = rng.sample(range(1, len(found)), 2)
    found[one] = found[two]
    files[NAMES[0]] = b"".join(found)


def page_of_another(rng: random.Random, files: Files, known: Stores) -> None:
    """A page of another store."""
    found, theirs = pages(files[NAMES[0]]), pages(known.other[NAMES[0]])
    one = rng.randrange(min(len(found), len(theirs)))
    found[one] = theirs[one]
    files[NAMES[0]] = b"".join(found)


def page_of_earlier(rng: random.Random, files: Files, known: Stores) -> None:
    """Pages of an earlier day."""
    found, old = pages(files[NAMES[0]]), pages(known.earlier[NAMES[0]])
    for one in rng.sample(range(len(old)), rng.randint(1, 4)):
        found[one] = old[one]
    files[NAMES[0]] = b"".join(found)


def page_zeroed(rng: random.Random, files: Files, _: Stores) -> None:
    """A page that is empty."""
    found = pages(files[NAMES[0]])
    for one in rng.sample(range(len(found)), rng.randint(1, 2)):
        found[one] = bytes(PAGE)
    files[NAMES[0]] = b"".join(found)


def block_of_noise(rng: random.Random, files: Files, _: Stores) -> None:
    """A block of noise."""
    content = bytearray(files[NAMES[0]])
    at = rng.randrange(len(content))
    length = min(rng.randint(1, 600), len(content) - at)
    content[at : at + length] = rng.randbytes(length)
    files[NAMES[0]] = bytes(content)


def truncated(rng: random.Random, files: Files, _: Stores) -> None:
    """The end is missing."""
    content = files[NAMES[0]]
    length = rng.randrange(len(content))
    files[NAMES[0]] = content[: length // PAGE * PAGE if rng.random() < 0.5 else length]


def log_torn(rng: random.Random, files: Files, _: Stores) -> None:
    """The end of the log is missing."""
    files[NAMES[1]] = files[NAMES[1]][: rng.randrange(len(files[NAMES[1]]))]


def log_changed(rng: random.Random, files: Files, _: Stores) -> None:
    """Bytes of the log changed."""
    files[NAMES[1]] = flip(rng, files[NAMES[1]])


def log_deleted(_rng: random.Random, files: Files, _: Stores) -> None:
    """No log."""
    del files[NAMES[1]]


def log_of_another(_rng: random.Random, files: Files, known: Stores) -> None:
    """The log of another store."""
    files[NAMES[1]] = known.other[NAMES[1]]


def log_zeroed(rng: random.Random, files: Files, _: Stores) -> None:
    """The end of the log is empty."""
    content = files[NAMES[1]]
    at = rng.randrange(len(content))
    files[NAMES[1]] = content[:at] + bytes(len(content) - at)


def index_deleted(_rng: random.Random, files: Files, _: Stores) -> None:
    """No index."""
    del files[NAMES[2]]


def index_changed(rng: random.Random, files: Files, _: Stores) -> None:
    """Bytes of the index changed."""
    files[NAMES[2]] = flip(rng, files[NAMES[2]][:136], 2) + files[NAMES[2]][136:]


def index_torn(rng: random.Random, files: Files, _: Stores) -> None:
    """The end of the index is missing."""
    files[NAMES[2]] = files[NAMES[2]][: rng.randrange(200)]


def index_of_another(_rng: random.Random, files: Files, known: Stores) -> None:
    """The index of another store."""
    files[NAMES[2]] = known.other[NAMES[2]]


OF_FILE: tuple[Damage, ...] = (
    bytes_changed,
    header_changed,
    schema_changed,
    page_heads_changed,
    pages_swapped,
    page_doubled,
    page_of_another,
    page_of_earlier,
    page_zeroed,
    block_of_noise,
    truncated,
)
OF_LOG: tuple[Damage, ...] = (log_torn, log_changed, log_deleted, log_of_another, log_zeroed)
OF_INDEX: tuple[Damage, ...] = (index_deleted, index_changed, index_torn, index_of_another)
