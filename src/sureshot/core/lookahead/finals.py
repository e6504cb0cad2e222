"""What the final choice will be made from: the alternatives compared after the next outcome.

Without a context that is the pool itself. With one, the paper compares the actions at the same context; when contexts
vary, what counts is the best action averaged over the contexts that come. Either way: groups of alternatives, each
with a weight; the value of a state is the weighted sum of the groups' best success probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["Finals", "finals", "or_pool"]


@dataclass(frozen=True, slots=True, eq=False)
class Finals:
    """Groups of alternatives, one after the other in ``rows``; group g is ``rows[starts[g]:starts[g + 1]]``."""

    rows: Array  # (m, d)
    starts: np.ndarray[tuple[int], np.dtype[np.int64]]  # (G + 1,)
    weights: Array  # (G,), summing to one


def finals(groups: Sequence[ArrayLike], weights: ArrayLike | None = None, *, d: int) -> Finals:
    """Checked groups; equally likely unless weights are given. Equal groups are merged, so that a context seen ten
    times costs, and gives, exactly what one seen once does.
    """
    if not len(groups):
        raise InvalidInput("`finals` must hold at least one group of alternatives, got none.")
    checked = [check.pool(group, "finals", d) for group in groups]
    share = check.positive(1.0 if weights is None else weights, "weights", len(checked))
    merged: dict[tuple[int, bytes], tuple[Array, float]] = {}
    for rows, weight in zip(checked, share.tolist(), strict=True):
        key = (len(rows), rows.tobytes())
        merged[key] = (rows, merged[key][1] + weight if key in merged else weight)
    kept = [rows for rows, _ in merged.values()]
    mass = np.array([weight for _, weight in merged.values()])
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows in kept])]).astype(np.int64)
    return Finals(np.concatenate(kept), starts, mass / mass.sum())


def or_pool(given: Finals | None, X: Array) -> Finals:
    """The given finals, checked against the pool's width; or the pool itself, if none are given or they are the pool.
    Only then ``.rows is X``.
    """
    if given is None or (len(given.weights) == 1 and np.array_equal(given.rows, X)):
        return Finals(X, np.array([0, len(X)]), np.ones(1))
    rows = check.pool(given.rows, "finals", X.shape[1])
    return Finals(rows.view() if rows is X else rows, given.starts, given.weights)
