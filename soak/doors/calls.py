"""Calls that record something: how each is made, and what must then be in the log, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sureshot import Space
from sureshot.storage import Event, NewEvent, asked, told

__all__ = ["KINDS", "KNOWN", "SPACE", "WITHOUT_KEY", "Answer", "Call", "new_call", "performed", "whole"]

#: The campaign of every case: what there is to try, and what is recorded before.
SPACE = {"power": [8, 10, 12, 14], "catalyst": ["Fe", "Co"]}
#: Trials 1 and 3 are told, 2 and 4 wait, 5 was never asked.
KNOWN: tuple[NewEvent, ...] = (
    asked(0),
    asked(3),
    told(1, 1),
    asked(5),
    told(3, 0),
    asked(6),
    told(None, 1, alternative=2),
)
TABLE = {"power": [8, 12, 14], "catalyst": ["Co", "Fe", "Co"], "outcome": ["success", "failure", "success"]}
TOLD = {"trial": [2, 4], "outcome": ["failure", "success"]}
KINDS = (
    "ask",
    "ask three",
    "tell",
    "tell new",
    "correct",
    "withdraw",
    "note",
    "note of a trial",
    "import",
    "tell table",
    "create",
)
#: Calls without a key: repeated, they say that it is recorded already.
WITHOUT_KEY = ("import", "tell table", "create")


class Call(NamedTuple):
    """A call, as it is sent to a door."""

    kind: str
    campaign: str
    key: str

    @property
    def keyed(self) -> bool:
        """Whether it has a key."""
        return self.kind not in WITHOUT_KEY

    @property
    def text(self) -> str:
        """What a note says."""
        return f"note {self.key}"


class Answer(NamedTuple):
    """What came back."""

    ok: bool = False
    found: Any = None  # what was acknowledged: the numbers of trials
    kind: str = ""  # of the error
    words: str = ""  # of the error
    gone: bool = False  # the process ended without an answer
    broken: str = ""  # a traceback, or what no door may say


def new_call(kind: str, number: int) -> Call:
    """The call of a case."""
    return Call(kind, f"made {number}" if kind == "create" else f"case {number}", f"key-{number}")


def performed(campaign: Any, made: Any, call: Call) -> list[int] | None:
    """Make a call, of a campaign here or on a server; ``made(name, space, ...)`` makes one. The trials it gave."""
    match call.kind:
        case "ask":
            return [campaign.ask(key=call.key).number]
        case "ask three":
            return [one.number for one in campaign.ask_batch(3, key=call.key)]
        case "tell":
            return [campaign.tell(2, "success", key=call.key).trial]
        case "tell new":
            return [campaign.tell_new({"power": 14, "catalyst": "Co"}, "failure", key=call.key).trial]
        case "correct":
            return [campaign.correct(1, "failure", key=call.key).trial]
        case "withdraw":
            return [campaign.withdraw(4, key=call.key).trial]
        case "note":
            campaign.note(call.text, key=call.key)
        case "note of a trial":
            campaign.note(call.text, trial=3, key=call.key)
        case "import":
            first, last = campaign.import_table(TABLE).trials
            return list(range(first, last + 1))
        case "tell table":
            campaign.tell_table(TOLD)
        case "create":
            made(call.campaign, Space.grid(**SPACE), policy="random", seed=1)
        case _:
            raise AssertionError(call.kind)
    return None


#: Kind, trial, alternative and successes of each event; None: whatever it is.
_WANTED: dict[str, list[tuple[str, int | None, int | None, int | None]]] = {
    "ask": [("asked", 6, None, None)],
    "ask three": [("asked", 6, None, None), ("asked", 7, None, None), ("asked", 8, None, None)],
    "tell": [("told", 2, None, 1)],
    "tell new": [("told", 6, 7, 0)],
    "correct": [("corrected", 1, None, 0)],
    "withdraw": [("withdrawn", 4, None, None)],
    "note": [("noted", None, None, None)],
    "note of a trial": [("noted", 3, None, None)],
    "import": [("told", 6, 1, 1), ("told", 7, 4, 0), ("told", 8, 7, 1)],
    "tell table": [("told", 2, None, 0), ("told", 4, None, 1)],
    "create": [],
}


def whole(call: Call, events: Sequence[Event], *, shifted: bool = False) -> str:
    """What is wrong with these as all that the call recorded; empty: nothing. ``shifted``: others open trials too."""
    wanted = _WANTED[call.kind]
    if len(events) != len(wanted):
        return f"{len(events)} events instead of {len(wanted)}: {[one.kind for one in events]}"
    for event, (kind, trial, alternative, won) in zip(events, wanted, strict=True):
        found = (event.kind, event.trial, event.alternative, event.successes)
        said = (kind, event.trial if shifted and kind != "told" else trial, alternative, won)
        if any(want is not None and have != want for have, want in zip(found, said, strict=True)):
            return f"event {event.number} is {found} instead of {said}"
        if call.keyed and json.loads(event.payload_json or "{}").get("request", {}).get("key") != call.key:
            return f"event {event.number} is not recorded under {call.key!r}"
        if kind == "noted" and event.text != call.text:
            return f"event {event.number} says {event.text!r} instead of {call.text!r}"
    return ""
