"""Gibbs sampling for logit with Polya-Gamma variables (Polson, Scott & Windle 2013).

Given ``omega_i ~ PG(of_i, g_i)`` for the score ``g_i`` of each alternative that was tried ``of_i`` times, the outcomes
are Gaussian in the scores: with ``kappa = (won - lost)/2`` and ``g = base + R u``, ``u`` has the precision
``I + R' diag(omega) R`` and the mean that this precision takes to ``R' (kappa - omega base)``. Draws of the one and the
other in turn have the posterior, exactly. The variables come from the library ``polyagamma``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from sureshot.core.links import LOGIT
from sureshot.core.numerics.stable import Array
from sureshot.core.reference.target import Target
from sureshot.errors import InvalidInput, SureshotError

__all__ = ["LIBRARY", "MISSING", "MOST", "MOST_TRIES", "by_polya_gamma", "fits", "installed"]

LIBRARY = "polyagamma"
#: What brings it.
MISSING = "pip install 'sureshot[check]'"
#: Dimensions, at most, for chains of this kind: each step solves equations in so many unknowns for every chain.
MOST = 64
#: Tries in all, at most: a variable of so many tries is the sum of as many of one, which is exact however many.
MOST_TRIES = 1000


def installed() -> bool:
    """Whether the library is there."""
    return find_spec(LIBRARY) is not None


def fits(target: Target) -> bool:
    """Whether chains of this kind are quick for a target, and there is what they need."""
    tries = float((target.won + target.lost).sum())
    return target.link is LOGIT and target.size <= MOST and tries <= MOST_TRIES and installed()


def by_polya_gamma(target: Target, start: Array, rng: np.random.Generator, steps: int) -> Array:
    """``steps`` draws of ``u`` in each of c chains that begin at ``start``, (c, r): (steps, c, r). For logit alone."""
    if target.link is not LOGIT:
        raise InvalidInput("Polya-Gamma variables are for the link 'logit'", got=target.link.name, fix="draw by slices")
    draw = _library().random_polyagamma
    of, kappa = target.won + target.lost, 0.5 * (target.won - target.lost)
    R, eye = target.rows, np.eye(target.size)
    u, found = start, np.empty((steps, *start.shape))
    for i in range(steps):
        scores = target.scores(u)
        omega = draw(np.broadcast_to(of, scores.shape), scores, method="devroye", random_state=rng)
        weighted = omega[:, :, None] * R
        root = np.linalg.cholesky(eye + R.T @ weighted)
        pull = (kappa - omega * target.base) @ R
        half = np.linalg.solve(root, pull[:, :, None]) + rng.standard_normal((*u.shape, 1))
        found[i] = np.linalg.solve(root.swapaxes(1, 2), half)[:, :, 0]
        u = found[i]
    return found


def _library() -> Any:
    try:
        return import_module(LIBRARY)
    except ModuleNotFoundError as error:
        raise SureshotError(f"Polya-Gamma chains need {LIBRARY}: {MISSING}.") from error
