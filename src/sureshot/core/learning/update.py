"""Learning from outcomes: ``observe`` one, ``observe_many`` in a row (paper, sections 3.1 and 4, Algorithm 1).

Whatever the link, an outcome of ``x`` acts through one number, the score ``f = w·x ~ N(mu, s)``: the mean moves by
``r·cov·x`` and the precision grows by ``t·x x'``. Laplace takes ``r`` and ``t`` from the likelihood at the MAP
(:mod:`sureshot.core.learning.roots`); assumed density filtering takes those that match mean and variance of the score
exactly (:mod:`sureshot.core.learning.matching`). So does one more outcome of a belief fitted with ``method="ep"``: a
step of a look-ahead, a pending trial. What fits a whole history together is :func:`sureshot.core.fit`.

The diagonal forms differ in what they keep: Laplace the diagonal of the precision, ``q + t x²`` (the paper's
Algorithm 1 with the sign of erratum 2; overconfident), ADF that of the covariance (erratum 4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, normalised
from sureshot.core.learning.step import fold, overflow
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import code_of

__all__ = ["Info", "observe", "observe_many"]

AnyBelief = TypeVar("AnyBelief", bound=Belief | Mixture)


@dataclass(frozen=True, slots=True, eq=False)
class Info:
    """What an update did. One number each after ``observe``, one for each observation after ``observe_many``;
    after an update of a mixture the last axis of all but ``evidence`` runs over its beliefs.
    """

    shift: Array  # how far the mean score of the alternative moved
    curvature: Array  # t: what the outcome added to the precision along x
    iterations: NDArray[np.int64]  # steps of the root search; 0 for a closed form
    evidence: Array  # log probability that the belief before gave to what was seen


def observe(belief: AnyBelief, x: ArrayLike, y: ArrayLike, *, of: ArrayLike | None = None) -> tuple[AnyBelief, Info]:
    """The belief after one outcome of the alternative ``x``: ``y`` is 1 (success) or 0 (failure).

    With ``of``, ``y`` counts the successes of so many trials of ``x``, taken in one update with their binomial
    likelihood. The belief handed in is never changed.

    >>> from sureshot import core
    >>> belief = core.prior(2)
    >>> belief, info = observe(belief, [1.0, -1.0], 1)
    >>> belief.mean.round(3), float(np.exp(info.evidence).round(3))
    (array([ 0.337, -0.337]), 0.5)
    """
    row = check.frozen(check.vector(x, "x", belief.d)[None, :])  # what all beliefs of a mixture ask of it is kept
    after, info = _observe(belief, row, *check.counts(y, of, 1))
    return after, Info(info.shift[0], info.curvature[0], info.iterations[0], info.evidence[0])


def observe_many(
    belief: AnyBelief, X: ArrayLike, y: ArrayLike, *, of: ArrayLike | None = None
) -> tuple[AnyBelief, Info]:
    """The belief after a whole history, folded in order in compiled code: the same as ``observe`` row by row.

    >>> from sureshot import core
    >>> belief, info = observe_many(core.prior(2), [[1, 0], [1, 1], [1, 2]], [0, 1, 1])
    >>> float(info.evidence.sum().round(3))  # log probability of the three outcomes, in their order
    -2.027
    """
    rows = check.features(X, "X", belief.d)
    return _observe(belief, rows, *check.counts(y, of, len(rows)))


def _observe(belief: AnyBelief, X: Array, won: Array, lost: Array) -> tuple[AnyBelief, Info]:
    after: tuple[Belief | Mixture, Info]
    if isinstance(belief, Belief):
        after = _observe_gaussian(belief, X, won, lost)
    else:
        after = _observe_mixture(cast(Mixture, belief), X, won, lost)
    return cast(tuple[AnyBelief, Info], after)


def _observe_gaussian(belief: Belief, X: Array, won: Array, lost: Array) -> tuple[Belief, Info]:
    n = len(X)
    belief = belief.knowing(X)
    seen, extra = belief.read(X)
    seen = np.ascontiguousarray(seen)  # sums run in one order, and compiled code is one, however many rows there are
    shift, curvature, evidence = np.empty((3, n))
    trace = shift, curvature, np.zeros(n, dtype=np.int64), evidence
    mean, spread = belief.mean.copy(), belief.spread.copy()
    factor = None if belief.factor is None else belief.factor.copy()
    code = code_of(belief.link)
    if code is None:
        stopped = fold(belief.link, belief.method, mean, spread, factor, seen, extra, won, lost, trace)
    else:
        from sureshot.core.learning.compiled import step  # Numba is loaded here, where it is first used

        stopped = step.fold(code, belief.matching, mean, spread, factor, seen, extra, won, lost, *trace)
    if stopped >= 0:
        raise overflow(shift[stopped], curvature[stopped], f" for row {stopped}")
    for array in (mean, spread, factor):
        if array is not None:
            array.flags.writeable = False
    return replace(belief, mean=mean, spread=spread, factor=factor), Info(*trace)


def _observe_mixture(mixture: Mixture, X: Array, won: Array, lost: Array) -> tuple[Mixture, Info]:
    """Each belief learns by itself; its weight grows by the probability it gave to what was seen."""
    learned = [_observe_gaussian(belief, X, won, lost) for belief in mixture.beliefs]
    infos = [info for _, info in learned]
    evidence = np.stack([info.evidence for info in infos], axis=-1)  # (n, K)
    path = mixture.log_weights + np.vstack([np.zeros(len(infos)), np.cumsum(evidence, axis=0)])  # (n + 1, K)
    total = np.logaddexp.reduce(path, axis=1)
    after = Mixture(tuple(belief for belief, _ in learned), normalised(path[-1]))
    shift, curvature = (np.stack([getattr(i, k) for i in infos], axis=-1) for k in ("shift", "curvature"))
    iterations = np.stack([info.iterations for info in infos], axis=-1)
    return after, Info(shift, curvature, iterations, np.diff(total))
