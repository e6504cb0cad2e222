"""What a reference is drawn from: the scores of the alternatives that were tried, in as few directions as they span.

Under a Gaussian prior the scores of n alternatives that were tried are ``g = base + rows·u`` with ``u`` standard
normal, of as many dimensions as there are weights or alternatives, whichever are fewer. The posterior of ``u`` is that
density times the likelihood of the outcomes; nothing here is approximated. The score of any other alternative is
``mean + along·u`` and a part that the outcomes say nothing about, N(0, rest), in which an effect of its own is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief, multiplied
from sureshot.core.links import Link
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import places

__all__ = ["Seen", "Target", "Tried", "times", "tried"]

#: A variance below this share of the whole is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A standard normal ``u`` of r dimensions, and outcomes of scores ``base + rows·u``."""

    link: Link
    base: Array  # (n,)
    rows: Array  # (n, r)
    won: Array  # (n,) successes ...
    lost: Array  # (n,) ... and failures

    @property
    def size(self) -> int:
        """The dimensions of ``u``."""
        return int(self.rows.shape[1])

    def scores(self, u: Array) -> Array:
        """The scores that were tried under draws (..., r): (..., n)."""
        return self.base + times(u, self.rows.T)

    def likelihood(self, scores: Array) -> Array:
        """Log-likelihood of all outcomes under scores (..., n)."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self.link.log_likelihood(scores, self.won, self.won + self.lost).sum(axis=-1))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Scores of M other alternatives, given ``u``: ``mean + along·u`` and an independent N(0, rest)."""

    mean: Array  # (M,)
    along: Array  # (M, r)
    rest: Array  # (M,)

    def middle(self, u: Array) -> Array:
        """Their means under draws (..., r): (..., M)."""
        return self.mean + times(u, self.along.T)


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A belief before any outcome, and the alternatives that were tried. Make one with :func:`tried`."""

    prior: Belief
    X: Array  # (n, d), no two alike
    target: Target
    turn: Array | None  # (w + own, r): from all that scores depend on to ``u``; None: they are the same
    owned: NDArray[np.intp]  # those of the tried with an effect of their own that has no weight in the prior

    def seen(self, pool: Array) -> Seen:
        """How the scores of the rows of a pool depend on what was tried."""
        scores, at = self.prior.scores(pool), places(self.X, pool)
        columns = np.full(len(self.X) + 1, -1, dtype=np.intp)
        columns[self.owned] = np.arange(len(self.owned))
        own = columns[at]  # -1 picks the last, which is -1
        known = np.flatnonzero(own >= 0)
        parts = np.zeros((len(pool), len(self.owned)))
        parts[known, own[known]] = np.sqrt(scores.extra[known])
        whole = np.concatenate([scores.root, parts], axis=1)
        along = whole if self.turn is None else whole @ self.turn
        rest = scores.s - np.einsum("ij,ij->i", along, along)
        return Seen(scores.mu, along, np.where(rest > _ROUNDING * scores.s, rest, 0.0))


def tried(prior: Belief, X: Array, won: Array, lost: Array) -> Tried:
    """The target of a prior and the outcomes of n different alternatives ``X``.

    >>> from sureshot import core
    >>> made = tried(core.prior(3), np.ones((1, 3)), np.array([2.0]), np.array([0.0]))
    >>> made.target.size, abs(made.target.rows).round(3)  # three weights, and one score that depends on them
    (1, array([[1.732]]))
    """
    scores = prior.scores(X)
    owned = np.flatnonzero(scores.extra > 0.0)
    parts = np.zeros((len(X), len(owned)))
    parts[owned, np.arange(len(owned))] = np.sqrt(scores.extra[owned])
    whole, turn = np.concatenate([scores.root, parts], axis=1), None
    if whole.shape[1] > len(X):
        turn, upper = np.linalg.qr(whole.T)
        whole = np.ascontiguousarray(upper.T)
    return Tried(prior, X, Target(prior.link, scores.mu, whole, won, lost), turn, owned)


def times(u: Array, B: Array) -> Array:
    """``u @ B`` for draws (..., r), in one thread."""
    draws = math.prod(u.shape[:-1])
    found = np.empty((draws, B.shape[1]))
    multiplied(u.reshape(draws, u.shape[-1]), B, out=found)
    return found.reshape(*u.shape[:-1], B.shape[1])
