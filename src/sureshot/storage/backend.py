"""What tells one database from another, as a record: the engine, its name for people, its words for errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection

from sureshot.errors import StorageError

__all__ = ["CONNECTIONS", "POOL", "WRITES", "Backend", "Row"]

WRITES = "sureshot_writes"
"""The execution option of a connection that is going to write: SQLite takes its write lock at once."""

CONNECTIONS = 50
"""Connections that one process has at most: more than threads of a web server answer at once, so that none waits for
another's; fewer than a PostgreSQL server has as it comes (100)."""

POOL: dict[str, Any] = {"pool_size": 5, "max_overflow": CONNECTIONS - 5}

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Backend:
    """A database that can hold campaigns. Made by :mod:`~sureshot.storage.sqlite` and :mod:`~.postgresql`."""

    engine: Engine
    place: str  # how a person knows it: a path, or a URL without the password
    explain: Callable[[DBAPIError, str], str]  # the driver's error and the place, in a person's words
    lock_schema: Callable[[Connection], None]  # within a writing transaction: nobody else migrates
    insert_many: Callable[[Connection, Table, list[Row]], None]  # rows in the order of the table's columns, fast
    ours_alone: bool  # whether tables of others in the same database are a sign of a mistake
    turns: AbstractContextManager[Any] = field(default_factory=nullcontext)  # of threads that write

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one consistent state and blocks nobody."""
        with self._explained(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: committed when the block ends, undone when it raises.

        An ``IntegrityError`` passes through: the caller knows what it means.
        """
        with (
            self._explained(),
            self.turns,
            self.engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise StorageError(self.explain(error, self.place)) from error
        except NoConnection as error:
            raise StorageError(f"{self.place} is busy: all {CONNECTIONS} connections are in use. Try again.") from error
