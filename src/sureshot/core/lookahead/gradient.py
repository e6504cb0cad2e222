"""The knowledge gradient of each alternative (paper, section 5.2)."""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.belief import Belief
from sureshot.core.lookahead.finals import Finals
from sureshot.core.lookahead.joint import Lookahead, joint, members, predicted
from sureshot.core.mixture import Mixture
from sureshot.core.stable import Array
from sureshot.errors import unknown_name

__all__ = ["knowledge_gradient", "outlook"]


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
    compared = rows if finals is None else check.pool(finals.rows, "finals", belief.d)
    starts = np.array([0, len(compared)]) if finals is None else finals.starts
    weights = np.ones(1) if finals is None else finals.weights
    now = weights @ np.maximum.reduceat(predicted(belief, compared, lookahead), starts[:-1])
    values = np.empty(len(rows))
    for block, success, failure in joint(belief, rows, compared, lookahead):
        best = np.maximum.reduceat(success, starts[:-1], axis=1) + np.maximum.reduceat(failure, starts[:-1], axis=1)
        values[block] = best @ weights
    values -= now
    return np.maximum(values, 0.0) if lookahead == "exact" else values


def outlook(belief: Belief | Mixture, X: ArrayLike, index: int) -> tuple[tuple[int, float], tuple[int, float]]:
    """What the final choice would be after a failure, and after a success, of alternative ``index``.

    Each is a row of ``X`` and its success probability given that outcome, by the exact look-ahead (by the belief's own
    update for a link that has no mixture of probits).
    """
    rows = check.pool(X, "X", belief.d)
    lookahead: Lookahead = "exact" if all(one.link.probits for _, one in members(belief)) else "update"
    here = rows[index : index + 1]
    chance = float(predicted(belief, here, lookahead)[0])
    ((_, success, failure),) = joint(belief, here, rows, lookahead)
    results = []
    for table, probability in ((failure[0], 1.0 - chance), (success[0], chance)):
        best = int(np.argmax(table))
        results.append((best, min(float(table[best] / probability), 1.0) if probability > 0 else float("nan")))
    return results[0], results[1]
