"""Bring a store's schema up to date when it is opened: in one transaction, with its record, or not at all."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, column, inspect, select, table
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sureshot.errors import CorruptLog, StorageError
from sureshot.storage.backend import Backend, of_something_else
from sureshot.storage.chain import RESTORE
from sureshot.storage.tables import SCHEMA, VERSION_COLUMN, VERSION_TABLE, metadata

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

__all__ = ["VERSIONS", "bring_up_to_date", "schema_of", "scripts"]

VERSIONS = Path(__file__).parent / "migrations"

_version = table(VERSION_TABLE, column(VERSION_COLUMN))


def schema_of(connection: Connection) -> int | None:
    """The schema version of a store; None: it has none yet."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.scalar(select(_version.c[VERSION_COLUMN]))
    if not isinstance(found, str) or not found.isdecimal():
        raise CorruptLog(f"the version of the store's schema is {found!r}, which no sureshot writes", fix=RESTORE)
    return int(found)


def bring_up_to_date(
    backend: Backend, *, create: bool = True, target: int = SCHEMA, versions: tuple[Path, ...] = (VERSIONS,)
) -> None:
    """Make the tables, or migrate them to ``target``. A newer schema is refused, and so is somebody else's database.

    Whose it is, is judged under the lock of whoever makes the tables: before, they may be half there. Alembic is
    imported only when there is something to do: a store that is up to date opens fast.
    """
    with backend.reading() as connection:
        found = schema_of(connection)
        if found == target:
            return
        _refuse_newer(found, backend, target)
        if backend.only_read:
            _refuse_others(connection, backend, found)
            _refuse_to_write(found, backend)
    with backend.writing() as connection:
        backend.lock_schema(connection)
        found = schema_of(connection)  # another process may have been first
        _refuse_others(connection, backend, found)
        _refuse_newer(found, backend, target)
        if found is None and not create:
            raise _no_store(backend)
        if found != target:
            _upgrade(connection, backend, target, versions)


def scripts(versions: tuple[Path, ...] = (VERSIONS,)) -> ScriptDirectory:
    """The migrations as Alembic sees them. There is no ``env.py``: nothing runs but the versions."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(VERSIONS, version_locations=versions)


def _refuse_others(connection: Connection, backend: Backend, found: int | None) -> None:
    """Refuse a database with tables that stand where ours would be made."""
    if found is None:
        present = set(inspect(connection).get_table_names())
        if strange := present if backend.ours_alone else present & set(metadata.tables):
            raise of_something_else(backend.place, strange)


def _refuse_newer(found: int | None, backend: Backend, target: int) -> None:
    if found is not None and found > target:
        raise StorageError(
            f"{backend.place} has schema {found}, made by a newer sureshot; this one knows schemas up to {target}: "
            "upgrade sureshot (pip install -U sureshot). Nothing was changed."
        )


def _refuse_to_write(found: int | None, backend: Backend) -> None:
    if found is None:
        raise _no_store(backend)
    raise StorageError(
        f"{backend.place} was made by an older sureshot and must be brought up to date, and {backend.only_read}"
    )


def _no_store(backend: Backend) -> StorageError:
    return StorageError(f"there is no store at {backend.place}: create a campaign first, or name another store.")


_alembic = threading.Lock()
"""Alembic keeps what it is working on in one place for all threads."""


def _upgrade(connection: Connection, backend: Backend, target: int, versions: tuple[Path, ...]) -> None:
    from alembic.util import CommandError

    try:
        with _alembic:
            _migrate(connection, target, versions)
    except (SQLAlchemyError, CommandError) as error:
        if isinstance(error, DBAPIError) and (error.connection_invalidated or backend.unreached(error)):
            raise
        said = f"{backend.place} can't be brought up to date ({error.args[0]}); nothing was changed"
        raise StorageError(said, fix=RESTORE) from error


def _migrate(connection: Connection, target: int, versions: tuple[Path, ...]) -> None:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext

    script = scripts(versions)
    steps = EnvironmentContext(Config(), script, fn=lambda now, _: script._upgrade_revs(str(target), now))
    with steps:
        # Both databases undo CREATE and ALTER TABLE with the transaction that we are in.
        steps.configure(connection=connection, version_table=VERSION_TABLE, transactional_ddl=True)
        steps.run_migrations()
