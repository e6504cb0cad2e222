"""SciPy's special functions, loaded when first called; the three that every answer needs are here, without SciPy.

SciPy takes as long to load as all else that a command needs which only reads or records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "betaln",
    "entr",
    "erfcx",
    "expit",
    "gammaln",
    "log_ndtr",
    "logit",
    "logsumexp",
    "ndtr",
    "ndtri",
    "owens_t",
    "stdtr",
]

if TYPE_CHECKING:
    from scipy.special import betaln, entr, erfcx, gammaln, log_ndtr, logsumexp, ndtri, owens_t, stdtr
else:

    def __getattr__(name: str) -> Any:
        from scipy import special

        found = globals()[name] = getattr(special, name)
        return found


def expit(f: ArrayLike) -> NDArray[np.float64]:
    """1/(1 + exp(-f)), relatively accurate in the left tail."""
    score = np.asarray(f, float)
    small = np.exp(-np.abs(score))
    return np.asarray(np.where(score < 0.0, small, 1.0) / (1.0 + small))[()]


def logit(p: ArrayLike) -> NDArray[np.float64]:
    """log(p/(1 - p)), infinite at 0 and 1."""
    chance = np.asarray(p, float)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(chance) - np.log1p(-chance))[()]


def ndtr(z: ArrayLike) -> NDArray[np.float64]:
    """Φ(z), relatively accurate in the left tail."""
    from sureshot.core.numerics.twins import available  # which knows the links, and they know this

    at = np.asarray(z, float, order="C")
    if not available():
        from scipy import special

        return np.asarray(special.ndtr(at))[()]
    from sureshot.core.numerics.compiled.terms import fill_normal_cdf

    found = np.empty_like(at)
    fill_normal_cdf(at.reshape(-1), found.reshape(-1))
    return found[()]
