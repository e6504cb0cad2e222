"""What was expected when trials were asked, against what came of them.

Only trials that were asked count: for all others nothing was expected beforehand. Those that were expected to succeed
about as often are put together, each group with at least :data:`FEWEST` tries; so there are few groups at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sureshot.campaign.answers.trial import TrialRow
from sureshot.campaign.answers.wording import percent, percents
from sureshot.campaign.document import Document
from sureshot.core.numerics.proportion import wilson
from sureshot.core.numerics.stable import Array

__all__ = ["FEWEST", "Calibration", "Group", "calibration"]

#: Tries in a group, at least, and groups, at most.
FEWEST, GROUPS = 5, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Document):
    """Trials that were expected to succeed about as often."""

    expected: float  # mean chance when they were asked, over tries
    came: float  # share of successes
    interval: tuple[float, float]  # 95 %, Wilson's, of that share
    successes: int
    tries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Document):
    """Whether chances were what they said. ``str()`` is a sentence."""

    groups: tuple[Group, ...]  # from low to high chances; none while there are too few outcomes
    expected: float | None  # mean chance over all tries that were asked; None: there are none
    came: float | None  # share of successes among them
    interval: tuple[float, float] | None  # 95 %, of that share
    successes: int
    tries: int
    words: str

    def __str__(self) -> str:
        return self.words


def calibration(rows: Sequence[TrialRow]) -> Calibration:
    """From the history of a campaign."""
    asked = [row for row in rows if row.state == "told" and row.probability is not None and row.of]
    asked.sort(key=lambda row: (row.probability or 0.0, row.trial))
    p = np.array([row.probability for row in asked], dtype=np.float64)
    won = np.array([row.successes for row in asked], dtype=np.float64)
    of = np.array([row.of for row in asked], dtype=np.float64)
    tries = int(of.sum())
    if not tries:
        words = "No trial that was asked has its outcome yet: then what was expected can be compared with what came."
        return Calibration(groups=(), expected=None, came=None, interval=None, successes=0, tries=0, words=words)
    whole = _group(p, won, of)
    groups = tuple(_group(p[part], won[part], of[part]) for part in _parts(p, of)) if tries >= 2 * FEWEST else ()
    return Calibration(
        groups=groups,
        expected=whole.expected,
        came=whole.came,
        interval=whole.interval,
        successes=whole.successes,
        tries=tries,
        words=_words(whole, bool(groups)),
    )


def _parts(p: Array, of: Array) -> list[slice]:
    """Neighbours by chance (which rise), with about as many tries in each group; equal chances stay together."""
    _, which = np.unique(p, return_inverse=True)
    tries = np.bincount(which, weights=of)
    middle = np.cumsum(tries) - tries / 2.0
    groups = int(min(GROUPS, of.sum() // FEWEST))
    each = np.minimum((groups * middle / of.sum()).astype(np.intp), groups - 1)[which]
    found = list[slice]()
    for end in [*(np.flatnonzero(np.diff(each)) + 1).tolist(), len(p)]:
        start = found[-1].stop if found else 0
        if found and min(of[found[-1]].sum(), of[start:end].sum()) < FEWEST:  # too few to stand alone
            found[-1] = slice(found[-1].start, end)
        else:
            found.append(slice(start, end))
    return found


def _group(p: Array, won: Array, of: Array) -> Group:
    tries, successes = float(of.sum()), float(won.sum())
    low, high = wilson(successes, tries)
    return Group(
        expected=float((p * of).sum() / tries),
        came=successes / tries,
        interval=(float(low), float(high)),
        successes=int(successes),
        tries=int(tries),
    )


def _words(whole: Group, grouped: bool) -> str:
    tries = "1 try that was" if whole.tries == 1 else f"{whole.tries:,} tries that were"
    came = f"Of {tries} asked for, {whole.successes:,} succeeded: {percent(whole.came)} ({percents(*whole.interval)})"
    low, high = whole.interval
    agree = (
        "The two agree" if low <= whole.expected <= high else "That is more" if whole.expected < low else "That is less"
    )
    told = f"{came}, where {percent(whole.expected)} was expected. {agree}."
    return told if grouped else f"{told} To say more, {2 * FEWEST} tries are needed."
