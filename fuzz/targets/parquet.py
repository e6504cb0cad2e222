"""Tables as Parquet files: bytes that Arrow reads."""

from __future__ import annotations

import tempfile
from pathlib import Path

WORDS = [b"PAR1", b"\x15\x00", b"\x15\x02", b"\x19\x1c", b"schema", b"pandas", b"\xff\xff\xff\xff\x0f", b"\x00" * 8]


def target(data: bytes) -> None:
    """The alternatives in a file."""
    from sureshot.space import Space

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "candidates.parquet"
        file.write_bytes(data)
        space = Space.read(file, duplicates="merge")
    space.label(len(space) - 1)
