"""expected-improvement: how much better than the best so far an alternative may turn out (Tesch, Schneider & Choset
2013; paper, section 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, get_args

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import predictive
from sureshot.core.links import Link
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Abilities, Policy
from sureshot.policies.situation import Situation

__all__ = ["Best", "ExpectedImprovement", "expected_improvement"]

Best = Literal["measured", "all"]

#: Gauss-Legendre nodes on one panel, and on the whole range of a narrow Gaussian.
PANEL, WHOLE = 10, 96
#: Where a standard normal has no mass left, and the score at which no link has slope left.
FAR, EDGE = 9.0, 40.0
#: Alternatives looked at together: bounds the memory at some hundred numbers each.
BLOCK = 4096
#: The width of a panel: links are smooth over it.
WIDTH = 2.0


@cache
def _legendre(size: int) -> tuple[Array, Array]:
    return np.polynomial.legendre.leggauss(size)  # NumPy loads its polynomials when they are first used


def expected_improvement(belief: Belief | Mixture, X: Array, best: float) -> Array:
    """``E[(σ(w·x) - best)+]`` of each alternative, (M,); of a mixture, the weighted mean. Absolute error below 1e-10.

    >>> from sureshot import core
    >>> expected_improvement(core.prior(1, link="probit"), np.array([[0.0], [1.0], [1e6]]), 0.5).round(4)
    array([0.   , 0.125, 0.25 ])
    """
    total = np.zeros(len(X))
    for weight, one in members(belief):
        mu, s = one.moments(X)
        for start in range(0, len(X), BLOCK):
            rows = slice(start, start + BLOCK)
            total[rows] += weight * _improvement(one.link, mu[rows], s[rows], best)
    return total


def _improvement(link: Link, mu: Array, s: Array, best: float) -> Array:
    out, sd, narrow = np.empty(len(mu)), np.sqrt(s), s < 1.0
    edge = float(link.inverse(np.asarray(best)))
    out[narrow] = _narrow(link, mu[narrow], sd[narrow], best, edge)
    out[~narrow] = _wide(link, mu[~narrow], sd[~narrow], edge)
    return out


def _narrow(link: Link, mu: Array, sd: Array, best: float, edge: float) -> Array:
    """∫ (σ(mu + sd·v) - best) φ(v) dv over the v where the bracket is positive: beyond the score ``edge``."""
    with np.errstate(over="ignore"):
        start = np.clip((edge - mu) / np.maximum(sd, 1e-300), -FAR, FAR)
    nodes, weights = _legendre(WHOLE)
    half = 0.5 * (FAR - start)
    v = start[:, None] + half[:, None] * (nodes + 1.0)
    gain = np.maximum(link.probability(mu[:, None] + sd[:, None] * v) - best, 0.0)
    with np.errstate(under="ignore"):
        return np.asarray(half / np.sqrt(2.0 * np.pi) * ((gain * np.exp(-0.5 * v * v)) @ weights))


def _wide(link: Link, mu: Array, sd: Array, edge: float) -> Array:
    """∫ σ'(t) P(f > t) dt over t from ``edge`` on: the same integral by parts."""
    start = min(max(edge, -EDGE), EDGE)
    panels = max(int(np.ceil((EDGE - start) / WIDTH)), 1)
    nodes, weights = _legendre(PANEL)
    half = 0.5 * (EDGE - start) / panels
    t = (start + half * (2.0 * np.arange(panels)[:, None] + 1.0 + nodes)).reshape(-1)
    with np.errstate(under="ignore"):
        slope = link.probability(t) * link.success.score(t) * np.tile(half * weights, panels)
    kept = slope > 1e-15
    return np.asarray(special.ndtr((mu[:, None] - t[kept]) / sd[:, None]) @ slope[kept])


@dataclass(frozen=True)
class ExpectedImprovement(Policy):
    """``E[(σ(w·x) - best)+]``, best the largest predicted probability of what was tried, or of ``"all"``.

    Needs five random trials first, which count. With contexts what was tried was tried for other cases: there best
    is over this case's own alternatives, as it is while nothing has been tried.
    """

    best: Best = "measured"
    name: ClassVar[str] = "expected-improvement"
    abilities: ClassVar[Abilities] = Abilities(starts=5)
    because: ClassVar[str] = "its chance is expected to exceed the best so far by most"

    def __post_init__(self) -> None:
        checked.choice(self, "best", get_args(Best))

    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """The expected improvement."""
        measured = self.best == "measured" and len(situation.rows) > 0 and not situation.contextual
        best = predictive(situation.belief, situation.rows) if measured else situation.probability
        return expected_improvement(situation.belief, situation.X, float(best.max()))
