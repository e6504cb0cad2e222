"""KG(*): the value of trying one alternative several times in a row, per trial (docs/knowledge-gradient.md).

One step ahead sees no value where no single outcome can change the choice; several may. With m trials of x and k
successes among them,

    KG_m(x) = Σ_k max_x' E[Binom(k; m, σ(f)) p(x'|f)] - max_x' p(x'),      score(x) = max_m KG_m(x)/m,

over m = 1, 2, 4, ... up to the trials left. KG_1 is the exact knowledge gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import success_probability
from sureshot.core.lookahead.compared import Group, compared
from sureshot.core.lookahead.exact import can_expand
from sureshot.core.lookahead.finals import Finals
from sureshot.core.lookahead.gradient import knowledge_gradient
from sureshot.core.lookahead.joint import predicted
from sureshot.core.lookahead.star_pool import FEW, WIDEST, all_values, best_values, log_binomials, widest
from sureshot.core.numerics.quadrature import NORMAL_NODES
from sureshot.core.numerics.stable import Array
from sureshot.errors import whole_number

__all__ = ["MOST_REPEATS", "Star", "knowledge_gradient_star"]

#: Repeats looked at, at most: beyond, one more doubling costs twice the work and adds little.
MOST_REPEATS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Star:
    """KG(*) of each alternative."""

    score: Array  # (M,) the largest KG_m/m
    repeats: NDArray[np.int64]  # (M,) the m where it is reached
    values: Array  # (M, L) KG_m for each m
    trials: NDArray[np.int64]  # (L,) the m's


def knowledge_gradient_star(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    trials_left: int = MOST_REPEATS,
    finals: Finals | None = None,
    rank: Callable[[Array], Array] | None = None,
) -> Star:
    """The best value per trial of repeating each alternative, by the exact look-ahead; to 1e-7, mostly 1e-9.

    Repeats run over 1, 2, 4, ... up to ``trials_left``, and to 64 at most (to fewer where a score has a variance above
    1,500).

    For a decision alone, ``rank`` says what the score is worth, alternative by alternative: those that may have the
    largest rank are worked out, and of the others about the least that they are worth. That is a third to a half of the
    work in pools with outliers or copies, and nearly all of it where most alternatives may still turn out best.

    >>> from sureshot import core
    >>> X = [[1.0, 0.0], [0.0, 1.0]]
    >>> belief = core.gaussian([1.0, 0.0], [[0.2, 0.0], [0.0, 0.2]], link="probit")
    >>> star = knowledge_gradient_star(belief, X, trials_left=16)
    >>> star.values[:, 0].round(6), star.repeats  # one trial can't change the choice, several can
    (array([0., 0.]), array([16, 16]))
    """
    trials_left = whole_number("trials_left", trials_left)
    task = compared(belief, check.pool(X, "X", belief.d), finals)
    most = min(trials_left, MOST_REPEATS, max(1, int(WIDEST / max(widest(belief, task.X), 1.0))))
    ms = 2 ** np.arange(int(math.log2(most)) + 1)
    if most == 1:
        alone = knowledge_gradient(belief, X, finals=finals)
        return Star(alone, np.ones(len(alone), dtype=np.int64), alone[:, None], ms)
    if not can_expand(belief):
        values = sum(group.weight * _plain(belief, task.X, group, ms) for group in task.groups)
    elif rank is not None and task.groups[0].rows is task.X and len(task.X) > FEW:
        values = best_values(belief, task, ms, rank)
    else:
        values = all_values(belief, task, ms)
    values = np.maximum(np.asarray(values)[task.copies], 0.0)
    rate = values / ms
    best = rate.argmax(axis=1)
    return Star(rate[np.arange(len(rate)), best], ms[best], values, ms)


def _plain(belief: Belief | Mixture, X: Array, group: Group, ms: NDArray[np.int64]) -> Array:
    """The definition, in NumPy: the trapezoid rule over the score of each candidate."""
    Z = group.rows
    now = predicted(belief, Z, "exact").max()
    choose = log_binomials(ms)
    ks = np.concatenate([np.arange(m + 1) for m in ms])
    totals = np.repeat(ms, ms + 1)
    values = np.empty((len(X), len(ms)))
    for i, x in enumerate(X):
        joint = np.zeros((len(ks), len(Z)))
        for weight, one in members(belief):
            ((mu,), (s,), root, _), (mu_z, s_z, root_z, _) = one.scores(x[None]), one.scores(Z)
            c = (root @ root_z.T)[0]
            if group.twin[i] >= 0:
                c[group.twin[i]] = s
            ratio = c / s if s > 0 else np.zeros_like(c)
            left = np.maximum(s_z - c * ratio, 0.0)
            z, mass = _rule(s, int(ms[-1]), float((s * ratio**2 / (1.0 + left)).max()))
            f = mu + math.sqrt(s) * z
            table = np.exp(choose[:, None] + one.link.log_likelihood(f, ks[:, None], totals[:, None]))  # (O, Q)
            inner = success_probability(one.link, mu_z + np.multiply.outer(f - mu, ratio), left)  # (Q, m)
            joint += weight * (table * mass) @ inner
        best = joint.max(axis=1)
        edges = np.concatenate([[0], np.cumsum(ms + 1)])
        values[i] = [best[a:b].sum() - now for a, b in pairwise(edges)]
    return values


def _rule(s: float, m: int, sharp: float) -> tuple[Array, Array]:
    """Nodes in units of the standard deviation, fine enough for m trials of a score with variance s and for p(x'|f),
    whose slope at its steepest has the square ``sharp``; and weights.
    """
    step = 0.25 / max(1.0, math.sqrt(s * m), math.sqrt(sharp))
    reach = float(NORMAL_NODES[-1])
    z = np.linspace(-reach, reach, int(2 * reach / step) + 1)
    return z, np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * (z[1] - z[0])
