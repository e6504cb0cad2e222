"""What a campaign without contexts tries next for its final choice: the policy kg-careful, on pools of any size.

That measured best (docs/default.md). In a pool with outliers a few usual alternatives are drawn first; then KG(*), the
value of any number of trials of an alternative, per trial, decides by what counts of it
(:mod:`sureshot.policies.kg_careful`). The value that is shown is the whole one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sureshot.campaign.announce import announced
from sureshot.campaign.shortlist import CANDIDATES, LARGE, SMALL, Rows, plausible, shortlist
from sureshot.campaign.spec import Spec
from sureshot.core import Belief, Mixture, predictive
from sureshot.core.lookahead import Finals, finals, knowledge_gradient, knowledge_gradient_star
from sureshot.core.lookahead.pending import Outstanding
from sureshot.core.lookahead.several import knowledge_gradient_several
from sureshot.core.lookahead.star import MOST_REPEATS
from sureshot.core.stable import Array
from sureshot.policies import Decision, choose, situation
from sureshot.policies.kg import worth
from sureshot.policies.kg_careful import (
    FAILURES,
    TOGETHER,
    KgCareful,
    counted,
    has_outliers,
    per_trial,
    unusual,
    usual,
    varying,
)
from sureshot.policies.outstanding import followed
from sureshot.policies.ties import EPSILON

__all__ = ["POLICY", "careful"]

POLICY = KgCareful()


def careful(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    pending: Outstanding,
    *,
    rng: np.random.Generator,
    left: int | None,
    known: int,
    failed: int,
    unfailing: Mapping[int, int],
) -> Decision | None:
    """The next trial when ``known`` outcomes are known or outstanding and ``failed`` of them are failures, with the
    successes of alternatives (by row) that never failed; None where nothing that counts can be learned by it.
    """
    far, features = unusual(X), varying(X)
    if known < POLICY.drawn and failed < FAILURES and has_outliers(far, features):
        return _drawn(spec, belief, X, far, rng)
    proven = None
    if known >= POLICY.proof_from:
        proven = np.zeros(len(X))
        proven[list(unfailing)] = list(unfailing.values())
    part = counted(predictive(belief, X), far, features, proven)
    rows = _candidates(spec, belief, X, part, rng)
    compared = np.union1d(rows, plausible(belief, X))
    among = finals([X[compared]], d=belief.d)
    costs = None if spec.costs is None else spec.costs[rows]
    now = situation(belief, X[rows], trials_left=left, finals=among, cost=costs)
    found = np.zeros(len(rows))
    for weight, then in followed(now, rng, pending):
        found += weight * worth(per_trial(then, part[rows], POLICY.candidates), then)
    if found.max() <= EPSILON:
        return None
    at = choose(found, rng)
    value = _value(belief, X[rows[at : at + 1]], among, left)
    return announced(belief, X, rows, found, at, value, compared)


def _candidates(spec: Spec, belief: Belief | Mixture, X: Array, part: Array, rng: np.random.Generator) -> Rows:
    """All alternatives of a small pool; of a larger one, those most worth a look at what is outstanding too."""
    if len(X) <= SMALL:
        return np.arange(len(X))
    soon = shortlist(belief, X, rng, costs=spec.costs, part=part)
    if len(X) > LARGE:
        return soon
    found = part * knowledge_gradient_several(belief, X, trials=TOGETHER)
    found = found if spec.costs is None else found / spec.costs
    return np.union1d(soon, np.argsort(-found, kind="stable")[:CANDIDATES])


def _drawn(spec: Spec, belief: Belief | Mixture, X: Array, far: Array, rng: np.random.Generator) -> Decision:
    """One of the usual alternatives, the cheapest of them where they have costs."""
    every = np.arange(len(X))
    found = usual(far).astype(float) if spec.costs is None else usual(far) / spec.costs
    at = choose(found, rng)
    compared = np.union1d(every[at : at + 1], plausible(belief, X))
    return announced(
        belief, X, every, found, at, _value(belief, X[at : at + 1], finals([X[compared]], d=belief.d), 1), compared
    )


def _value(belief: Belief | Mixture, x: Array, among: Finals, left: int | None) -> float:
    """What a trial is worth: alone, or per trial where several are left."""
    if left == 1:
        return float(knowledge_gradient(belief, x, finals=among)[0])
    most = MOST_REPEATS if left is None else left
    return float(knowledge_gradient_star(belief, x, trials_left=most, finals=among).score[0])
