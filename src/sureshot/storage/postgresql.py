"""PostgreSQL by URL: for several machines, or a store that somebody else backs up.

Appends to one campaign queue at its row (``SELECT ... FOR UPDATE``); readers never wait, and campaigns do not wait
for each other. Plain SQL only: nothing is installed in the server.
"""

from __future__ import annotations

import selectors
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import URL, Connection, Engine, Table, create_engine, text
from sqlalchemy import event as hooks
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection

from sureshot.errors import StorageError
from sureshot.said import Text
from sureshot.storage import turns
from sureshot.storage.address import password_apart
from sureshot.storage.backend import CONNECTIONS, POOL, Backend, NotNow, Row
from sureshot.storage.chain import RESTORE

if TYPE_CHECKING:
    import psycopg

__all__ = ["postgresql_backend"]

PATIENCE = 10
"""Seconds to wait for the server to answer, unless the URL says ``connect_timeout``."""

LOCKED = 30
"""Seconds to wait for a lock that another transaction holds."""

WAITING = CONNECTIONS // 2
"""Threads of a process that wait for a turn at the server, or have one: each holds a connection, and needs others."""

SCHEMA_LOCK = 0x5355_5245_5348_4F54  # "SURESHOT": the advisory lock under which one process migrates


def postgresql_backend(url: URL) -> Backend:
    """The database at a URL ``postgresql://user:password@host:port/database``."""
    url, secret = password_apart(url)  # what SQLAlchemy shows of an engine, and a driver of its URL, holds none
    place = url.set(drivername="postgresql").render_as_string()
    if find_spec("psycopg") is None:
        raise StorageError(f"{place} needs the PostgreSQL driver: pip install 'sureshot[postgres]'.")
    if "connect_timeout" not in url.query:
        url = url.update_query_dict({"connect_timeout": str(PATIENCE)})
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,  # a server that was restarted in between is no error
        isolation_level="READ COMMITTED",  # after the row lock, each statement sees what others committed
        connect_args={"client_encoding": "utf8", **secret},
        **POOL,
    )
    hooks.listen(engine, "connect", _prepare)
    return Backend(
        engine=engine,
        place=place,
        explain=_explain,
        lock_schema=_lock_schema,
        insert_many=_insert_many,
        ours_alone=False,
        unreached=_unreached,
        turn=partial(_turn, engine, threading.BoundedSemaphore(WAITING)),
        reads={"isolation_level": "REPEATABLE READ"},  # all that one reads is of one moment
        looks={"isolation_level": "AUTOCOMMIT"},  # two fewer ways to the server and back
    )


def _prepare(connection: psycopg.Connection[Row], _record: Any) -> None:
    connection.execute(f"SET lock_timeout = '{LOCKED}s'".encode())
    connection.commit()
    if connection.info.server_version >= 140000:
        _notice_the_dead(connection)


def _notice_the_dead(connection: psycopg.Connection[Row]) -> None:
    """The server looks every second whether who waits for a lock is still there, where its system can tell."""
    import psycopg

    try:
        connection.execute(b"SET client_connection_check_interval = '1s'")
    except psycopg.DataError:
        connection.rollback()
    else:
        connection.commit()


TURN = "(hashtext('sureshot turn in ' || current_schema()), %d)"
NEXT = "(hashtext('sureshot next in ' || current_schema()), :id)"
QUEUE, LEAVE = text(f"SELECT pg_advisory_lock{NEXT}"), text(f"SELECT pg_advisory_unlock{NEXT}")
TRY, WAIT = f"SELECT pg_try_advisory_xact_lock{TURN}", f"SELECT pg_advisory_xact_lock{TURN}"


