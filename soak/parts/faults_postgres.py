"""Faults at every step of a call: library, command and web, on a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from soak.bench import PostgresBench
from soak.faults import postgresql
from soak.faults.everywhere import EVERYWHERE
from soak.faults.versions import versions
from soak.plan import OFTEN, planned, prepared
from soak.running import Case
from soak.stores.proxy import proxy
from soak.stores.server import server

__all__ = ["run"]


def run(seed: int, first: int = 0, often: Mapping[str, int] = OFTEN) -> Iterator[Case]:
    """Cases without end, from that number on; ``often`` a door is gone through in a round of all faults."""
    with prepared() as (folder, doors, opened):
        running = opened.enter_context(server(folder))
        between = opened.enter_context(proxy(running.port))
        benches = [PostgresBench(door, running, between) for door in doors]
        full = (postgresql.DISK_FULL,) if running.room.own else ()
        yield from planned(benches, (*EVERYWHERE, *full, *postgresql.POSTGRESQL, *versions(folder)), seed, first, often)
