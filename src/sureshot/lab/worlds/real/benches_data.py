"""The four tables from real benches: read from the folder ``benches`` under ``SURESHOT_DATA``, checked before use.

Columns, rows, successes and the SHA-256 of the file must be what they were when the facts in
:mod:`~sureshot.lab.worlds.real.benches_facts` were written down: a table that is not the one meant is refused.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput
from sureshot.lab.worlds.real.benches_facts import FACTS, Facts
from sureshot.lab.worlds.real.uci_data import FOLDER

__all__ = ["SUBFOLDER", "load"]

#: Where the tables lie in the folder named by SURESHOT_DATA.
SUBFOLDER = "benches"


def load(facts: Facts) -> Any:
    """The table as a DataFrame, read once per process and folder: copy it before you change it."""
    return _load(facts.file, os.environ.get(FOLDER) or None)


@lru_cache(maxsize=16)
def _load(file: str, folder: str | None) -> Any:
    facts = next(one for one in FACTS if one.file == file)
    if folder is None:
        raise _missing(facts, f"{FOLDER} is not set")
    path = Path(folder) / SUBFOLDER / file
    if not path.is_file():
        raise _missing(facts, f"{FOLDER} is {folder!r}, which does not hold it")
    return _checked(path, facts)


def _missing(facts: Facts, why: str) -> InvalidInput:
    return InvalidInput(
        f"the table {SUBFOLDER}/{facts.file} must be in the folder named by {FOLDER}, and {why}. sureshot can't "
        f"download it: it comes from {facts.source} ({facts.licence}); put it there, or leave this world out."
    )


def _checked(path: Path, facts: Facts) -> Any:
    """The table in a file, or an error that says what differs."""
    import pandas as pd

    try:
        content = path.read_bytes()
        frame = pd.read_csv(BytesIO(content))
    except (ValueError, OSError) as error:
        raise InvalidInput(f"{path} can't be read as CSV ({error}): put the file there again.") from error
    if tuple(frame.columns) != facts.columns:
        raise _differs(facts, path, f"its columns are {', '.join(map(str, frame.columns))}")
    if len(frame) != facts.rows:
        raise _differs(facts, path, f"it has {len(frame)} rows, not {facts.rows}")
    reached = int((pd.to_numeric(frame[facts.outcome], errors="coerce") >= facts.least).sum())
    if reached != facts.successes:
        raise _differs(
            facts, path, f"{facts.outcome} is at least {facts.least:g} in {reached} rows, not in {facts.successes}"
        )
    if sha256(content).hexdigest() != facts.sha256:
        raise _differs(facts, path, "columns, rows and successes are right, but the file is not the same")
    return frame


def _differs(facts: Facts, path: Path, what: str) -> InvalidInput:
    return InvalidInput(
        f"{path} is not the table of {facts.title} that this world is made of: {what}. Put the right {facts.file} "
        f"there ({facts.rows} rows, SHA-256 {facts.sha256[:12]}...; from {facts.source})."
    )
