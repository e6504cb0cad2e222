"""No drift: thousands of outcomes one at a time, against the same recursion in more digits and against a whole fit.

Two things could go wrong. *Rounding* may pile up: each update is repeated here on dense matrices of long doubles (64
bits of mantissa against 53) from the gain and curvature that it reported, and what the two differ by is rounding alone.
*Approximation* may pile up: moment matching in one pass forgets what earlier outcomes looked like, and is held against
expectation propagation of the same history, which does not.
"""

from __future__ import annotations

import numpy as np

from soak.histories.made import Story
from soak.histories.seen import Seen
from sureshot import core
from sureshot.core.numerics.stable import Array

__all__ = ["ONE_PASS", "drift"]

#: Units in the last place of float64.
ULP = 2.0**-52
#: What rounding may move a mean by, in its standard deviations before any outcome or after all, whichever are larger
#: in the score; and a variance, as a share. Each update rounds a few times d numbers, each by an ulp of the value
#: before, and n of them add up to n·d·ulp at most: 1e-11 for 4,000 of 10. A factor of 10 is for the condition of what
#: is read through it.
ROUNDED = 10.0
#: By how much chances of moment matching in one pass may be off from EP's after a thousand outcomes and more: see
#: docs/numbers.md, where it comes from.
ONE_PASS = 0.2


def drift(seen: Seen, told: Story) -> None:
    """Of a history of single outcomes, for one belief with all correlations and no effects of its own."""
    prior = told.prior
    assert isinstance(prior, core.Belief)
    X, y = told.X, told.won
    after, info = core.observe_many(prior, X, y)
    _rounding(seen, told, after, info)
    if prior.method != "adf" or prior.factor is None:
        return
    ep = core.fit(core.gaussian(prior.mean, prior.cov, link=prior.link, method="ep"), X, y)
    if ep.converged:
        p, q = core.predictive(after, told.pool), core.predictive(ep.belief, told.pool)
        seen.off("one pass beside EP, thousands of outcomes: chances", float(np.abs(p - q).max()), ONE_PASS)


def _rounding(seen: Seen, told: Story, after: core.Belief, info: core.Info) -> None:
    prior, X, wide = told.prior, told.X.astype(np.longdouble), np.longdouble
    assert isinstance(prior, core.Belief)
    mean = prior.mean.astype(wide)
    full = prior.factor is not None
    laplace = prior.method == "laplace"
    cov: Array = prior.cov.astype(wide) if full else prior.spread.astype(wide)
    for x, shift, t in zip(X, info.shift.astype(wide), info.curvature.astype(wide), strict=True):
        along = cov @ x if full else cov * x
        s = x @ along
        if s <= 0.0:
            continue
        mean = mean + shift / s * along
        if full:
            cov = cov - t / (1 + t * s) * np.outer(along, along)
        elif laplace:
            cov = cov / (1 + t * along * x)
        else:
            share = along * x / s
            cov = cov * (1 - share + share / (1 + t * s))
    pool = told.pool.astype(wide)
    s = np.einsum("ij,jk,ik->i", pool, cov, pool) if full else (pool**2) @ cov
    mu, v = after.moments(told.pool)
    before = np.sqrt(prior.moments(told.pool)[1])
    sd = np.maximum(np.sqrt(np.maximum(v, 1e-300)), ULP * (np.abs(mu) + before))
    allowed = ROUNDED * ULP * len(X) * told.pool.shape[1]
    size = 1.0 + np.abs(mu) / sd + np.max(np.abs(info.shift), initial=0.0) / sd  # what was rounded, in these units
    there = before > 0.0
    # a dense matrix loses what factors keep: what is left of a variance is a difference from what was, in long doubles
    own = 1.0 + np.finfo(np.longdouble).eps / ULP * before**2 / np.maximum(v, 1e-300)
    off = np.abs(mu - pool @ mean) / sd / size / own
    seen.off("rounding: means, of what is allowed", float(np.max(off)) / allowed, 1.0)
    off = (np.abs(v - s) / np.maximum(v, 1e-300) / own)[there]
    seen.off("rounding: variances, of what is allowed", float(np.max(off, initial=0.0)) / allowed, 1.0)
