"""The tables, as SQLAlchemy sees them: flat, so that a person can read them with ``sqlite3`` or ``psql``.

``docs/storage.md`` explains every column. The tables are made and changed by the migrations in
``migrations/versions`` only; a test holds that this file says the same. The rules of a trial are checked in
:mod:`sureshot.storage.rules`; what a database can enforce by itself, it enforces as well.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)

__all__ = ["SCHEMA", "VERSION_TABLE", "campaign", "event", "metadata", "snapshot"]

SCHEMA = 1
"""The schema that this code reads and writes: the number of the last file in ``migrations/versions``."""

VERSION_TABLE = "sureshot_schema"
"""Where a store says which schema it has. Not Alembic's default name: on PostgreSQL others may live beside us."""

metadata = MetaData()

campaign = Table(
    "campaign",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("spec", Text, nullable=False),
    Column("spec_sha256", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Index("campaign_name", "name", unique=True),
    sqlite_autoincrement=True,
)

event = Table(
    "event",
    metadata,
    Column("campaign_id", Integer, ForeignKey("campaign.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("trial", BigInteger),
    Column("alternative", BigInteger),
    Column("context", Text),
    Column("successes", BigInteger),
    Column("of", BigInteger),
    Column("text", Text),
    Column("author", Text),
    Column("payload", Text),
    Column("digest", Text, nullable=False),
    CheckConstraint("number >= 1", name="event_number"),
    CheckConstraint("kind IN ('asked', 'told', 'corrected', 'withdrawn', 'noted')", name="event_kind"),
    CheckConstraint("CASE WHEN trial IS NULL THEN kind = 'noted' ELSE trial >= 1 END", name="event_names_its_trial"),
    CheckConstraint("alternative IS NULL OR alternative >= 0", name="event_alternative"),
    CheckConstraint(
        """CASE WHEN kind IN ('told', 'corrected')
        THEN successes IS NOT NULL AND "of" IS NOT NULL AND successes >= 0 AND "of" >= 1 AND successes <= "of"
        ELSE successes IS NULL AND "of" IS NULL END""",
        name="event_outcome",
    ),
    Index("event_trial", "campaign_id", "trial"),
    *(
        Index(
            f"event_{kind}_once",
            "campaign_id",
            "trial",
            unique=True,
            # The migration says the same for PostgreSQL; said here, it would load that dialect in every command.
            sqlite_where=text(f"kind = '{kind}'"),
        )
        for kind in ("asked", "told", "withdrawn")
    ),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("campaign_id", Integer, ForeignKey("campaign.id"), primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("payload_sha256", Text, nullable=False),
    Column("at", Text, nullable=False),
)
