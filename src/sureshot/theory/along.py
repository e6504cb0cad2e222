"""A run seen through the theory: what the conditions of the asymptotic theorems look like as trials come in.

The theorem on the maximum likelihood estimate (paper, section 5.3) rests on three conditions: features are bounded
(C1), the largest eigenvalue of the Fisher information stays within a constant of the smallest (C2), and the smallest
diverges (C3). No finite run shows a limit; it shows how far the numbers have come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sureshot.core import Belief, Link, Mixture, check, get_link, observe_many
from sureshot.core.beliefs.mixture import members
from sureshot.core.lookahead import Lookahead, knowledge_gradient
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.theory.check import any_belief, weights_of
from sureshot.theory.likelihood import fisher_information

__all__ = ["Conditions", "Trace", "conditions", "trace"]

#: A smallest eigenvalue below this part of the largest is 0, but for rounding.
_SINGULAR = 1e-13


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Trace:
    """A run after each of ``n`` trials; all arrays have one entry for each of these moments."""

    n: NDArray[np.int64]  # (k,) trials that had an outcome
    visits: NDArray[np.int64]  # (k, M) how often each alternative had been tried
    max_kg: Array  # (k,) the largest knowledge gradient, under the belief after n outcomes
    smallest: Array  # (k,) smallest eigenvalue of the Fisher information of the n outcomes, at the true weights
    largest: Array  # (k,) and the largest
    longest: float  # the length of the longest row of the pool

    @property
    def condition(self) -> Array:
        """Largest over smallest eigenvalue, (k,); infinite while the outcomes do not span all weights."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = self.largest / self.smallest
        return np.asarray(np.where(self.smallest > _SINGULAR * self.largest, ratio, np.inf))

    @property
    def fewest(self) -> NDArray[np.int64]:
        """Visits of the alternative that was tried least, (k,): theory has it grow without end."""
        return np.asarray(self.visits.min(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The three conditions, as numbers that a finite run has. None of them proves a limit."""

    c1_longest: float  # the length of the longest row: any finite one will do
    c2_since: int | None  # trials after which the information had an inverse for good; None: it has none at the end
    c2_worst: float  # the largest condition number since then; infinite where there is none
    c2_last: float  # the condition number at the end
    c3_smallest: float  # the smallest eigenvalue at the end
    c3_growth: float  # by which power of n it grew in the second half of the run: 1 if in proportion, 0 if not at all


def trace(
    X: ArrayLike,
    tried: Sequence[int] | NDArray[np.integer],
    y: ArrayLike,
    w_true: ArrayLike,
    *,
    prior: Belief | Mixture,
    link: str | Link | None = None,
    at: Sequence[int] | None = None,
    lookahead: Lookahead = "exact",
) -> Trace:
    """What theory looks at along a run: ``tried`` are rows of the pool ``X`` in order, ``y`` their outcomes (0 or 1).

    ``prior`` is what was believed at first; it learns outcome by outcome (:func:`sureshot.core.observe`). ``link`` is
    that of the world, by default the belief's. ``at`` are the numbers of trials to look at, rising, from 0 to all of
    them; by default each. A knowledge gradient is computed for each, which is what takes time.

    >>> from sureshot import core
    >>> X = [[1.0, -1.0], [1.0, 1.0]]
    >>> seen = trace(X, [0, 1, 1], [0, 1, 1], [0.0, 0.0], prior=core.prior(2))
    >>> seen.visits.tolist(), seen.smallest.round(3), seen.condition.round(3)
    ([[0, 0], [1, 0], [1, 1], [1, 2]], array([0. , 0. , 0.5, 0.5]), array([inf, inf,  1.,  2.]))
    """
    true = weights_of(w_true, "w_true")
    pool = check.frozen(check.pool(X, "X", len(true)))
    if any_belief(prior, "prior").d != len(true):
        raise InvalidInput(f"`prior` must be about rows of {len(true)} features, as `X` has, got {prior.d}.")
    rows = _rows(tried, len(pool))
    won, _ = check.counts(y, None, len(rows))
    chosen = _link_of(prior) if link is None else get_link(link)
    moments = _moments(at, len(rows))
    information = np.zeros((len(true), len(true)))
    visits = np.zeros(len(pool), dtype=np.int64)
    belief, seen = prior, 0
    counted, gains, ends = [], [], []
    for n in moments:
        new = slice(seen, n)
        if n > seen:
            belief, _ = observe_many(belief, pool[rows[new]], won[new])
            information = information + fisher_information(pool[rows[new]], true, link=chosen)
            visits = visits + np.bincount(rows[new], minlength=len(pool))
        each = np.linalg.eigvalsh(information)
        counted.append(visits)
        gains.append(float(knowledge_gradient(belief, pool, lookahead=lookahead).max()))
        ends.append((max(float(each[0]), 0.0), float(each[-1])))
        seen = n
    smallest, largest = np.array(ends).T
    return Trace(
        n=np.array(moments),
        visits=np.array(counted),
        max_kg=np.array(gains),
        smallest=smallest,
        largest=largest,
        longest=float(np.linalg.norm(pool, axis=1).max()),
    )


def conditions(seen: Trace) -> Conditions:
    """Conditions C1 to C3 of the paper's section 5.3, as numbers.

    >>> from sureshot import core
    >>> X, order = [[1.0, -1.0], [1.0, 1.0]], [0, 1] * 20
    >>> found = conditions(trace(X, order, [0, 1] * 20, [0.0, 0.0], prior=core.prior(2)))
    >>> found.c2_since, found.c2_last, found.c3_smallest
    (2, 1.0, 10.0)
    """
    ratio = seen.condition
    broken = np.flatnonzero(~np.isfinite(ratio))
    first = int(broken[-1]) + 1 if broken.size else 0
    since = first if first < len(ratio) else None
    half = (seen.n >= max(seen.n[-1] / 2.0, 1.0)) & np.isfinite(ratio)
    growth = float(np.polyfit(np.log(seen.n[half]), np.log(seen.smallest[half]), 1)[0]) if half.sum() > 1 else np.nan
    return Conditions(
        c1_longest=seen.longest,
        c2_since=None if since is None else int(seen.n[since]),
        c2_worst=np.inf if since is None else float(ratio[since:].max()),
        c2_last=float(ratio[-1]),
        c3_smallest=float(seen.smallest[-1]),
        c3_growth=growth,
    )


def _rows(tried: Sequence[int] | NDArray[np.integer], M: int) -> NDArray[np.intp]:
    given = check.numbers(tried, "tried")
    bad = ~np.isfinite(given) | (given != np.floor(given)) | (given < 0) | (given >= M)
    if given.ndim != 1 or bad.any():
        what = f"shape {given.shape}" if given.ndim != 1 else f"tried={given[bad][0]:g}"
        raise InvalidInput(f"`tried` must hold one row of `X` for each trial, 0 to {M - 1}, got {what}.")
    return given.astype(np.intp)


def _moments(at: Sequence[int] | None, n: int) -> list[int]:
    if at is None:
        return list(range(n + 1))
    given = check.numbers(at, "at")
    if given.ndim != 1 or not given.size or (given != np.floor(given)).any() or not (np.diff(given) > 0).all():
        raise InvalidInput("`at` must hold rising whole numbers of trials, at least one", got=np.asarray(at).tolist())
    if given[0] < 0 or given[-1] > n:
        raise InvalidInput(f"`at` must lie between 0 and {n}, the trials that there are, got {given.tolist()}.")
    return [int(one) for one in given]


def _link_of(prior: Belief | Mixture) -> Link:
    """The one link of all beliefs."""
    links = {one.link for _, one in members(prior)}
    if len(links) > 1:
        names = ", ".join(sorted(one.name for one in links))
        raise InvalidInput(f"`link` must be given where beliefs have several links ({names}): name that of the world.")
    return links.pop()
