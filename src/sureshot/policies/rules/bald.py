"""bald: the alternative whose outcome says most about the weights (Houlsby, Huszár, Ghahramani & Lengyel 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import predictive
from sureshot.core.links import Link
from sureshot.core.numerics import special
from sureshot.core.numerics.quadrature import LINK_NODES, NORMAL_NODES, NORMAL_WEIGHTS, STEP
from sureshot.core.numerics.stable import Array
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation

__all__ = ["Bald", "expected_entropy", "information", "outcome_entropy", "score_entropy"]

#: Rows of alternatives looked at together: bounds the memory at block x 321 numbers.
BLOCK = 4096


def outcome_entropy(p: Array) -> Array:
    """``-p log p - (1 - p) log(1 - p)``.

    >>> outcome_entropy(np.array([0.0, 0.5])).round(4)
    array([0.    , 0.6931])
    """
    return np.asarray(special.entr(p) + special.entr(1.0 - p))


def score_entropy(link: Link, f: Array) -> Array:
    """The entropy of an outcome whose score is known, from the log-likelihoods: no cancellation at either end."""
    total = np.zeros(np.shape(f))
    for terms in (link.success, link.failure):
        with np.errstate(under="ignore"):
            likelihood = terms.log_likelihood(f)
            p = np.exp(likelihood)
        total -= p * np.where(p > 0.0, likelihood, 0.0)
    return total


def expected_entropy(link: Link, mu: Array, s: Array) -> Array:
    """E[h(σ(f))] for ``f ~ N(mu, s)``, h the entropy of an outcome; (M,).

    By the trapezoid rule, as :mod:`sureshot.core.numerics.quadrature`: over the Gaussian where it is narrow (s < 1),
    over the score where it is wide. Absolute error below 1e-12 for the built-in links.
    """
    out, sd = np.empty(len(mu)), np.sqrt(s)
    over_nodes = STEP / np.sqrt(2.0 * np.pi) * score_entropy(link, LINK_NODES)
    for start in range(0, len(mu), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(mu)))
        narrow, wide = rows[s[rows] < 1.0], rows[s[rows] >= 1.0]
        with np.errstate(under="ignore"):
            out[narrow] = score_entropy(link, mu[narrow, None] + sd[narrow, None] * NORMAL_NODES) @ NORMAL_WEIGHTS
            gap = (LINK_NODES - mu[wide, None]) / sd[wide, None]
            gap *= gap
            gap *= -0.5
            out[wide] = np.exp(gap, out=gap) @ over_nodes / sd[wide]
    return out


def information(belief: Belief | Mixture, X: Array) -> Array:
    """``I(y; w) = h(p) - E[h(σ(w·x))]`` in nats, (M,): what an outcome tells about the weights (and, of a mixture,
    about which belief is right). Error below 1e-9.

    >>> from sureshot import core
    >>> information(core.prior(1, link="probit"), np.array([[0.0], [1.0], [100.0]])).round(3)
    array([0.   , 0.193, 0.686])
    """
    noise = sum(weight * expected_entropy(one.link, *one.moments(X)) for weight, one in members(belief))
    return np.asarray(np.maximum(outcome_entropy(predictive(belief, X)) - noise, 0.0))


@dataclass(frozen=True)
class Bald(Policy):
    """Mutual information of outcome and weights: the disagreement of draws of the belief, not their common doubt."""

    name: ClassVar[str] = "bald"
    because: ClassVar[str] = "its outcome says most about what drives success"

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The information."""
        return information(situation.belief, situation.X)
