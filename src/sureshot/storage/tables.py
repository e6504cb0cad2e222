"""The columns of the tables, for queries. ``docs/storage.md`` explains each.

The tables are made and changed by the files in ``migrations`` only: keys, indexes and what the database refuses by
itself stand there. A test holds that the columns here are those that the migrations make.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, MetaData, Table, Text

__all__ = ["SCHEMA", "VERSION_COLUMN", "VERSION_TABLE", "campaign", "event", "head", "metadata", "snapshot", "store"]

SCHEMA = 3
"""The schema that this code reads and writes: the number of the last file in ``migrations``."""

VERSION_TABLE = "sureshot_schema"
"""Where a store says which schema it has. Not Alembic's default name: on PostgreSQL others may live beside us."""

VERSION_COLUMN = "version_num"
"""The one column of that table, as Alembic calls it."""

metadata = MetaData()

campaign = Table(
    "campaign",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text),
    Column("created_at", Text),
    Column("seed", BigInteger),
    Column("spec", Text),
    Column("spec_sha256", Text),
    Column("genesis", Text),
    Column("archived_at", Text),
)

event = Table(
    "event",
    metadata,
    Column("campaign_id", Integer),
    Column("number", BigInteger),
    Column("at", Text),
    Column("kind", Text),
    Column("trial", BigInteger),
    Column("alternative", BigInteger),
    Column("context", Text),
    Column("successes", BigInteger),
    Column("of", BigInteger),
    Column("text", Text),
    Column("author", Text),
    Column("payload", Text),
    Column("digest", Text),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("campaign_id", Integer),
    Column("number", BigInteger),
    Column("digest", Text),
    Column("payload", Text),
    Column("payload_sha256", Text),
    Column("at", Text),
)

head = Table(
    "campaign_head",
    metadata,
    Column("campaign_id", Integer),
    Column("number", BigInteger),
    Column("trials", BigInteger),
    Column("digest", Text),
    Column("seal", Text),
)

store = Table("sureshot_store", metadata, Column("id", Text))
