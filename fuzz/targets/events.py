"""Logs: rows of the table of events, with digests that are right, of which no store has checked anything.

An input is a JSON object: which campaign they are of, and a list of rows.
"""

from __future__ import annotations

import json
from typing import Any

from fuzz.nested import inside as mutated  # noqa: F401  # what the frame looks for


def target(data: bytes) -> None:
    """The campaign opened and asked."""
    from fuzz.stored import campaigns, held, looked_at
    from sureshot import Campaign

    try:
        found = json.loads(data)
        spec = campaigns()[found["of"]]["spec"]
        rows = [[_cell(one) for one in row] for row in found["rows"]]
        whole = all(len(row) == 11 and row[0] == number for number, row in enumerate(rows, start=1))
    except (ValueError, TypeError, KeyError, RecursionError):
        return  # not the rows of a table
    if whole:  # the numbers of events are proved by every store
        looked_at(Campaign.open("it", held(spec, rows)))


def _cell(one: Any) -> Any:
    """What a column can hold."""
    if isinstance(one, list | dict):
        return json.dumps(one)
    if isinstance(one, str):
        return one.encode("utf-8", "replace").decode()
    return int(one) if isinstance(one, bool) else one
