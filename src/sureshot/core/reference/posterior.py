"""The exact posterior of a belief or a mixture by draws, and any number of it with a Monte Carlo standard error.

Each member of a mixture gets its exact evidence (:mod:`sureshot.core.reference.evidence`), and so its exact weight;
those whose weight matters get chains: half of them by Polya-Gamma variables where they fit, which has nothing in common
with slices, so that the two must agree. Chains and evidence are made :data:`GROUPS` times over, each independent of the
others: what these differ by is the standard error of everything that is computed from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import success_probability
from sureshot.core.learning.batch import counted
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array
from sureshot.core.reference.evidence import by_importance
from sureshot.core.reference.gaussian import Gaussian, near
from sureshot.core.reference.mixing import effective, split_r_hat
from sureshot.core.reference.polya_gamma import by_polya_gamma
from sureshot.core.reference.polya_gamma import fits as polya_gamma_fits
from sureshot.core.reference.slices import by_slices
from sureshot.core.reference.target import Tried, tried

__all__ = ["Estimate", "Member", "Posterior", "Progress", "drawn_exactly"]

#: Independent repetitions, and the chains of each.
GROUPS, CHAINS = 8, 4
#: Draws in all, shared among members by their weights; for the evidence each member gets as many as this many times
#: fewer.
DRAWS, EVIDENCE = 32_000, 4
#: Steps of a chain, at least, those of them that are kept, at least, and those before its draws count.
LEAST_STEPS, LEAST_KEPT, BURN = 160, 50, 30
#: A member of less weight gets no chains: all such together hardly move a chance.
MATTERS = 1e-3

#: Called with how many members are done, of how many.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """A number, or one for each alternative, and its standard error."""

    value: Array
    error: Array


@dataclass(frozen=True, slots=True)
class Member:
    """One belief of a mixture, given the outcomes."""

    weight: float  # exact ...
    weight_error: float  # ... with this standard error
    log_evidence: float
    log_evidence_error: float
    weighed: float  # so many draws from the posterior itself the evidence rests on
    polya_gamma: bool  # whether half of its chains are of that kind
    draws: int  # 0: its weight does not matter
    effective: float  # of them, the fewest over what was looked at
    r_hat: float  # the largest over what was looked at


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Draws of the success probabilities of M alternatives, with their weights in all and in each group."""

    members: tuple[Member, ...]
    p: Array  # (N, M)
    mean: Array  # (N, M) of p, given what the outcomes say anything about: it varies less
    share: Array  # (N,) sums to one
    group: NDArray[np.intp]  # (N,)
    group_share: Array  # (N,) sums to one in each group

    def chance(self) -> Estimate:
        """The chance of each alternative, (M,)."""
        return self._estimate(self.mean, _averaged)

    def beyond(self, one: int, other: int) -> Estimate:
        """By how much the chance of one alternative is above that of another."""
        both = self.mean[:, [one, other]]
        return self._estimate(both, lambda mean, share: _averaged(mean[:, :1] - mean[:, 1:], share)[0])

    def inside(self, low: Array, high: Array) -> Estimate:
        """The probability that each alternative's success probability lies between two ends, (M,)."""
        return self._estimate(self.p, lambda p, share: _averaged(((p >= low) & (p <= high)).astype(float), share))

    def quantiles(self, levels: tuple[float, ...]) -> Estimate:
        """Quantiles of the success probability of each alternative, (levels, M)."""
        return self._estimate(self.p, lambda p, share: _quantiles(p, share, levels))

    def _estimate(self, draws: Array, statistic: Callable[[Array, Array], Array]) -> Estimate:
        """Any ``statistic`` of draws and their shares: of all, and its error from what the groups differ by."""
        each = []
        for group in range(GROUPS):
            rows = self.group == group
            each.append(statistic(draws[rows], self.group_share[rows]))
        spread = np.std(np.stack(each), axis=0, ddof=1)
        return Estimate(statistic(draws, self.share), np.asarray(spread / np.sqrt(GROUPS)))


