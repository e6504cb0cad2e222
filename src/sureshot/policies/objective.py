"""What a trial is worth: knowledge gradients as scores, for each objective (paper, equations 5.2, 5.3 and section 5.4).

- offline: only the final choice counts; the score is the knowledge gradient, per unit of cost if trials differ in cost;
- online: successes on the way count too; the score is ``p + tau·KG``, with ``tau`` the trials that will profit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.beliefs.predictive import predictive
from sureshot.core.lookahead import Finals, Lookahead
from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.lookahead.pending import Outstanding, outstanding
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["horizon", "knowledge_gradient", "online_knowledge_gradient", "price"]


def knowledge_gradient(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    lookahead: Lookahead = "exact",
    finals: Finals | None = None,
    pending: ArrayLike | Outstanding | None = None,
    cost: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
) -> Array:
    """The value of trying each alternative next, (M,), in units of success probability (per unit of cost).

    ``pending`` are the rows of trials whose outcomes are outstanding: exact up to four, sampled with ``rng`` beyond.
    ``cost`` has one positive number for each alternative. See :func:`sureshot.core.lookahead.knowledge_gradient` for
    ``lookahead`` and ``finals``.

    >>> from sureshot import core
    >>> X = [[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]]
    >>> knowledge_gradient(core.prior(2), X).round(3)
    array([0.17 , 0.014, 0.17 ])
    """
    rows = check.pool(X, "X", belief.d)
    each = None if cost is None else price(cost, len(rows))
    values = np.zeros(len(rows))
    for weight, then, _ in outstanding(belief, pending, rng=rng).scenarios:
        values += weight * one_step(then, rows, lookahead=lookahead, finals=finals)
    return values if each is None else values / each


def online_knowledge_gradient(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    tau: float,
    lookahead: Lookahead = "exact",
    finals: Finals | None = None,
    pending: ArrayLike | Outstanding | None = None,
    rng: np.random.Generator | None = None,
) -> Array:
    """``p + tau·KG`` of each alternative, (M,): a success now, and what its outcome is worth to ``tau`` later trials.

    >>> from sureshot import core
    >>> X = [[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]]
    >>> online_knowledge_gradient(core.prior(2), X, tau=horizon(trials_left=10)).round(3)
    array([2.202, 0.64 , 2.202])
    """
    ahead = horizon(tau=tau)
    values = knowledge_gradient(belief, X, lookahead=lookahead, finals=finals, pending=pending, rng=rng)
    return predictive(belief, X) + ahead * values


def horizon(*, tau: float | None = None, trials_left: int | None = None, discount: float | None = None) -> float:
    """How many later trials profit from what is learned now: a number, the trials left, or γ/(1 - γ) of a discount.

    >>> horizon(trials_left=12), round(horizon(discount=0.9), 6)
    (12.0, 9.0)
    """
    given = {k: v for k, v in (("tau", tau), ("trials_left", trials_left), ("discount", discount)) if v is not None}
    if len(given) != 1:
        raise InvalidInput(f"give exactly one of `tau`, `trials_left` and `discount`, got {sorted(given) or 'none'}.")
    if discount is not None:
        if not 0.0 <= discount < 1.0:
            raise InvalidInput(f"`discount` must lie in [0, 1), got {discount}.")
        return discount / (1.0 - discount)
    ((name, value),) = given.items()
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or value < 0:
        raise InvalidInput(f"`{name}` must be a finite number of at least 0, got {value!r}.")
    if name == "trials_left" and value != int(value):
        raise InvalidInput(f"`trials_left` must be a whole number of trials, got {value!r}.")
    return float(value)


def price(cost: ArrayLike, size: int) -> Array:
    """What a trial of each of ``size`` alternatives costs, checked."""
    each = check.numbers(cost, "cost")
    if each.shape != (size,):
        raise InvalidInput(f"`cost` must have one number for each of the {size} alternatives, got shape {each.shape}.")
    each = check.positive(each, "cost", size)
    if each.min() < 1e-100 or each.max() > 1e100:
        raise InvalidInput(f"`cost` must lie between 1e-100 and 1e100, got {each.min():g} to {each.max():g}.")
    return each
