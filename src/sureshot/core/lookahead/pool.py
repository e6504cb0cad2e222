"""A pool made ready for the compiled scan: one logit or probit belief, looking ahead through its own update.

The scan needs O(M d) memory and gives, for each candidate and outcome, the best score over all alternatives: the same
numbers as :mod:`sureshot.core.lookahead.joint`, pair by pair, whatever is left out on the way.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sureshot.core.belief import Belief
from sureshot.core.compiled import code_of
from sureshot.core.links import LOGIT, PROBIT
from sureshot.core.lookahead.screen import screened, settled
from sureshot.core.rows import distinct
from sureshot.core.stable import Array

if TYPE_CHECKING:
    from sureshot.core.compiled.scan import Columns, Rows

__all__ = ["Leaders", "best_scores", "can_scan", "distinct", "leaders_by_scan"]

#: Candidates below which a second thread costs more than it brings.
THREADED = 1500
#: The share of all pairs that a decision may settle one by one: from there on, all values together cost less.
DENSE = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Leaders:
    """The candidates with the largest value, those within the tie tolerance of it, and what is known of the rest."""

    rows: NDArray[np.intp]  # tied for the best
    value: float  # the largest knowledge gradient
    rest: float  # no other candidate has a larger one, looked at or not


def can_scan(belief: object) -> bool:
    """Whether the compiled scan knows this kind of belief."""
    return isinstance(belief, Belief) and belief.link in (LOGIT, PROBIT) and code_of(belief.link) is not None


def best_scores(belief: Belief, X: Array, Z: Array) -> Array:
    """The largest score (the probability's argument) among ``Z`` after a failure and a success of each row of ``X``,
    (2, M). ``Z is X`` saves work.
    """
    form, rows, columns = _prepared(belief, X, Z)
    _run(form, rows, columns)
    return _unsquared(rows.best)


def _unsquared(best: Array) -> Array:
    return np.asarray(np.copysign(np.sqrt(np.abs(best)), best))


def leaders_by_scan(belief: Belief, X: Array, epsilon: float) -> Leaders:
    """The candidates with the largest knowledge gradient: who the screen leaves, worked out in double precision. The
    same argmax, and the same ties, as from all values.
    """
    screen = screened(belief, X, epsilon, threads_for(len(X)))
    chances, value = screen.rows.chances, screen.most
    open_ = np.flatnonzero(value >= screen.least - epsilon)
    once, copies = distinct(X[open_])
    best = settled(screen, open_[once], DENSE * len(X) ** 2)
    failure, success = best_scores(belief, X, X)[:, open_] if best is None else _unsquared(best)[:, copies]
    p, squash, now = chances[open_], belief.link.probability, chances.max()
    value[open_] = p * squash(success) + (1.0 - p) * squash(failure)
    top = value[open_].max()
    rows = open_[value[open_] >= top - epsilon]
    value[rows] = -np.inf
    return Leaders(rows, float(top - now), float(value.max() - now))


def probability(belief: Belief, mu: Array, s: Array) -> Array:
    """The probability that Algorithms 2 to 4 predict: kappa for logit, exact for probit."""
    squash = special.expit if belief.link is LOGIT else special.ndtr
    return np.asarray(squash(mu / np.sqrt(1.0 + _beta(belief) * s)))


def _beta(belief: Belief) -> float:
    return np.pi / 8.0 if belief.link is LOGIT else 1.0


def _threads() -> int:
    """The cores that this process may use, or as many as ``SURESHOT_THREADS`` says."""
    said = os.environ.get("SURESHOT_THREADS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def threads_for(candidates: int) -> int:
    """How many threads to share so many candidates among."""
    return _threads() if candidates >= THREADED else 1


def _run(form: int, rows: Rows, columns: Columns) -> None:
    """Share the candidates among threads; the scan holds no lock and calls no BLAS, and its bits don't depend on it."""
    from sureshot.core.compiled.scan import scan

    count = threads_for(len(rows.left))
    if count == 1:
        scan(form, 0, 1, rows, columns)
        return
    with ThreadPoolExecutor(count) as pool:
        for job in [pool.submit(scan, form, n, count, rows, columns) for n in range(count)]:
            job.result()


def _prepared(belief: Belief, X: Array, Z: Array) -> tuple[int, Rows, Columns]:
    """Candidates and alternatives as the scan wants them."""
    from sureshot.core.compiled.fold import learn_pool
    from sureshot.core.compiled.scan import ADF, FULL, LAPLACE, Rows

    code = code_of(belief.link)
    assert code is not None  # can_scan
    beta = _beta(belief)
    half = belief.root(X)
    mu, s = X @ belief.mean, np.einsum("ij,ij->i", half, half)
    gain, t = np.empty((2, len(X))), np.empty((2, len(X)))
    learn_pool(code, belief.method == "adf", mu, s, gain, t)
    reach = np.abs(gain) * np.sqrt(s / beta)
    if belief.covariance == "full":
        drop = t / (1.0 + t * s)
        rows = Rows(half, np.empty((0, *X.shape)), gain, beta * drop, drop * s, reach, _floor(gain))
        after, form, right = s / (1.0 + t * s), FULL, half if Z is X else belief.root(Z)
    elif belief.method == "laplace":
        own = X * X * belief.spread
        curve = t * own.max(axis=1)
        second = belief.spread / (1.0 + t[:, :, None] * own)
        rows = Rows(X * belief.spread, second, gain, t, curve / (1.0 + curve), reach, _floor(gain))
        after, form, right = np.einsum("ymk,mk->ym", second, X * X), LAPLACE, Z
    else:
        drop = t / (1.0 + t * s)
        left = X * belief.spread
        second = (left * left)[None]
        rows = Rows(left, second, gain, drop, drop * (X * left).max(axis=1), reach, _floor(gain))
        after, form, right = s - drop * np.einsum("mk,mk->m", second[0], X * X), ADF, Z
    if Z is X:
        rows.best[:] = _own(mu, s, beta, gain, after)
    mu_z, s_z = (mu, s) if Z is X else belief.moments(Z)
    return form, rows, _columns(right, mu_z, s_z, beta, reach, belief.covariance == "diagonal")


def _floor(gain: Array) -> Array:
    from sureshot.core.compiled.bounds import LOWEST

    return np.full(gain.shape, LOWEST)


def _own(mu: Array, s: Array, beta: float, gain: Array, after: Array) -> Array:
    """Squared score of the candidate itself, lowered by more than rounding: what its own column will at least give.
    ``after`` (2, M) is its own variance after the outcome; where rounding could hurt, nothing is promised.
    """
    from sureshot.core.compiled.bounds import LOWEST

    n = mu + gain * s
    n -= 1e-9 * (np.abs(mu) + np.abs(gain * s))
    value = n * np.abs(n) / (1.0 + beta * after)
    value -= 1e-9 * np.abs(value)
    return np.where(after > 1e-6 * s, value, LOWEST)


def _columns(x: Array, mu: Array, s: Array, beta: float, reach: Array, diagonal: bool) -> Columns:
    """Alternatives sorted, padded with copies of the last, cut into panels; and the table of their bounds."""
    from sureshot.core.compiled.bounds import KNOTS, tabulate
    from sureshot.core.compiled.scan import Columns
    from sureshot.core.compiled.tile import WIDTH

    spread = 1.0 + beta * s
    a, rho = mu / np.sqrt(spread), beta * s / spread
    root = np.sqrt(rho)
    order = np.argsort(-(a + reach.mean() * root), kind="stable")
    order = np.concatenate([order, np.repeat(order[-1:], -order.size % WIDTH)])
    block = 128 if order.size <= 4096 else 256
    blocks = -(-order.size // block)
    whole = np.concatenate([order, np.repeat(order[-1:], blocks * block - order.size)])
    scaled = (x / np.sqrt(spread)[:, None])[order].reshape(-1, WIDTH, x.shape[1]).transpose(0, 2, 1)
    panels = np.ascontiguousarray(scaled)
    squares = beta * panels * panels if diagonal else np.empty((0, x.shape[1], WIDTH))
    now, doubt, depth, inverse = (v[whole].reshape(blocks, block) for v in (a, rho, root, 1.0 / spread))
    knots = np.linspace(0.0, max(float(reach.max()), 1e-300) * (1.0 + 1e-12), KNOTS)
    table = np.empty((blocks, KNOTS))
    tabulate(now, depth, knots, table)
    rest = np.ascontiguousarray(np.maximum.accumulate(table[::-1])[::-1])
    rho_block = doubt.max(axis=1)
    rho_rest = np.ascontiguousarray(np.maximum.accumulate(rho_block[::-1])[::-1])
    per_reach = float((KNOTS - 1) / knots[-1])
    return Columns(panels, squares, now, doubt, inverse, table, rest, rho_block, rho_rest, per_reach)
