"""What would be predicted of every alternative after each outcome of each candidate, by the belief's own update.

The predictions of the look-ahead "by update" (paper, Algorithms 2, 3 and 4), outcome by outcome, for policies that need
all of them and not only the best: kappa form for logit, closed forms for the others.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sureshot.core.belief import Belief
from sureshot.core.compiled import code_of
from sureshot.core.fold import learn
from sureshot.core.links import LOGIT
from sureshot.core.lookahead.joint import members
from sureshot.core.mixture import Mixture
from sureshot.core.predictive import success_probability
from sureshot.core.stable import Array

__all__ = ["predicted_after"]

#: Pairs held at once: the arrays of a block stay in cache.
PAIRS = 1 << 14
#: The paper's κ: σ(mu/√(1 + KAPPA·s)).
KAPPA = np.pi / 8.0
#: Up to such a variance of a score, what cancellation leaves of it is nothing beside the 1 of 1 + KAPPA·s.
LARGE = 1e4


def predicted_after(belief: Belief | Mixture, X: Array, Z: Array) -> Iterator[tuple[slice, int, Array, Array]]:
    """Blocks of candidates (rows of ``X``) and an outcome y, with its probability, (B,), and the success probabilities
    of all rows of ``Z`` after it, (B, m). Beliefs of a mixture are reweighted by the probability they gave to it.
    """
    size = max(1, PAIRS // len(Z))
    sides = [_Side(weight, one, X, Z) for weight, one in members(belief) if weight > 1e-12]
    prior = np.array([side.weight for side in sides])
    for y in (0, 1):
        evidence = np.stack([side.weight * side.chance[y] for side in sides])  # (K, M)
        chance = evidence.sum(axis=0)
        share = np.where(chance > 0.0, evidence / np.maximum(chance, 1e-300), prior[:, None])
        for start in range(0, len(X), size):
            rows = slice(start, min(start + size, len(X)))
            mixed = sides[0].after(rows, y)
            if len(sides) > 1:
                mixed *= share[0, rows, None]
                for k, side in enumerate(sides[1:], 1):
                    part = side.after(rows, y)
                    part *= share[k, rows, None]
                    mixed += part
            yield rows, y, chance[rows], mixed


class _Side:
    """One belief made ready: for logit with -mu in place of mu, and 1 + κs in place of s."""

    def __init__(self, weight: float, belief: Belief, X: Array, Z: Array) -> None:
        self.weight, self.belief, self.X = weight, belief, X
        self.logit = belief.link is LOGIT
        self.base, self.unit, self.sign = (1.0, KAPPA, -1.0) if self.logit else (0.0, 1.0, 1.0)
        self.root, self.other = belief.root(X), belief.root(Z).T.copy()
        mu, self.s = belief.moments(X)
        self.gain, self.t = _learned(belief, mu, self.s)  # (2, M) each
        p = self._predict(self.sign * mu, self.base + self.unit * self.s)
        self.chance = np.stack([1.0 - p, p])
        mu_z, self.s_z = belief.moments(Z)
        self.mean, self.wide = self.sign * mu_z, self.base + self.unit * self.s_z
        self.large = self.s_z.max() > LARGE
        self.squares = (Z * Z).T.copy() if belief.covariance == "diagonal" else np.empty((0, 0))

    def after(self, rows: slice, y: int) -> Array:
        """The predictions of one block after the outcome y."""
        belief, t, s = self.belief, self.t[y, rows], self.s[rows]
        mean = self.root[rows] @ self.other
        if belief.covariance == "diagonal" and belief.method == "laplace":
            kept = self.unit / (1.0 / belief.spread + t[:, None] * self.X[rows] ** 2)
            variance = kept @ self.squares
            variance += self.base
        else:
            if belief.covariance == "full":
                variance = mean * mean
            else:
                variance = (belief.spread * self.X[rows]) ** 2 @ self.squares
            variance *= (-self.unit * t / (1.0 + t * s))[:, None]
            variance += self.wide
            if self.large or not self.logit:  # rounding must not take it below what it can fall to
                np.maximum(variance, self.base + self.unit * np.outer(1.0 / (1.0 + t * s), self.s_z), out=variance)
        mean *= (self.sign * self.gain[y, rows])[:, None]
        mean += self.mean
        return self._predict(mean, variance)

    def _predict(self, mean: Array, variance: Array) -> Array:
        """The success probabilities; the arrays may be overwritten."""
        if not self.logit:
            link = self.belief.link
            return success_probability(link, mean, variance, form=None if link.probits is None else "mixture")
        np.sqrt(variance, out=variance)
        np.divide(mean, variance, out=mean)
        with np.errstate(over="ignore", under="ignore"):
            np.exp(mean, out=mean)
        mean += 1.0
        return np.reciprocal(mean, out=mean)


def _learned(belief: Belief, mu: Array, s: Array) -> tuple[Array, Array]:
    """What a failure and a success would do to each score: gain and curvature, (2, M) each."""
    code = code_of(belief.link)
    gain, t = np.empty((2, len(mu))), np.empty((2, len(mu)))
    if code is not None:
        from sureshot.core.compiled.fold import learn_pool

        learn_pool(code, belief.method == "adf", mu, s, gain, t)
    else:
        for y in (0, 1):
            gain[y], t[y], _, _ = learn(belief.link, belief.method, mu, s, y)
    return gain, t
