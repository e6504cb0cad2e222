"""The non-recursive reference: MAP and Laplace over all data at once (paper, section 4.1).

The recursive updates forget what earlier outcomes looked like; this fit keeps them all, and shows what is lost.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.belief import Belief, factorise
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput, SureshotError

__all__ = ["fit"]


def fit(prior: Belief, X: ArrayLike, y: ArrayLike, *, of: ArrayLike | None = None) -> Belief:
    """The Laplace approximation of the posterior given all outcomes together, in any order.

    Maximises the log posterior (concave) by SciPy's trust-region Newton method in coordinates in which the prior is
    standard normal. A diagonal belief keeps the diagonal of the precision.

    >>> from sureshot import core
    >>> fit(core.prior(2), [[1, 0], [1, 1], [1, 2]], [0, 1, 1]).mean.round(3)
    array([0.015, 0.711])
    """
    from scipy import optimize  # a third of a second to load, and needed only here

    if prior.method != "laplace":
        raise InvalidInput(f"`fit` is Laplace's method, got a belief with method={prior.method!r}.")
    rows = check.features(X, "X", prior.d)
    won, lost = check.counts(y, of, len(rows))
    link, of_each = prior.link, won + lost
    turned = prior.root(rows)  # scores are X·mean + turned·u, with u standard normal under the prior
    base = rows @ prior.mean

    def loss(u: Array) -> float:
        return float(0.5 * u @ u - link.log_likelihood(base + turned @ u, won, of_each).sum())

    def gradient(u: Array) -> Array:
        return np.asarray(u - turned.T @ link.score(base + turned @ u, won, of_each))

    def hessian(u: Array) -> Array:
        curvature = link.curvature(base + turned @ u, won, of_each)
        return np.asarray(np.eye(prior.d) + turned.T @ (curvature[:, None] * turned))

    with np.errstate(over="ignore", invalid="ignore"):
        found = optimize.minimize(
            loss, np.zeros(prior.d), jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-9}
        )
        top = found.x - np.linalg.solve(hessian(found.x), gradient(found.x))  # one Newton step to the last digits
    if not np.isfinite(top).all() or np.abs(gradient(top)).max() > 1e-5 * (1.0 + np.abs(top).max()):
        raise SureshotError(f"the fit did not converge ({found.message}): use a larger prior precision.")
    return _around(prior, rows, top, hessian(top), link.curvature(base + turned @ top, won, of_each))


def _around(prior: Belief, rows: Array, top: Array, hessian: Array, curvature: Array) -> Belief:
    root = np.sqrt(prior.spread)
    if prior.factor is None:
        mean = prior.mean + root * top
        spread = 1.0 / (1.0 / prior.spread + curvature @ rows**2)
        return replace(prior, mean=check.frozen(mean), spread=check.frozen(spread))
    half = root[:, None] * prior.factor  # w = mean + half' u
    spread, factor = factorise_symmetric(half.T @ np.linalg.solve(hessian, half))
    mean = prior.mean + half.T @ top
    return replace(prior, mean=check.frozen(mean), spread=check.frozen(spread), factor=check.frozen(factor))


def factorise_symmetric(cov: Array) -> tuple[Array, Array]:
    """Factors of a covariance that is symmetric but for rounding."""
    return factorise(0.5 * (cov + cov.T))
