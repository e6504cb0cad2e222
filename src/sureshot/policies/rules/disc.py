"""disc: discriminative active learning (Guo & Schuurmans 2008, one at a time; paper, section 6).

An outcome is imagined for a candidate, the one that suits best; what was measured should then be likely, and what was
not should be predicted with little doubt:

    score(x) = max_y  log p(y|x)  +  Σ_measured log p(y_i|x_i)  -  alpha·Σ_rest h(p(x_j)),

all predicted after the belief's own update with (x, y), h the entropy of an outcome, the rest all that was neither
measured nor is x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.lookahead.update import predicted_after
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Disc", "discriminative"]

#: Probabilities are kept this far from 0 and 1: a logarithm of nothing is no score.
FLOOR = 1e-12


def discriminative(
    belief: Belief | Mixture,
    X: Array,
    rows: Array,
    won: NDArray[np.int64],
    of: NDArray[np.int64],
    alpha: float = 1.0,
) -> Array:
    """The score of each candidate, (M,): ``X`` are all candidates, ``rows`` what was measured, ``won`` its successes
    ``of`` so many tries.

    >>> from sureshot import core
    >>> X = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]])
    >>> discriminative(core.prior(2), X, np.empty((0, 2)), np.empty(0, int), np.empty(0, int)).round(3)
    array([-1.721, -1.906, -1.721])
    """
    M = len(X)
    both = np.concatenate([X, rows])
    best = np.full(M, -np.inf)
    for block, y, _, p in predicted_after(belief, X, both):
        np.clip(p, FLOOR, 1.0 - FLOOR, out=p)
        q = 1.0 - p
        log_p, log_q = np.log(p), np.log(q)
        own = np.arange(block.start, block.stop)
        at = own - block.start
        fit = log_p[:, M:] @ won + log_q[:, M:] @ (of - won) + (log_p if y else log_q)[at, own]
        p *= log_p
        q *= log_q
        p += q  # minus the entropies
        doubt = p[:, :M].sum(axis=1) - p[at, own]
        best[block] = np.maximum(best[block], fit + alpha * doubt)
    return best


@dataclass(frozen=True)
class Disc(Policy):
    """Likely outcomes of what was measured, little doubt about the rest, under the outcome that suits best.

    What was tried comes last, until all has been. With contexts no case comes twice: all its alternatives are open.
    """

    alpha: float = 1.0
    name: ClassVar[str] = "disc"
    because: ClassVar[str] = "an outcome of it would leave the least doubt about the others"

    def __post_init__(self) -> None:
        checked.number(self, "alpha", low=0.0)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The scores of what was not tried; all else one below the lowest of them."""
        before = situation.tried
        open_now = ~before if not (before.all() or situation.contextual) else np.ones(len(before), dtype=bool)
        found = discriminative(
            situation.belief, situation.X[open_now], situation.rows, situation.outcomes, situation.of, float(self.alpha)
        )
        scores = np.full(len(before), found.min() - 1.0)
        scores[open_now] = found
        return scores
