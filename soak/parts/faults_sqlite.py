"""Faults at every step of a call: library, command and web, on a SQLite file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from soak.bench import SqliteBench
from soak.faults import sqlite
from soak.faults.everywhere import EVERYWHERE
from soak.faults.versions import versions
from soak.plan import OFTEN, planned, prepared
from soak.running import Case
from soak.stores.disk import disk

__all__ = ["run"]


def run(seed: int, first: int = 0, often: Mapping[str, int] = OFTEN) -> Iterator[Case]:
    """Cases without end, from that number on; ``often`` a door is gone through in a round of all faults."""
    with prepared() as (folder, doors, opened):
        benches = [SqliteBench(door, opened.enter_context(disk(door.folder / "disk", 12))) for door in doors]
        full = (sqlite.DISK_FULL,) if benches[0].room.own else ()
        yield from planned(benches, (*EVERYWHERE, *full, *sqlite.SQLITE, *versions(folder)), seed, first, often)
