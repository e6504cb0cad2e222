"""The belief: a Gaussian over the weights of a linear classifier, as a frozen value.

``w ~ N(mean, cov)`` with ``cov = L' diag(spread) L`` and ``L`` unit lower triangular (Bierman's factors), or
``L`` the identity for the paper's diagonal form. Kept so, the covariance is symmetric and positive definite by
construction: an update only divides ``spread`` by numbers of at least one, and needs no cancellation even
where ``cov`` itself could not be written down in float64 (a prior precision of 1e-8 met by features of 1e6).

A belief also knows its link and the rule by which it learns, so that the two can't be mixed up between calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.links import LOGIT, PROBIT, Link, get_link
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput, unknown_name

__all__ = ["Belief", "Covariance", "Method", "gaussian", "prior"]

Covariance = Literal["diagonal", "full"]
Method = Literal["laplace", "adf"]

#: The inverse of a smaller one is no float64.
_SMALLEST_PRECISION = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed about the weights. Make one with :func:`prior` or :func:`gaussian`."""

    mean: Array  # (d,)
    spread: Array  # (d,), above zero
    factor: Array | None  # (d, d) unit lower triangular L, cov = L' diag(spread) L; None: the identity
    link: Link = LOGIT
    method: Method = "laplace"

    @property
    def d(self) -> int:
        """How many weights there are."""
        return len(self.mean)

    @property
    def covariance(self) -> Covariance:
        """The form of the covariance: ``"diagonal"`` or ``"full"``."""
        return "diagonal" if self.factor is None else "full"

    @property
    def cov(self) -> Array:
        """The covariance as a (d, d) matrix."""
        if self.factor is None:
            return np.diag(self.spread)
        half = self.factor * np.sqrt(self.spread)[:, None]
        return np.asarray(half.T @ half)

    @property
    def variance(self) -> Array:
        """The variance of each weight, (d,)."""
        if self.factor is None:
            return self.spread
        return np.asarray(self.spread @ self.factor**2)

    def root(self, X: Array) -> Array:
        """The rows of ``X`` times a square root R of the covariance, (n, d): ``X R (Z R)' = X cov Z'``."""
        scale = np.sqrt(self.spread)
        if self.factor is None:
            return X * scale
        turned: Array = X @ self.factor.T
        turned *= scale
        return turned

    def moments(self, X: Array) -> tuple[Array, Array]:
        """Mean and variance of the score ``w·x`` of each row of ``X``: two (n,) vectors."""
        half = self.root(X)
        return np.asarray(X @ self.mean), np.einsum("ij,ij->i", half, half)

    def __reduce__(self) -> tuple[Callable[..., Belief], tuple[object, ...]]:
        return _thawed, (self.mean, self.spread, self.factor, self.link, self.method)

    def __repr__(self) -> str:
        return f"Belief(d={self.d}, {self.covariance}, link={self.link.name!r}, method={self.method!r})"


def _thawed(mean: Array, spread: Array, factor: Array | None, link: Link, method: Method) -> Belief:
    """A belief that was copied or sent to another process: its arrays frozen again."""
    kept = None if factor is None else check.frozen(factor)
    return Belief(check.frozen(mean), check.frozen(spread), kept, link, method)


def prior(
    d: int,
    *,
    precision: ArrayLike = 1.0,
    mean: ArrayLike | None = None,
    covariance: Covariance = "full",
    link: str | Link = LOGIT,
    method: Method = "laplace",
) -> Belief:
    """A belief before any outcome: independent weights with the given precision (the paper's λ).

    ``precision`` is one number or one for each weight; a weight's variance is its inverse. ``covariance`` says
    what later updates keep: ``"full"`` (more accurate, decides better) or ``"diagonal"`` (the paper's).

    >>> prior(3, precision=4.0).variance
    array([0.25, 0.25, 0.25])
    """
    if isinstance(d, bool) or not isinstance(d, int | np.integer) or d < 1:
        raise InvalidInput(f"`d` must be a whole number of weights, at least 1, got d={d!r}.")
    if covariance not in get_args(Covariance):
        raise unknown_name("covariance", covariance, get_args(Covariance))
    chosen = _learner(link, method)
    centre = np.zeros(d) if mean is None else check.vector(mean, "mean", d)
    strength = check.positive(precision, "precision", d)
    if strength.min() < _SMALLEST_PRECISION:
        raise InvalidInput(
            f"`precision` must be above {_SMALLEST_PRECISION:g}, got {strength.min():g}: its inverse overflows."
        )
    spread = 1.0 / strength
    factor = check.frozen(np.eye(d)) if covariance == "full" else None
    return Belief(check.frozen(centre), check.frozen(spread), factor, chosen, method)


def gaussian(mean: ArrayLike, cov: ArrayLike, *, link: str | Link = LOGIT, method: Method = "laplace") -> Belief:
    """A belief with a given mean and covariance: a (d, d) matrix makes it full, (d,) variances diagonal.

    >>> gaussian([0.0, 1.0], [[2.0, 1.0], [1.0, 2.0]]).cov.round(12)
    array([[2., 1.],
           [1., 2.]])
    """
    centre = check.numbers(mean, "mean")
    centre = check.vector(centre, "mean", centre.size)
    d = len(centre)
    spread = check.numbers(cov, "cov")
    chosen = _learner(link, method)
    if spread.ndim == 1:
        spread = check.positive(spread, "cov", d)
        return Belief(check.frozen(centre), check.frozen(spread), None, chosen, method)
    diagonal, factor = factorise(check.features(spread, "cov", d))
    return Belief(check.frozen(centre), check.frozen(diagonal), check.frozen(factor), chosen, method)


def factorise(cov: Array) -> tuple[Array, Array]:
    """``spread`` and unit lower triangular ``L`` with ``cov = L' diag(spread) L``."""
    d = cov.shape[1]
    scale = np.sqrt(np.abs(np.diag(cov))) if cov.shape == (d, d) else np.zeros(0)
    if cov.shape != (d, d) or (np.abs(cov - cov.T) > 1e-10 * np.outer(scale, scale)).any():
        raise InvalidInput(
            f"`cov` must be a symmetric ({d}, {d}) matrix, got shape {cov.shape}"
            + (": use (cov + cov.T) / 2 if the difference is rounding." if cov.shape == (d, d) else ".")
        )
    try:
        upper = np.linalg.cholesky(cov[::-1, ::-1])[::-1, ::-1]  # cov = upper upper'
    except np.linalg.LinAlgError as error:
        smallest = np.linalg.eigvalsh(cov)[0]
        raise InvalidInput(
            f"`cov` must be positive definite, got a smallest eigenvalue of {smallest:.3g}: "
            "drop redundant features or add a small multiple of the identity."
        ) from error
    edge = np.diag(upper)
    return edge**2, (upper / edge).T


def _learner(link: str | Link, method: str) -> Link:
    chosen = get_link(link)
    if method not in get_args(Method):
        raise unknown_name("method", method, get_args(Method))
    if method == "adf" and chosen is not PROBIT:
        raise InvalidInput(
            f"method 'adf' has a closed form for the probit link only, got link={chosen.name!r}: "
            "use link='probit' or method='laplace'."
        )
    return chosen
