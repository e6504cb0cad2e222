"""A PostgreSQL store, looked over: the server and what one may do there, then what is in it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, inspect, text

from sureshot.errors import StorageError
from sureshot.storage.backend import Backend
from sureshot.storage.examining.found import Deeper, Examined, Finding, examined_campaigns
from sureshot.storage.migrate import schema_of
from sureshot.storage.opening import backend_of
from sureshot.storage.tables import SCHEMA, metadata

__all__ = ["examined"]

#: Settings without which a power cut takes back what was acknowledged, or tears a page.
SAFE = ("fsync", "full_page_writes", "synchronous_commit")


def examined(where: str, deeper: Deeper | None) -> Examined:
    """The store at a URL. Nothing is migrated."""
    backend = backend_of(where, create=False)
    findings: list[Finding] = []
    try:
        with backend.reading() as connection:
            facts = [f"PostgreSQL {connection.scalar(text('SHOW server_version'))}"]
            if (schema := schema_of(connection)) is None:
                raise StorageError(f"there is no store at {backend.place}", fix="name another store")
            findings += _of_the_server(connection, backend)
        if schema != SCHEMA:
            when = "it is brought up to date when it is opened" if schema < SCHEMA else "upgrade sureshot"
            says = f"it has schema {schema}, and this sureshot writes schema {SCHEMA}: its campaigns were not looked at"
            findings.append(Finding("caution", backend.place, says, f"{when}; then look again"))
            return Examined(backend.place, schema, tuple(facts), (), tuple(findings))
        campaigns, more = examined_campaigns(backend, deeper)
    finally:
        backend.engine.dispose()
    return Examined(backend.place, schema, tuple(facts), campaigns, (*findings, *more))


def _of_the_server(connection: Connection, backend: Backend) -> Iterator[Finding]:
    for name in SAFE:
        if connection.scalar(text(f"SHOW {name}")) == "off":
            says = f"{name} is off: a power cut of the server may take back what was acknowledged"
            yield Finding("caution", backend.place, says, f"set {name} to on in the server's configuration")
    may = text("SELECT has_table_privilege(:one, 'SELECT') AND has_table_privilege(:one, 'INSERT')")
    there = [one for one in metadata.tables if inspect(connection).has_table(one)]
    if lacks := [one for one in there if not connection.scalar(may, {"one": one})]:
        says = f"nothing can be recorded: the user may not read and write {', '.join(lacks)}"
        yield Finding("caution", backend.place, says, "grant the user SELECT, INSERT, UPDATE and DELETE")
