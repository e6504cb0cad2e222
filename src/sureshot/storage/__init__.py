"""Campaigns that last: an immutable specification and an append-only list of events, in SQLite, PostgreSQL or memory.

Storage keeps records and gives them back; it knows nothing of beliefs or features. See ``docs/storage.md``.
"""

from sureshot.storage.backing_up import Backup, backup
from sureshot.storage.copying import copy_campaign, exported_campaign, restore_campaign
from sureshot.storage.examining.found import Examined, ExaminedCampaign, Finding, doctor
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
    "Backup",
    "CampaignRecord",
    "CampaignSummary",
    "Event",
    "Examined",
    "ExaminedCampaign",
    "Finding",
    "Kind",
    "MemoryStorage",
    "NewEvent",
    "Snapshot",
    "Storage",
    "asked",
    "backup",
    "copy_campaign",
    "corrected",
    "doctor",
    "exported_campaign",
    "noted",
    "open_storage",
    "restore_campaign",
    "told",
    "withdrawn",
]
