"""What to try next: the decision of the policies, with pending trials, on pools of any size.

On a large pool the exact look-ahead compares too many pairs for a person who waits. There, candidates are first ranked
by the look-ahead through a Laplace update of one Gaussian with the belief's mean and covariance (compiled, a tenth of a
second for 10,000), and the exact value decides among the best of them.

A campaign begins one trial ahead. From the eighth outcome on, without contexts and for the final choice, it looks
several trials ahead: that measured best (docs/default.md). Elsewhere, where no single outcome can change the final
choice every value is 0, and one step ahead sees nothing: then the value of several trials of one alternative, per
trial, decides: KG(*) (MATHS, section 6), which is also the value that is shown wherever several trials decided.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.spec import Spec
from sureshot.core import Belief, Mixture, gaussian, interval, mixture, predictive
from sureshot.core.lookahead import Finals, finals, knowledge_gradient, knowledge_gradient_star, outlook
from sureshot.core.lookahead.star import MOST_REPEATS, Star
from sureshot.core.stable import Array
from sureshot.policies import Decision, Outlook, choose, decide, scores, situation
from sureshot.policies.kg_several import KgSeveral
from sureshot.policies.ties import EPSILON, tied

Rows = NDArray[np.intp]

#: How far a campaign looks once a few outcomes are known.
FURTHER = KgSeveral()

__all__ = ["one_gaussian", "plausible", "repeated", "shortlist", "suggest", "trimmed"]

#: Up to so many alternatives every one is looked at exactly.
SMALL = 1_000
#: Beyond so many, candidates are screened by their intervals before anything is looked ahead.
LARGE = 20_000
#: Candidates of a larger pool whose exact value is computed.
CANDIDATES = 32
#: Alternatives of a larger pool that the final choice is compared over, those that may turn out best.
FINALISTS = 1_000
#: ... and the best predicted, whose order no approximation should settle.
BEST_PREDICTED = 100
#: Candidates and alternatives of a larger pool that are compared several steps ahead, the dearest look of all.
FEW, FEW_FINALISTS = 8, 200
#: Pairs of a candidate and an alternative in a seen context that are compared several steps ahead, at most.
PAIRS = 4_000
#: Members of a mixture below this weight are left out on a larger pool: no probability changes by more.
NEGLIGIBLE = 1e-6


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
    seen: Finals | None = None,
) -> list[Decision]:
    """``q`` decisions, each as if those before it were pending; ``used`` trials of the budget are gone, and ``told``
    outcomes are known.

    ``seen`` holds the choices in other contexts that a value is averaged over; None: in this one alone.
    """
    known = belief if len(X) <= SMALL else trimmed(belief)
    chosen: list[Decision] = []
    for i in range(q):
        waiting = pending if len(pending) else None
        left = None if spec.budget is None else max(spec.budget - used - i, 1)
        offline = spec.objective == "offline"
        decision = None
        if offline and not spec.pool.contextual and told >= FURTHER.exact_first and left != 1:
            decision = _several(spec, known, X, waiting, rng, left)
        if decision is None:
            decision = _next(spec, known, X, waiting, rng, _ahead(spec, used + i), seen)
            if offline and decision.score <= EPSILON:
                decision = _further(spec, known, X, decision, rng, left, seen)
        chosen.append(decision)
        pending = np.vstack([pending, X[decision.alternative]])
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
    pending: Array | None,
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
    now, success, failure = _outlooks(belief, X, compared, found.alternative)
    return replace(found, now=now, on_success=success, on_failure=failure)


def _several(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    pending: Array | None,
    rng: np.random.Generator,
    left: int | None,
) -> Decision | None:
    """The decision several trials ahead; None where they see no difference either."""
    rows = np.arange(len(X)) if len(X) <= SMALL else shortlist(belief, X, rng, costs=spec.costs)
    compared = np.union1d(rows, plausible(belief, X))
    among = finals([X[compared]], d=belief.d)
    costs = None if spec.costs is None else spec.costs[rows]
    now = situation(belief, X[rows], trials_left=left, finals=among, pending=pending, cost=costs)
    found = scores(replace(FURTHER, exact_first=0), now, rng)
    if found.max() <= EPSILON:
        return None
    at = choose(found, rng)
    most = MOST_REPEATS if left is None else left
    value = knowledge_gradient_star(belief, X[rows[at : at + 1]], trials_left=most, finals=among).score[0]
    return _announced(belief, X, rows, found, at, float(value), compared)


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
    return _announced(belief, X, rows, found, at, float(star.score[at]), compared)


def _announced(
    belief: Belief | Mixture, X: Array, rows: Rows, found: Array, at: int, value: float, compared: Rows
) -> Decision:
    """The choice of ``rows[at]`` by the scores ``found`` of these rows, with what a person needs to hear."""
    index = int(rows[at])
    low, high = interval(belief, X[index : index + 1])
    second = int(np.argmax(np.where(np.arange(len(rows)) == at, -np.inf, found))) if len(rows) > 1 else None
    now, success, failure = _outlooks(belief, X, compared, index)
    return Decision(
        alternative=index,
        probability=float(predictive(belief, X[index : index + 1])[0]),
        interval=(float(low[0]), float(high[0])),
        value=value,
        score=float(found[at]),
        now=now,
        on_success=success,
        on_failure=failure,
        runner_up=None if second is None else int(rows[second]),
        runner_up_score=None if second is None else float(found[second]),
        tied=len(tied(found)),
    )


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


def _outlooks(belief: Belief | Mixture, X: Array, compared: Rows, index: int) -> tuple[Outlook, Outlook, Outlook]:
    """What to go with now, after a success and after a failure, among ``compared``, which holds the alternative."""
    p = predictive(belief, X[compared])
    best = int(np.argmax(p))
    after = outlook(belief, X[compared], int(np.searchsorted(compared, index)))
    failure, success = (Outlook(int(compared[at]), chance) for at, chance in after)
    return Outlook(int(compared[best]), float(p[best])), success, failure


def shortlist(
    belief: Belief | Mixture,
    X: Array,
    rng: np.random.Generator,
    *,
    tau: float | None = None,
    costs: Array | None = None,
    size: int = CANDIDATES,
    seen: Finals | None = None,
) -> Rows:
    """The rows most worth an exact look, best first; equals are ordered at random."""
    one = one_gaussian(belief)
    rows = rng.permutation(len(X)) if len(X) <= LARGE else rng.permutation(_screened(one, X))
    compared = seen
    if compared is None and len(X) > LARGE:
        compared = finals([X[plausible(belief, X)]], d=belief.d)
    values = knowledge_gradient(one, X[rows], lookahead="update", finals=compared)
    found = values if costs is None else values / costs[rows]
    if tau is not None:
        found = predictive(belief, X[rows]) + tau * values
    return np.asarray(rows[np.argsort(-found, kind="stable")][:size])


def _screened(belief: Belief, X: Array) -> Rows:
    """Of a very large pool, the rows that are least known and those that may be best: the others teach less."""
    mu, s = belief.moments(X)
    return np.union1d(_top(s, LARGE // 2), _top(mu + 1.96 * np.sqrt(s), LARGE // 2))


def plausible(belief: Belief | Mixture, X: Array, size: int = FINALISTS) -> Rows:
    """The rows that may turn out best: those best predicted, and those whose intervals reach highest."""
    if len(X) <= size:
        return np.arange(len(X))
    mu, s = one_gaussian(belief).moments(X)
    predicted = mu / np.sqrt(1.0 + np.pi / 8.0 * s)  # in the order of the paper's kappa form, which is near enough
    return np.union1d(_top(mu + 1.96 * np.sqrt(s), size), _top(predicted, min(size, BEST_PREDICTED)))


def _top(values: Array, size: int) -> Rows:
    """The rows of the largest values, in no order."""
    return np.argpartition(-values, size - 1)[:size]


def one_gaussian(belief: Belief | Mixture) -> Belief:
    """The Gaussian with the mean and covariance of a mixture."""
    if isinstance(belief, Belief):
        return belief
    weights, members = belief.weights / belief.weights.sum(), belief.beliefs
    mean = np.sum([w * b.mean for w, b in zip(weights, members, strict=True)], axis=0)
    off = [b.mean - mean for b in members]
    cov = np.sum([w * (b.cov + np.outer(e, e)) for w, b, e in zip(weights, members, off, strict=True)], axis=0)
    return gaussian(mean, (cov + cov.T) / 2.0, link=members[0].link)


def trimmed(belief: Belief | Mixture) -> Belief | Mixture:
    """A mixture without its members of next to no weight: they cost as much to look through as the others."""
    if isinstance(belief, Belief) or belief.weights.min() > NEGLIGIBLE:
        return belief
    keep = [(b, w) for b, w in zip(belief.beliefs, belief.weights.tolist(), strict=True) if w > NEGLIGIBLE]
    return mixture([b for b, _ in keep], [w for _, w in keep])
