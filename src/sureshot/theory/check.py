"""What may cross the border of the theory: shapes, the length of rows, information matrices, beliefs of one Gaussian.

As in :mod:`sureshot.core.check`, each function hands back what can be trusted, or raises
:class:`~sureshot.errors.InvalidInput` with the rule, the value and the fix.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import Belief, Link, Mixture, check, get_link
from sureshot.core.links import LOGIT
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["any_belief", "gaussian_prior", "information_matrix", "logistic", "rows_of", "short_rows", "weights_of"]

#: How much longer than 1 a row may be, from rounding: of rows that were divided by the length of the longest.
_ROUNDING = 1e-12


def weights_of(value: ArrayLike, name: str) -> Array:
    """A finite vector of at least one weight, (d,)."""
    array = check.numbers(value, name)
    if array.ndim != 1 or not array.size:
        raise InvalidInput(f"`{name}` must be a vector with one number for each weight, got shape {array.shape}.")
    return check.vector(array, name, array.size)


def rows_of(value: ArrayLike, name: str) -> Array:
    """A finite (n, d) matrix, n >= 0 and d >= 1."""
    array = check.numbers(value, name)
    if array.ndim != 2 or not array.shape[1]:
        raise InvalidInput(
            f"`{name}` must have shape (n, d), one row for each outcome and one column for each weight, "
            f"got {array.shape}."
        )
    return check.features(array, name, array.shape[1])


def short_rows(X: Array, name: str) -> Array:
    """The same rows, if none is longer than 1."""
    length = np.linalg.norm(X, axis=1)
    long = np.flatnonzero(length > 1.0 + _ROUNDING)
    if long.size:
        i = int(long[0])
        raise InvalidInput(
            f"`{name}` must have rows of length 1 at most, which the bound needs, got one of {length[i]:.6g} (row {i})",
            fix=f"divide all rows by {length.max():.6g}, and multiply weights and their standard deviations by it",
        )
    return X


def information_matrix(value: ArrayLike, name: str = "information") -> Array:
    """A symmetric (d, d) matrix without negative eigenvalues (but for rounding)."""
    array = rows_of(value, name)
    d = array.shape[1]
    if array.shape != (d, d):
        raise InvalidInput(f"`{name}` must be a square matrix, got shape {array.shape}.")
    size = np.abs(array).max()
    if np.abs(array - array.T).max() > 1e-10 * size:
        raise InvalidInput(f"`{name}` must be symmetric", fix="use (F + F.T) / 2 if the difference is rounding")
    least = float(np.linalg.eigvalsh(array)[0])
    if least < -1e-10 * size:
        raise InvalidInput(
            f"`{name}` must have no negative eigenvalue, got {least:.3g}", fix="take it from fisher_information"
        )
    return array


def any_belief(value: object, name: str) -> Belief | Mixture:
    """A belief, one Gaussian or several."""
    if not isinstance(value, Belief | Mixture):
        raise InvalidInput(
            f"`{name}` must be a belief, got {type(value).__name__}", fix="core.prior or core.fit make one"
        )
    return value


def gaussian_prior(value: object, name: str = "prior") -> Belief:
    """One Gaussian with a weight for each feature, and nothing beside these."""
    if not isinstance(value, Belief):
        raise InvalidInput(
            f"`{name}` must be one Gaussian belief, as prior or gaussian make, got {type(value).__name__}."
        )
    if value.reading is not None:
        raise InvalidInput(
            f"`{name}` must have one weight for each feature, got one that reads some of them or has effects of one's "
            "own: make it without `columns` and `own`."
        )
    return value


def logistic(link: str | Link) -> Link:
    """The logistic link; the theorem is about no other."""
    chosen = get_link(link)
    if chosen is not LOGIT:
        raise InvalidInput(f"the theorem is about logistic links, got {chosen.name!r}: use 'logit'.", field="link")
    return chosen
