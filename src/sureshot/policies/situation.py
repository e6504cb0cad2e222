"""What is known when the next trial is chosen: all that a policy may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.belief import Belief
from sureshot.core.lookahead import Finals
from sureshot.core.lookahead.compared import refuse_overflow
from sureshot.core.mixture import Mixture
from sureshot.core.predictive import predictive
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput, unknown_name
from sureshot.policies.objective import horizon

__all__ = ["Objective", "Situation", "situation"]

Objective = Literal["offline", "online"]


@dataclass(frozen=True, eq=False)
class Situation:
    """The belief, the alternatives, what was tried and what it is for. Make one with :func:`situation`."""

    belief: Belief | Mixture
    X: Array  # (M, d) the alternatives that can be tried now; with a context, this case's own
    tried: NDArray[np.bool_]  # (M,) whether each of them has been tried before
    rows: Array  # (n, d) what was tried, in order
    outcomes: NDArray[np.int8]  # (n,) what came of it
    objective: Objective = "offline"
    trials_left: int | None = None  # the next one included; None: an open end
    discount: float | None = None  # of later successes, for an online objective with an open end
    finals: Finals | None = None  # what the final choice is made from; None: X itself
    pending: Array | None = None  # (k, d) trials whose outcomes are outstanding
    cost: Array | None = None  # (M,) what a trial of each alternative costs
    contextual: bool = False

    @cached_property
    def probability(self) -> Array:
        """The predicted success probability of each alternative, (M,)."""
        return predictive(self.belief, self.X)

    @property
    def tau(self) -> float:
        """How many later trials profit from what is learned now (online)."""
        if self.discount is not None:
            return horizon(discount=self.discount)
        if self.trials_left is None:
            raise InvalidInput("an online objective needs `trials_left` or a `discount`, got neither.")
        return horizon(trials_left=max(self.trials_left - 1, 0))

    def given(self, belief: Belief | Mixture) -> Situation:
        """The same situation under another belief, with nothing outstanding."""
        return replace(self, belief=belief, pending=None)

    def after(self, rows: Array, outcomes: Sequence[int], belief: Belief | Mixture) -> Situation:
        """The situation once these rows have had these outcomes, which led to this belief; nothing outstanding."""
        seen = np.concatenate([self.outcomes, np.asarray(outcomes, dtype=np.int8)])
        return replace(self, belief=belief, pending=None, rows=np.vstack([self.rows, rows]), outcomes=seen)


def situation(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    tried: ArrayLike | None = None,
    rows: ArrayLike | None = None,
    outcomes: ArrayLike | None = None,
    objective: Objective = "offline",
    trials_left: int | None = None,
    discount: float | None = None,
    finals: Finals | None = None,
    pending: ArrayLike | None = None,
    cost: ArrayLike | None = None,
    contextual: bool = False,
) -> Situation:
    """A checked situation; nothing tried yet unless said.

    >>> from sureshot import core
    >>> situation(core.prior(2), [[1.0, -1.0], [1.0, 1.0]]).probability
    array([0.5, 0.5])
    """
    pool = check.pool(X, "X", belief.d)
    refuse_overflow(belief, pool)
    if objective not in get_args(Objective):
        raise unknown_name("objective", objective, get_args(Objective))
    before = np.empty((0, belief.d)) if rows is None else check.features(rows, "rows", belief.d)
    seen = np.empty(0, dtype=np.int8) if outcomes is None else np.asarray(outcomes)
    if seen.shape != (len(before),) or not np.isin(seen, (0, 1)).all():
        raise InvalidInput(f"`outcomes` must hold 0 or 1 for each of the {len(before)} `rows`, got {seen.tolist()!r}.")
    mask = np.zeros(len(pool), dtype=bool) if tried is None else np.asarray(tried)
    if mask.shape != (len(pool),) or mask.dtype != bool:
        raise InvalidInput(f"`tried` must hold True or False for each of the {len(pool)} alternatives of `X`.")
    waiting = None if pending is None or np.size(pending) == 0 else check.features(pending, "pending", belief.d)
    return Situation(
        belief,
        pool,
        mask,
        before,
        seen.astype(np.int8),
        objective,
        _trials(trials_left),
        _later(discount),
        _fitting(finals, belief.d),
        waiting,
        _price(cost, len(pool), objective),
        contextual,
    )


def _trials(left: int | None) -> int | None:
    if left is not None and (isinstance(left, bool) or not isinstance(left, int | np.integer) or left < 0):
        raise InvalidInput(f"`trials_left` must be a whole number of trials, at least 0, got {left!r}.")
    return None if left is None else int(left)


def _later(discount: float | None) -> float | None:
    if discount is not None:
        horizon(discount=discount)
    return discount


def _fitting(finals: Finals | None, d: int) -> Finals | None:
    if finals is not None:
        check.pool(finals.rows, "finals", d)
    return finals


def _price(cost: ArrayLike | None, size: int, objective: Objective) -> Array | None:
    if cost is None:
        return None
    if objective == "online":
        raise InvalidInput("`cost` is for the offline objective: online, successes and costs have no common unit.")
    price = check.numbers(cost, "cost")
    if price.shape != (size,):
        raise InvalidInput(f"`cost` must have one number for each of the {size} alternatives, got shape {price.shape}.")
    return check.positive(price, "cost", size)
