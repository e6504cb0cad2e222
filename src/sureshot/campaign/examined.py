"""What a doctor looks for in a campaign whose log is proved: whether it can be read, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

from sureshot.errors import SureshotError
from sureshot.storage import CampaignRecord, Finding, Storage
from sureshot.storage.examining.found import BACKUP

__all__ = ["looked_into"]


def looked_into(storage: Storage, record: CampaignRecord) -> Iterator[Finding]:
    """Read its specification, fold its events into a belief from the first on, and compare with the snapshot's.

    >>> from sureshot import Campaign, Space
    >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
    >>> list(looked_into(made.storage, made.storage.campaign("tubes")))
    []
    """
    from sureshot.campaign.campaign import Campaign
    from sureshot.campaign.model.spec import Spec

    title = f"campaign {record.name!r}"
    try:
        campaign = Campaign(record, storage, Spec.from_dict(record.spec))
    except Exception as error:  # its digest is right: it was written like that
        yield Finding("damage", title, f"its specification can't be read: {_wrong(error, title)}", BACKUP)
        return
    try:
        campaign.verify()
    except Exception as error:
        yield Finding("damage", title, f"what is believed can't be computed: {_wrong(error, title)}", BACKUP)


def _wrong(error: Exception, title: str) -> str:
    return error.wrong(title) if isinstance(error, SureshotError) else f"{type(error).__name__}: {error}"
