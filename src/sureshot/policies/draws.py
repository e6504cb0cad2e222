"""Draws of the success probabilities of a pool, in groups: what an outcome has to do with what the groups stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.beliefs.predictive import sample_probabilities
from sureshot.core.numerics.stable import Array

__all__ = ["Groups", "grouped", "probabilities"]


def probabilities(belief: Belief | Mixture, pools: Sequence[Array], size: int, rng: np.random.Generator) -> list[Array]:
    """Success probabilities of several pools under the same ``size`` draws of the weights, (size, M) each."""
    every = sample_probabilities(belief, np.concatenate(pools), rng, size=size)
    return np.split(every, np.cumsum([len(X) for X in pools])[:-1], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Means of M probabilities within G groups of draws."""

    share: Array  # (G,) how many of the draws are in each
    means: Array  # (G, M)
    mean: Array  # (M,) over all draws
    between: Array  # (M,) variance of the means
    noise: Array  # (M,) the part of it that so few draws would show even if the groups meant nothing


def grouped(P: Array, group: NDArray[np.intp]) -> Groups:
    """The (L, M) draws ``P`` in groups: ``group`` (L,) names that of each draw.

    ``noise`` is that of an analysis of variance: the variance within groups times (G - 1)/(L - G).
    """
    size = len(P)
    count = np.bincount(group)
    count = count[count > 0]
    starts = np.concatenate([[0], np.cumsum(count)[:-1]])
    share = count / size
    means = np.add.reduceat(P[np.argsort(group, kind="stable")], starts, axis=0) / count[:, None]
    mean = share @ means
    between = share @ (means - mean) ** 2
    within = np.maximum(np.einsum("ij,ij->j", P, P) / size - mean**2 - between, 0.0)
    noise = within * ((len(count) - 1) / max(size - len(count), 1))
    return Groups(share=share, means=means, mean=mean, between=between, noise=noise)
