"""The belief: a Gaussian over the weights of a linear classifier, as a frozen value.

``w ~ N(mean, cov)`` with ``cov = L' diag(spread) L`` and ``L`` unit lower triangular (Bierman's factors), or
``L`` the identity for the paper's diagonal form. Kept so, the covariance is symmetric and positive definite by
construction: an update only divides ``spread`` by numbers of at least one, and needs no cancellation even
where ``cov`` itself could not be written down in float64 (a prior precision of 1e-8 met by features of 1e6).

A belief also knows its link and the rule by which it learns, so that the two can't be mixed up between calls. It may
read only some of the features, and suppose an effect of each alternative's own beside them (:class:`Reading`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.cards import card
from sureshot.core import check
from sureshot.core.links import LOGIT, Link, get_link
from sureshot.core.numerics.stable import Array
from sureshot.core.once import is_frozen, once
from sureshot.core.rows import distinct, places
from sureshot.errors import InvalidInput, unknown_name, whole_number

__all__ = ["MOST_OWN", "Belief", "Covariance", "Method", "Reading", "Scores", "gaussian", "multiplied", "prior"]

Covariance = Literal["diagonal", "full"]
Method = Literal["laplace", "adf", "ep"]

#: The inverse of a smaller one is no float64.
_SMALLEST_PRECISION = 1e-300


#: Multiplications at once: for more BLAS starts threads, which on a busy machine cost a hundred times what they bring.
_AT_ONCE = 250_000

#: Alternatives whose own effects are learned one by one, at most. What is learned of others counts for the features
#: alone: their own effects are noise in it.
MOST_OWN = 256


#: Weights that a notebook shows.
_SHOWN = 8

#: Numbers of a root that are kept for the next look at the same pool.
_MOST_KEPT = 1 << 22
#: Rows whose moments are kept, where their roots are too many.
_MOST_MOMENTS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Which features of an alternative a belief reads, and what it supposes beside them.

    An effect of one's own, ``own > 0``, says that features never tell everything: each alternative's score has a part
    N(0, own) that no other shares. An alternative that was tried has a weight for it, after those of the features; any
    other has only its variance (docs/shapes.md).
    """

    width: int  # features of a row
    columns: NDArray[np.intp]  # (d,) those that are read
    own: float  # the variance of an alternative's own effect; 0: it has none
    rows: Array  # (T, width) the alternatives that have a weight for it


