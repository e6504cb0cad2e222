"""A text file under ``sureshot sheet``: what is not the command's own comes back as it was, however often it runs."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from fuzz.targets.csv import WORDS as OF_A_TABLE

WORDS = [
    *OF_A_TABLE,
    b"outcome",
    b"success",
    b"failure",
    b"PENDING",
    b"priority,chance,next",
    b",,,",
    b"next",
    b"0.500",
]
#: The command's own cells at the end of a line, where it has added all its columns.
_OWN = re.compile(r"([,;\t])(priority|\d*)\1(chance|[01][.,]\d{3})\1(next|)(?=[\r\n]|\Z)")


def target(data: bytes) -> None:
    """The file filled, and filled again: the second time changes nothing."""
    from sureshot.cli.sheet.file import read_sheet
    from sureshot.cli.sheet.sheet import OUTCOME, OWN, fill

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "candidates.csv"
        file.write_bytes(data)
        try:
            sheet = read_sheet(file)
            fill(file)
        except Exception:
            assert file.read_bytes() == data, "changed by a call that failed"
            raise
        once = file.read_bytes()
        fill(file)
        assert file.read_bytes() == once, "changed by the same call again"
    names = [name.lower() for name in sheet.header]
    if OUTCOME in names and not {*OWN} & {*names}:
        before = _OWN.sub("", data.decode(sheet.cells.encoding))  # a cell of somebody's may look like them
        after = _OWN.sub("", once.decode(sheet.cells.encoding))
        assert after == before, f"{after!r} is not {before!r}"
