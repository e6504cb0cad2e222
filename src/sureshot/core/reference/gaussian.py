"""A Gaussian near the posterior, for samplers to begin at and to propose from: expectation propagation's.

Whatever it is like, what is drawn or weighed with its help is exact; a good one makes that quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sureshot.core.learning import propagation
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import code_of
from sureshot.core.reference.target import Target

__all__ = ["Gaussian", "near"]


@dataclass(frozen=True, slots=True, eq=False)
class Gaussian:
    """``u = mean + root·e`` with ``e`` standard normal."""

    mean: Array  # (r,)
    root: Array  # (r, r)
    inverse: Array  # (r, r) of the root
    log_det: float  # of the root

    def wider(self, by: float) -> Gaussian:
        """The same with all standard deviations ``by`` times as large."""
        more = self.log_det + len(self.mean) * float(np.log(by))
        return Gaussian(self.mean, by * self.root, self.inverse / by, more)


def standard(size: int) -> Gaussian:
    """The prior of ``u``."""
    return Gaussian(np.zeros(size), np.eye(size), np.eye(size), 0.0)


def near(target: Target) -> Gaussian:
    """The fit by expectation propagation; the prior, where that has none."""
    how: ModuleType = propagation
    link: Any = target.link
    code = code_of(target.link)
    if code is not None:
        from sureshot.core.learning.compiled import propagation as how  # Numba is loaded here

        link = code
    n, r = target.rows.shape
    tau, nu, rows = np.zeros(n), np.zeros(n), np.ascontiguousarray(target.rows)
    mean, spread, factor = np.zeros(r), np.ones(r), np.eye(r)
    if n:
        base, won, lost = (np.ascontiguousarray(one) for one in (target.base, target.won, target.lost))
        with np.errstate(over="ignore", invalid="ignore"):
            how.propagate(link, base, rows, np.zeros(n), won, lost, tau, nu)
            how.absorb(mean, spread, factor, base, rows, tau, nu)
    if not (np.isfinite(mean).all() and np.isfinite(factor).all() and (spread > 0.0).all()):
        return standard(r)
    sd = np.sqrt(spread)
    return Gaussian(mean, factor.T * sd, np.linalg.inv(factor.T) / sd[:, None], float(np.log(sd).sum()))
