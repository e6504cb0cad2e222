"""What tells one database from another, as a record: the engine, its name for people, its words for errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection

from sureshot.errors import InvalidInput, NotKnown, StorageError
from sureshot.storage.chain import RESTORE

__all__ = ["CONNECTIONS", "POOL", "WRITES", "Backend", "NotNow", "Row", "of_something_else"]

WRITES = "sureshot_writes"
"""The execution option of a connection that is going to write: SQLite takes its write lock at once."""

CONNECTIONS = 50
"""Connections that one process has at most: more than threads of a web server answer at once, so that none waits for
another's; fewer than a PostgreSQL server has as it comes (100)."""

POOL: dict[str, Any] = {"pool_size": 5, "max_overflow": CONNECTIONS - 5}

PATIENCE = 20.0
"""Seconds that a lost server is waited for: one that is restarted is there again in less."""

PAUSE = 0.2
"""Seconds between two looks whether it is there."""

Row = tuple[Any, ...]
T = TypeVar("T")


class NotNow(StorageError):
    """Nothing can be said of what is stored: it is locked, a disk is full, there is no server. That is no damage."""


class Unreachable(NotNow):
    """There is no server, or the connection to it was lost while something was done."""

    def __init__(self, said: str, *, lost: bool) -> None:
        super().__init__(said)
        self.lost = lost


@dataclass(frozen=True, slots=True)
class Backend:
    """A database that can hold campaigns. Made by :mod:`~sureshot.storage.sqlite` and :mod:`~.postgresql`."""

    engine: Engine
    place: str  # how a person knows it: a path, or a URL without the password
    explain: Callable[[DBAPIError, str], StorageError]  # the driver's error and the place, in a person's words
    lock_schema: Callable[[Connection], None]  # within a writing transaction: nobody else migrates
    insert_many: Callable[[Connection, Table, list[Row]], None]  # rows in the order of the table's columns, fast
    ours_alone: bool  # whether tables of others in the same database are a sign of a mistake
    unreached: Callable[[DBAPIError], bool]  # whether an error says that there is no server
    turn: Callable[[int, Callable[[], object] | None], AbstractContextManager[None]]  # of who decides in a campaign
    turns: AbstractContextManager[Any] = field(default_factory=nullcontext)  # of threads that write
    reads: Mapping[str, Any] = field(default_factory=dict)  # options of a connection that reads: one state, seen whole
    looks: Mapping[str, Any] = field(default_factory=dict)  # of one whose statements may each see a later state
    only_read: str = ""  # why nothing can be written; if empty, it can
    settle: Callable[[Connection], None] = lambda _: None  # after a transaction: what need not be done within it
    still_there: Callable[[Connection], None] = lambda _: None  # raises if the place holds another database by now

    @contextmanager
    def reading(self, *, whole: bool = True) -> Iterator[Connection]:
        """A connection that blocks nobody and sees one consistent state, unless that need not be the ``whole`` time."""
        options = self.reads if whole else self.looks
        with self.explained(), self.engine.connect().execution_options(**options) as connection:
            self.still_there(connection)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: committed when the block ends, undone when it raises.

        An ``IntegrityError`` passes through: the caller knows what it means.
        """
        if self.only_read:
            raise StorageError(f"{self.place} can't be written: {self.only_read}.")
        with (
            self.explained(),
            self.turns,
            self.engine.connect().execution_options(**{WRITES: True}) as connection,
        ):
            with connection.begin():
                self.still_there(connection)
                yield connection
                self.still_there(connection)
            self.settle(connection)

    def written(self, write: Callable[[Connection, bool], T]) -> T:
        """What ``write`` gives back, once it is committed.

        If the connection is lost meanwhile, nobody knows whether the server still committed. Then ``write`` is called
        again as soon as there is a server, and told so: first it finds out, under the lock that the lost transaction
        held, whether all is there already. A server that stays away is a :class:`~sureshot.errors.NotKnown`.
        """
        until = None
        while True:
            try:
                with self.writing() as connection:
                    return write(connection, until is not None)
            except Unreachable as error:
                if until is None:
                    if not error.lost:
                        raise
                    until = monotonic() + PATIENCE
                if monotonic() > until:
                    raise NotKnown(
                        f"{error} Whether this was recorded is not known: look into the history when the server is "
                        "there."
                    ) from error
            sleep(PAUSE)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Errors of this database within the block, in a person's words."""
        try:
            yield
        except IntegrityError:
            raise
        except UnicodeEncodeError:  # of a text that is looked for: none that is stored has such
            raise InvalidInput("a name must be text in UTF-8", fix="leave out the bytes that are none") from None
        except DBAPIError as error:
            said = self.explain(error, self.place)
            if error.connection_invalidated or self.unreached(error):
                raise Unreachable(said.sentence, lost=error.connection_invalidated) from error
            raise said from error
        except (UnicodeDecodeError, MemoryError) as error:  # what the driver makes of a damaged file
            raise StorageError(f"{self.place} is damaged ({error})", fix=RESTORE) from error
        except NoConnection as error:
            raise StorageError(f"{self.place} is busy: all {CONNECTIONS} connections are in use. Try again.") from error


def of_something_else(place: str, tables: set[str]) -> StorageError:
    """The error for a database that others use."""
    held = ", ".join(sorted(tables)[:5]) or "nothing of sureshot"
    return StorageError(
        f"{place} is the database of something else: it holds {held}", fix="name another one for sureshot"
    )
