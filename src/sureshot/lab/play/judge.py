"""How good the choice would be, were the run to end now: the recommendation against the truth.

Recommending needs the largest predicted probability, not all of them. So every alternative gets a cheap approximation
whose error is known, and only those that may still be the best get the exact form: the same recommendation as
``predictive(belief, X).argmax()``, at a fraction of the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sureshot.core import LOGIT, PROBIT, Belief, Link, Mixture
from sureshot.core.beliefs.predictive import success_probability
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.world import Truth

__all__ = ["Verdict", "judge", "recommend"]

#: The cheap forms err by less: kappa for logit by 0.015 (tests/lab/play/test_judge.py), mixtures of probits by 1e-7.
ROUGH = 0.02


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ending now would mean; with contexts, the mean over the judged cases."""

    oc: float  # opportunity cost of the choice by predicted probability
    oc_plugin: float  # ... of the choice by the mean weights (the paper's)
    predicted: float  # predicted probability of the choice
    true: float  # its true probability
    found_best: float  # whether it is the true best


def recommend(belief: Belief | Mixture, X: Array, cases: int = 1) -> tuple[NDArray[np.intp], Array, Array]:
    """The best alternative of each case by predicted probability, that probability, and all scores of the mean weights.

    ``X`` holds the alternatives of ``cases`` cases, one case after the other, as many in each.

    >>> from sureshot import core
    >>> belief, _ = core.observe(core.prior(2), [1.0, 1.0], 1)
    >>> best, chance, _ = recommend(belief, np.array([[1.0, -1.0], [1.0, 0.5], [1.0, 1.0]]))
    >>> best, chance.round(3)
    (array([2]), array([0.629]))
    """
    members = (belief,) if isinstance(belief, Belief) else belief.beliefs
    share = np.ones(1) if isinstance(belief, Belief) else belief.weights
    mu, s = np.empty((2, len(members), len(X)))
    groups: dict[Link, list[int]] = {}  # members of one link are computed together
    for k, one in enumerate(members):
        mu[k], s[k] = one.moments(X)
        groups.setdefault(one.link, []).append(k)
    rough = _mean(_roughly, groups, share, mu, s).reshape(cases, -1)
    at = np.flatnonzero(rough >= rough.max(axis=1, keepdims=True) - 2.0 * ROUGH)
    exact = np.full(len(X), -np.inf)
    exact[at] = _mean(success_probability, groups, share, mu[:, at], s[:, at])
    each = exact.reshape(cases, -1)
    best = each.argmax(axis=1)
    return best, each[np.arange(cases), best], (share @ mu).reshape(cases, -1)


def _mean(
    form: Callable[[Link, Array, Array], Array], groups: dict[Link, list[int]], share: Array, mu: Array, s: Array
) -> Array:
    """The success probabilities of the members, (K, M), in one of their forms; their weighted mean."""
    if len(groups) == 1:  # the common case; a copy has another order in memory, and the sum other last bits
        (link,) = groups
        return np.asarray(share @ form(link, mu, s))
    return np.asarray(sum(share[of] @ form(link, mu[of], s[of]) for link, of in groups.items()))


def _roughly(link: Link, mu: Array, s: Array) -> Array:
    """A success probability within :data:`ROUGH` of the exact one, or the exact one where no such form is known."""
    if link is LOGIT:
        return success_probability(link, mu, s, form="kappa")
    if link is PROBIT or link.probits is None:
        return success_probability(link, mu, s)
    return success_probability(link, mu, s, form="mixture")


def judge(belief: Belief | Mixture, truth: Truth, n: int, X: Array | None = None) -> Verdict:
    """One belief judged when ``n`` trials are done.

    ``X`` are the rows of the judged cases, one case after the other, where the belief reads other features than those
    of the truth.
    """
    chance = truth.at(n)[truth.judged]  # (E, M)
    rows = truth.X[truth.judged].reshape(-1, truth.X.shape[2]) if X is None else X
    each = np.arange(len(chance))
    choice, predicted, scores = recommend(belief, rows, len(chance))
    best, true, plugged = chance.max(axis=1), chance[each, choice], chance[each, scores.argmax(axis=1)]
    values = (best - true, best - plugged, predicted, true, true == best)
    return Verdict(*(float(value.sum()) / len(chance) for value in values))
