"""information-directed: the smallest squared regret for each bit of information about the best (Russo & Van Roy 2014).

With A* the best alternative, Δ(x) = E[max p] - p(x) the regret expected of trying x, and

    v(x) = Var( E[σ(w·x) | A*] )

the variance of its success probability that knowing A* would explain (their variance-based form; 2v is a lower bound of
the mutual information of outcome and A*), the next trial is drawn from the distribution π that minimises the
information ratio (Σ π Δ)² / Σ π v. At most two alternatives have a part in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.predictive import sample_probabilities
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["InformationDirected", "best_pair", "explained", "regret_and_information"]


def regret_and_information(P: Array) -> tuple[Array, Array]:
    """Δ and v of each alternative, (M,) each, from (L, M) probabilities under draws of the weights.

    What so few draws would show of v even if A* explained nothing is taken off.
    """
    mean, between, noise = explained(P, P.argmax(axis=1))
    return P.max(axis=1).mean() - mean, np.maximum(between - noise, 0.0)


def explained(P: Array, group: NDArray[np.intp]) -> tuple[Array, Array, Array]:
    """Of the (L, M) draws ``P`` in groups (``group`` (L,) names that of each draw): their mean, the variance of the
    means of the groups, and how much of that so few draws would show even if the groups meant nothing, (M,) each.

    The last is that of an analysis of variance: the variance within G groups times (G - 1)/(L - G).
    """
    size, count = len(P), np.bincount(group)
    count = count[count > 0]
    starts = np.concatenate([[0], np.cumsum(count)[:-1]])
    share = count / size
    means = np.add.reduceat(P[np.argsort(group, kind="stable")], starts, axis=0) / count[:, None]
    mean = share @ means
    between = share @ (means - mean) ** 2
    within = np.maximum(np.einsum("ij,ij->j", P, P) / size - mean**2 - between, 0.0)
    return mean, between, within * ((len(count) - 1) / max(size - len(count), 1))


def best_pair(regret: Array, information: Array) -> tuple[int, int, float]:
    """Two alternatives a, b and the share q of a that minimise (qΔ_a + (1-q)Δ_b)² / (q v_a + (1-q) v_b).

    Only alternatives that no other beats in both can have a part in it. For a pair the ratio is convex in q, with its
    minimum at Δ_b/(Δ_a - Δ_b) - 2 v_b/(v_a - v_b), or at the nearer end.

    >>> best_pair(np.array([0.1, 0.5, 0.4]), np.array([0.001, 0.2, 0.1]))
    (0, 1, 0.7600...)
    """
    order = np.lexsort((-information, regret))
    risen = np.maximum.accumulate(information[order])
    front = order[np.concatenate([[True], risen[1:] > risen[:-1]])]
    gap, gain = np.maximum(regret[front], 0.0), information[front]
    if gain[-1] <= 0.0 or gap[0] <= 0.0:
        return int(front[0]), int(front[0]), 1.0
    B, D = gap[:, None] - gap, gain[:, None] - gain
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        q = np.clip(gap / B - 2.0 * gain / D, 0.0, 1.0)
        q = np.where((B == 0.0) | (D == 0.0), 0.0, q)
        ratio = (gap + B * q) ** 2 / (gain + D * q)
    a, b = np.unravel_index(np.nanargmin(ratio), ratio.shape)
    return int(front[a]), int(front[b]), float(q[a, b])


@dataclass(frozen=True)
class InformationDirected(Policy):
    """Variance-based information-directed sampling, over ``draws`` of the weights."""

    draws: int = 256
    name: ClassVar[str] = "information-directed"
    randomised: ClassVar[bool] = True
    because: ClassVar[str] = (
        "it was drawn for the best balance of what is lost by trying it and what is learned about the best"
    )

    def __post_init__(self) -> None:
        checked.whole(self, "draws", low=16, high=checked.MOST_DRAWS)

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """1 for the alternative drawn (and its copies), 0 for all others."""
        P = sample_probabilities(situation.belief, situation.X, rng, size=self.draws)
        a, b, q = best_pair(*regret_and_information(P))
        chosen = a if rng.random() < q else b
        same = (situation.X[chosen] == situation.X).all(axis=1)
        return np.where(same, 1.0, 0.0)
