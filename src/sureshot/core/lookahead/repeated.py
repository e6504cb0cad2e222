"""What several trials of one alternative are worth together, in a form that is quick for a whole pool.

One outcome seldom changes the choice where outcomes are noisy; a few may. KG(*) sums over every count of successes
(:mod:`sureshot.core.lookahead.star`). Here m trials of x are taken as one measurement of its score f, with the noise
that they would have in the large, 1/(m·I), I the expected Fisher information of one outcome:

    KG_m(x) ≈ E_f̂[max_x' p(x'|f̂)] - max_x' p(x'),        f̂ = f + N(0, 1/(m·I(x))).

Under each Gaussian of a mixture (f̂, f') are jointly Gaussian, and f̂ reweights the members; the expectation is a
trapezoid sum over f̂. Only alternatives that may turn out best are compared. It goes with the exact KG_m at a fraction
of its cost, not closely once little is left to learn: in 72 situations with straight beliefs the correlation was
0.84 in the median, 0.67 at the lower quartile. A value to be shown to a person comes from the exact form.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief, Scores, multiplied
from sureshot.core.beliefs.mixture import Mixture, heaviest
from sureshot.core.beliefs.predictive import KAPPA, Form, success_probability
from sureshot.core.links import LOGIT, PROBIT
from sureshot.core.lookahead.compared import compared
from sureshot.core.lookahead.finals import Finals
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import available
from sureshot.core.rows import places

__all__ = ["knowledge_gradient_several", "leading"]

#: Where f̂ is looked at, in units of its standard deviation.
NODES = np.linspace(-3.6, 3.6, 9)
#: Of more alternatives than FEW, those are compared after the trials that lead after one of the SCOUTS candidates with
#: the widest scores was measured at one of these nodes, and the best predicted.
FEW, SCOUTS, PREDICTED = 50, 24, 10
SCOUTED = np.array([-2.7, -1.35, 1.35, 2.7])
#: Members of a mixture below this weight are left out: no probability changes by more.
NEGLIGIBLE = 5e-3
#: Pairs of a candidate and a final that are held at once, and numbers of the candidates' roots.
PAIRS, HELD = 1 << 22, 1 << 25
#: An outcome tells at least this much: else noise would overflow.
LEAST_INFORMATION = 1e-9


def knowledge_gradient_several(
    belief: Belief | Mixture, X: ArrayLike, *, trials: int = 2, finals: Finals | None = None
) -> Array:
    """What ``trials`` trials of each alternative would together add to the success probability of the final choice.

    >>> from sureshot import core
    >>> X = [[1.0, 0.0], [0.0, 1.0]]
    >>> belief = core.gaussian([1.0, 0.0], [[0.2, 0.0], [0.0, 0.2]], link="probit")
    >>> one, many = (knowledge_gradient_several(belief, X, trials=m)[1] for m in (1, 64))
    >>> bool(many > 100 * one)
    True
    """
    task = compared(belief, check.pool(X, "X", belief.d), finals)
    beliefs, share = heaviest(belief, NEGLIGIBLE)
    noise = _noise(beliefs, share, task.X, trials)
    total = np.zeros(len(task.X))
    for group in task.groups:
        total += group.weight * _values(beliefs, share, task.X, group.rows, noise)
    return np.asarray(total[task.copies])


def leading(belief: Belief | Mixture, X: Array, Z: Array, trials: int) -> NDArray[np.intp]:
    """Which row of ``Z`` would lead at each of a few outcomes of so many trials of each row of ``X``, (M, 4)."""
    beliefs, share = heaviest(belief, NEGLIGIBLE)
    return _leading(beliefs, share, X, Z, _noise(beliefs, share, X, trials))


def _noise(beliefs: Sequence[Belief], share: Array, X: Array, trials: int) -> Array:
    """The variance of the measurement that so many trials of each row are taken for."""
    told = share @ [_information(one, X) for one in beliefs]
    return np.asarray(1.0 / (trials * np.maximum(told, LEAST_INFORMATION)))


@cache
def _inner() -> tuple[Array, Array]:
    """Nodes and weights for a mean over a standard normal. NumPy loads its polynomials when they are first used."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(7)
    return nodes, weights / weights.sum()


def _information(one: Belief, X: Array) -> Array:
    """The expected Fisher information of one outcome about the score of each row, averaged over the belief."""
    mu, s = one.moments(X)
    inner, weights = _inner()
    f = mu + np.sqrt(s) * inner[:, None]
    p = one.link.probability(f)
    with np.errstate(over="ignore", invalid="ignore"):
        each = p * one.link.success.curvature(f) + (1.0 - p) * one.link.failure.curvature(f)
    return np.asarray(weights @ np.nan_to_num(each, nan=0.0, posinf=0.0))


