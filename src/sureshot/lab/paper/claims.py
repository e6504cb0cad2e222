"""The paper's claims as statements that can be checked, each with what was measured and a verdict: it holds, it does
not hold, or it can't be told at this sample size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sureshot.lab.paper.scenes import Watched
from sureshot.lab.paper.setting import BEAT_UCB, BOUNDARY, OWN, POLICIES, RIVALS, WHEN, Scene
from sureshot.lab.report.comparisons import average_differences, differences
from sureshot.lab.report.panels import At
from sureshot.lab.report.statistics import AVERAGE
from sureshot.lab.report.verdicts import Estimate, Verdict, mean_of, percent, share_of, spread, verdict

__all__ = [
    "Claim",
    "Comparison",
    "beats_rivals",
    "beats_ucb",
    "error_claim",
    "most",
    "names",
    "rival_claims",
    "scene_claims",
]


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


def _both(rows: Any, reference: str, value: str, at: Sequence[At], seed: int) -> list[Any]:
    worlds = differences(rows, reference, value, at=at, seed=seed)
    average = average_differences(rows, reference, value, at=at, seed=seed)
    found = [*worlds.itertuples(index=False), *average.itertuples(index=False)]
    return sorted(found, key=lambda one: POLICIES.index(one.policy))


@dataclass(frozen=True)
class Claim:
    """One line of the page."""

    figure: str  # where the paper makes it
    says: str  # as a statement about all runs, that can be true or false
    measured: str
    verdict: Verdict
    found: Estimate | None = None  # the number behind it, where it is one number
    tally: dict[Verdict, int] | None = None  # or the count of comparisons


def scene_claims(scene: Scene, seen: Watched, *, seed: int) -> list[Claim]:
    """Claims 3 and 4 about one of the small worlds: the best is found soon, the boundary is preferred."""
    n = scene.found_after
    best = share_of(int(seen.found[:, n - 1].sum()), len(seen.found))
    edge = mean_of(seen.tried_near - seen.pool_near, seed=seed, name=f"boundary {scene.figure}")
    of_tried, of_pool = 100 * seen.tried_near.mean(), 100 * seen.pool_near.mean()
    return [
        Claim(
            str(scene.figure),
            f"d = {scene.d}: after {n} trials the true best of {scene.M} is found, in more than half of the runs",
            f"found in {percent(best)} of the runs",
            verdict(best, claim="above", of=0.5),
            best,
        ),
        Claim(
            str(scene.figure),
            f"d = {scene.d}: the policy prefers the boundary (a coordinate beyond {BOUNDARY}) to the rest",
            f"{of_tried:.1f} % of the trials, {of_pool:.1f} % of the alternatives: {spread(edge)} points",
            verdict(edge, claim="above"),
            edge,
        ),
    ]


def error_claim(scene: Scene, seen: Watched, error: Estimate) -> Claim:
    """Claim 5: the prediction errs less at the true best; ``error`` is by how much more."""
    at_best, on_average = 100 * seen.error_best.mean(), 100 * seen.error_mean.mean()
    return Claim(
        "3",
        f"d = {scene.d}: after {scene.error_after} trials the predicted probability errs less at the true best "
        "than on average",
        f"{at_best:.1f} against {on_average:.1f} points of probability: {spread(error)}",
        verdict(error, claim="below"),
        error,
    )


def rival_claims(own: Sequence[Comparison], ucb: Sequence[Comparison]) -> list[Claim]:
    """Claims 1 and 2 over the worlds of figure 4: in most cases, and averaged over worlds and trials."""
    found = []
    for when in WHEN:
        cases = [one for one in own if one.n == when and one.world != AVERAGE]
        found.append(_counted(f"{OWN} costs less than its rivals in most cases, {names(when)}", cases))
    found += [_averaged(one) for one in own if one.n == "area" and one.world == AVERAGE]
    for policy in BEAT_UCB:
        cases = [one for one in ucb if one.policy == policy and one.world != AVERAGE]
        found.append(_counted(f"{policy} costs less than ucb in most cases", cases))
    found += [_averaged(one) for one in ucb if one.n == "area" and one.world == AVERAGE and one.policy != OWN]
    return found


def most(counted: Counter[Verdict]) -> Verdict:
    """The verdict on "in most cases": more than half hold, or at least half do not, or it can't be told.

    >>> most(Counter({"holds": 4, "does not hold": 1, "can't be told": 2}))
    'holds'
    >>> most(Counter({"holds": 3, "does not hold": 1, "can't be told": 3}))
    "can't be told"
    """
    total = counted.total()
    if 2 * counted["holds"] > total:
        return "holds"
    return "does not hold" if 2 * counted["does not hold"] >= total > 0 else "can't be told"


def names(when: object) -> str:
    """A place on the curve in words."""
    return "on average over all trials" if when == "area" else f"after {when} trials"


def _averaged(one: Comparison) -> Claim:
    says = f"{one.policy} costs less than {one.than}, averaged over worlds and trials"
    return Claim("4", says, f"{spread(one.found)} points", one.verdict, one.found)


def _counted(says: str, cases: Sequence[Comparison]) -> Claim:
    counted = Counter(one.verdict for one in cases)
    measured = (
        f"of {len(cases)} comparisons {counted['holds']} hold, {counted['does not hold']} do not, "
        f"{len(cases) - counted['holds'] - counted['does not hold']} can't be told"
    )
    return Claim("4", says, measured, most(counted), tally=dict(counted))
