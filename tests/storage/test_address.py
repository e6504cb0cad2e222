"""What names a store: a path or a URL, never something in between; and what is shown of it never holds a password."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from sureshot.errors import InvalidInput, StorageError
from sureshot.storage import Storage, open_storage
from sureshot.storage.address import without_password

MISTYPED = [
    "postgres:ann:hunter2@host",
    "postgresql:ann:hunter2@host/lab",
    "postgresql:/ann:hunter2@host/lab",
    "postgresql;//ann:hunter2@host/lab",
    "postgresql//ann:hunter2@host/lab",
    "postgresql:\\\\ann:hunter2@host",
    "POSTGRES:ann:hunter2@host",
    "'postgres:ann:hunter2@host'",
    "psql:lab",
    "mysql:ann:hunter2@host",
    "sqlite:lab.db",
    "sqlite3:lab.db",
    "file:lab.db",
    "jdbc:postgresql:lab",
    "ann:hunter2@host/lab",
    "ann:hunter2/hunter2@host/lab",
    "//ann:hunter2@host/lab",
    "host=db dbname=lab password=hunter2",
    "dbname=lab",
    "user = ann password = hunter2",
    "mysql://ann:hunter2@host/lab",
    "MySQL://ann:hunter2@host/lab",
    "jdbc:postgresql://ann:hunter2@host/lab",
    " postgresql://ann:hunter2@host/lab",
    "'postgresql://ann:hunter2@host/lab'",
    "postgresql+asyncpg://ann:hunter2@host/lab",
    "postgresql://ann:hunter2@host:hunter2/lab",
    "postgresql://ann:x@hunter2@host/lab",
    "postgresql://ann/x:hunter2@host/lab",
    "ann:hunter2@postgresql://host",
    "sqlite://ann:hunter2@host/lab.db",
]
PATHS = [
    "lab.db",
    "run 3: sodium.db",
    "./ann:x@host.db",
    "postgres/lab.db",
    "postgres.db",
    "ann@host.db",
    "password.db",
]


@pytest.mark.parametrize("text", MISTYPED)
@pytest.mark.parametrize("way", ["argument", "variable"])
def test_a_mistyped_url_is_refused_with_the_right_form_and_never_made_into_a_file(
    text: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SURESHOT_STORAGE", text if way == "variable" else ":memory:")
    with pytest.raises(InvalidInput, match=r"a (SQLite )?store ") as refused:
        open_storage(None if way == "variable" else text)
    assert list(tmp_path.iterdir()) == []
    told = "".join(traceback.format_exception(refused.value))
    assert "hunter2" not in f"{told} {refused.value!r} {refused.value.as_dict()}"
    assert refused.value.field == "storage"
    assert "://" in str(refused.value)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_a_path(
    path: str, tmp_path: Path, opened: Callable[..., Storage], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "postgres").mkdir()
    monkeypatch.chdir(tmp_path)
    opened(path).create_campaign("here", {}, seed=0)
    assert (tmp_path / path).exists()
    assert without_password(path) == path


@pytest.mark.parametrize("secret", ["hunter2", "p:w", "a/b", "1 2", "ä", "%25", "a%40b"])
def test_what_is_shown_names_the_same_database_without_the_password(secret: str) -> None:
    url = f"postgresql://ann:{secret}@db.example.org:5433/lab?sslmode=require&options=-csearch_path%3Dx&sslpassword=s3cret"
    shown = make_url(without_password(url))
    whole = make_url(url)
    assert shown.password is None
    assert dict(shown.query) == {"sslmode": "require", "options": "-csearch_path=x"}
    assert (shown.username, shown.host, shown.port, shown.database) == (
        whole.username,
        whole.host,
        whole.port,
        whole.database,
    )


# -- against a server that wants a password


@pytest.fixture
def ann(postgres_url: str, postgres_server: str) -> Iterator[str]:
    """The URL of an empty schema for a person of her own, who must give a password: without it."""
    name = f"ann_{os.getpid()}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        (hba,) = server.execute("SHOW hba_file").fetchone() or ("",)
        schema = make_url(postgres_url).query["options"].rpartition("=")[2]  # type: ignore[union-attr]
        server.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'hunter2'")
        server.execute(f"GRANT ALL ON SCHEMA {schema} TO {name}")
        file = Path(hba)
        before = file.read_text()
        file.write_text(f"local all {name} scram-sha-256\n{before}")
        server.execute("SELECT pg_reload_conf()")
    url = without_password(make_url(postgres_url).set(username=name).render_as_string())
    try:
        while _lets_in(f"{url}&passfile=/dev/null"):  # the server reads its rules again in a moment
            time.sleep(0.02)
        yield url
    finally:
        file.write_text(before)
        with psycopg.connect(postgres_server, autocommit=True) as server:
            server.execute("SELECT pg_reload_conf()")
            server.execute("SET client_min_messages = warning")
            server.execute(f"DROP OWNED BY {name}")
            server.execute(f"DROP ROLE {name}")


def _lets_in(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def test_a_server_that_wants_a_password_takes_it_from_where_libpq_keeps_it(
    ann: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Callable[..., Storage]
) -> None:
    for name in ("PGPASSWORD", "PGPASSFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(StorageError, match="password"):
        open_storage(ann)

    monkeypatch.setenv("PGPASSWORD", "hunter2")
    opened(ann).create_campaign("by-variable", {}, seed=0)
    monkeypatch.delenv("PGPASSWORD")

    kept = tmp_path / "pgpass"
    kept.write_text(f"*:*:*:{make_url(ann).username}:hunter2\n")
    kept.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(kept))
    opened(ann).create_campaign("by-file", {}, seed=0)
    monkeypatch.delenv("PGPASSFILE")

    opened(f"{ann}&passfile={kept}").create_campaign("by-the-file-that-is-named", {}, seed=0)
    for whole in (
        make_url(ann).set(password="hunter2").render_as_string(hide_password=False),
        f"{ann}&password=hunter2",
    ):
        store = opened(whole)
        assert len(store.campaigns()) == 3
        assert "hunter2" not in f"{store!r} {store._backend!r} {store._backend.engine!r} {store._backend.engine.url!r}"  # type: ignore[attr-defined]


def test_a_wrong_password_is_not_shown(ann: str) -> None:
    for secret in ("wrong1", "wrong1&sslpassword=wrong1", "wrong1&passwd=wrong1"):
        with pytest.raises(StorageError, match=r"can't be (reached|used)") as refused:
            open_storage(f"{ann}&password={secret}")
        told = "".join(traceback.format_exception(refused.value))  # with what it was raised from
        assert "wrong1" not in f"{told} {refused.value!r} {refused.value.as_dict()} {refused.value.__cause__!r}"
