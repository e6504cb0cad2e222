"""A door and a store, with a campaign for each case: what faults are done to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from soak.doors.calls import KNOWN, SPACE, Call
from soak.doors.door import Door
from soak.stores.disk import Disk
from soak.stores.proxy import Proxy
from soak.stores.server import Server
from sureshot import Campaign, Space
from sureshot.storage import Storage, open_storage

__all__ = ["Bench", "PostgresBench", "SqliteBench"]

#: Cases after which a new store is begun: what must hold is looked up in all of it.
CASES = 30
_numbers = count(1)


class Bench(ABC):
    """Where a case is played."""

    store: str  # its sort

    def __init__(self, door: Door) -> None:
        self.door = door
        self.url = self.direct = ""  # for the door; for us, past every proxy
        self.played = CASES
        self.steps: dict[tuple[str, str], int] = {}

    def turn_over(self) -> None:
        """A new store, when it is time."""
        if self.played >= CASES:
            self.turn_over_empty()
            with closing(self.opened()):
                pass
        self.played += 1

    def turn_over_empty(self) -> None:
        """A new store that is still to be made."""
        self.played = 0
        self.door.leave()
        self._new_store(next(_numbers))

    def spoil(self) -> None:
        """Do not use the store again."""
        self.played = CASES

    def opened(self) -> Storage:
        """The store, opened anew."""
        return open_storage(self.direct)

    def campaign(self, call: Call, policy: str | None = "random") -> tuple[str, ...]:
        """The campaign that a call is about is there; the digests of its events."""
        if call.kind == "create":
            return ()
        with closing(self.opened()) as store:
            options = {} if policy is None else {"policy": policy}
            made = Campaign.create(call.campaign, Space.grid(**SPACE), seed=1, storage=store, **options)
            return tuple(one.digest for one in store.append(made.number, KNOWN))

    @abstractmethod
    def _new_store(self, number: int) -> None: ...

    @abstractmethod
    def digests(self, campaign: str) -> Sequence[str]:
        """Of the events of a campaign, whatever schema the store has; nothing is migrated."""


class SqliteBench(Bench):
    """A file on a small disk of its own."""

    store = "sqlite"

    def __init__(self, door: Door, room: Disk) -> None:
        super().__init__(door)
        self.room = room

    @property
    def file(self) -> Path:
        """The store."""
        return Path(self.url)

    def _new_store(self, number: int) -> None:
        for old in self.room.folder.glob("store*"):
            old.unlink()
        self.url = self.direct = str(self.room.folder / f"store-{number}.db")

    def digests(self, campaign: str) -> Sequence[str]:
        """Read past sureshot."""
        import sqlite3

        with closing(sqlite3.connect(self.file)) as connection:
            return [digest for (digest,) in connection.execute(_digests("?"), (campaign,))]


class PostgresBench(Bench):
    """A schema of a server of its own, behind a proxy."""

    store = "postgresql"

    def __init__(self, door: Door, server: Server, proxy: Proxy) -> None:
        super().__init__(door)
        self.server, self.proxy, self._schema = server, proxy, ""

    def _new_store(self, number: int) -> None:
        if self._schema:
            self.server.run("SET client_min_messages = warning", f"DROP SCHEMA {self._schema} CASCADE")
        self._schema = f"soak_{number}"
        self.server.run(f"CREATE SCHEMA {self._schema}")
        at = f"postgres?options=-csearch_path%3D{self._schema}"
        self.url = f"postgresql://postgres@127.0.0.1:{self.proxy.port}/{at}"
        self.direct = f"postgresql://postgres@127.0.0.1:{self.server.port}/{at}"

    def digests(self, campaign: str) -> Sequence[str]:
        """Read past sureshot."""
        import psycopg

        with psycopg.connect(self.direct) as connection:
            return [digest for (digest,) in connection.execute(_digests("%s").encode(), (campaign,))]

    def files(self) -> list[Path]:
        """Of the tables and indexes that hold events."""
        names = "('event', 'campaign', 'campaign_head')"
        query = f"SELECT pg_relation_filepath(c.oid) FROM pg_class c WHERE relname IN {names} AND relnamespace = "
        found = self.server.run(f"{query}'{self._schema}'::regnamespace")
        return [self.server.data / path for (path,) in found]


def _digests(mark: str) -> str:
    ours = f"(SELECT id FROM campaign WHERE name = {mark})"
    return f"SELECT digest FROM event WHERE campaign_id = {ours} ORDER BY number"
