"""What would have been chosen after each outcome: the campaign as it stood then, by the log's own fold.

Corrections and withdrawals are steps too: the campaign learned something by them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sureshot.campaign.document import Document
from sureshot.campaign.log.believed import Base, folded
from sureshot.campaign.log.ledger import Ledger, extended
from sureshot.campaign.log.log import Log
from sureshot.core import interval, predictive
from sureshot.core.numerics.stable import Array
from sureshot.space.tables.column import Value

__all__ = ["MOST", "Moment", "timeline"]

#: Moments that are looked at: of a longer campaign, evenly chosen ones; of a large pool, as many as this number of
#: chances allows, but :data:`FEWEST` at least.
MOST, FEWEST, CHANCES = 40, 5, 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment(Document):
    """What would have been chosen at one moment."""

    event: int  # after this event: ``campaign.rewind(event).best()`` says the same
    step: int  # outcomes so far, corrections and withdrawals among them
    outcomes: int  # that counted
    alternative: int
    label: str
    levels: dict[str, Value]
    probability: float
    interval: tuple[float, float]  # 95 %
    changed: bool  # it is another one than at the moment before


def timeline(log: Log, X: Array, *, most: int | None = None) -> tuple[Moment, ...]:
    """The moments after each outcome, with the alternatives ``X`` (in a context); of many, ``most`` of them."""
    most = max(FEWEST, min(MOST, CHANCES // len(X))) if most is None else most
    pool, found, before = log.spec.pool, list[Moment](), -1
    for step, ledger in _moments(log, most):
        _, belief = folded(pool, Base(0, log.spec.prior), ledger.counted())
        p = predictive(belief, X)
        at = int(np.argmax(p))
        low, high = interval(belief, X[at : at + 1])
        found.append(
            Moment(
                event=ledger.last,
                step=step,
                outcomes=len(ledger.counted()),
                alternative=at,
                label=pool.space.label(at),
                levels=pool.space.row(at),
                probability=float(p[at]),
                interval=(float(low[0]), float(high[0])),
                changed=at != before,
            )
        )
        before = at
    return tuple(found)


def _moments(log: Log, most: int) -> list[tuple[int, Ledger]]:
    """The ledger after events that taught something, with how many there were."""
    ledger, learned = Ledger(digest=log.record.digest), list[Ledger]()
    events = log.events()
    teaching = _teaching(log)
    chosen = {teaching[i] for i in _evenly(len(teaching), most)}
    start = 0
    for number in sorted(chosen):
        ledger = extended(ledger, events[start:number])
        start = number
        learned.append(ledger)
    return [(teaching.index(one.last) + 1, one) for one in learned]


def _teaching(log: Log) -> list[int]:
    """The numbers of the events that changed what is believed."""
    states, found = dict[int, bool](), list[int]()  # whether each trial has an outcome
    for event in log.events():
        if event.trial is None or event.kind == "noted":
            continue
        told = event.kind in ("told", "corrected")
        if told or (event.kind == "withdrawn" and states.get(event.trial, False)):
            found.append(event.number)
        states[event.trial] = told
    return found


def _evenly(n: int, most: int) -> list[int]:
    """Places from the first to the last.

    >>> _evenly(3, 40), _evenly(10, 4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    if n <= most:
        return list(range(n))
    return [int(one) for one in np.unique(np.linspace(0, n - 1, most).round().astype(int))]
