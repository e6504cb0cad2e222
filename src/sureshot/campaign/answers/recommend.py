"""What to go with, how sure that is, and what perfect knowledge would add: by draws of the weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sureshot.campaign.log.ledger import Entry
from sureshot.core import Belief, Mixture
from sureshot.core.beliefs.mixture import sample_scores
from sureshot.core.numerics.stable import Array

__all__ = ["Draws", "drawn", "most_successful"]

#: Draws of the weights: a standard error of half a point at most, for "best of all with chance ...".
DRAWS = 10_000
#: Scores computed in all, at most: on very large pools there are fewer draws, and the error says so.
_SCORES, _FEWEST = 20_000_000, 400
#: Scores this close are equal: alternatives that differ in nothing that is a feature share the first place.
_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Draws:
    """What draws of the weights say about one alternative, each with its Monte Carlo standard error."""

    chance_best: float  # that no alternative is truly better
    chance_error: float
    evpi: float  # how much better, on average, the true best is: what perfect knowledge would add
    evpi_error: float
    size: int


def drawn(belief: Belief | Mixture, X: Array, row: int, rng: np.random.Generator, *, size: int = DRAWS) -> Draws:
    """Draws for alternative ``row``. EVPI = E[max σ] - max p, taken as E[max σ - σ(row)], which is never negative."""
    n = max(min(size, _SCORES // len(X)), _FEWEST)
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
    return Draws(share, error, float(gain.mean()), float(gain.std() / math.sqrt(n)), n)


def most_successful(counted: Sequence[Entry]) -> tuple[int, int, int] | None:
    """The alternative of the pool with most successes, its successes and its tries; the higher share wins ties."""
    tally: dict[int, list[int]] = {}
    for entry in counted:
        if entry.alternative is not None and entry.successes is not None and entry.of is not None:
            one = tally.setdefault(entry.alternative, [0, 0])
            one[0] += entry.successes
            one[1] += entry.of
    best = max(tally.items(), key=lambda item: (item[1][0], item[1][0] / item[1][1], -item[0]), default=None)
    return None if best is None or best[1][0] == 0 else (best[0], best[1][0], best[1][1])
