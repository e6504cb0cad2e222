"""Version 2: a campaign may be archived, and says since when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Add the column; every campaign so far is in use."""
    op.add_column("campaign", sa.Column("archived_at", sa.Text))
