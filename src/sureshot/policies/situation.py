"""What is known when the next trial is chosen: all that a policy may see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.belief import Belief
from sureshot.core.lookahead import Finals
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


def situation(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    tried: ArrayLike | None = None,
    rows: ArrayLike | None = None,
    outcomes: ArrayLike | None = None,
    objective: Objective = "offline",
    **more: Any,
) -> Situation:
    """A checked situation; nothing tried yet unless said.

    >>> from sureshot import core
    >>> situation(core.prior(2), [[1.0, -1.0], [1.0, 1.0]]).probability
    array([0.5, 0.5])
    """
    pool = check.pool(X, "X", belief.d)
    if objective not in get_args(Objective):
        raise unknown_name("objective", objective, get_args(Objective))
    before = np.empty((0, belief.d)) if rows is None else check.features(rows, "rows", belief.d)
    seen = np.empty(0, dtype=np.int8) if outcomes is None else np.asarray(outcomes)
    if seen.shape != (len(before),) or not np.isin(seen, (0, 1)).all():
        raise InvalidInput(f"`outcomes` must hold 0 or 1 for each of the {len(before)} `rows`, got {seen.tolist()!r}.")
    mask = np.zeros(len(pool), dtype=bool) if tried is None else np.asarray(tried)
    if mask.shape != (len(pool),) or mask.dtype != bool:
        raise InvalidInput(f"`tried` must hold True or False for each of the {len(pool)} alternatives of `X`.")
    return Situation(belief, pool, mask, before, seen.astype(np.int8), objective, **more)
