"""Bring a store's schema up to date when it is opened: in one transaction, with its record, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Integer, cast, column, inspect, select, table

from sureshot.errors import StorageError
from sureshot.storage.backend import Backend
from sureshot.storage.tables import SCHEMA, VERSION_TABLE, metadata

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

__all__ = ["VERSIONS", "bring_up_to_date", "schema_of", "scripts"]

VERSIONS = Path(__file__).parent / "migrations"

_version = table(VERSION_TABLE, column("version_num"))


def schema_of(connection: Connection) -> int | None:
    """The schema version of a store; None: it has none yet."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.scalar(select(cast(_version.c.version_num, Integer)))


def bring_up_to_date(
    backend: Backend, *, create: bool = True, target: int = SCHEMA, versions: tuple[Path, ...] = (VERSIONS,)
) -> None:
    """Make the tables, or migrate them to ``target``. A newer schema is refused, and so is somebody else's database.

    Alembic is imported only when there is something to do: a store that is up to date opens fast.
    """
    with backend.reading() as connection:
        if _check(connection, backend, target) == target:
            return
    with backend.writing() as connection:
        backend.lock_schema(connection)
        found = _check(connection, backend, target)  # another process may have been first
        if found is None and not create:
            raise StorageError(f"there is no store at {backend.place}: create a campaign first, or name another store.")
        if found != target:
            _upgrade(connection, target, versions)


def scripts(versions: tuple[Path, ...] = (VERSIONS,)) -> ScriptDirectory:
    """The migrations as Alembic sees them. There is no ``env.py``: nothing runs but the versions."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(VERSIONS, version_locations=versions)


def _check(connection: Connection, backend: Backend, target: int) -> int | None:
    found = schema_of(connection)
    if found is None and (strange := _strange(connection, backend)):
        found = schema_of(connection)  # another process may have made the tables between the two looks
        if found is None:
            raise StorageError(
                f"{backend.place} is the database of something else: it holds {', '.join(sorted(strange)[:5])}. "
                "Name another one for sureshot."
            )
    if found is not None and found > target:
        raise StorageError(
            f"{backend.place} has schema {found}, made by a newer sureshot; this one knows schemas up to {target}: "
            "upgrade sureshot (pip install -U sureshot). Nothing was changed."
        )
    return found


def _strange(connection: Connection, backend: Backend) -> set[str]:
    """Tables that stand where ours would be made."""
    present = set(inspect(connection).get_table_names())
    return present if backend.ours_alone else present & set(metadata.tables)


def _upgrade(connection: Connection, target: int, versions: tuple[Path, ...]) -> None:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext

    script = scripts(versions)
    steps = EnvironmentContext(Config(), script, fn=lambda now, _: script._upgrade_revs(str(target), now))
    with steps:
        # Both databases undo CREATE and ALTER TABLE with the transaction that we are in.
        steps.configure(connection=connection, version_table=VERSION_TABLE, transactional_ddl=True)
        steps.run_migrations()