def drawn_exactly(
    prior: Belief | Mixture,
    X: Array,
    won: Array,
    lost: Array,
    pool: Array,
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
    progress: Progress | None = None,
) -> Posterior:
    """The exact posterior of the success probabilities of the rows of ``pool``, where ``X`` had so many successes and
    failures. How well chains mixed is looked at in the score of the first of the pool, and in the likelihood.

    >>> from sureshot import core
    >>> found = drawn_exactly(core.prior(1), np.ones((1, 1)), np.array([1.0]), np.array([0.0]), np.ones((1, 1)),
    ...     np.random.default_rng(1))
    >>> abs(found.chance().value[0] - 0.58672) < 0.01  # ∫ σ² φ / ∫ σ φ
    np.True_
    """
    parts = members(prior)
    rows, successes, failures = counted(X, won, lost)
    every = [tried(one, rows, successes, failures) for _, one in parts]
    about = [near(one.target) for one in every]
    in_each = GROUPS * max(draws // (EVIDENCE * GROUPS), 2)
    weighed = [by_importance(one.target, centre, rng, in_each) for one, centre in zip(every, about, strict=True)]
    logs = np.array([np.log(weight) for weight, _ in parts]) if isinstance(prior, Belief) else _logs(prior)
    each = np.stack([one.log_weight.reshape(GROUPS, -1) for one in weighed])  # (K, GROUPS, n)
    in_groups = _normalised(logs[:, None] + special.logsumexp(each, axis=2))  # (K, GROUPS)
    weights = _normalised(logs + np.array([one.log for one in weighed]))
    weight_errors = in_groups.std(axis=1, ddof=1) / np.sqrt(GROUPS)
    heavy = [k for k, weight in enumerate(weights) if weight > MATTERS]
    found, chances, means, shares, groups, group_shares = [], [], [], [], [], []
    for k, (one, centre) in enumerate(zip(every, about, strict=True)):
        kept, good, both = 0, (0.0, 1.0), k in heavy and polya_gamma_fits(one.target)
        if k in heavy:
            wanted = int(np.ceil(draws * weights[k] / (GROUPS * CHAINS)))
            steps = max(LEAST_STEPS, wanted)
            u = _chains(one, centre, rng, steps, both=both)
            good = _mixed(one, u, pool[:1])
            u = u[:: max(steps // max(wanted, LEAST_KEPT), 1)]
            p, mean = _probabilities(one, u, pool, rng)
            kept = p.shape[0] * p.shape[1]
            which = np.broadcast_to(np.arange(p.shape[1]) % GROUPS, p.shape[:2]).reshape(-1)
            chances.append(p.reshape(kept, -1))
            means.append(mean.reshape(kept, -1))
            groups.append(which)
            shares.append(np.full(kept, weights[k] / kept))
            group_shares.append(in_groups[k, which] / (kept / GROUPS))
        found.append(
            Member(
                weight=float(weights[k]),
                weight_error=float(weight_errors[k]),
                log_evidence=weighed[k].log,
                log_evidence_error=weighed[k].error,
                weighed=weighed[k].effective,
                polya_gamma=both,
                draws=kept,
                effective=good[0],
                r_hat=good[1],
            )
        )
        if progress is not None:
            progress(k + 1, len(every))
    share, group, group_share = (np.concatenate(parts) for parts in (shares, groups, group_shares))
    sums = np.bincount(group, group_share, GROUPS)
    return Posterior(
        tuple(found),
        np.concatenate(chances),
        np.concatenate(means),
        share / share.sum(),
        group,
        group_share / sums[group],
    )


def _logs(prior: Belief | Mixture) -> Array:
    assert isinstance(prior, Mixture)
    return prior.log_weights


def _normalised(logs: Array) -> Array:
    return np.asarray(np.exp(logs - special.logsumexp(logs, axis=0)))


def _chains(one: Tried, about: Gaussian, rng: np.random.Generator, steps: int, *, both: bool) -> Array:
    """Draws of ``u``, (steps, chains, r); chains c and c + GROUPS are of one group."""
    chains, wide = GROUPS * CHAINS, about.wider(1.2)
    start = about.mean + rng.standard_normal((chains, one.target.size)) @ wide.root.T
    if not both:
        return by_slices(one.target, start, rng, BURN + steps, about=about)[BURN:]
    half = chains // 2
    slices = by_slices(one.target, start[:half], rng, BURN + steps, about=about)
    gibbs = by_polya_gamma(one.target, start[half:], rng, BURN + steps)
    return np.concatenate([slices, gibbs], axis=1)[BURN:]


def _mixed(one: Tried, u: Array, row: Array) -> tuple[float, float]:
    """The fewest effective draws and the largest split R-hat, of the likelihood and of one alternative's score."""
    seen, target = one.seen(row), one.target
    looked = target.likelihood(target.scores(u)), seen.middle(u)[:, :, 0]
    return min(map(effective, looked)), max(map(split_r_hat, looked))


def _probabilities(one: Tried, u: Array, pool: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Success probabilities under each draw, (steps, chains, M), and their means given ``u``."""
    seen, link = one.seen(pool), one.prior.link
    f = seen.middle(u)
    open_yet = np.flatnonzero(seen.rest > 0.0)
    middle, rest = f[:, :, open_yet], seen.rest[open_yet]
    f[:, :, open_yet] += rng.standard_normal(middle.shape) * np.sqrt(rest)
    p = link.probability(f)
    mean = p.copy()
    if link.probits is not None:  # else by the draws themselves
        mean[:, :, open_yet] = success_probability(link, middle, rest, form="mixture")
    return p, mean


def _averaged(draws: Array, share: Array) -> Array:
    return np.asarray(np.einsum("n,nm->m", share, draws))  # not by BLAS, which would start threads for this


def _quantiles(p: Array, share: Array, levels: tuple[float, ...]) -> Array:
    """The smallest of the draws that has so much of the whole at or below it, for each column: (levels, M)."""
    order = np.argsort(p, axis=0)
    below = np.cumsum(share[order], axis=0)
    at = [np.minimum((below < level).sum(axis=0), len(p) - 1) for level in levels]
    return np.stack([np.take_along_axis(p, np.take_along_axis(order, i[None], 0), 0)[0] for i in at])
