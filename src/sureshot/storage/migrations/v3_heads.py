"""Version 3: the head of each campaign, and the number of the store itself.

The column ``digest`` of ``campaign`` gets a name of its own, ``genesis``. That keeps out a process of an older sureshot
that still runs: it would append without writing the head, and every statement of it names that column.
"""

from __future__ import annotations

import json
from hashlib import sha256
from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Make both tables, with the heads of the campaigns that are there."""
    op.execute("ALTER TABLE campaign RENAME COLUMN digest TO genesis")
    store = op.create_table("sureshot_store", sa.Column("id", sa.Text, primary_key=True))
    head = op.create_table(
        "campaign_head",
        sa.Column("campaign_id", sa.Integer, sa.ForeignKey("campaign.id"), primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("trials", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("seal", sa.Text, nullable=False),
    )
    mine = uuid4().hex
    op.bulk_insert(store, [{"id": mine}])
    names = ("campaign_id", "number", "trials", "digest", "seal")
    op.bulk_insert(head, [dict(zip(names, one, strict=True)) for one in _heads(mine)])


def _heads(store: str) -> list[tuple[object, ...]]:
    heads: list[tuple[object, ...]] = []
    for id_, name, archived_at, genesis, number, trials, digest in op.get_bind().execute(sa.text(_ENDS)).all():
        end = (number or 0, trials or 0, digest or genesis)
        sealed = json.dumps([store, id_, name, archived_at, genesis, *end], ensure_ascii=False, separators=("\n", ":"))
        heads.append((id_, *end, sha256(sealed[1:-1].encode()).hexdigest()))
    return heads


_ENDS = """
SELECT campaign.id, campaign.name, campaign.archived_at, campaign.genesis, event.number,
       (SELECT max(trial) FROM event WHERE event.campaign_id = campaign.id), event.digest
FROM campaign
LEFT JOIN event ON event.campaign_id = campaign.id
  AND event.number = (SELECT max(number) FROM event WHERE event.campaign_id = campaign.id)
"""
