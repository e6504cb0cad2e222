"""What ``docs/storage.md`` says about tables and queries is so."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import inspect

from sureshot.storage.sql import SqlStorage
from sureshot.storage.tables import SCHEMA, metadata
from tests.storage.assets import story

PAGE = (Path(__file__).parents[2] / "docs" / "storage.md").read_text()
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, flags=re.DOTALL)
ANSWERS = [
    [("nanotubes", 10, "2026-03-01T09:04:00.000001Z")],
    [(5, 6, "2026-03-01T09:04:00.000001Z", None)],
    [(0, 0, 1), (3, 1, 1), (7, 2, 5)],
    [(2, 1, 0, "Ann", "read the label again", "2026-03-01T09:01:00.000001Z")],
    [(2, 0.1)],
    [(2, 0.1)],
]


def test_every_query_gives_its_answer(store: SqlStorage) -> None:
    story.tell(store)
    assert len(QUERIES) == len(ANSWERS)
    other = {"sqlite": "-- psql", "postgresql": "-- sqlite3"}[store._backend.engine.dialect.name]
    for query, answer in zip(QUERIES, ANSWERS, strict=True):
        if not query.startswith(other):
            with store._backend.reading() as connection:
                assert [tuple(row) for row in connection.exec_driver_sql(query)] == answer, query


def section(name: str) -> list[str]:
    """The columns that the page names for a table."""
    text = PAGE.split(f"### `{name}`", 1)[1].split("\n##", 1)[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [column for cell in cells for column in re.findall(r"`(\w+)`", cell)]


def test_every_column_is_explained_in_order(store: SqlStorage) -> None:
    for table in metadata.tables.values():
        assert section(table.name) == [column.name for column in table.c]
    with store._backend.reading() as connection:
        assert section("trial") == [column["name"] for column in inspect(connection).get_columns("trial")]


def test_the_version_is_named() -> None:
    assert f"the version of the schema, now {SCHEMA}." in PAGE
