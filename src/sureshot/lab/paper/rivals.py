"""Claims 1 and 2: who has the lower opportunity cost in figure 4, run by run on the same truths and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sureshot.lab.paper.setting import BEAT_UCB, OWN, POLICIES, RIVALS, WHEN
from sureshot.lab.paper.verdict import Estimate, Verdict, verdict
from sureshot.lab.report.comparisons import average_differences, differences
from sureshot.lab.report.panels import At

__all__ = ["Comparison", "beats_rivals", "beats_ucb", "tally"]


@dataclass(frozen=True)
class Comparison:
    """One claim: ``policy`` has a lower mean opportunity cost than ``than``, in one world, after ``n`` trials."""

    world: str
    policy: str
    than: str
    n: At
    found: Estimate  # cost of `policy` minus cost of `than`, in the same runs: below 0 as claimed

    @property
    def verdict(self) -> Verdict:
        """Whether it does."""
        return verdict(self.found, claim="below")


def beats_rivals(rows: Any, value: str, *, at: Sequence[At] = WHEN, seed: int = 0) -> list[Comparison]:
    """Claim 1: the paper's policy below each rival, in each world and on average over worlds.

    Worlds are one family for Holm's correction, the averages another.
    """
    return [
        Comparison(one.world, OWN, one.policy, one.n, Estimate(-one.difference, -one.high, -one.low, one.p_holm))
        for one in _both(rows[rows["policy"].isin((OWN, *RIVALS))], OWN, value, at, seed)
    ]


def beats_ucb(rows: Any, value: str, *, at: Sequence[At] = WHEN, seed: int = 0) -> list[Comparison]:
    """Claim 2: "KG, EI and Thompson sampling outperform the naive use of UCB"."""
    return [
        Comparison(one.world, one.policy, "ucb", one.n, Estimate(one.difference, one.low, one.high, one.p_holm))
        for one in _both(rows[rows["policy"].isin((*BEAT_UCB, "ucb"))], "ucb", value, at, seed)
    ]


def tally(found: Sequence[Comparison]) -> Counter[Verdict]:
    """How many of them hold, do not hold, can't be told."""
    return Counter(one.verdict for one in found)


def _both(rows: Any, reference: str, value: str, at: Sequence[At], seed: int) -> list[Any]:
    worlds = differences(rows, reference, value, at=at, seed=seed)
    average = average_differences(rows, reference, value, at=at, seed=seed)
    found = [*worlds.itertuples(index=False), *average.itertuples(index=False)]
    return sorted(found, key=lambda one: POLICIES.index(one.policy))
