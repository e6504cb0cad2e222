"""Version 1: campaigns, their events, a snapshot each, and the view of trials."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None

KINDS_ONCE = ("asked", "told", "withdrawn")


def upgrade() -> None:
    """Make the tables and the view."""
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("spec_sha256", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("campaign_name", "campaign", ["name"], unique=True)
    op.create_table(
        "event",
        sa.Column("campaign_id", sa.Integer, sa.ForeignKey("campaign.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("trial", sa.BigInteger),
        sa.Column("alternative", sa.BigInteger),
        sa.Column("context", sa.Text),
        sa.Column("successes", sa.BigInteger),
        sa.Column("of", sa.BigInteger),
        sa.Column("text", sa.Text),
        sa.Column("author", sa.Text),
        sa.Column("payload", sa.Text),
        sa.Column("digest", sa.Text, nullable=False),
        sa.CheckConstraint("number >= 1", name="event_number"),
        sa.CheckConstraint("kind IN ('asked', 'told', 'corrected', 'withdrawn', 'noted')", name="event_kind"),
        sa.CheckConstraint(
            "CASE WHEN trial IS NULL THEN kind = 'noted' ELSE trial >= 1 END", name="event_names_its_trial"
        ),
        sa.CheckConstraint("alternative IS NULL OR alternative >= 0", name="event_alternative"),
        sa.CheckConstraint(
            """CASE WHEN kind IN ('told', 'corrected')
        THEN successes IS NOT NULL AND "of" IS NOT NULL AND successes >= 0 AND "of" >= 1 AND successes <= "of"
        ELSE successes IS NULL AND "of" IS NULL END""",
            name="event_outcome",
        ),
    )
    op.create_index("event_trial", "event", ["campaign_id", "trial"])
    for kind in KINDS_ONCE:
        only = sa.text(f"kind = '{kind}'")
        op.create_index(
            f"event_{kind}_once",
            "event",
            ["campaign_id", "trial"],
            unique=True,
            sqlite_where=only,
            postgresql_where=only,
        )
    op.create_table(
        "snapshot",
        sa.Column("campaign_id", sa.Integer, sa.ForeignKey("campaign.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("payload_sha256", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.execute(TRIAL_VIEW)


TRIAL_VIEW = """
CREATE VIEW trial AS
SELECT opened.campaign_id,
       opened.trial,
       opened.alternative,
       opened.context,
       CASE WHEN withdrawn.number IS NOT NULL THEN 'withdrawn'
            WHEN outcome.number IS NOT NULL THEN 'told'
            ELSE 'pending' END AS state,
       outcome.successes,
       outcome."of",
       opened.at AS opened_at,
       opened.author AS opened_by,
       outcome.at AS told_at,
       outcome.author AS told_by
FROM event AS opened
LEFT JOIN event AS withdrawn
       ON withdrawn.campaign_id = opened.campaign_id
      AND withdrawn.trial = opened.trial
      AND withdrawn.kind = 'withdrawn'
LEFT JOIN event AS outcome
       ON outcome.campaign_id = opened.campaign_id
      AND outcome.number = (SELECT max(latest.number) FROM event AS latest
                            WHERE latest.campaign_id = opened.campaign_id
                              AND latest.trial = opened.trial
                              AND latest.kind IN ('told', 'corrected'))
WHERE opened.number = (SELECT min(earliest.number) FROM event AS earliest
                       WHERE earliest.campaign_id = opened.campaign_id
                         AND earliest.trial = opened.trial)
"""
