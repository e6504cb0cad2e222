"""What holds for many outcomes: the estimate is normal about the truth, and the belief settles on the best alternative.

Paper, section 5.3. The maximum likelihood estimate: F^½ (w - w*) → N(0, I), so that Q = (w - w*)'F(w - w*) is about
chi-square with d degrees of freedom. Asymptotic optimality: in the end the belief gives the truly best alternative all
its mass. Both suppose that every alternative is tried again and again, which the paper's own algorithms do not do
(docs/paper.md, erratum 12).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import Belief, Mixture, check
from sureshot.core.lookahead.perfect import perfect_knowledge
from sureshot.errors import InvalidInput, whole_number
from sureshot.theory.check import any_belief, information_matrix

__all__ = ["MassAtBest", "Wald", "mass_at_best", "wald"]


class Wald(NamedTuple):
    """How far an estimate is from the true weights, in units of its own information."""

    statistic: float  # Q = (w - w*)'F(w - w*)
    tail: float  # the chance that a chi-square number with d degrees of freedom is at least so large


class MassAtBest(NamedTuple):
    """The probability, under a belief, that no alternative is better than a given one."""

    mass: float
    error: float  # Monte Carlo standard error of it; never below 1/draws


def wald(w: ArrayLike, w_true: ArrayLike, information: ArrayLike) -> Wald:
    """Q = (w - w*)'F(w - w*) and its chi-square tail probability.

    Over many runs the tail is uniform between 0 and 1 if the estimate is as normal as the theorem says.

    >>> wald([1.5, 0.0], [0.5, 1.0], [[2.0, 0.0], [0.0, 1.0]])  # exp(-3/2): two degrees of freedom
    Wald(statistic=3.0, tail=0.22313016014842...)
    """
    F = information_matrix(information)
    away = check.vector(w, "w", len(F)) - check.vector(w_true, "w_true", len(F))
    statistic = max(float(away @ F @ away), 0.0)
    from scipy import special

    return Wald(statistic, float(special.gammaincc(len(F) / 2.0, statistic / 2.0)))


def mass_at_best(
    belief: Belief | Mixture, X: ArrayLike, best: int, rng: np.random.Generator, *, draws: int = 10_000
) -> MassAtBest:
    """How likely alternative ``best`` has the largest score of all rows of ``X``, by draws from the belief.

    An effect of an alternative's own is drawn too. Alternatives with equal scores share the first place, so that the
    masses of a pool with copies sum to more than 1.

    >>> from sureshot import core
    >>> X = [[1.0, -1.0], [1.0, 1.0]]
    >>> found = mass_at_best(core.prior(2), X, 1, np.random.default_rng(0))
    >>> abs(found.mass - 0.5) < 3 * found.error
    True
    """
    rows = check.frozen(check.pool(X, "X", any_belief(belief, "belief").d))
    if not isinstance(rng, np.random.Generator):
        raise InvalidInput(f"`rng` must be a generator, got {rng!r}", fix="write np.random.default_rng(1)")
    if isinstance(best, bool) or not isinstance(best, int | np.integer) or not 0 <= best < len(rows):
        raise InvalidInput(f"`best` must be a row of `X`, 0 to {len(rows) - 1}, got {best!r}.")
    found = perfect_knowledge(belief, rows, int(best), rng, size=whole_number("draws", draws, of="draws"))
    return MassAtBest(found.chance_best, found.chance_error)
