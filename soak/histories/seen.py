"""What was found wrong in one history, and the largest deviation of each kind over all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from sureshot.core import Belief, Mixture
from sureshot.core.beliefs.mixture import members

__all__ = ["Seen", "same_belief"]


@dataclass
class Largest:
    """The largest deviation of one kind, the bound that it was held to, and how often it was looked at."""

    value: float
    bound: float
    at: str
    times: int


@dataclass
class Seen:
    """What came of the checks of one history after the other."""

    at: str = ""  # the history: all that is needed to make it again
    wrong: list[str] = field(default_factory=list)  # of this history
    largest: dict[str, Largest] = field(default_factory=dict)  # of all

    def begin(self, at: str) -> None:
        """The next history."""
        self.at, self.wrong = at, []

    def must(self, holds: object, what: str) -> None:
        """Something that holds or does not."""
        if not holds:
            self.wrong.append(what)

    def off(self, what: str, by: float, bound: float) -> None:
        """A deviation, which may be as large as its bound. NaN is beyond every bound."""
        if not by <= bound:
            self.wrong.append(f"{what}: off by {by:.3g}, at most {bound:.3g} is allowed")
        known = self.largest.get(what)
        share = by / bound if bound > 0.0 else by
        if known is None:
            self.largest[what] = Largest(by, bound, self.at, 1)
            return
        known.times += 1
        if math.isnan(by) or share > (known.value / known.bound if known.bound > 0.0 else known.value):
            known.value, known.bound, known.at = by, bound, self.at

    def __str__(self) -> str:
        wide = max((len(what) for what in self.largest), default=4)
        rows = [f"{'':{wide}}  {'looked at':>9} {'largest':>9} {'allowed':>9}  at"]
        for what, one in sorted(self.largest.items()):
            rows.append(f"{what:{wide}}  {one.times:>9,} {one.value:>9.2g} {one.bound:>9.2g}  {one.at}")
        return "\n".join(rows)


def same_belief(one: Belief | Mixture, other: Belief | Mixture) -> bool:
    """Whether two beliefs agree to the last bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Mixture) and isinstance(other, Mixture) and one.log_weights.tobytes() != _bytes(other):
        return False
    pairs = list(zip(members(one), members(other), strict=False))
    return len(pairs) == len(members(one)) == len(members(other)) and all(_same(a, b) for (_, a), (_, b) in pairs)


def _bytes(mixture: Mixture) -> bytes:
    return mixture.log_weights.tobytes()


def _same(one: Belief, other: Belief) -> bool:
    kinds = (one.link is other.link, one.method == other.method, (one.factor is None) == (other.factor is None))
    if not all(kinds) or not np.array_equal(one.mean, other.mean) or not np.array_equal(one.spread, other.spread):
        return False
    return one.factor is None or other.factor is None or np.array_equal(one.factor, other.factor)
