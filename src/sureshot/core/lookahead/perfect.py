"""What perfect knowledge would change: how sure it is that the choice is the best, and what it costs if it is not."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, sample_scores
from sureshot.core.numerics.stable import Array

__all__ = ["PerfectKnowledge", "perfect_knowledge"]

#: Draws of the weights: a standard error of half a point at most, for "best of all with chance ...".
DRAWS = 10_000
#: Scores computed in all, at most: on very large pools there are fewer draws, and the error says so.
_SCORES, _FEWEST = 20_000_000, 400
#: Scores this close are equal: alternatives that differ in nothing that is a feature share the first place.
_EQUAL = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class PerfectKnowledge:
    """What draws of the weights say about one alternative, each with its Monte Carlo standard error."""

    chance_best: float  # that no alternative is truly better
    chance_error: float
    evpi: float  # how much better, on average, the true best is: the expected opportunity cost of choosing this one
    evpi_error: float


def perfect_knowledge(
    belief: Belief | Mixture, X: Array, row: int, rng: np.random.Generator, *, size: int = DRAWS
) -> PerfectKnowledge:
    """Draws for alternative ``row``.

    The expected opportunity cost of choosing it is E[max σ - σ(row)]. For the alternative with the largest predicted
    probability p that is the expected value of perfect information, E[max σ] - max p; taken so it is never negative.

    >>> from sureshot import core
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> found = perfect_knowledge(core.prior(2, link="probit"), X, 0, np.random.default_rng(1))
    >>> abs(found.chance_best - 1 / 2) < 4 * found.chance_error, abs(found.evpi - 1 / 6) < 4 * found.evpi_error
    (True, True)
    """
    n = min(size, max(_SCORES // len(X), _FEWEST))
    step = max(1, 4_000_000 // len(X))
    wins, gains = [], []
    for start in range(0, n, step):
        for link, scores in sample_scores(belief, X, rng, min(step, n - start)):
            top, own = scores.max(axis=1), scores[:, row]
            wins.append(own >= top - _EQUAL * np.maximum(1.0, np.abs(top)))
            gains.append(link.probability(top) - link.probability(own))
    won, gain = np.concatenate(wins), np.concatenate(gains)
    share = float(won.mean())
    error = math.sqrt(max(share * (1.0 - share), 1.0 / n) / n)
    return PerfectKnowledge(
        chance_best=share,
        chance_error=error,
        evpi=float(gain.mean()),
        evpi_error=float(gain.std() / math.sqrt(n)),
    )
