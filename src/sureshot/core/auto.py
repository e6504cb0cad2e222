"""A prior for those who have none: several strengths side by side, weighted by evidence as outcomes come."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.belief import Covariance
from sureshot.core.links import LOGIT, Link
from sureshot.core.mixture import Mixture, prior_mixture
from sureshot.core.stable import Array

__all__ = ["INTERCEPT_PRECISION", "SCALES", "auto_prior"]

#: How strongly features may act in all: the variance of the scores of a standardised row is 1/scale, shared by the
#: features. From 1/16 (nearly every alternative is sure to work or sure to fail) to 16 (all are much alike).
SCALES = tuple(4.0**k for k in range(-2, 3))

#: The precision of the constant: any base rate from 0.1 % to 99.9 % is within two standard deviations.
INTERCEPT_PRECISION = 0.3


def auto_prior(
    d: int,
    *,
    intercept: bool = True,
    link: str | Link = LOGIT,
    covariance: Covariance = "full",
    pool: ArrayLike | None = None,
) -> Mixture:
    """Several prior strengths side by side, weighted by evidence as outcomes come (MATHS, section 10).

    A score is a sum over the features, so each feature's variance is divided by how many there are: a design with
    more columns does not suppose more extreme probabilities. The constant has a wide variance of its own.

    With a ``pool`` of alternatives, (M, d), features act alike over their reach, max |x|, and not over their standard
    deviation: one of a few outliers would otherwise be taken to decide everything at those. The mean variance of the
    pool's scores stays 1/scale.

    >>> auto_prior(3).beliefs[2].variance.round(3)
    array([3.333, 0.5  , 0.5  ])
    >>> X = [[1.0, -1.0, -0.5], [1.0, 1.0, -0.5], [1.0, 0.0, 4.0]]
    >>> auto_prior(3, pool=X).beliefs[2].variance.round(3)
    array([3.333, 0.99 , 0.062])
    """
    features = d - 1 if intercept else d
    strength = np.full(d, float(max(features, 1)))
    if pool is not None:
        strength = _by_reach(check.pool(pool, "pool", d), intercept)
    each = [scale * strength for scale in (SCALES if features else (1.0,))]
    for precision in each:
        if intercept:
            precision[0] = INTERCEPT_PRECISION
    return prior_mixture(d, precisions=each, links=[link], covariance=covariance)


def _by_reach(X: Array, intercept: bool) -> Array:
    """Precisions in proportion to the square of each feature's reach; rows have a score variance of one on average."""
    reach = np.abs(X).max(axis=0)
    reach[reach == 0.0] = 1.0  # a feature that is nowhere: any variance will do
    varies = np.s_[1:] if intercept else np.s_[:]
    return np.asarray(reach**2 * np.mean((X / reach)[:, varies] ** 2, axis=0).sum())