class Scores(NamedTuple):
    """The scores of M alternatives under one belief: ``N(mu, s)`` each, and what they share.

    The covariance of two is the product of their rows of ``root``; that of one alternative with itself is ``s``, which
    has ``extra`` beside it: the part of an own effect that nothing was learned about.
    """

    mu: Array  # (M,)
    s: Array  # (M,)
    root: Array  # (M, r)
    extra: Array  # (M,)


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed about the weights. Make one with :func:`prior` or :func:`gaussian`."""

    mean: Array  # (w,)
    spread: Array  # (w,), above zero
    factor: Array | None  # (w, w) unit lower triangular L, cov = L' diag(spread) L; None: the identity
    link: Link = LOGIT
    method: Method = "laplace"
    reading: Reading | None = None  # None: every feature has one weight, and that is all
    _known: dict[int, tuple[Array, Scores]] = field(default_factory=dict, init=False, repr=False)  # see `scores`
    _moments: dict[int, tuple[Array, Array, Array]] = field(default_factory=dict, init=False, repr=False)

    @property
    def d(self) -> int:
        """How many features a row has. Without a :class:`Reading` that is how many weights there are."""
        return len(self.mean) if self.reading is None else self.reading.width

    @property
    def covariance(self) -> Covariance:
        """The form of the covariance: ``"diagonal"`` or ``"full"``."""
        return "diagonal" if self.factor is None else "full"

    @property
    def matching(self) -> bool:
        """Whether outcomes are learned by matching moments (methods ``"adf"`` and ``"ep"``), or by Laplace's method."""
        return self.method != "laplace"

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

    def _repr_html_(self) -> str:
        shown = min(len(self.mean), _SHOWN)
        sd = np.sqrt(self.variance)
        rows = [(str(i), f"{self.mean[i]:.3g}", f"{sd[i]:.2g}") for i in range(shown)]
        more = len(self.mean) - shown
        return card(
            f"Belief about {len(self.mean)} weights",
            [f"{self.link.name}, {self.covariance} covariance, learns by {self.method}"],
            columns=("weight", "mean", "standard deviation"),
            rows=rows,
            quiet=[f"and {more:,} more"] if more else [],
        )

    def read(self, X: Array) -> tuple[Array, Array]:
        """What the weights multiply in each row of ``X``, (n, w), and the variance that no weight stands for, (n,)."""
        seen, known, at, extra = self._looked(X)
        if self.reading is None or not self.reading.own:
            return seen, extra
        own = np.zeros((len(X), len(self.reading.rows)))
        own[known, at] = 1.0
        return np.concatenate([seen, own], axis=1), extra

    def _looked(self, X: Array) -> tuple[Array, NDArray[np.intp], NDArray[np.intp], Array]:
        """The features that are read in each row, (n, f); the rows that have a weight for an effect of their own, which
        of these weights each has; and the variance that no weight stands for, (n,).
        """
        look, none = self.reading, np.empty(0, dtype=np.intp)
        if look is None:
            return X, none, none, np.zeros(len(X))
        seen = X if len(look.columns) == look.width else X[:, look.columns]
        if not look.own:
            return seen, none, none, np.zeros(len(X))
        at = places(look.rows, X)
        known = np.flatnonzero(at >= 0)
        return seen, known, at[known], np.where(at < 0, look.own, 0.0)

    def under(self, weights: Array, X: Array) -> tuple[Array, Array]:
        """The scores of the rows of ``X`` under each of several vectors of ``weights``, (n, M), and the variance that
        no weight stands for, (M,). A million rows of a few features are multiplied as such, with no column for an
        effect of one's own that most of them do not have.
        """
        seen, known, at, extra = self._looked(X)
        found = weights[:, : seen.shape[1]] @ seen.T
        found[:, known] += weights[:, seen.shape[1] + at]
        return found, extra

    def scores(self, X: Array) -> Scores:
        """The scores of the rows of ``X``. Those of an array that nobody can change are kept: a decision looks at the
        same pool a dozen times.
        """
        known = self._known.get(id(X))  # read once: another thread may put its own there
        if known is not None:
            return known[1]
        seen, known_rows, at, extra = self._looked(X)
        half = self._rooted(seen, known_rows, at)
        mu = np.asarray(seen @ self.mean[: seen.shape[1]])
        mu[known_rows] += self.mean[seen.shape[1] + at]
        found = Scores(mu, np.einsum("ij,ij->i", half, half) + extra, half, extra)
        if self.keeps(X):
            for array in found:
                array.flags.writeable = False
            self._known.clear()
            self._known[id(X)] = X, found  # holding X, so that no other array gets its id
        return found

    def keeps(self, X: Array) -> bool:
        """Whether the scores of these rows are kept once they are known."""
        return len(X) > 1 and len(X) * len(self.mean) <= _MOST_KEPT and is_frozen(X)

    def moments(self, X: Array) -> tuple[Array, Array]:
        """Mean and variance of the score of each row of ``X``: two (n,) vectors. Those of a pool whose scores are too
        many to be kept are kept here: they are what takes longest, and most answers need nothing else.
        """
        known = self._moments.get(id(X))
        if known is not None:
            return known[1], known[2]
        if len(X) * len(self.mean) <= _MOST_KEPT:
            mu, s, _, _ = self.scores(X)
            return mu, s
        mu, s = np.empty(len(X)), np.empty(len(X))
        size = max(_MOST_KEPT // len(self.mean), 1)
        for start in range(0, len(X), size):  # the roots of a million rows at once would fill the memory
            rows = slice(start, start + size)
            mu[rows], s[rows], _, _ = self.scores(X[rows])
        if len(X) <= _MOST_MOMENTS and is_frozen(X):
            mu.flags.writeable = s.flags.writeable = False
            self._moments.clear()
            self._moments[id(X)] = X, mu, s
        return mu, s

    def _rooted(self, seen: Array, known: NDArray[np.intp], at: NDArray[np.intp]) -> Array:
        """Rows times a square root R of the covariance, (n, w): ``X R (Z R)' = X cov Z'``. An effect of one's own is
        a 1 in a row, so a column of the factor: few rows have one, and nothing is multiplied for the others.
        """
        scale, f = np.sqrt(self.spread), seen.shape[1]
        turned = np.zeros((len(seen), len(scale)))
        if self.factor is None:
            turned[:, :f] = seen
            turned[known, f + at] = 1.0
        else:
            multiplied(seen, self.factor[:, :f].T, out=turned)
            turned[known] += self.factor[:, f + at].T
        turned *= scale
        return turned

    def knowing(self, X: Array) -> Belief:
        """The same belief with a weight for the own effect of every row of ``X``, up to :data:`MOST_OWN` in all."""
        look = self.reading
        if look is None or not look.own:
            return self
        rows = _with_new(look.rows, X)
        w, more = len(self.mean), len(rows) - len(look.rows)
        if not more:
            return self
        factor = None
        if self.factor is not None:
            factor = np.eye(w + more)
            factor[:w, :w] = self.factor
        return replace(
            self,
            mean=check.frozen(np.append(self.mean, np.zeros(more))),
            spread=check.frozen(np.append(self.spread, np.full(more, look.own))),
            factor=None if factor is None else check.frozen(factor),
            reading=replace(look, rows=rows),
        )

    def __reduce__(self) -> tuple[Callable[..., Belief], tuple[object, ...]]:
        return _thawed, (self.mean, self.spread, self.factor, self.link, self.method, self.reading)

    def __repr__(self) -> str:
        return f"Belief(d={self.d}, {self.covariance}, link={self.link.name!r}, method={self.method!r})"


@once
def _with_new(rows: Array, X: Array) -> Array:
    """The alternatives that have a weight, and after them those of ``X`` that get one: for all beliefs of a mixture the
    same array.
    """
    new = X[distinct(X)[0]]
    new = new[places(rows, new) < 0][: MOST_OWN - len(rows)]
    return check.frozen(np.vstack([rows, new])) if len(new) else rows


@cache
def _nobody(width: int) -> Array:
    return check.frozen(np.empty((0, width)))


def _thawed(
    mean: Array, spread: Array, factor: Array | None, link: Link, method: Method, reading: Reading | None
) -> Belief:
    """A belief that was copied or sent to another process: its arrays frozen again."""
    kept = None if factor is None else check.frozen(factor)
    return Belief(check.frozen(mean), check.frozen(spread), kept, link, method, reading)


def prior(
    d: int,
    *,
    precision: ArrayLike = 1.0,
    mean: ArrayLike | None = None,
    covariance: Covariance = "full",
    link: str | Link = LOGIT,
    method: Method = "laplace",
    columns: ArrayLike | None = None,
    own: float = 0.0,
) -> Belief:
    """A belief before any outcome: independent weights with the given precision (the paper's λ).

    ``precision`` is one number or one for each weight; a weight's variance is its inverse. ``covariance`` says
    what later updates keep: ``"full"`` (more accurate, decides better) or ``"diagonal"`` (the paper's).

    ``columns`` are the features that have a weight, by default all ``d``; ``own`` is the variance of an effect that
    each alternative has of its own. ``method`` says how it learns: ``"laplace"`` (the paper's), or by matching moments,
    which predicts better: ``"adf"`` in one pass, ``"ep"`` a whole history together (:func:`sureshot.core.fit`).

    >>> prior(3, precision=4.0).variance
    array([0.25, 0.25, 0.25])
    >>> prior(3, columns=[0, 2], own=0.5).moments(np.ones((1, 3)))
    (array([0.]), array([2.5]))
    """
    d = whole_number("d", d, of="weights")
    reading = _reading(d, columns, own)
    d = d if reading is None else len(reading.columns)
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
    return Belief(check.frozen(centre), check.frozen(spread), factor, chosen, method, reading)


def _reading(width: int, columns: ArrayLike | None, own: float) -> Reading | None:
    """The checked reading of rows of so many features; None where all are read and nothing is beside them."""
    if isinstance(own, bool) or not isinstance(own, int | float | np.number) or not 0.0 <= own < np.inf:
        raise InvalidInput(f"`own` must be a variance, a finite number of at least 0, got own={own!r}.")
    if columns is None and not own:
        return None
    read = np.arange(width) if columns is None else np.asarray(columns)
    if read.ndim != 1 or not read.size or read.dtype.kind not in "iu" or len(set(read.tolist())) != read.size:
        raise InvalidInput(f"`columns` must name different features by number, at least one, got {columns!r}.")
    if read.min() < 0 or read.max() >= width:
        raise InvalidInput(f"`columns` must lie between 0 and {width - 1}, got {int(read.min())} to {int(read.max())}.")
    kept = read.astype(np.intp)
    kept.flags.writeable = False
    return Reading(width, kept, float(own), _nobody(width))


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
    return chosen


def multiplied(A: Array, B: Array, *, out: Array) -> None:
    """``A @ B`` into ``out``, in blocks of rows and columns that are small enough for BLAS to stay in one thread."""
    side = max(math.isqrt(_AT_ONCE // max(A.shape[1], 1)), 1)
    for i in range(0, len(A), side):
        for j in range(0, B.shape[1], side):
            np.matmul(A[i : i + side], B[:, j : j + side], out=out[i : i + side, j : j + side])
