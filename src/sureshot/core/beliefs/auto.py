"""A prior for those who have none: several strengths side by side, weighted by evidence as outcomes come."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief, Covariance, Method, gaussian, prior
from sureshot.core.beliefs.mixture import Mixture, mixture, prior_mixture
from sureshot.core.links import LOGIT, Link
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["INTERCEPT_PRECISION", "SCALES", "STRONG", "WEAK", "auto_prior"]

#: How strongly features may act in all: the variance of the scores of a standardised row is 1/scale, shared by the
#: features. From 1/16 (nearly every alternative is sure to work or sure to fail) to 16 (all are much alike).
SCALES = tuple(4.0**k for k in range(-2, 3))

#: With a pool: the scales at which each feature acts by itself, and those at which effects are spread evenly...
STRONG, WEAK = SCALES[:3], SCALES[2:]
#: ...and how much likelier each of the weak ones is: where effects are strong, a few outcomes show it anyway.
WEAK_SHARE = 2.0

#: The precision of the constant: any base rate from 0.1 % to 99.9 % is within two standard deviations.
INTERCEPT_PRECISION = 0.3

#: Over what a strong effect of a feature acts: 0 its standard deviation, 1 its largest deviation, or between them.
#: With 0 a few outliers would be taken to decide everything.
OUTLYING = 0.75

#: Directions in which a pool varies less than this, beside the one in which it varies most, count as this much.
NARROWEST = 0.01


def auto_prior(
    d: int,
    *,
    intercept: bool = True,
    link: str | Link = LOGIT,
    covariance: Covariance = "full",
    method: Method = "laplace",
    pool: ArrayLike | None = None,
) -> Mixture:
    """Several prior strengths side by side, weighted by evidence as outcomes come (docs/maths.md).

    A score is a sum over the features, so each feature's variance is divided by how many there are: a design with
    more columns does not suppose more extreme probabilities. The constant has a wide variance of its own.

    With a ``pool`` of alternatives, (M, d), features of any spread, or with outliers, have strong effects of much the
    same size. Weak ones are spread evenly over all directions in which the pool varies (Zellner's g-prior), however
    correlated its features: a weak effect is as likely in what tells two similar alternatives apart as in what they
    have in common. Of straight beliefs this measured best.

    >>> auto_prior(3).beliefs[2].variance.round(3)
    array([3.333, 0.5  , 0.5  ])
    >>> X = [[1.0, -1.0, -1.1], [1.0, 1.0, 0.9], [1.0, 0.0, 0.2]]
    >>> strong, weak = auto_prior(3, pool=X).beliefs[2:4]
    >>> float(strong.cov[1, 2]), bool(weak.cov[1, 2] < -5.0)
    (0.0, True)
    """
    features = d - 1 if intercept else d
    if not features:
        return prior_mixture(d, precisions=[INTERCEPT_PRECISION], links=[link], covariance=covariance, method=method)
    if pool is None:
        each = [_with_constant(scale * np.full(features, float(features)), intercept) for scale in SCALES]
        return prior_mixture(d, precisions=each, links=[link], covariance=covariance, method=method)
    if covariance != "full":
        raise InvalidInput(f"with a `pool`, weak effects need covariance='full', got {covariance!r}.")
    Z = check.pool(pool, "pool", d)[:, 1:] if intercept else check.pool(pool, "pool", d)
    Z = Z - Z.mean(axis=0) if intercept else Z
    spread = np.sqrt(np.mean(Z**2, axis=0))
    spread[spread <= 1e-12 * np.abs(Z).max(initial=1e-300)] = 1.0  # a feature that does not vary: any variance will do
    width = spread * (np.abs(Z).max(axis=0) / spread) ** OUTLYING
    width[width <= 0.0] = 1.0
    alike = width**2 * (np.sum(np.mean((Z / width) ** 2, axis=0)) or 1.0)  # so that scores vary by 1 on average
    strong = [
        prior(d, precision=_with_constant(scale * alike, intercept), link=link, method=method) for scale in STRONG
    ]
    each_way = _evenly(Z / spread) / np.outer(spread, spread)
    return mixture(
        strong + [_weak(each_way / scale, intercept, link, method) for scale in WEAK],
        [1.0] * len(STRONG) + [WEAK_SHARE] * len(WEAK),
    )


def _with_constant(precision: Array, intercept: bool) -> Array:
    return np.asarray(np.concatenate([[INTERCEPT_PRECISION], precision])) if intercept else precision


def _evenly(Z: Array) -> Array:
    """The covariance of weights whose scores vary alike in every direction of standardised rows, by 1 on average."""
    variances, axes = np.linalg.eigh(Z.T @ Z / len(Z))
    if variances[-1] <= 0.0:
        return np.asarray(np.eye(Z.shape[1]) / Z.shape[1])
    root = axes / np.sqrt(np.maximum(variances, NARROWEST * variances[-1]))
    return np.asarray(root @ root.T / np.mean(np.sum((Z @ root) ** 2, axis=1)))


def _weak(cov: Array, intercept: bool, link: str | Link, method: Method) -> Belief:
    d = len(cov) + intercept
    whole = np.zeros((d, d))
    whole[d - len(cov) :, d - len(cov) :] = (cov + cov.T) / 2.0
    if intercept:
        whole[0, 0] = 1.0 / INTERCEPT_PRECISION
    return gaussian(np.zeros(d), whole, link=link, method=method)
