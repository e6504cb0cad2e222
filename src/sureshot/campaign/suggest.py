"""What to try next: the decision of the policies, with pending trials, on pools of any size.

On a large pool the exact look-ahead compares too many pairs for a person who waits. There, candidates are first ranked
by the look-ahead through a Laplace update of one Gaussian with the belief's mean and covariance (compiled, a tenth of a
second for 10,000), and the exact value decides among the best of them.

Without contexts and for the final choice, :mod:`sureshot.campaign.careful` decides. Elsewhere, and for the last trial,
it is the exact look-ahead; where no single outcome can change the final choice every value is 0, and one step ahead
sees nothing: then the value of several trials of one alternative, per trial, decides: KG(*) (MATHS, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sureshot.campaign.announce import announced, outlooks
from sureshot.campaign.careful import careful
from sureshot.campaign.shortlist import SMALL, Rows, plausible, shortlist, trimmed
from sureshot.campaign.spec import Spec
from sureshot.core import Belief, Mixture
from sureshot.core.lookahead import Finals, finals, knowledge_gradient_star
from sureshot.core.lookahead.pending import Outstanding, outstanding, refuse_many
from sureshot.core.lookahead.star import MOST_REPEATS, Star
from sureshot.core.stable import Array
from sureshot.policies import Decision, choose, decide
from sureshot.policies.ties import EPSILON

__all__ = ["repeated", "suggest"]

#: Candidates and alternatives of a larger pool that are compared several steps ahead, the dearest look of all.
FEW, FEW_FINALISTS = 8, 200
#: Pairs of a candidate and an alternative in a seen context that are compared several steps ahead, at most.
PAIRS = 4_000


def suggest(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    pending: Array,
    q: int,
    *,
    rng: np.random.Generator,
    used: int,
    told: int,
    failed: int = 0,
    unfailing: Mapping[int, int] | None = None,
    seen: Finals | None = None,
) -> list[Decision]:
    """``q`` decisions, each as if those before it were pending; ``used`` trials of the budget are gone, and ``told``
    outcomes are known, ``failed`` of them failures, ``unfailing`` the successes of each row that never failed.

    ``seen`` holds the choices in other contexts that a value is averaged over; None: in this one alone.
    """
    refuse_many(len(pending), q - 1)
    known = belief if len(X) <= SMALL else trimmed(belief)
    waiting = outstanding(known, pending, rng=rng)
    chosen: list[Decision] = []
    for i in range(q):
        left = None if spec.budget is None else max(spec.budget - used - i, 1)
        decision = None
        if spec.objective == "offline" and not spec.pool.contextual and left != 1:
            so_far = told + len(waiting.rows)
            decision = careful(
                spec, known, X, waiting, rng=rng, left=left, known=so_far, failed=failed, unfailing=unfailing or {}
            )
        if decision is None:
            decision = _next(spec, known, X, waiting, rng, _ahead(spec, used + i), seen)
            if spec.objective == "offline" and decision.score <= EPSILON:
                decision = _further(spec, known, X, decision, rng, left, seen)
        chosen.append(decision)
        if i < q - 1:
            waiting = waiting.and_of(X[decision.alternative], rng)
    return chosen


def _ahead(spec: Spec, used: int) -> float | None:
    """How many later trials profit from the next one, for the online objective."""
    if spec.objective == "offline":
        return None
    if spec.discount is not None:
        return spec.discount / (1.0 - spec.discount)
    assert spec.budget is not None
    return float(max(spec.budget - used - 1, 0))


def _next(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    pending: Outstanding,
    rng: np.random.Generator,
    tau: float | None,
    seen: Finals | None,
) -> Decision:
    """One trial ahead; in a large pool, among the most promising candidates, compared over what may turn out best."""
    if len(X) <= SMALL:
        return decide(
            belief, X, rng=rng, objective=spec.objective, tau=tau, finals=seen, pending=pending, cost=spec.costs
        )
    candidates = shortlist(belief, X, rng, tau=tau, costs=spec.costs, seen=seen)
    compared = np.union1d(candidates, plausible(belief, X))
    decision = decide(
        belief,
        X[candidates],
        rng=rng,
        objective=spec.objective,
        tau=tau,
        pending=pending,
        cost=None if spec.costs is None else spec.costs[candidates],
        finals=seen or finals([X[compared]], d=belief.d),
    )
    second = None if decision.runner_up is None else int(candidates[decision.runner_up])
    found = replace(decision, alternative=int(candidates[decision.alternative]), runner_up=second)
    now, success, failure = outlooks(belief, X, compared, found.alternative)
    return replace(found, now=now, on_success=success, on_failure=failure)


def _further(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    decision: Decision,
    rng: np.random.Generator,
    left: int | None,
    seen: Finals | None,
) -> Decision:
    """The decision several steps ahead, where one step sees no difference."""
    rows, star = repeated(spec, belief, X, rng, left, seen)
    found = star.score if spec.costs is None else star.score / spec.costs[rows]
    if found.max() <= EPSILON:
        return decision
    at = choose(found, rng)
    compared = np.union1d(rows[at : at + 1], plausible(belief, X))
    return announced(belief, X, rows, found, at, float(star.score[at]), compared)


def repeated(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    rng: np.random.Generator,
    left: int | None,
    seen: Finals | None = None,
) -> tuple[Rows, Star]:
    """KG(*) of all alternatives of a small pool, or of the most promising of a large one, with their rows."""
    most = MOST_REPEATS if left is None else left
    if len(X) <= SMALL and seen is None:
        return np.arange(len(X)), knowledge_gradient_star(belief, X, trials_left=most)
    rows = shortlist(belief, X, rng, costs=spec.costs, size=FEW, seen=seen)
    if seen is not None:
        compared = _commonest(seen, PAIRS // len(rows), belief.d)
    else:
        compared = finals([X[np.union1d(rows, plausible(belief, X, FEW_FINALISTS))]], d=belief.d)
    return rows, knowledge_gradient_star(trimmed(belief), X[rows], trials_left=most, finals=compared)


def _commonest(seen: Finals, rows: int, d: int) -> Finals:
    """The contexts that came most often, the latest first among equals, with so many alternatives in all."""
    groups = np.split(seen.rows, seen.starts[1:-1])
    order = sorted(range(len(groups)), key=lambda g: (-seen.weights[g], -g))
    keep = order[: max(1, rows // len(groups[0]))]
    return finals([groups[g] for g in keep], seen.weights[keep], d=d)
