"""What must hold of every belief, however it came about: numbers that are numbers, variances, chances, intervals."""

from __future__ import annotations

import numpy as np

from soak.histories.made import Story
from soak.histories.seen import Seen
from sureshot import core
from sureshot.core.beliefs.mixture import members
from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.numerics.stable import Array

__all__ = ["sound", "sound_values"]

#: A smaller eigenvalue of a matrix of correlations, below 0, is rounding: d² units in the last place for d < 60.
ROUNDING = 1e-12
#: What a variance may grow by an outcome: rounding alone, for all likelihoods here are log-concave.
GROWN = 1e-9
#: Rows of a pool whose values are computed.
VALUED = 12


def sound(seen: Seen, told: Story, belief: core.Belief | core.Mixture, what: str, *, evidence: float = 0.0) -> None:
    """All of it for a belief after this history."""
    seen.must(evidence <= 1e-9 and not np.isnan(evidence), f"{what}: log evidence {evidence}")
    for (_, one), (_, before) in zip(members(belief), members(told.prior), strict=True):
        _gaussian(seen, one, before, told.pool, what)
    if isinstance(belief, core.Mixture):
        weights = belief.weights
        seen.must(np.isfinite(weights).all() and (weights >= 0.0).all(), f"{what}: weights {weights}")
        seen.off("weights sum to one", abs(float(weights.sum()) - 1.0), 1e-12)
    _chances(seen, belief, told.pool, what)


def _gaussian(seen: Seen, one: core.Belief, before: core.Belief, pool: Array, what: str) -> None:
    for name in ("mean", "spread", "variance"):
        seen.must(np.isfinite(getattr(one, name)).all(), f"{what}: {name} is not finite")
    seen.must((one.spread > 0.0).all() and (one.variance > 0.0).all(), f"{what}: a variance is not above 0")
    mu, s = one.moments(pool)
    seen.must(np.isfinite(mu).all() and np.isfinite(s).all() and (s >= 0.0).all(), f"{what}: scores {mu}, {s}")
    was = before.moments(pool)[1]
    grown = float(np.max(s / np.where(was > 0.0, was, 1.0), initial=0.0)) - 1.0
    seen.off("variances do not grow, as a share", max(grown, 0.0), GROWN)
    if one.factor is None:
        return
    seen.must(np.isfinite(one.factor).all(), f"{what}: the factor is not finite")
    cov = one.cov
    seen.must(np.array_equal(cov, cov.T), f"{what}: the covariance is not symmetric")
    scale = np.sqrt(np.diag(cov))
    least = float(np.linalg.eigvalsh(cov / np.outer(scale, scale))[0])
    seen.off("least eigenvalue of the correlations, below 0", max(-least, 0.0), ROUNDING)


def _chances(seen: Seen, belief: core.Belief | core.Mixture, pool: Array, what: str) -> None:
    p = core.predictive(belief, pool)
    seen.must(((p >= 0.0) & (p <= 1.0)).all(), f"{what}: chances {p.min()} to {p.max()}")
    ends = [core.interval(belief, pool, level=level) for level in (0.5, 0.95)]
    for low, high in ends:
        seen.must(((low >= 0.0) & (low <= high) & (high <= 1.0)).all(), f"{what}: intervals out of order or of [0, 1]")
        seen.must(((low <= p) & (p <= high)).all(), f"{what}: a chance outside its interval")
    (low, high), (lower, higher) = ends
    slack = 1e-9  # the quantiles of a mixture are found by bisection, to 1e-12 of the score
    seen.must((lower <= low + slack).all() and (high <= higher + slack).all(), f"{what}: 50 % reach beyond 95 %")


def sound_values(seen: Seen, told: Story, belief: core.Belief | core.Mixture) -> None:
    """Values of trials: numbers, never below 0 when looked at exactly, and no more than a chance can rise."""
    few = told.pool[:VALUED]
    value, p = knowledge_gradient(belief, few), core.predictive(belief, few)
    seen.must(np.isfinite(value).all(), f"values {value}")
    # the mixtures of probits that it is computed with err by 2e-9 in a chance at most, sums of two by twice that
    seen.off("values of trials, below 0", max(-float(value.min()), 0.0), 1e-8)
    seen.off("values of trials, beyond what is left", max(float(value.max() - (1.0 - p.max())), 0.0), 1e-6)
