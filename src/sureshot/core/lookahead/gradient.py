"""The knowledge gradient of each alternative (paper, section 5.2)."""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.lookahead import exact, joint, star_pool, update
from sureshot.core.lookahead.compared import compared, refuse_overflow
from sureshot.core.lookahead.exact import can_expand
from sureshot.core.lookahead.finals import Finals
from sureshot.core.lookahead.joint import Lookahead
from sureshot.core.lookahead.update import can_compile
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct, places
from sureshot.errors import InvalidInput, unknown_name

__all__ = ["knowledge_gradient", "lookahead_of", "outlook"]

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
    task = compared(belief, check.pool(X, "X", belief.d), finals)
    if lookahead == "exact" and can_expand(belief):
        found = exact.values(belief, task)
    elif lookahead == "update" and can_compile(belief):
        found = update.values(belief, task)
    else:
        found = joint.values(belief, task, lookahead)
    return np.asarray(found[task.copies])


def outlook(belief: Belief | Mixture, X: ArrayLike, index: int) -> tuple[tuple[int, float], tuple[int, float]]:
    """What the final choice would be after a failure, and after a success, of alternative ``index``.

    Each is a row of ``X`` and its success probability given that outcome, to 1e-6 or so, less under the widest
    beliefs (by the belief's own update for a link that has no mixture of probits). After an outcome that is as good as
    impossible, it is what the choice would be now.
    """
    rows = check.pool(X, "X", belief.d)
    if isinstance(index, bool) or not isinstance(index, int | np.integer) or not 0 <= index < len(rows):
        raise InvalidInput(f"`index` must be a row of `X`, 0 to {len(rows) - 1}, got {index!r}.")
    once, _ = distinct(rows)
    here = check.frozen(rows[index : index + 1])
    rows = rows if len(once) == len(rows) else rows[once]
    refuse_overflow(belief, rows)
    if can_expand(belief):
        chance = float(joint.predicted(belief, here, "exact")[0])
        rule = star_pool if star_pool.widest(belief, rows) <= star_pool.WIDEST else exact
        tops, which = rule.best_after(belief, here, rows, int(places(rows, here)[0]))
    else:
        lookahead = lookahead_of(belief)
        chance = float(joint.predicted(belief, here, lookahead)[0])
        ((_, success, failure),) = joint.joint(belief, here, rows, lookahead)
        tops, which = np.array([failure.max(), success.max()]), np.array([failure.argmax(), success.argmax()])

    def now() -> tuple[int, float]:
        today = joint.predicted(belief, rows, lookahead_of(belief))
        return int(once[today.argmax()]), float(today.max())

    failed, succeeded = (
        (int(once[row]), min(max(float(top / share), 0.0), 1.0)) if share > IMPOSSIBLE else now()
        for row, top, share in zip(which, tops, (1.0 - chance, chance), strict=True)
    )
    return failed, succeeded


def lookahead_of(belief: Belief | Mixture) -> Lookahead:
    """``"exact"`` where every link has its mixture of probits, else ``"update"``: what can be shown to a person."""
    return "exact" if all(one.link.probits for _, one in members(belief)) else "update"
