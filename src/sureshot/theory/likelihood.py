"""The likelihood without a prior: Fisher information, separation, and the maximum likelihood estimate, for every link.

The maximum exists, and is unique, if the rows span all weights and no direction separates successes from failures
(Albert & Anderson 1984, Silvapulle 1981). So both are looked at before anything is fitted: a solver would walk towards
infinity and stop somewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import LOGIT, Link, check, get_link
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct
from sureshot.errors import InvalidInput, SureshotError
from sureshot.theory.check import rows_of, weights_of

__all__ = ["Estimate", "Separation", "fisher_information", "log_likelihood", "maximum_likelihood", "separation"]

Kind = Literal["none", "quasi-complete", "complete"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Separation:
    """Whether some direction of the weights tells successes from failures.

    ``"complete"``: v·x > 0 at every success and v·x < 0 at every failure. ``"quasi-complete"``: v·x >= 0 and v·x <= 0,
    and not 0 everywhere. ``"none"``: there is no such v, the outcomes overlap.
    """

    kind: Kind
    direction: Array | None  # (d,) such a v, of length 1, that is strict for as many rows as any; None where none is
    separated: Array  # (n,) booleans: the rows at which some such v is strict


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Estimate:
    """The maximum likelihood estimate of the weights."""

    weights: Array  # (d,)
    log_likelihood: float  # at its maximum, without binomial coefficients
    information: Array  # (d, d) expected Fisher information, at the estimate

    @property
    def covariance(self) -> Array:
        """The inverse of the information: the covariance of the estimate for many outcomes, (d, d)."""
        return np.asarray(np.linalg.inv(self.information))


def fisher_information(X: ArrayLike, w: ArrayLike, *, link: str | Link = LOGIT, of: ArrayLike | None = None) -> Array:
    """The expected information of outcomes at the rows of ``X`` about the weights ``w``: F = Σ of p'²/(p(1-p)) x x'.

    p'/p and -p'/(1-p) are the scores of the two outcomes, so that no digits are lost in the tails. For logit it is
    Σ σ(1-σ) x x'. ``of`` is how many trials each row stands for, by default one.

    >>> fisher_information([[1.0, 0.0], [1.0, 2.0]], [0.0, 0.0])
    array([[0.5, 0.5],
           [0.5, 1. ]])
    """
    at = weights_of(w, "w")
    rows = check.features(X, "X", len(at))
    total = np.ones(len(rows)) if of is None else sum(check.counts(np.zeros(len(rows)), of, len(rows)))
    weight = total * unit_information(get_link(link), rows @ at)
    return np.asarray(rows.T @ (weight[:, None] * rows))


def unit_information(link: Link, f: Array) -> Array:
    """p'²/(p(1-p)) at each score: the information of one outcome about it."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        success, failure = link.success.score(f), -link.failure.score(f)
        found = success * failure
    return np.asarray(np.where((success == 0.0) | (failure == 0.0), 0.0, found))  # one of them may be infinite


def log_likelihood(
    X: ArrayLike, y: ArrayLike, w: ArrayLike, *, link: str | Link = LOGIT, of: ArrayLike | None = None
) -> float:
    """The log probability of the outcomes given the weights: ``y`` is 0 or 1 for each row, or successes ``of`` so many.

    Without binomial coefficients, which no estimate depends on.

    >>> round(log_likelihood([[1.0], [1.0]], [1, 0], [0.0]), 4)  # 2 log ½
    -1.3863
    """
    at = weights_of(w, "w")
    rows = check.features(X, "X", len(at))
    won, lost = check.counts(y, of, len(rows))
    return float(get_link(link).log_likelihood(rows @ at, won, won + lost).sum())


def separation(X: ArrayLike, y: ArrayLike, *, of: ArrayLike | None = None) -> Separation:
    """Whether a direction of the weights separates successes from failures, decided by a linear program.

    Turn each row so that z·v >= 0 says it is on its side: z = x for a success, -x for a failure, both for a row with
    both. Maximise Σ s over v and 0 <= s <= 1 with z·v >= s >= 0. Directions that separate can be added up and
    stretched, so at the maximum s is 1 for each row at which *any* of them is strict and 0 for the others: the maximum
    counts these rows, and all of them means complete separation. Rows closer to each other than 1e-9 of the largest
    number in a column count as equal, which is what the solver can tell apart.

    >>> separation([[1.0, -1.0], [1.0, 0.5], [1.0, 2.0]], [0, 1, 1]).kind
    'complete'
    >>> separation([[1.0, 1.0], [1.0, 1.0], [1.0, 2.0]], [0, 1, 1]).kind
    'quasi-complete'
    >>> separation([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]], [0, 1, 0]).kind
    'none'
    """
    rows = rows_of(X, "X")
    return _separation(rows, *check.counts(y, of, len(rows)))


