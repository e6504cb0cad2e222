"""Looking ahead through the belief's own update: the paper's Algorithms 2, 3 and 4, for one belief or a mixture.

An outcome y of a candidate would move the score of an alternative, c being their covariance, by

    mean <- mean + r c,      variance <- variance - t/(1 + t s) c²,

with the gain r and the curvature t of that outcome (:func:`sureshot.core.learning.step.learn`). With a diagonal
covariance the variance is what the diagonal update leaves of it: Σ root'²/(1 + t root²) for Laplace, variance - t/(1 +
t s) Σ root² root'² for moment matching. Probabilities are then predicted in the paper's kappa form for logit, in closed
form for the others. Members of a mixture are reweighted by the probability that they gave to the outcome.

:func:`predicted_after` is the definition, in NumPy; :func:`values` says what the final choice is worth by compiled code
(:mod:`sureshot.core.lookahead.compiled.update`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief, Scores
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import KAPPA, success_probability
from sureshot.core.learning.step import learn
from sureshot.core.links import LOGIT, PROBIT
from sureshot.core.lookahead.compared import Compared, stacked
from sureshot.core.lookahead.threads import share
from sureshot.core.numerics import special
from sureshot.core.numerics.quadrature import outcome_probability
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import code_of
from sureshot.core.rows import distinct, places

if TYPE_CHECKING:
    from sureshot.core.lookahead.compiled.update import Alternatives, Candidates, Kinds

__all__ = ["can_compile", "now", "predicted_after", "values"]

#: Pairs held at once: the arrays of a block stay in cache.
PAIRS = 1 << 14
#: Members of less weight are left out.
NEGLIGIBLE = 1e-12


def now(belief: Belief | Mixture, X: Array) -> Array:
    """The success probabilities that this look-ahead starts from, in the form that it uses."""
    total = np.asarray(sum(weight * _chances(one, *one.moments(X))[1] for weight, one in members(belief)))
    return np.asarray(np.minimum(total, 1.0))  # weights sum to one but for the last bit


def predicted_after(belief: Belief | Mixture, X: Array, Z: Array) -> Iterator[tuple[slice, int, Array, Array]]:
    """Blocks of candidates (rows of ``X``) and an outcome y, with its probability, (B,), and the success probabilities
    of all rows of ``Z`` after it, (B, m).
    """
    once, copies = distinct(Z)
    parts = [(weight, _Ahead(one, X, Z[once])) for weight, one in members(belief) if weight > NEGLIGIBLE]
    weights = np.array([weight for weight, _ in parts])
    size = max(1, PAIRS // len(Z))
    for y in (0, 1):
        evidence = np.stack([weight * one.chance[y] for weight, one in parts])  # (K, M)
        chance = evidence.sum(axis=0)
        shares = np.where(chance > 0.0, evidence / np.maximum(chance, 1e-300), weights[:, None])
        for start in range(0, len(X), size):
            rows = slice(start, min(start + size, len(X)))
            mixed = np.zeros((rows.stop - rows.start, len(once)))
            for part, (_, one) in zip(shares, parts, strict=True):
                after = one.after(rows, y)
                after *= part[rows, None]
                mixed += after
            yield rows, y, chance[rows], mixed if len(once) == len(Z) else mixed[:, copies]


class _Ahead:
    """One belief looking ahead from candidates at alternatives that have no copies."""

    def __init__(self, one: Belief, X: Array, Z: Array) -> None:
        self.one, self.here, self.there, self.twin = one, one.scores(X), one.scores(Z), places(Z, X)
        self.gain, self.t = _learned(one, self.here)
        self.chance = _chances(one, self.here.mu, self.here.s)
        self.squares = self.there.root.T**2 if one.covariance == "diagonal" else np.empty((0, 0))

    def after(self, rows: slice, y: int) -> Array:
        """The success probabilities after the outcome y of each of some candidates."""
        s, root, extra = self.here.s[rows], self.here.root[rows], self.here.extra[rows]
        t, there = self.t[y, rows], self.there
        known = np.flatnonzero(self.twin[rows] >= 0)
        self_at = known, self.twin[rows][known]
        c = root @ there.root.T
        c[self_at] = s[known]
        kept = 1.0 / (1.0 + t * s)
        if self.one.covariance == "diagonal" and self.one.method == "laplace":
            variance = (1.0 / (1.0 + t[:, None] * root**2)) @ self.squares + there.extra
            variance[self_at] += (extra / (1.0 + t * extra) - extra)[known]
        else:
            if self.one.covariance == "full":
                variance = c * c
            else:
                variance = root**2 @ self.squares
                variance[self_at] += extra[known] ** 2
            variance *= (-t * kept)[:, None]
            variance += there.s
            # no variance falls below s'/(1 + t s): rounding must not take it there
            np.maximum(variance, np.multiply.outer(kept, there.s), out=variance)
        c *= self.gain[y, rows, None]
        c += there.mu
        return _chance(self.one, c, variance)


def _chance(one: Belief, mu: Array, s: Array) -> Array:
    """The success probability of scores N(mu, s)."""
    if one.link is LOGIT:  # the kappa form by NumPy's exp, which is quicker than SciPy's expit
        z = mu / np.sqrt(1.0 + KAPPA * s)
        with np.errstate(over="ignore"):
            return np.asarray(1.0 / (1.0 + np.exp(-z)))
    return success_probability(one.link, mu, s, form=None if one.link.probits is None else "mixture")


def _chances(one: Belief, mu: Array, s: Array) -> Array:
    """The probability of a failure and of a success, (2, M)."""
    if one.link is LOGIT:
        score = mu / np.sqrt(1.0 + KAPPA * s)
        return np.stack([special.expit(-score), special.expit(score)])
    if one.link.probits is None:
        return np.stack([outcome_probability(one.link, mu, s, y) for y in (0, 1)])
    p = _chance(one, mu, s)
    return np.stack([1.0 - p, p])


def _learned(one: Belief, here: Scores) -> tuple[Array, Array]:
    """What a failure and a success would do to each score: gain and curvature, (2, M) each."""
    matched, code = one.method != "laplace", code_of(one.link)
    gain, t = np.empty((2, len(here.mu))), np.empty((2, len(here.mu)))
    if code is not None:
        from sureshot.core.learning.compiled.step import learn_pool

        learn_pool(code, matched, here.mu, here.s, gain, t)
    else:
        for y in (0, 1):
            gain[y], t[y], _, _ = learn(one.link, "adf" if matched else "laplace", here.mu, here.s, y)
    return gain, t


def can_compile(belief: Belief | Mixture) -> bool:
    """Whether compiled code knows the update of every member."""
    return all(one.link in (LOGIT, PROBIT) and code_of(one.link) is not None for _, one in members(belief))


def values(belief: Belief | Mixture, task: Compared) -> Array:
    """What the final choice is worth after one outcome of each candidate, minus what it is worth now, (M,)."""
    from sureshot.core.lookahead.compiled.update import best_after

    parts = [(weight, one) for weight, one in members(belief) if weight > NEGLIGIBLE]
    beliefs = [one for _, one in parts]
    here = stacked(beliefs, task.X)
    each = [Scores(*(part[k] for part in here)) for k in range(len(beliefs))]
    learned = [_learned(one, scores) for one, scores in zip(beliefs, each, strict=True)]
    gain, t = (np.stack([pair[n] for pair in learned]) for n in (0, 1))
    chance = np.stack([w * _chances(one, at.mu, at.s) for (w, one), at in zip(parts, each, strict=True)])
    total = np.zeros(len(task.X))
    for group in task.groups:
        there, before = here, chance[:, 1].sum(axis=0)
        if group.rows is not task.X:
            there, before = stacked(beliefs, group.rows), now(belief, group.rows)
        kinds, rows, cols = _prepared(beliefs, here, there, gain, t, chance, group.twin)
        out = np.empty(len(total))

        share(partial(best_after, kinds, rows, cols, out), np.arange(len(out)), each=len(beliefs))
        total += group.weight * (out - before.max())
    return total


def _prepared(
    beliefs: list[Belief], here: Scores, there: Scores, gain: Array, t: Array, chance: Array, twin: NDArray[np.intp]
) -> tuple[Kinds, Candidates, Alternatives]:
    """Candidates and alternatives as compiled code wants them."""
    from sureshot.core.lookahead.compiled.update import BLOCK, NOBODY, Alternatives, Candidates, Kinds
    from sureshot.core.numerics.compiled.tile import WIDTH

    full = np.array([one.covariance == "full" for one in beliefs])
    probit = np.array([one.link is PROBIT for one in beliefs])
    laplace = np.array([one.method == "laplace" for one in beliefs])
    beta = np.where(probit, 1.0, KAPPA)[:, None]
    direct = (laplace & ~full)[:, None]  # the second product is the variance itself
    kept, extra = 1.0 / (1.0 + t * here.s[:, None]), here.extra[:, None]
    size = max(np.abs(part).max() for part in (here.mu, here.s, there.mu, there.s))
    rows = Candidates(
        root=here.root,
        s=here.s,
        t=t,
        gain=gain,
        slope=np.where(direct[:, None], beta[:, None], -beta[:, None] * t * kept),
        kept=np.where(direct[:, None], 0.0, kept),
        own=np.where(direct[:, None], extra / (1.0 + t * extra) - extra, extra**2),
        chance=chance,
        twin=twin,
    )
    least = 1.0 / (1.0 + beta * there.s)
    shrink = np.sqrt(least)
    K, m, r = there.root.shape
    block = min(BLOCK, -(-m // WIDTH) * WIDTH)
    filled = -(-m // block) * block
    root, parts = np.zeros((K, filled, r)), np.ones((3, K, filled))
    np.multiply(there.root, shrink[:, :, None], out=root[:, :m])
    parts[0, :, m:] = NOBODY
    parts[0, :, :m], parts[2, :, :m] = there.mu * shrink, least
    if direct.any():
        parts[1, :, :m] = np.where(direct, (1.0 + beta * there.extra) * least, 1.0)
    panels = np.ascontiguousarray(root.reshape(K, -1, WIDTH, r).transpose(0, 1, 3, 2))
    squares = np.empty((0, 0, r, WIDTH)) if full.all() else panels**2
    return (
        Kinds(probit, full, laplace, bool(size < 1e30)),
        rows,
        Alternatives(panels, squares, *parts.reshape(3, K, -1, block)),
    )