def _values(beliefs: Sequence[Belief], share: Array, X: Array, Z: Array, noise: Array) -> Array:
    chance = share @ [success_probability(one.link, *one.moments(Z)) for one in beliefs]
    kept = _contenders(beliefs, share, X, Z, noise, chance)
    today = int(np.argmax(chance[kept]))
    if _can_compile(beliefs):
        from sureshot.core.lookahead.compiled.repeated import several_rows

        out = np.empty(len(X))
        for rows, arrays in _blocks(beliefs, share, X, Z[kept]):
            several_rows(*arrays, noise[rows], NODES, today, out[rows])
        return out
    after = _outlooks(beliefs, share, X, Z[kept], noise, NODES)
    return np.array([mass @ (p.max(axis=1) - p[:, today]) / mass.sum() for mass, p in after])


def _contenders(
    beliefs: Sequence[Belief], share: Array, X: Array, Z: Array, noise: Array, chance: Array
) -> NDArray[np.intp]:
    """The finals that may turn out best: those that would, after some outcome of the candidates that may tell most."""
    if len(Z) <= FEW:
        return np.arange(len(Z))
    wide = np.argsort(-(share @ [one.moments(X)[1] for one in beliefs]), kind="stable")[:SCOUTS]
    led = np.unique(_leading(beliefs, share, X[wide], Z, noise[wide]))
    return np.union1d(led, np.argsort(-chance, kind="stable")[:PREDICTED])


def _leading(beliefs: Sequence[Belief], share: Array, X: Array, Z: Array, noise: Array) -> NDArray[np.intp]:
    if not _can_compile(beliefs):
        return np.array([p.argmax(axis=1) for _, p in _outlooks(beliefs, share, X, Z, noise, SCOUTED)])
    from sureshot.core.lookahead.compiled.repeated import leading_rows

    led = np.empty((len(X), len(SCOUTED)), dtype=np.intp)
    for rows, arrays in _blocks(beliefs, share, X, Z):
        leading_rows(*arrays, noise[rows], SCOUTED, led[rows])
    return led


def _can_compile(beliefs: Sequence[Belief]) -> bool:
    links = {one.link for one in beliefs}
    return available() and len(links) == 1 and links <= {LOGIT, PROBIT}


def _blocks(
    beliefs: Sequence[Belief], share: Array, X: Array, Z: Array
) -> Iterator[tuple[slice, tuple[int, float, Array, Array, Array, Array, Array, Array]]]:
    """What compiled code asks for, candidates block by block: link, shrinkage, weights, moments of candidates,
    covariances, moments of finals.
    """
    there, twin = [one.scores(Z) for one in beliefs], places(Z, X)
    whole = [one.scores(X) for one in beliefs] if len(X) * sum(len(one.mean) for one in beliefs) <= HELD else None
    mu_z, s_z = np.array([one.mu for one in there]), np.array([one.s for one in there])
    probit = beliefs[0].link is PROBIT
    size = max(1, PAIRS // (len(Z) * len(beliefs)))
    for start in range(0, len(X), size):
        rows = slice(start, min(start + size, len(X)))
        if whole is None:
            here = [one.scores(X[rows]) for one in beliefs]
        else:
            here = [Scores(*(array[rows] for array in one)) for one in whole]
        mu, s = np.array([one.mu for one in here]), np.array([one.s for one in here])
        shared = np.empty((len(beliefs), rows.stop - rows.start, len(Z)))
        for block, one, other in zip(shared, here, there, strict=True):
            multiplied(one.root, other.root.T, out=block)
        known = np.flatnonzero(twin[rows] >= 0)
        shared[:, known, twin[rows][known]] = s[:, known]
        yield rows, (1 if probit else 0, 1.0 if probit else KAPPA, share, mu, s, shared, mu_z, s_z)


def _outlooks(
    beliefs: Sequence[Belief], share: Array, X: Array, Z: Array, noise: Array, nodes: Array
) -> Iterator[tuple[Array, Array]]:
    """The definition, in NumPy: for each candidate how likely f̂ is at each node, and the chance of every final then."""
    there = [one.scores(Z) for one in beliefs]
    for row, extra, at in zip(X, noise, places(Z, X), strict=True):
        here = [one.scores(row[None]) for one in beliefs]
        mu, total = np.array([own.mu[0] for own in here]), np.array([own.s[0] for own in here]) + extra
        centre = share @ mu
        f = centre + math.sqrt(share @ (total + (mu - centre) ** 2)) * nodes  # (Q,)
        mass = share[:, None] * np.exp(-0.5 * (f - mu[:, None]) ** 2 / total[:, None]) / np.sqrt(total)[:, None]
        chance = np.zeros((len(f), len(Z)))
        for k, (one, own, other) in enumerate(zip(beliefs, here, there, strict=True)):
            c = (own.root @ other.root.T)[0]
            if at >= 0:
                c[at] = own.s[0]
            left = np.maximum(other.s - c * c / total[k], 0.0)
            score = other.mu + np.multiply.outer(f - mu[k], c / total[k])
            form: Form | None = "kappa" if one.link is LOGIT else None
            chance += mass[k][:, None] * success_probability(one.link, score, left, form=form)
        likely = mass.sum(axis=0)
        yield likely, chance / likely[:, None]
