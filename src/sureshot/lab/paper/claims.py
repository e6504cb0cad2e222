"""The paper's claims as statements that can be checked, each with what was measured and a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sureshot.lab.paper.behaviour import Watched
from sureshot.lab.paper.rivals import Comparison, tally
from sureshot.lab.paper.setting import BEAT_UCB, BOUNDARY, OWN, WHEN, Scene
from sureshot.lab.paper.verdict import Estimate, Verdict, mean_of, share_of, verdict
from sureshot.lab.report.statistics import AVERAGE

__all__ = ["Claim", "most", "names", "percent", "points", "rival_claims", "scene_claims", "spread"]


@dataclass(frozen=True)
class Claim:
    """One line of the page."""

    figure: str  # where the paper makes it
    says: str  # as a statement about all runs, that can be true or false
    measured: str
    verdict: Verdict
    found: Estimate | None = None  # the number behind it, where it is one number
    tally: dict[Verdict, int] | None = None  # or the count of comparisons


def scene_claims(scene: Scene, seen: Watched, *, seed: int) -> dict[str, Claim]:
    """Claims 3, 4 and 5 about one of the small worlds, by the names ``found``, ``boundary`` and ``error``."""
    n = scene.found_after
    best = share_of(int(seen.found[:, n - 1].sum()), len(seen.found))
    edge = mean_of(seen.tried_near - seen.pool_near, seed=seed, name=f"boundary {scene.figure}")
    error = mean_of(seen.error_best - seen.error_mean, seed=seed, name=f"error {scene.figure}")
    of_tried, of_pool = 100 * seen.tried_near.mean(), 100 * seen.pool_near.mean()
    at_best, on_average = 100 * seen.error_best.mean(), 100 * seen.error_mean.mean()
    return {
        "found": Claim(
            str(scene.figure),
            f"d = {scene.d}: after {n} trials the true best of {scene.M} is found, in more than half of the runs",
            f"found in {percent(best)} of the runs",
            verdict(best, claim="above", of=0.5),
            best,
        ),
        "boundary": Claim(
            str(scene.figure),
            f"d = {scene.d}: the policy prefers the boundary (a coordinate beyond {BOUNDARY}) to the rest",
            f"{of_tried:.1f} % of the trials, {of_pool:.1f} % of the alternatives: {spread(edge)} points",
            verdict(edge, claim="above"),
            edge,
        ),
        "error": Claim(
            "3",
            f"d = {scene.d}: after {scene.error_after} trials the predicted probability errs less at the true best "
            "than on average",
            f"{at_best:.1f} against {on_average:.1f} points of probability: {spread(error)}",
            verdict(error, claim="below"),
            error,
        ),
    }


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


def percent(found: Estimate) -> str:
    """A probability with its interval.

    >>> percent(Estimate(0.382, 0.34, 0.4251))
    '38.2 % (34.0 to 42.5 %)'
    """
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f} %)"


def points(value: float) -> str:
    """A difference of probabilities in points, with its sign.

    >>> points(-0.0123), points(-0.00001)
    ('-1.23', '0.00')
    """
    text = f"{100 * value:+.2f}"
    return "0.00" if float(text) == 0 else text


def spread(found: Estimate) -> str:
    """A difference in points with its interval.

    >>> spread(Estimate(-0.0123, -0.02, -0.0051))
    '-1.23 (-2.00 to -0.51)'
    """
    return f"{points(found.value)} ({points(found.low)} to {points(found.high)})"


def _averaged(one: Comparison) -> Claim:
    says = f"{one.policy} costs less than {one.than}, averaged over worlds and trials"
    return Claim("4", says, f"{spread(one.found)} points", one.verdict, one.found)


def _counted(says: str, cases: Sequence[Comparison]) -> Claim:
    counted = tally(cases)
    measured = (
        f"of {len(cases)} comparisons {counted['holds']} hold, {counted['does not hold']} do not, "
        f"{len(cases) - counted['holds'] - counted['does not hold']} can't be told"
    )
    return Claim("4", says, measured, most(counted), tally=dict(counted))
