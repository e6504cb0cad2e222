"""Trials whose outcomes are outstanding: the beliefs that they may lead to, weighted by how likely each is.

By the time of the final choice these outcomes will be known, so the value of one more trial is averaged over what they
may be, each with its own best alternative: KG = Σ weight·KG(belief given those outcomes). Exact for up to
:data:`EXACT` outstanding trials (2⁶ beliefs), by sampled outcomes beyond.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.belief import Belief
from sureshot.core.mixture import Mixture
from sureshot.core.update import observe
from sureshot.errors import InvalidInput

__all__ = ["EXACT", "MOST_PENDING", "SAMPLED", "Scenario", "scenarios"]

#: Up to so many outstanding trials every combination of outcomes is followed.
EXACT = 6
#: Beyond that, so many combinations are drawn.
SAMPLED = 64
#: More outstanding trials than this are refused: the draws would no longer say much.
MOST_PENDING = 100

Scenario = tuple[float, Belief | Mixture]


def scenarios(
    belief: Belief | Mixture, pending: ArrayLike | None, *, rng: np.random.Generator | None = None
) -> list[Scenario]:
    """The beliefs after the outstanding outcomes of the rows of ``pending``, (k, d), and their probabilities.

    >>> from sureshot import core
    >>> [round(weight, 3) for weight, _ in scenarios(core.prior(1), [[2.0], [2.0]])]
    [0.339, 0.161, 0.161, 0.339]
    """
    if pending is None or np.size(pending) == 0:
        return [(1.0, belief)]
    rows = check.features(pending, "pending", belief.d)
    if len(rows) > MOST_PENDING:
        raise InvalidInput(
            f"at most {MOST_PENDING} trials may be pending, got {len(rows)}: tell or withdraw some of them first."
        )
    if len(rows) > EXACT:
        if rng is None:
            raise InvalidInput(f"more than {EXACT} pending trials are sampled: give a random generator as `rng`.")
        return [(1.0 / SAMPLED, _draw(belief, rows, rng)) for _ in range(SAMPLED)]
    branches: list[Scenario] = [(1.0, belief)]
    for x in rows:
        grown = []
        for weight, one in branches:
            for y in (1, 0):
                after, info = observe(one, x, y)
                grown.append((weight * float(np.exp(info.evidence)), after))
        branches = grown
    total = sum(weight for weight, _ in branches)
    return [(weight / total, one) for weight, one in branches]


def _draw(belief: Belief | Mixture, rows: np.ndarray, rng: np.random.Generator) -> Belief | Mixture:
    """The belief after outcomes drawn one after the other from what it predicts."""
    for x in rows:
        after, info = observe(belief, x, 1)
        belief = after if rng.random() < np.exp(info.evidence) else observe(belief, x, 0)[0]
    return belief
