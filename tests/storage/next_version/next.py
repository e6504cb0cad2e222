"""A next version of the schema, for tests of the machinery only. It depends on the last real one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from sureshot.storage.tables import SCHEMA

revision = str(SCHEMA + 1)
down_revision = str(SCHEMA)


def upgrade() -> None:
    op.add_column("event", sa.Column("instrument", sa.Text))
    op.create_table("instrument", sa.Column("name", sa.Text, primary_key=True))
