"""Posteriors in one and two dimensions by quadrature, for all links: what draws are held against."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special, stats

#: log σ(f) and log(1 - σ(f)), written down again: the sources have their own.
LOGS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], np.ndarray]]] = {
    "logit": (lambda f: -np.logaddexp(0.0, -f), lambda f: -np.logaddexp(0.0, f)),
    "probit": (stats.norm.logcdf, stats.norm.logsf),
    "cloglog": (lambda f: np.log(-np.expm1(-np.exp(np.minimum(f, 700.0)))), lambda f: -np.exp(np.minimum(f, 700.0))),
    "loglog": (lambda f: -np.exp(np.minimum(-f, 700.0)), lambda f: np.log(-np.expm1(-np.exp(np.minimum(-f, 700.0))))),
}


def log_likelihood(link: str, f: np.ndarray, won: np.ndarray, lost: np.ndarray) -> np.ndarray:
    """Of all outcomes, for scores (..., n)."""
    success, failure = LOGS[link]
    with np.errstate(all="ignore"):
        return np.where(won > 0, won * success(f), 0.0).sum(-1) + np.where(lost > 0, lost * failure(f), 0.0).sum(-1)


#: Between points of the grid: the trapezoid rule is right to rounding for what is so smooth.
STEP = 0.06


def grid(dimensions: int) -> np.ndarray:
    """Points of a standard normal space, (N, dimensions); every one has the same volume."""
    axis = np.arange(-8.4, 8.4 + STEP / 2, STEP)
    return np.stack(np.meshgrid(*[axis] * dimensions, indexing="ij"), axis=-1).reshape(-1, dimensions)


def weighed(
    link: str, root: np.ndarray, X: np.ndarray, won: np.ndarray, lost: np.ndarray, base: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray, float]:
    """Weights ``w = root·u`` on a grid, the posterior share of each, and the log evidence; scores are base + X w."""
    u = grid(root.shape[1])
    w = u @ root.T
    log = stats.norm.logpdf(u).sum(axis=1) + log_likelihood(link, base + w @ X.T, won, lost)
    total = special.logsumexp(log)
    return w, np.exp(log - total), float(total + root.shape[1] * np.log(STEP))


def probability(link: str, f: np.ndarray) -> np.ndarray:
    return np.exp(LOGS[link][0](f))
