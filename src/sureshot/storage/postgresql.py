"""PostgreSQL by URL: for several machines, or a store that somebody else backs up.

Appends to one campaign queue at its row (``SELECT ... FOR UPDATE``); readers never wait, and campaigns do not wait
for each other. Plain SQL only: nothing is installed in the server.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from sqlalchemy import URL, Connection, Table, create_engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from sureshot.errors import StorageError
from sureshot.storage.backend import POOL, Backend, Row

if TYPE_CHECKING:
    import psycopg

__all__ = ["postgresql_backend"]

PATIENCE = 10
"""Seconds to wait for the server to answer, unless the URL says ``connect_timeout``."""

SCHEMA_LOCK = 0x5355_5245_5348_4F54  # "SURESHOT": the advisory lock under which one process migrates


def postgresql_backend(url: URL) -> Backend:
    """The database at a URL ``postgresql://user:password@host:port/database``."""
    place = url.set(drivername="postgresql").render_as_string(hide_password=True)
    if find_spec("psycopg") is None:
        raise StorageError(f"{place} needs the PostgreSQL driver: pip install 'sureshot[postgres]'.")
    if "connect_timeout" not in url.query:
        url = url.update_query_dict({"connect_timeout": str(PATIENCE)})
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,  # a server that was restarted in between is no error
        isolation_level="READ COMMITTED",  # after the row lock, each statement sees what others committed
        connect_args={"client_encoding": "utf8"},
        **POOL,
    )
    return Backend(
        engine=engine,
        place=place,
        explain=_explain,
        lock_schema=_lock_schema,
        insert_many=_insert_many,
        ours_alone=False,
    )


def _lock_schema(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": SCHEMA_LOCK})


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
        raise DBAPIError(statement, None, error) from error


def _explain(error: DBAPIError, place: str) -> str:
    said = " ".join(str(error.orig).split())
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        return f"{place} can't be reached: check that the server runs, and host, port, user and password ({said})."
    if state == "42501":  # insufficient_privilege
        return f"{place} does not allow this: grant the user CREATE, SELECT, INSERT, UPDATE and DELETE ({said})."
    return f"{place} can't be used: {said}."
