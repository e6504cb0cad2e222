"""The campaign that every asset holds, with fixed moments: its digests must be the same for ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sureshot.storage import CampaignRecord, NewEvent, Storage, asked, corrected, noted, told, withdrawn

NAME = "nanotubes"
SPEC = {"power": [8, 10, 12, 14], "catalyst": ["Fe", "Co"], "note": "Kühlung 3 °C", "prior": 0.1}
SEED = 20260301
BEGAN = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
LAST_DIGEST = "bf6352c37f9990fc8c8432ff1572f180511a40a04fef2f2e5093ec5533d01899"


def events() -> list[NewEvent]:
    def later(minutes: int) -> datetime:
        return BEGAN + timedelta(minutes=minutes, microseconds=1)

    return [
        asked(3, payload={"policy": "knowledge_gradient", "value": 0.07142857142857142}, at=later(1)),
        told(1, 1, author="Ann", at=later(30)),
        asked(0, context={"humidity": 0.1, "operator": "Søren"}, at=later(31)),
        told(None, 2, of=5, alternative=7, text="from the notebook of 2019", at=later(32)),
        noted("the furnace was cleaned", author="Søren", at=later(33)),
        told(2, 1, author="Søren", at=later(60)),
        corrected(2, 0, author="Ann", text="read the label again", at=later(61)),
        asked(5, at=later(62)),
        withdrawn(4, text="the tube broke", at=later(63)),
        asked(6, at=later(64)),
    ]


def tell(store: Storage) -> CampaignRecord:
    """Fill an empty store."""
    campaign = store.create_campaign(NAME, SPEC, seed=SEED, created_at=BEGAN)
    for event in events():
        [recorded] = store.append(campaign.id, [event])
    store.put_snapshot(campaign.id, recorded.number, recorded.digest, {"mean": [0.25, -0.5]})
    return campaign
