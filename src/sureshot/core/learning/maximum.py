"""MAP and Laplace over all data at once (paper, section 4.1): the non-recursive reference.

The recursive updates forget what earlier outcomes looked like; this fit keeps them all, and shows what is lost.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief, factorise
from sureshot.core.numerics.stable import Array
from sureshot.errors import SureshotError

__all__ = ["maximise"]

#: The curvature of a cloglog failure is exp(f), which has no end; beyond this it is taken for this: SciPy refuses
#: matrices that are not finite.
STEEPEST = 1e150
#: Where curvature in these coordinates is this large at the prior mean, Newton's steps would take hundreds.
FAR = 1e9


def maximise(prior: Belief, X: Array, won: Array, lost: Array) -> tuple[Belief, float]:
    """Laplace's approximation of the posterior given all outcomes together, and of their log probability.

    Maximises the log posterior (concave) by SciPy's trust-region Newton method in coordinates in which the prior is
    standard normal. A diagonal belief keeps the diagonal of the precision.
    """
    from scipy import optimize  # a third of a second to load, and needed only here

    rows, extra = prior.read(X)
    link, of_each, w = prior.link, won + lost, len(prior.mean)
    beside = np.flatnonzero(extra)  # parts of scores that no weight stands for: coordinates after those of the weights
    turned = np.concatenate([prior.scores(X).root, np.sqrt(extra)[:, None] * np.eye(len(rows))[:, beside]], axis=1)
    base = rows @ prior.mean  # scores are base + turned·u, with u standard normal under the prior
    size = turned.shape[1]

    def loss(u: Array) -> float:
        return float(0.5 * u @ u - link.log_likelihood(base + turned @ u, won, of_each).sum())

    def gradient(u: Array) -> Array:
        return np.asarray(u - turned.T @ link.score(base + turned @ u, won, of_each))

    def hessian(u: Array) -> Array:
        curvature = np.minimum(link.curvature(base + turned @ u, won, of_each), STEEPEST)
        return np.asarray(np.eye(size) + turned.T @ (curvature[:, None] * turned))

    with np.errstate(over="ignore", invalid="ignore"):
        start = np.zeros(size)
        if not (np.isfinite(gradient(start)).all() and np.abs(hessian(start)).max() < FAR):
            start = np.linalg.lstsq(turned, -base)[0]  # all scores near 0, where every likelihood is finite
        if not (np.isfinite(loss(start)) and np.isfinite(gradient(start)).all()):
            raise SureshotError("the outcomes are impossible under this prior: use a larger prior precision.")
        found = optimize.minimize(loss, start, jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-9})
        top = found.x - np.linalg.solve(hessian(found.x), gradient(found.x))  # one Newton step to the last digits
    if not np.isfinite(top).all() or np.abs(gradient(top)).max() > 1e-5 * (1.0 + np.abs(top).max()):
        raise SureshotError(f"the fit did not converge ({found.message}): use a larger prior precision.")
    bend = link.curvature(base + turned @ top, won, of_each)
    evidence = -loss(top) - 0.5 * float(np.linalg.slogdet(hessian(top))[1])
    within = np.asarray(np.linalg.inv(hessian(top))[:w, :w], float)
    return _around(prior, rows, top[:w], within, bend / (1.0 + bend * extra)), evidence


def _around(prior: Belief, rows: Array, top: Array, within: Array, curvature: Array) -> Belief:
    root = np.sqrt(prior.spread)
    if prior.factor is None:
        mean = prior.mean + root * top
        spread = 1.0 / (1.0 / prior.spread + curvature @ rows**2)
        return replace(prior, mean=check.frozen(mean), spread=check.frozen(spread))
    half = root[:, None] * prior.factor  # w = mean + half' u
    cov = half.T @ within @ half
    spread, factor = factorise(0.5 * (cov + cov.T))  # symmetric but for rounding
    mean = prior.mean + half.T @ top
    return replace(prior, mean=check.frozen(mean), spread=check.frozen(spread), factor=check.frozen(factor))
