"""The part of a large pool that is worth a closer look: what to try next, and what may turn out best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sureshot.core import Belief, Mixture, gaussian, mixture, predictive
from sureshot.core.lookahead import Finals, finals, knowledge_gradient
from sureshot.core.stable import Array

__all__ = ["CANDIDATES", "LARGE", "SMALL", "Rows", "one_gaussian", "plausible", "shortlist", "trimmed"]

Rows = NDArray[np.intp]

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
#: Members of a mixture below this weight are left out on a larger pool: no probability changes by more.
NEGLIGIBLE = 1e-6


def shortlist(
    belief: Belief | Mixture,
    X: Array,
    rng: np.random.Generator,
    *,
    tau: float | None = None,
    costs: Array | None = None,
    part: Array | None = None,
    size: int = CANDIDATES,
    seen: Finals | None = None,
) -> Rows:
    """The rows most worth an exact look, best first; equals are ordered at random. Only ``part`` of each value counts,
    where that is given.
    """
    one = one_gaussian(belief)
    rows = rng.permutation(len(X)) if len(X) <= LARGE else rng.permutation(_screened(one, X))
    compared = seen
    if compared is None and len(X) > LARGE:
        compared = finals([X[plausible(belief, X)]], d=belief.d)
    values = knowledge_gradient(one, X[rows], lookahead="update", finals=compared)
    found = values if part is None else values * part[rows]
    found = found if costs is None else found / costs[rows]
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
