"""A table of outcomes for a campaign that is there: experiments of before, and a plate that comes back."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

from fuzz.targets.csv import WORDS as OF_A_TABLE

WORDS = [
    *OF_A_TABLE,
    b"outcome",
    b"of",
    b"trial",
    b"success",
    b"failure",
    b"pending",
    b"#1",
    b"3 of 5",
    b"60 %",
    b"power",
]


@functools.cache
def _campaign() -> Any:
    from sureshot import Campaign, Space

    space = Space.grid(power=[8, 10, 12], catalyst=["Fe", "Co"])
    campaign = Campaign.create("oven", space, seed=1, storage=":memory:")
    campaign.ask_batch(3)
    return campaign


def target(data: bytes) -> None:
    """What would be recorded of the file; nothing is."""
    from sureshot.campaign.importing import imported
    from sureshot.campaign.telling import told_back
    from sureshot.errors import SureshotError

    campaign = _campaign()
    spec, ledger = campaign.spec, campaign._log.ledger
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plate.csv"
        file.write_bytes(data)
        try:
            told_back(spec, ledger, file, outcome=None, of=None, author=None)
        except SureshotError:
            imported(spec, ledger, file, outcome="outcome", of=None, author=None, blank="skip", repeated="refuse")
