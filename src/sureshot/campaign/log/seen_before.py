"""The same table imported twice: found by its rows, for a file that grew since is the same file too.

The first event of an import says how many rows it had. A later table repeats it if it holds all of these rows, in their
order: the same file, or one with more rows, or with outcomes that were blank before. Rows that were withdrawn since do
not count, and a corrected outcome counts as it was first told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from sureshot.campaign.answers.wording import when
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.errors import Conflict
from sureshot.said import Setting, Text
from sureshot.storage import NewEvent
from sureshot.storage.fields import document_text

__all__ = ["already", "imports", "marked", "repeated_rows"]

Key: TypeAlias = tuple[Any, ...]


def marked(events: list[NewEvent]) -> list[NewEvent]:
    """The events of one import, the first of which says how many there are."""
    if not events:
        return events
    payload = {**json.loads(events[0].payload_json or "{}"), "import": {"rows": len(events)}}
    return [replace(events[0], payload_json=document_text(payload, "payload")), *events[1:]]


def repeated_rows(ledger: Ledger, events: Sequence[NewEvent]) -> dict[int, Entry]:
    """Which events repeat rows of earlier imports, and the trial of each."""
    found: dict[int, Entry] = {}
    keys: list[Key] = []
    for earlier in imports(ledger):
        keys = keys or [_of_event(event) for event in events]
        positions = _within([_of_entry(entry) for entry in earlier], keys, found)
        if positions is not None:
            found.update(zip(positions, earlier, strict=True))
    return dict(sorted(found.items()))


def already(repeated: dict[int, Entry], rows: int) -> Conflict:
    """The error for rows that are recorded already."""
    trials = sorted(entry.trial for entry in repeated.values())
    which = f"trial {trials[0]}" if len(trials) == 1 else f"trials {trials[0]} to {trials[-1]}"
    imported = when(min(entry.opened_at for entry in repeated.values()))
    again = Setting("repeated", "record")
    if len(repeated) < rows:
        these = f"{len(repeated):,} of the {rows:,} rows are"
        skip = Setting("repeated", "skip")
        fix = Text("record only the others with ", skip, ", or all of them with ", again)
    else:
        these = "this row is" if rows == 1 else f"all {rows:,} rows are"
        fix = Text("leave it; if these are other experiments with the same outcomes, record them with ", again)
    return Conflict(f"{these} recorded already, as {which} (imported {imported})", fix=fix, field="repeated")


def imports(ledger: Ledger) -> Iterator[list[Entry]]:
    """The trials of each earlier import that still count."""
    for entry in ledger.trials.values():
        if not entry.asked and entry.payload_json and '"import"' in entry.payload_json:
            rows = entry.payload.get("import", {}).get("rows", 0)
            trials = [ledger.trials[n] for n in range(entry.trial, entry.trial + rows) if n in ledger.trials]
            counting = [one for one in trials if one.state == "told"]
            if counting:
                yield counting


def _within(wanted: Sequence[Key], keys: Sequence[Key], taken: dict[int, Entry]) -> list[int] | None:
    """Where all of ``wanted`` stand among the keys, in order; None if some do not."""
    positions = []
    at = iter(range(len(keys)))
    for key in wanted:
        found = next((i for i in at if i not in taken and keys[i] == key), None)
        if found is None:
            return None
        positions.append(found)
    return positions


def _of_event(event: NewEvent) -> Key:
    tried = event.alternative
    levels = json.dumps(json.loads(event.payload_json or "{}")["levels"], sort_keys=True) if tried is None else tried
    return levels, event.context_json, event.successes, event.of


def _of_entry(entry: Entry) -> Key:
    return entry.tried, entry.context_json, *(entry.first or (entry.successes, entry.of))
