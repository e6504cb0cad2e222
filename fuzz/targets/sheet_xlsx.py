"""A workbook under ``sureshot sheet``: it can be read again after it was written."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fuzz.targets.xlsx import WORDS, mutated

__all__ = ["WORDS", "mutated", "target"]


def target(data: bytes) -> None:
    """The workbook filled, and filled again."""
    from sureshot.cli.sheet.sheet import fill

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "candidates.xlsx"
        file.write_bytes(data)
        try:
            fill(file)
        except Exception:
            assert file.read_bytes() == data, "changed by a call that failed"
            raise
        fill(file)
