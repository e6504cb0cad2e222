"""kg-careful: the knowledge gradient without two of its bad habits (docs/default.md).

The alternatives that a knowledge gradient finds most telling are the unusual ones, about which it knows least, and two
that have never failed, between which it goes back and forth. Both can waste trials. So

- in a pool with outliers the first few trials are drawn from its usual alternatives, the three quarters nearest its
  middle, until a second one fails: they may not be what works here. From there on, the likelier a typical alternative
  is to work, the less an unusual one counts;
- once there is something that probably works, what has never failed needs less proof with every success.

The value is KG(*), that of any number of trials of an alternative, per trial. A quick look (:mod:`kg_several
<sureshot.policies.kg_several>`) says for which few alternatives it is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.auto import even_axes
from sureshot.core.rows import distinct
from sureshot.core.stable import Array
from sureshot.policies import checked
from sureshot.policies.kg import LookAhead, of_candidates, worth
from sureshot.policies.kg_several import one_or_several
from sureshot.policies.kg_star import TOGETHER as QUICK
from sureshot.policies.kg_star import most_promising, repeated
from sureshot.policies.policy import Abilities
from sureshot.policies.situation import Situation

__all__ = ["FAILURES", "KgCareful", "counted", "has_outliers", "per_trial", "unusual", "usual", "varying"]

#: The part of the pool that counts as usual.
USUAL = 0.75
#: A pool has outliers if its kurtosis (Mardia's) is so many times that of normal rows.
OUTLYING = 2.0
#: Nothing more is drawn once so many trials failed.
FAILURES = 2
#: How much less an alternative counts that is so many times as unusual as the usual ones: this power, for a typical
#: chance of 1; none of it from a chance of one half downwards.
AVERSION = 4.0
#: How much less one more success of what has never failed makes the next trial count, once a chance exceeds the second.
PROVEN, PROBABLE = 0.25, 0.8
#: The trials of one alternative that the quick look takes together.
TOGETHER = 4


def unusual(X: Array) -> Array:
    """How far each row is from the middle of all, squared, by how much rows vary in that direction; 1 on average.

    >>> unusual(np.array([[1.0, -1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0]]))
    array([2.5, 0. , 0. , 0. , 2.5])
    """
    Z = X / np.maximum(np.abs(X).max(axis=0), 1e-300)
    Z = Z - Z.mean(axis=0)
    spread = np.sqrt(np.mean(Z**2, axis=0))
    Z = Z / np.where(spread > 1e-12, spread, np.inf)
    axes = even_axes(Z)
    if axes is None:
        return np.ones(len(X))
    far = np.sum((Z @ axes) ** 2, axis=1)
    return np.asarray(far / far.mean())


def usual(far: Array) -> Array:
    """Whether each alternative is among the usual ones, by how unusual they are."""
    return np.asarray(far <= np.quantile(far, USUAL) * (1.0 + 1e-9))


def has_outliers(far: Array, features: int) -> bool:
    """Whether a pool of so many features that vary has rows much farther out than normal ones would be.

    >>> has_outliers(np.array([0.5] * 19 + [10.5]), 3), has_outliers(np.ones(20), 3)
    (True, False)
    """
    normal = (features + 2.0) / max(features, 1)  # the mean square of a chi-square variable, by its squared mean
    return bool(np.mean(far**2) > OUTLYING * normal)


def counted(chance: Array, far: Array, features: int, proven: Array | None = None) -> Array:
    """The part of each value that counts, from the chance of success of each alternative of a pool, how unusual it is,
    and, after the first few outcomes, the successes of what never failed.

    >>> far = np.array([0.5] * 19 + [10.5])
    >>> counted(np.full(20, 0.9), far, 3)[[0, 19]].round(4)  # most work: the odd one counts for little
    array([1.e+00, 1.e-04])
    >>> counted(np.full(20, 0.2), far, 3)[[0, 19]]  # few do: it may be the one
    array([1., 1.])
    """
    part = np.ones(len(chance))
    often = max(2.0 * float(chance.mean()) - 1.0, 0.0)
    if often and has_outliers(far, features):
        part = np.maximum(far / max(float(np.quantile(far, USUAL)), 1e-300), 1.0) ** (-AVERSION * often)
    return np.asarray(part if proven is None or chance.max() <= PROBABLE else part / (1.0 + PROVEN * proven))


def varying(X: Array) -> int:
    """How many features of a pool vary."""
    return int(np.count_nonzero(np.ptp(X, axis=0) > 1e-12 * np.abs(X).max(axis=0)))


def per_trial(situation: Situation, part: Array, candidates: int) -> Array:
    """What counts of KG(*), where ``part`` of each value does: computed for the most promising ``candidates`` by a
    quick look, copies together; of the others what the quick look saw, but no more than the least of those.
    """
    _, copies = distinct(situation.X)
    all_of_them = copies.max() < candidates
    quick = np.zeros(len(part)) if all_of_them else part * one_or_several(situation, TOGETHER)
    rows = most_promising(situation, quick, candidates)
    found = part[rows] * repeated(situation, rows).score
    values = np.asarray(np.minimum(quick, found.min()))
    place = np.full(copies.max() + 1, -1)
    place[copies[rows]] = np.arange(len(rows))
    chosen = place[copies] >= 0
    values[chosen] = found[place[copies[chosen]]]
    return values


@dataclass(frozen=True)
class KgCareful(LookAhead):
    """``drawn`` trials of usual alternatives, or fewer if two fail, where the pool has outliers; then KG(*) by what
    counts, computed for so many ``candidates``. What never failed needs less proof from the outcome ``proof_from``
    on. The last trial of all is chosen by the exact knowledge gradient alone.
    """

    drawn: int = 3
    proof_from: int = 8
    candidates: int = 24
    name: ClassVar[str] = "kg-careful"
    abilities: ClassVar[Abilities] = Abilities(cost=True, any_link=False)
    because: ClassVar[str] = (
        "it teaches most per trial, where what is unusual or has never failed counts less (the first few of a pool "
        "with outliers are drawn from its usual alternatives)"
    )

    def __post_init__(self) -> None:
        checked.whole(self, "drawn", low=0, high=1_000_000)
        checked.whole(self, "proof_from", low=0, high=1_000_000)
        checked.whole(self, "candidates", low=1, high=1_000_000)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """What counts of the value per trial; at first, 1 for every usual alternative."""
        return self._scores(situation, lambda now, part: per_trial(now, part, self.candidates))

    def quick(self, situation: Situation, rng: np.random.Generator) -> Array | None:
        """What counts of one trial exactly, or of a few as one measurement."""
        return self._scores(situation, lambda now, part: part * one_or_several(now, *QUICK))

    def _scores(self, situation: Situation, value: Callable[[Situation, Array], Array]) -> Array:
        """The scores, with ``value`` for what counts of a trial's value, where ``part`` of each does."""
        X, known = situation.X, len(situation.outcomes)
        if situation.trials_left == 1:
            return of_candidates(situation, lambda now: worth(one_or_several(now, 1), now))
        far, features = unusual(X), varying(X)
        failed = np.count_nonzero(2 * situation.outcomes < situation.of)
        if known < self.drawn and failed < FAILURES and has_outliers(far, features):
            return worth(usual(far).astype(float), situation)
        proven = None
        if known >= self.proof_from:
            won, tries = situation.counts
            proven = np.where(won == tries, won, 0).astype(float)
        part = counted(situation.probability, far, features, proven)
        rows = slice(None) if situation.candidates is None else situation.candidates
        return of_candidates(situation, lambda now: worth(value(now, part[rows]), now))
