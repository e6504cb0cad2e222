"""A mixture of logit and probit beliefs looking ahead through its members' updates, compiled.

The same numbers as :mod:`sureshot.core.lookahead.joint`; memory O(K M d). Copies of an alternative are worked out once.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from sureshot.core.belief import Belief
from sureshot.core.compiled import code_of
from sureshot.core.links import PROBIT
from sureshot.core.lookahead.joint import members
from sureshot.core.lookahead.pool import can_scan, distinct, probability, threads_for
from sureshot.core.mixture import Mixture
from sureshot.core.stable import Array

__all__ = ["blended", "can_blend"]


def can_blend(belief: Belief | Mixture) -> bool:
    """Whether compiled code knows the update of every member."""
    return isinstance(belief, Mixture) and all(can_scan(one) for one in belief.beliefs)


def blended(belief: Mixture, X: Array, compared: Array, starts: NDArray[np.int64], weights: Array) -> Array:
    """Expected value of the final choice after one outcome of each row of ``X``."""
    from sureshot.core.compiled.blend import ADF, FULL, LAPLACE, Members, Others, blend

    once, copies = distinct(X)
    if compared is X:
        compared, starts = X[once], np.array([0, len(once)])
    X = X[once]
    parts = members(belief)
    K, (M, d) = len(parts), X.shape
    beliefs = [one for _, one in parts]
    form = [FULL if one.covariance == "full" else LAPLACE if one.method == "laplace" else ADF for one in beliefs]
    left, chance = np.empty((K, M, d)), np.empty((K, 2, M))
    gain, drop, floor = np.empty((K, 2, M)), np.empty((K, 2, M)), np.empty((K, 2, M))
    second = np.zeros((K, 2, M, d) if any(kind != FULL for kind in form) else (K, 2, 0, d))
    for k, (weight, one) in enumerate(parts):
        mu, s = one.moments(X)
        gain[k], t = _learned(one, mu, s)
        floor[k] = 1.0 / (1.0 + t * s)
        drop[k] = t * floor[k]
        p = probability(one, mu, s)
        chance[k] = weight * np.stack([1.0 - p, p])
        left[k] = one.root(X) if form[k] == FULL else X * one.spread
        if form[k] == LAPLACE:
            second[k] = one.spread / (1.0 + t[:, :, None] * (X * X * one.spread))
        elif form[k] == ADF:
            second[k] = (one.spread * X) ** 2
    rows = Members(
        np.array(form), np.array([one.link is PROBIT for one in beliefs]), left, gain, drop, floor, second, chance
    )
    total, out = np.zeros(M), np.empty(M)
    for begin, end, share in zip(starts[:-1], starts[1:], weights, strict=True):
        Z = compared[begin:end]
        moments = [one.moments(Z) for one in beliefs]
        right = np.stack([(one.root(Z) if kind == FULL else Z).T for one, kind in zip(beliefs, form, strict=True)])
        mu, s = (np.stack([pair[n] for pair in moments]) for n in range(2))
        cols = Others(np.ascontiguousarray(right), np.ascontiguousarray((Z * Z).T), mu, s)
        count = threads_for(K * M)
        if count == 1:
            blend(rows, cols, np.arange(M), out)
        else:
            with ThreadPoolExecutor(count) as pool:
                for job in [pool.submit(blend, rows, cols, np.arange(n, M, count), out) for n in range(count)]:
                    job.result()
        total += share * out
    return total[copies]


def _learned(belief: Belief, mu: Array, s: Array) -> tuple[Array, Array]:
    """Gain and curvature of either outcome of every candidate, (2, M) each."""
    from sureshot.core.compiled.fold import learn_pool

    code = code_of(belief.link)
    assert code is not None  # can_blend
    gain, t = np.empty((2, len(mu))), np.empty((2, len(mu)))
    learn_pool(code, belief.method == "adf", mu, s, gain, t)
    return gain, t
