"""What is known when the next trial is chosen: all that a policy may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.beliefs.predictive import predictive
from sureshot.core.lookahead import Finals
from sureshot.core.lookahead.compared import refuse_overflow
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct, places
from sureshot.errors import InvalidInput, unknown_name, whole_number
from sureshot.policies.objective import horizon, price

__all__ = ["Objective", "Situation", "situation"]

Objective = Literal["offline", "online"]


@dataclass(frozen=True, eq=False)
class Situation:
    """The belief, the alternatives, what was tried and what it is for. Make one with :func:`situation`.

    A trial may be several tries at once: ``outcomes`` holds the successes of each trial, ``of`` its tries.
    """

    belief: Belief | Mixture
    X: Array  # (M, d) the alternatives; with a context, this case's own
    rows: Array  # (n, d) what was tried, in order
    outcomes: NDArray[np.int64]  # (n,) the successes of each of these trials ...
    of: NDArray[np.int64]  # (n,) ... of so many tries: mostly 1
    objective: Objective = "offline"
    trials_left: int | None = None  # the next one included; None: an open end
    discount: float | None = None  # of later successes, for an online objective with an open end
    finals: Finals | None = None  # what the final choice is made from; None: X itself
    pending: Array | None = None  # (k, d) trials whose outcomes are outstanding
    cost: Array | None = None  # (M,) what a trial of each alternative costs
    contextual: bool = False
    candidates: NDArray[np.intp] | None = None  # rows of X that may be tried next; None: all of them

    @cached_property
    def probability(self) -> Array:
        """The predicted success probability of each alternative, (M,)."""
        return predictive(self.belief, self.X)

    @cached_property
    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The successes of each alternative and its tries, (M,) each: those of all trials of equal features."""
        first, copies = distinct(self.X)
        at = places(self.X[first], self.rows)
        found = np.zeros((2, len(first)), dtype=np.int64)
        for total, each in zip(found, (self.outcomes, self.of), strict=True):
            np.add.at(total, at[at >= 0], each[at >= 0])
        return found[0, copies], found[1, copies]

    @property
    def tried(self) -> NDArray[np.bool_]:
        """Whether each alternative has been tried, (M,)."""
        return np.asarray(self.counts[1] > 0)

    @property
    def tau(self) -> float:
        """How many later trials profit from what is learned now (online)."""
        if self.discount is not None:
            return horizon(discount=self.discount)
        if self.trials_left is None:
            raise InvalidInput("an online objective needs `trials_left` or a `discount`, got neither.")
        return horizon(trials_left=max(self.trials_left - 1, 0))

    def trials_ahead(self, most: int) -> int:
        """How many trials to look ahead: ``most``, or those that are left if they are fewer; the next one at least."""
        return most if self.trials_left is None else max(min(most, self.trials_left), 1)

    def after(self, rows: Array, outcomes: Sequence[int], belief: Belief | Mixture) -> Situation:
        """The situation once these rows have had these outcomes, which led to this belief; nothing outstanding."""
        return replace(
            self,
            belief=belief,
            pending=None,
            rows=np.vstack([self.rows, rows]),
            outcomes=np.concatenate([self.outcomes, np.asarray(outcomes, dtype=np.int64)]),
            of=np.concatenate([self.of, np.ones(len(outcomes), dtype=np.int64)]),
        )

    def asked(self, row: Array) -> Situation:
        """The situation once a trial of this row was asked for: it is outstanding, and one trial less is left."""
        waiting = row[None] if self.pending is None else np.vstack([self.pending, row])
        left = None if self.trials_left is None else max(self.trials_left - 1, 1)
        return replace(self, pending=waiting, trials_left=left)

    def only(self, rows: NDArray[np.intp]) -> Situation:
        """The situation in which these rows alone may be tried, and the final choice is from all."""
        whole = or_pool(self.finals, self.X)
        cost = None if self.cost is None else self.cost[rows]
        return replace(self, X=self.X[rows], cost=cost, finals=whole, candidates=None)


def situation(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    rows: ArrayLike | None = None,
    outcomes: ArrayLike | None = None,
    of: ArrayLike | None = None,
    objective: Objective = "offline",
    trials_left: int | None = None,
    discount: float | None = None,
    finals: Finals | None = None,
    pending: ArrayLike | None = None,
    cost: ArrayLike | None = None,
    contextual: bool = False,
    candidates: ArrayLike | None = None,
) -> Situation:
    """A checked situation; nothing tried yet unless said, and one try in each trial unless ``of`` says how many.

    >>> from sureshot import core
    >>> situation(core.prior(2), [[1.0, -1.0], [1.0, 1.0]]).probability
    array([0.5, 0.5])
    """
    pool = check.pool(X, "X", belief.d)
    refuse_overflow(belief, pool)
    if objective not in get_args(Objective):
        raise unknown_name("objective", objective, get_args(Objective))
    before = np.empty((0, belief.d)) if rows is None else check.features(rows, "rows", belief.d)
    if discount is not None:
        horizon(discount=discount)
    if finals is not None:
        check.pool(finals.rows, "finals", belief.d)
    if cost is not None and objective == "online":
        raise InvalidInput("`cost` is for the offline objective: online, successes and costs have no common unit.")
    won, tries = _counted(outcomes, of, len(before))
    waiting = None if pending is None or np.size(pending) == 0 else check.features(pending, "pending", belief.d)
    return Situation(
        belief=belief,
        X=pool,
        rows=before,
        outcomes=won,
        of=tries,
        objective=objective,
        trials_left=None if trials_left is None else whole_number("trials_left", trials_left, 0, of="trials"),
        discount=discount,
        finals=finals,
        pending=waiting,
        cost=None if cost is None else price(cost, len(pool)),
        contextual=contextual,
        candidates=_among(candidates, len(pool)),
    )


def _counted(outcomes: ArrayLike | None, of: ArrayLike | None, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    won = np.empty(0) if outcomes is None else check.numbers(outcomes, "outcomes")
    tries = np.ones(n) if of is None else check.numbers(of, "of")
    fine = won.shape == tries.shape == (n,) and (tries >= 1).all() and ((won >= 0) & (won <= tries)).all()
    if not fine or (won % 1).any() or (tries % 1).any():
        rule = "0 or 1" if of is None else "whole numbers of successes, at most `of`,"
        raise InvalidInput(f"`outcomes` must hold {rule} for each of the {n} `rows`, got {won.tolist()!r}.")
    return won.astype(np.int64), tries.astype(np.int64)


def _among(candidates: ArrayLike | None, size: int) -> NDArray[np.intp] | None:
    if candidates is None:
        return None
    rows = np.asarray(candidates)
    whole = rows.ndim == 1 and rows.size and np.issubdtype(rows.dtype, np.integer)
    if not whole or rows.min() < 0 or rows.max() >= size:
        raise InvalidInput(f"`candidates` must be rows of `X`, 0 to {size - 1}, at least one, got {candidates!r}.")
    return np.unique(rows).astype(np.intp)
