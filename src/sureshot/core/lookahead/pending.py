"""Trials whose outcomes are outstanding: the beliefs that they may lead to, weighted by how likely each is.

By the time of the final choice these outcomes will be known, so the value of one more trial is averaged over what they
may be, each with its own best alternative: KG = Σ weight·KG(belief given those outcomes). Exact for up to
:data:`EXACT` outstanding trials (2⁴ scenarios). Beyond, :data:`SAMPLED` scenarios are followed, drawn as often as they
are likely, and every further outcome is drawn in each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.learning.update import observe
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["EXACT", "MOST_PENDING", "SAMPLED", "Outstanding", "Scenario", "outstanding", "refuse_many"]

#: Up to this many outstanding trials every combination of outcomes is followed.
EXACT = 4
#: Beyond that, this many combinations are followed. What batches were worth with 16 and with 64 could not be told
#: apart, and 16 take a quarter of the time (`python -m benchmarks batch`).
SAMPLED = 16
#: More outstanding trials than this are refused: the draws would no longer say much.
MOST_PENDING = 100


class Scenario(NamedTuple):
    """How outstanding outcomes may turn out: how likely that is, the belief it leads to, the outcomes."""

    weight: float
    belief: Belief | Mixture
    outcomes: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outstanding:
    """Trials whose outcomes are outstanding, and the scenarios of how they turn out. To choose several trials one after
    the other, add each to it: that is less work than to start again with all of them.
    """

    rows: Array  # (k, d)
    scenarios: tuple[Scenario, ...]

    def and_of(self, x: ArrayLike, rng: np.random.Generator | None) -> Outstanding:
        """The same with a trial of ``x`` beside them."""
        row = check.vector(x, "x", self.scenarios[0].belief.d)
        rows = np.vstack([self.rows, row])
        refuse_many(len(rows))
        if len(rows) <= EXACT:
            return Outstanding(rows, tuple(_both(self.scenarios, row)))
        if rng is None:
            raise InvalidInput(f"more than {EXACT} pending trials are sampled: give a random generator as `rng`.")
        before = _as_often_as_likely(self.scenarios, rng) if len(rows) == EXACT + 1 else self.scenarios
        return Outstanding(rows, tuple(_drawn(one, row, rng) for one in before))


def outstanding(
    belief: Belief | Mixture, pending: ArrayLike | Outstanding | None, *, rng: np.random.Generator | None = None
) -> Outstanding:
    """The rows of ``pending``, (k, d), and how their outcomes may turn out.

    >>> from sureshot import core
    >>> [round(one.weight, 3) for one in outstanding(core.prior(1), [[2.0], [2.0]]).scenarios]
    [0.339, 0.161, 0.161, 0.339]
    """
    if isinstance(pending, Outstanding):
        return pending
    found = Outstanding(np.empty((0, belief.d)), (Scenario(1.0, belief, ()),))
    if pending is None or np.size(pending) == 0:
        return found
    rows = check.features(pending, "pending", belief.d)
    refuse_many(len(rows))
    for x in rows:
        found = found.and_of(x, rng)
    return found


def refuse_many(pending: int, more: int = 0) -> None:
    """Refuse to choose a trial, and so many ``more`` after it, when so many are pending: that would be a guess."""
    if pending + more > MOST_PENDING:
        asked = f" and {more + 1} asked for at once" if more else ""
        raise InvalidInput(
            f"at most {MOST_PENDING} trials may be pending when one is chosen, got {pending}{asked}: "
            f"{'ask for fewer, or ' if more else ''}tell or withdraw some of them first."
        )


def _both(before: Sequence[Scenario], x: Array) -> list[Scenario]:
    """Each scenario with a success and with a failure."""
    grown = []
    for one in before:
        for y in (1, 0):
            after, info = observe(one.belief, x, y)
            grown.append(Scenario(one.weight * float(np.exp(info.evidence)), after, (*one.outcomes, y)))
    total = sum(one.weight for one in grown)
    return [one._replace(weight=one.weight / total) for one in grown]


def _as_often_as_likely(before: Sequence[Scenario], rng: np.random.Generator) -> list[Scenario]:
    """:data:`SAMPLED` scenarios of equal weight, each as often as it is likely, give or take one (systematic
    resampling).
    """
    ends = np.cumsum([one.weight for one in before])
    at = np.searchsorted(ends / ends[-1], (np.arange(SAMPLED) + rng.random()) / SAMPLED, side="right")
    return [before[i]._replace(weight=1.0 / SAMPLED) for i in np.minimum(at, len(before) - 1)]


def _drawn(one: Scenario, x: Array, rng: np.random.Generator) -> Scenario:
    """A scenario with one more outcome, drawn from what is then believed."""
    after, info = observe(one.belief, x, 1)
    y = int(rng.random() < np.exp(info.evidence))
    return Scenario(one.weight, after if y else observe(one.belief, x, 0)[0], (*one.outcomes, y))
