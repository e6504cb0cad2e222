"""How good the choice would be, were the run to end now: the recommendation against the truth.

Recommending needs the largest predicted probability, not all of them. So every alternative gets a cheap approximation
whose error is known, and only those that may still be the best get the exact form: the same recommendation as
``predictive(belief, X).argmax()``, at a fraction of the cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sureshot.core import LOGIT, PROBIT, Belief, Link, Mixture
from sureshot.core.beliefs.predictive import success_probability
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.world import Truth

__all__ = ["Judge", "Verdict", "judge", "recommend"]

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
    for k, one in enumerate(members):
        mu[k], s[k] = one.moments(X)
    groups = _by_link(members)
    rough = _mean(_roughly, groups, share, mu, s).reshape(cases, -1)
    at = np.flatnonzero(rough >= rough.max(axis=1, keepdims=True) - 2.0 * ROUGH)
    exact = np.full(len(X), -np.inf)
    exact[at] = _mean(success_probability, groups, share, mu[:, at], s[:, at])
    each = exact.reshape(cases, -1)
    best = each.argmax(axis=1)
    return best, each[np.arange(cases), best], (share @ mu).reshape(cases, -1)


def _by_link(members: Sequence[Belief]) -> dict[Link, list[int]]:
    """Which members have which link: those are computed together."""
    groups: dict[Link, list[int]] = {}
    for k, one in enumerate(members):
        groups.setdefault(one.link, []).append(k)
    return groups


def _mean(
    form: Callable[[Link, Array, Array], Array], groups: dict[Link, list[int]], share: Array, mu: Array, s: Array
) -> Array:
    """The success probabilities of the members, (K, M), in one of their forms; their weighted mean."""
    if len(groups) == 1:
        (link,) = groups
        return np.asarray(share @ form(link, mu, s))
    return np.asarray(sum(share[of] @ form(link, mu[of], s[of]) for link, of in groups.items()))


def _roughly(link: Link, mu: Array, s: Array) -> Array:
    """A success probability within :data:`ROUGH` of the exact one, or the exact one where no such form is known."""
    if link is LOGIT:
        return np.asarray(special.expit(mu / np.sqrt(1.0 + np.pi / 8.0 * s)))
    if link is PROBIT or link.probits is None:
        return success_probability(link, mu, s)
    return success_probability(link, mu, s, form="mixture")


class Judge:
    """A truth made ready to judge many beliefs."""

    def __init__(self, truth: Truth, X: Array | None = None) -> None:
        """``X`` are the features that the beliefs read, where they are not those of the truth: (C, M, d), or (M, d) of
        a world without contexts. Those of cases can be written to: a belief keeps the scores of an array that nobody
        can change, and through it a policy could see the cases that are still to come.
        """
        rows = truth.X if X is None else X
        self._truth = truth
        self._X = rows if rows.ndim == 2 else rows[truth.judged].reshape(-1, rows.shape[2])
        self._cases = np.arange(len(truth.judged))
        self._still = self._at(0) if len(truth.probability) == 1 else None

    def __call__(self, belief: Belief | Mixture, n: int) -> Verdict:
        """The verdict when ``n`` trials are done."""
        chance, best = self._still or self._at(n)
        going, predicted, scores = recommend(belief, self._X, len(self._cases))
        true = chance[self._cases, going]
        plugged = chance[self._cases, scores.argmax(axis=1)]
        values = ((best - true), (best - plugged), predicted, true, (true == best))
        return Verdict(*(float(value.sum()) / len(self._cases) for value in values))

    def _at(self, n: int) -> tuple[Array, Array]:
        chance = self._truth.at(n)[self._truth.judged]  # (E, M)
        return chance, chance.max(axis=1)


def judge(belief: Belief | Mixture, truth: Truth, n: int) -> Verdict:
    """One belief judged when ``n`` trials are done."""
    return Judge(truth)(belief, n)
