"""The exact evidence of a model by importance sampling: the log probability of its outcomes, with a standard error.

Draws come from a distribution near the posterior; each is weighted by the density that it should have had (prior times
likelihood) over the density that it had, and the mean weight is the evidence. ``effective`` says how many draws from
the posterior itself the weights are worth (Kong, Liu & Wong 1994): few of many, and the answer is not to be trusted.

In few dimensions a t distribution of :data:`FREEDOM` degrees is drawn from, whose tails lie above those of any
posterior here. In many its length would differ too much from a Gaussian's, so its degrees of freedom grow as the
dimensions do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array
from sureshot.core.reference.gaussian import Gaussian
from sureshot.core.reference.target import Target, times

__all__ = ["FREEDOM", "Evidence", "by_importance"]

#: Degrees of freedom of the proposal, at least.
FREEDOM = 8.0
#: ... and as many times the dimensions.
_GROWS = 2.0
#: Draws looked at together.
_AT_ONCE = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Draws with their weights, and what these say."""

    u: Array  # (n, r)
    log_weight: Array  # (n,)

    @property
    def log(self) -> float:
        """The log evidence."""
        return float(special.logsumexp(self.log_weight) - np.log(len(self.log_weight)))

    @property
    def shares(self) -> Array:
        """The share of each draw, (n,)."""
        return np.asarray(np.exp(self.log_weight - special.logsumexp(self.log_weight)))

    @property
    def effective(self) -> float:
        """So many draws from the posterior itself are these worth."""
        return float(1.0 / (self.shares**2).sum())

    @property
    def error(self) -> float:
        """The standard error of the log evidence."""
        return float(np.sqrt(max(1.0 / self.effective - 1.0 / len(self.log_weight), 0.0)))


def by_importance(target: Target, about: Gaussian, rng: np.random.Generator, size: int) -> Evidence:
    """``size`` draws from a t distribution about a Gaussian near the posterior."""
    r = target.size
    freedom = max(FREEDOM, _GROWS * r)
    e = rng.standard_normal((size, r)) * np.sqrt(freedom / rng.chisquare(freedom, size))[:, None]
    u = about.mean + times(e, about.root.T)
    log_proposal = (
        special.gammaln((freedom + r) / 2.0)
        - special.gammaln(freedom / 2.0)
        - 0.5 * r * np.log(freedom * np.pi)
        - about.log_det
        - 0.5 * (freedom + r) * np.log1p((e * e).sum(axis=1) / freedom)
    )
    log_prior = -0.5 * (u * u).sum(axis=1) - 0.5 * r * np.log(2.0 * np.pi)
    likelihood = np.empty(size)
    step = max(_AT_ONCE // max(len(target.base), 1), 1)
    for start in range(0, size, step):
        part = slice(start, start + step)
        likelihood[part] = target.likelihood(target.scores(u[part]))
    return Evidence(u, log_prior + likelihood - log_proposal)
