"""Campaigns that last: an immutable specification and an append-only list of events, in SQLite, PostgreSQL or memory.

Storage keeps records and gives them back; it knows nothing of beliefs or features. See ``docs/storage.md``.
"""

from sureshot.storage.copying import copy_campaign, exported_campaign, restore_campaign
from sureshot.storage.memory import MemoryStorage
from sureshot.storage.opening import open_storage
from sureshot.storage.protocol import Storage
from sureshot.storage.records import (
    KINDS,
    CampaignRecord,
    CampaignSummary,
    Event,
    Kind,
    NewEvent,
    Snapshot,
    asked,
    corrected,
    noted,
    told,
    withdrawn,
)

__all__ = [
    "KINDS",
    "CampaignRecord",
    "CampaignSummary",
    "Event",
    "Kind",
    "MemoryStorage",
    "NewEvent",
    "Snapshot",
    "Storage",
    "asked",
    "copy_campaign",
    "corrected",
    "exported_campaign",
    "noted",
    "open_storage",
    "restore_campaign",
    "told",
    "withdrawn",
]
