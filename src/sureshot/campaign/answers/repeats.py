"""The same experiment once more, while the first is still running: that it is meant, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sureshot.campaign.answers.trial import Trial
from sureshot.campaign.answers.wording import joined
from sureshot.campaign.log.ledger import Entry, Ledger

__all__ = ["on_purpose", "repeats_among", "waiting"]

_IT = ": this repeats it "

#: Trials of one batch that are named one by one, at most.
_NAMED = 6


def waiting(ledger: Ledger, entry: Entry) -> int | None:
    """The last trial before it of the same alternative, in the same case, that has no outcome yet."""
    same = (
        other.trial
        for other in ledger.pending()
        if other.trial < entry.trial and (other.tried, other.context_json) == (entry.tried, entry.context_json)
    )
    return max(same, default=None)


def on_purpose(trial: int, seen: Mapping[str, Any]) -> str:
    """That a trial repeats one that is waiting, and why, from what was recorded when it was chosen.

    >>> on_purpose(3, {"because": "one more outcome of it is expected to teach most"})
    'Trial 3 is still waiting for its outcome: this repeats it on purpose, since one more outcome of it is ...'
    """
    told = f"Trial {trial} is still waiting for its outcome{_IT}"
    if seen.get("start"):
        return f"{told}by chance, since the first trials are drawn at random."
    return f"{told}on purpose, since {seen.get('because') or 'it was chosen with that one in mind'}."


def repeats_among(trials: Sequence[Trial]) -> tuple[str, ...]:
    """Which of several trials repeat others that are waiting: a sentence for each reason, however many there are."""
    reasons: dict[str, list[Trial]] = {}
    for one in trials:
        if one.on_purpose:
            reasons.setdefault(one.on_purpose.partition(_IT)[2], []).append(one)
    return tuple(_repeats(some, reason) for reason, some in reasons.items())


def _repeats(some: Sequence[Trial], reason: str) -> str:
    if len(some) == 1:
        return (
            f"Trial {some[0].number} repeats trial {some[0].repeats}, which is still waiting for its outcome, {reason}"
        )
    which = f"Trials {joined([one.number for one in some])}" if len(some) <= _NAMED else f"{len(some)} of these trials"
    return f"{which} repeat others that are still waiting for their outcomes, {reason}"