def _lock_schema(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": SCHEMA_LOCK})


@contextmanager
def _turn(
    engine: Engine, places: threading.Semaphore, campaign_id: int, meanwhile: Callable[[], object] | None
) -> Iterator[None]:
    """Enter the block when it is one's turn in that campaign: those who wait for an advisory lock get it in order."""
    with ExitStack() as held:
        if places.acquire(timeout=turns.PATIENCE):
            held.callback(places.release)
            connection = _waited_for(engine, campaign_id, meanwhile)
            if connection is not None:
                held.callback(_close, connection)
        yield


def _close(connection: Connection) -> None:
    with suppress(DBAPIError):  # the server may be gone, and the lock with it
        connection.close()


def _waited_for(engine: Engine, campaign_id: int, meanwhile: Callable[[], object] | None) -> Connection | None:
    """The connection that holds the turn; None: it took too long, or there is no server, as what follows will say."""
    import psycopg

    with ExitStack() as opened:
        try:
            connection = opened.enter_context(engine.connect())
            connection.execute(text(f"SET LOCAL lock_timeout = {round(1000 * turns.PATIENCE)}"))
            opened.callback(connection.invalidate)  # whatever happens now, nobody stays next
            connection.execute(QUEUE, {"id": campaign_id})
            if not connection.scalar(text(TRY % campaign_id)):
                with _sent(connection, WAIT % campaign_id) as mine:
                    if not turns.kept_up(mine, meanwhile) and not mine(turns.PATIENCE):
                        return None
            connection.execute(LEAVE, {"id": campaign_id})
        except (DBAPIError, NoConnection, psycopg.Error):
            return None
        opened.pop_all()
        return connection


@contextmanager
def _sent(connection: Connection, statement: str) -> Iterator[Callable[[float], bool]]:
    """Send a statement whose answer may take its time, and find out whether it came within so many seconds: whoever
    waits for a lock can do something else, and has it at once. If the block raises, it is taken back.
    """
    import psycopg

    driver = cast("psycopg.Connection[Row]", connection.connection.driver_connection)
    server, waiting = driver.pgconn, True
    server.send_query(statement.encode())
    while server.flush():
        sleep(turns.AGAIN)

    def came(seconds: float) -> bool:
        nonlocal waiting
        until = monotonic() + seconds
        with selectors.DefaultSelector() as answer:
            answer.register(server.socket, selectors.EVENT_READ)
            while waiting:
                answer.select(max(until - monotonic(), 0.0))
                server.consume_input()
                waiting = bool(server.is_busy())
                if waiting and monotonic() >= until:
                    return False
        for result in iter(server.get_result, None):
            if result.status != psycopg.pq.ExecStatus.TUPLES_OK:
                raise psycopg.errors.error_from_result(result)
        return True

    try:
        yield came
    finally:
        if waiting:
            with suppress(psycopg.Error):
                driver.cancel_safe(timeout=PATIENCE)


def _insert_many(connection: Connection, table: Table, rows: list[Row]) -> None:
    """By COPY: ten times as fast as INSERT for a bulk import, and no slower for one row."""
    import psycopg

    names = ", ".join(f'"{column.name}"' for column in table.c)
    statement = f"COPY {table.name} ({names}) FROM STDIN"
    driver = cast("psycopg.Connection[Row]", connection.connection.driver_connection)
    try:
        with driver.cursor() as cursor, cursor.copy(statement.encode()) as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.IntegrityError as error:
        raise IntegrityError(statement, None, error) from error
    except psycopg.Error as error:
        lost = driver.closed
        if lost:
            connection.invalidate()
        raise DBAPIError(statement, None, error, connection_invalidated=lost) from error


def _unreached(error: DBAPIError) -> bool:
    import psycopg

    state = getattr(error.orig, "sqlstate", None)
    away = state is None or state.startswith("08") or state in ("57P01", "57P02", "57P03")  # it stops, or starts
    return away and isinstance(error.orig, psycopg.OperationalError)


def _explain(error: DBAPIError, place: str) -> StorageError:
    state = getattr(error.orig, "sqlstate", None)
    return (NotNow if state in _PASSING else StorageError)(_meant(error, state, place))


def _meant(error: DBAPIError, state: str | None, place: str) -> str:
    said = " ".join(str(error.orig).split())
    if _unreached(error):
        return f"{place} can't be reached: check that the server runs, and host, port, user and password ({said})."
    if state == "55P03":  # lock_not_available
        return (
            f"{place} is held by another transaction for more than {LOCKED} s: end it (pg_stat_activity shows whose it "
            f"is), then try again. Nothing was recorded ({said})."
        )
    if state == "42501":  # insufficient_privilege
        return f"{place} does not allow this: grant the user CREATE, SELECT, INSERT, UPDATE and DELETE ({said})."
    for states, meaning in _MEANINGS.items():
        if state in states:
            return Text(f"{place} ", meaning, f" ({said.rstrip('.')}).")
    fix = "check its URL" if state is None else "look into the server's log, and try again"
    return f"{place} can't be used: {fix} ({said.rstrip('.')})."


#: Errors that are over when somebody else has finished, or made room: locks, a deadlock, a time-out; too many
#: connections; a full disk or memory.
_PASSING = ("55P03", "40P01", "57014", "53300", "53100", "53200")

_MEANINGS: dict[tuple[str, ...], str] = {
    ("53100",): "can't be written, the server's disk is full: make room there. Nothing was recorded",
    ("25006",): (
        "may only be read: name the server that is written to if this is a copy of it, or set "
        "default_transaction_read_only to off there. Nothing was recorded"
    ),
    ("XX001", "XX002"): Text("is damaged: ", RESTORE),
}
"""What a server's error means, by its code (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
