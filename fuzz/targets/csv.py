"""Tables as text: whatever has commas, semicolons or tabs between its cells."""

from __future__ import annotations

import tempfile
from pathlib import Path

WORDS = [b",", b";", b"\t", b'"', b'""', b"power,catalyst\n", b"\r\n", b"\r", b"true", b"NA", b"8 W", b"1,5", b"\xe9"]


def target(data: bytes) -> None:
    """The alternatives in a file, looked at as a campaign would."""
    from sureshot.space import Space

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "candidates.csv"
        file.write_bytes(data)
        space = Space.read(file, duplicates="merge")
    for i in (0, len(space) - 1):
        space.label(i)
        space.row(i)
