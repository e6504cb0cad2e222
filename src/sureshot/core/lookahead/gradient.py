"""The knowledge gradient of each alternative (paper, section 5.2)."""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.belief import Belief
from sureshot.core.lookahead.blend import blended, can_blend
from sureshot.core.lookahead.exact import best_joint, can_expand, ready, side
from sureshot.core.lookahead.finals import Finals, or_pool
from sureshot.core.lookahead.joint import Lookahead, joint, members, predicted, refuse_overflow
from sureshot.core.lookahead.pool import Leaders, best_scores, can_scan, leaders_by_scan, probability
from sureshot.core.mixture import Mixture
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput, unknown_name

__all__ = ["knowledge_gradient", "leaders", "lookahead_of", "outlook"]

#: An outcome less likely than this is below the error of the links' probits: nothing is said about what follows it.
IMPOSSIBLE = 1e-7


def knowledge_gradient(
    belief: Belief | Mixture, X: ArrayLike, *, lookahead: Lookahead = "exact", finals: Finals | None = None
) -> Array:
    """How much one outcome of each alternative is expected to raise the success probability of the final choice, (M,).

    ``lookahead="exact"`` takes the expectation under the belief itself: never negative, and in units that a person
    can be shown. ``"update"`` looks ahead through the belief's own approximate update, as the paper does: Algorithm 2
    (logit, Laplace), 3 (probit, Laplace) or 4 (probit, ADF), with a diagonal or full covariance; it can be negative
    and is off by a factor of about two while the belief is wide.

    ``finals`` are the alternatives that the final choice is made from, by default ``X`` itself.

    >>> from sureshot import core
    >>> X = [[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]]
    >>> knowledge_gradient(core.prior(2), X).round(4)
    array([0.1702, 0.014 , 0.1702])
    """
    if lookahead not in get_args(Lookahead):
        raise unknown_name("lookahead", lookahead, get_args(Lookahead))
    rows = check.pool(X, "X", belief.d)
    after = or_pool(finals, rows)
    refuse_overflow(belief, rows)
    if after.rows is not rows:
        refuse_overflow(belief, after.rows)
    compared, starts, weights = after.rows, after.starts, after.weights
    if lookahead == "exact" and can_expand(belief):
        return _expanded(belief, rows, compared, starts, weights)
    now = weights @ np.maximum.reduceat(predicted(belief, compared, lookahead), starts[:-1])
    if lookahead == "update" and isinstance(belief, Belief) and can_scan(belief):
        return _scanned(belief, rows, compared, starts, weights) - now
    if lookahead == "update" and isinstance(belief, Mixture) and can_blend(belief):
        return blended(belief, rows, compared, starts, weights) - now
    values = np.empty(len(rows))
    for block, success, failure in joint(belief, rows, compared, lookahead):
        best = np.maximum.reduceat(success, starts[:-1], axis=1) + np.maximum.reduceat(failure, starts[:-1], axis=1)
        values[block] = best @ weights
    values -= now
    return np.maximum(values, 0.0) if lookahead == "exact" else values


def _expanded(belief: Belief | Mixture, X: Array, compared: Array, starts: NDArray[np.int64], weights: Array) -> Array:
    """Exact values by compiled code."""
    state = ready(belief)
    here, order = side(state, X)
    total = np.zeros(len(X))
    for begin, end, weight in zip(starts[:-1], starts[1:], weights, strict=True):
        there = here if compared is X else side(state, compared[begin:end])[0]
        best, arg = best_joint(state, here, there, compared is X)
        gain = np.maximum(best.sum(axis=1) - there.mean[0], 0.0)
        gain[arg[:, 0] == arg[:, 1]] = 0.0  # whatever comes out, the choice is the same
        total[order] += weight * gain
    return total


def _scanned(belief: Belief, X: Array, compared: Array, starts: NDArray[np.int64], weights: Array) -> Array:
    """Expected value of the final choice after one outcome of each row of ``X``, by the compiled scan."""
    chance = probability(belief, *belief.moments(X))
    squash = belief.link.probability
    total = np.zeros(len(X))
    for begin, end, weight in zip(starts[:-1], starts[1:], weights, strict=True):
        group = X if len(weights) == 1 and compared is X else compared[begin:end]
        failure, success = best_scores(belief, X, group)
        total += weight * (chance * squash(success) + (1.0 - chance) * squash(failure))
    return total


def leaders(
    belief: Belief | Mixture, X: ArrayLike, *, lookahead: Lookahead = "exact", epsilon: float = 1e-9
) -> Leaders:
    """The decision alone: the alternatives whose knowledge gradient is within ``epsilon`` of the largest.

    Looking ahead by update, candidates are taken best first and given up as soon as a bound shows that they can't win:
    the same winners as from all values, after a few outcomes in a small part of the time.

    >>> from sureshot import core
    >>> leaders(core.prior(2), [[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]], lookahead="update").rows
    array([0, 2])
    """
    if lookahead == "update" and isinstance(belief, Belief) and can_scan(belief):
        rows = check.pool(X, "X", belief.d)
        refuse_overflow(belief, rows)
        return leaders_by_scan(belief, rows, epsilon)
    values = knowledge_gradient(belief, X, lookahead=lookahead)
    top = values.max()
    tied = values >= top - epsilon
    rest = values[~tied]
    return Leaders(np.flatnonzero(tied), float(top), float(rest.max()) if rest.size else -np.inf)


def outlook(belief: Belief | Mixture, X: ArrayLike, index: int) -> tuple[tuple[int, float], tuple[int, float]]:
    """What the final choice would be after a failure, and after a success, of alternative ``index``.

    Each is a row of ``X`` and its success probability given that outcome, by the exact look-ahead (by the belief's own
    update for a link that has no mixture of probits). After an outcome that is as good as impossible, it is what the
    choice would be now.
    """
    rows = check.pool(X, "X", belief.d)
    if isinstance(index, bool) or not isinstance(index, int | np.integer) or not 0 <= index < len(rows):
        raise InvalidInput(f"`index` must be a row of `X`, 0 to {len(rows) - 1}, got {index!r}.")
    refuse_overflow(belief, rows)
    here = rows[index : index + 1]
    if can_expand(belief):
        state = ready(belief)
        (candidate, _), (compared, order) = side(state, here), side(state, rows)
        chance = float(candidate.mean[0])
        best, arg = best_joint(state, candidate, compared, False)
        tops, which = best[0], order[arg[0]]
    else:
        lookahead = lookahead_of(belief)
        chance = float(predicted(belief, here, lookahead)[0])
        ((_, success, failure),) = joint(belief, here, rows, lookahead)
        tops, which = np.array([failure.max(), success.max()]), np.array([failure.argmax(), success.argmax()])
    today = predicted(belief, rows, lookahead_of(belief))
    now = int(today.argmax()), float(today.max())
    failed, succeeded = (
        (int(row), min(float(top / share), 1.0)) if share > IMPOSSIBLE else now
        for row, top, share in zip(which, tops, (1.0 - chance, chance), strict=True)
    )
    return failed, succeeded


def lookahead_of(belief: Belief | Mixture) -> Lookahead:
    """``"exact"`` where every link has its mixture of probits, else ``"update"``: what can be shown to a person."""
    return "exact" if all(one.link.probits for _, one in members(belief)) else "update"