def _separation(rows: Array, won: Array, lost: Array) -> Separation:
    from scipy import optimize, sparse

    n, d = rows.shape
    none = Separation(kind="none", direction=None, separated=np.zeros(n, dtype=bool))
    if not n:
        return none
    first, which = distinct(rows)  # outcomes of one alternative are on one side, or on both
    won, lost = (np.asarray(np.bincount(which, one, len(first)), float) for one in (won, lost))
    wide: Array = _scales(rows)
    scaled = rows[first] / wide
    length = np.linalg.norm(scaled, axis=1)
    unit = scaled / np.where(length > 0, length, 1.0)[:, None]  # which side a row is on does not depend on its length
    turned = np.concatenate([unit[won > 0], -unit[lost > 0]])
    m = len(turned)
    cost = np.concatenate([np.zeros(d), -np.ones(m)])
    sides: Any = sparse.hstack([sparse.csr_array(-turned), sparse.eye_array(m)])
    found = optimize.linprog(
        cost,
        A_ub=sides,
        b_ub=np.zeros(m),
        bounds=[(None, None)] * d + [(0.0, 1.0)] * m,
        method="highs",
    )
    if not found.success:
        raise SureshotError(f"separation could not be decided ({found.message}): scale the columns of `X` alike.")
    solution = np.asarray(found.x, float)
    strict = solution[d:] > 0.5
    if not strict.any():
        return none
    separated = np.zeros(len(first), dtype=bool)
    separated[np.concatenate([np.flatnonzero(won > 0), np.flatnonzero(lost > 0)])[strict]] = True
    direction = solution[:d] / wide
    return Separation(
        kind="complete" if strict.all() else "quasi-complete",
        direction=check.frozen(direction / np.linalg.norm(direction)),
        separated=separated[which],
    )


def maximum_likelihood(
    X: ArrayLike, y: ArrayLike, *, link: str | Link = LOGIT, of: ArrayLike | None = None
) -> Estimate:
    """The weights that make the outcomes most probable, without any prior; refused where there are none.

    All links of the core are log-concave, so one maximum is the maximum. It is found by SciPy's trust-region Newton
    method in coordinates in which the rows are orthonormal.

    >>> found = maximum_likelihood([[1.0], [1.0], [1.0], [1.0]], [1, 1, 1, 0])  # log(3/1)
    >>> found.weights.round(4), found.covariance.round(4)
    (array([1.0986]), array([[1.3333]]))
    >>> maximum_likelihood([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]], [0, 1, 1])
    Traceback (most recent call last):
    sureshot.errors.InvalidInput: `y` must overlap for the likelihood to have a maximum, got complete separation ...
    """
    chosen = get_link(link)
    rows = rows_of(X, "X")
    won, lost = check.counts(y, of, len(rows))
    _refuse_unbounded(rows, won, lost)
    wide = _scales(rows)
    basis, triangle = np.linalg.qr(rows / wide)
    total = won + lost

    def loss(u: Array) -> float:
        return -float(chosen.log_likelihood(basis @ u, won, total).sum())

    def gradient(u: Array) -> Array:
        return np.asarray(-(basis.T @ chosen.score(basis @ u, won, total)))

    def hessian(u: Array) -> Array:
        bend = chosen.curvature(basis @ u, won, total)
        return np.asarray(basis.T @ (bend[:, None] * basis))

    from scipy import optimize

    with np.errstate(over="ignore", invalid="ignore"):
        found = optimize.minimize(
            loss,
            np.zeros(rows.shape[1]),
            jac=gradient,
            hess=hessian,
            method="trust-exact",
            options={"gtol": 1e-9, "maxiter": 1000},
        )
        top = found.x - np.linalg.solve(hessian(found.x), gradient(found.x))  # one Newton step to the last digits
    if not np.isfinite(top).all() or np.abs(gradient(top)).max() > 1e-6 * max(1.0, float(total.max())):
        raise SureshotError(f"the fit did not converge ({found.message}): give the weights a prior, with core.fit.")
    weights = np.linalg.solve(triangle, top) / wide
    return Estimate(
        weights=check.frozen(weights),
        log_likelihood=-loss(top),
        information=check.frozen(fisher_information(rows, weights, link=chosen, of=total)),
    )


def _scales(rows: Array) -> Array:
    """The largest size in each column, 1 where that is 0."""
    wide = np.abs(rows).max(axis=0)
    return np.asarray(np.where(wide > 0, wide, 1.0))


def _refuse_unbounded(rows: Array, won: Array, lost: Array) -> None:
    """An error where no weights, or more than one vector of them, make the outcomes most probable."""
    n, d = rows.shape
    rank = int(np.linalg.matrix_rank(rows / _scales(rows))) if n else 0
    if rank < d:
        raise InvalidInput(
            f"`X` must have {d} independent columns for the estimate to be unique, got {rank} in {n} rows",
            fix="drop columns that follow from others, bring more outcomes, or give the weights a prior with core.fit",
        )
    found = _separation(rows, won, lost)
    if found.kind != "none":
        share = f"{int(found.separated.sum())} of {n} rows"
        raise InvalidInput(
            f"`y` must overlap for the likelihood to have a maximum, got {found.kind} separation ({share} are on their "
            f"side along {_shown(found.direction)})",
            fix="bring more outcomes, or give the weights a prior with core.fit",
        )


def _shown(direction: Array | None) -> str:
    assert direction is not None
    return "[" + ", ".join(f"{number:.3g}" for number in direction[:8]) + (", ..." if len(direction) > 8 else "") + "]"
