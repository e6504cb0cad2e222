"""What must be the same in two ways: to the last bit where the arithmetic is the same, else but for rounding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from soak.histories.made import Story
from soak.histories.seen import Seen, same_belief
from sureshot import core
from sureshot.campaign.model.prior import belief_from_dict, belief_to_dict
from sureshot.core.beliefs.mixture import members
from sureshot.core.numerics.stable import Array

__all__ = ["again", "folded", "models"]

#: Where two ways compute the same fit in other coordinates, chances may differ by this: fits end where a sweep moved no
#: score by more than 1e-6 of its standard deviation, and each sweep gains a digit, so that a score is right to 1e-6
#: standard deviations or better; the chance moves by 0.4 of that at most, and by what rounding adds.
CLOSE = 1e-5
#: Both outcomes change places in the mirror.
MIRROR = {"logit": "logit", "probit": "probit", "cloglog": "loglog", "loglog": "cloglog"}
#: Outcomes taken apart, at most: n of k each become k of one.
APART = 500


def again(seen: Seen, told: Story, found: core.Fit[core.Belief | core.Mixture], rng: np.random.Generator) -> None:
    """A fit of the same outcomes in another order, or one by one instead of counted: the same to the last bit."""
    X = told.X
    shuffled = rng.permutation(len(X))
    other = core.fit(told.prior, X[shuffled], told.won[shuffled], of=told.of[shuffled])
    seen.must(same_belief(found.belief, other.belief), "a fit depends on the order of outcomes")
    seen.must(found.evidence == other.evidence, f"evidence depends on the order: {found.evidence}, {other.evidence}")
    if told.of.sum() <= APART:
        which = np.repeat(np.arange(len(X)), told.of)
        first = np.concatenate([[0], np.cumsum(told.of)])[:-1]
        y = (np.arange(len(which)) - first[which] < told.won[which]).astype(int)
        other = core.fit(told.prior, X[which], y)
        seen.must(same_belief(found.belief, other.belief), "k of n are not k successes and n - k failures")
    stored = belief_from_dict(belief_to_dict(found.belief))
    seen.must(same_belief(found.belief, stored), "a belief that was stored is another")
    if found.sites is not None and found.converged and len(X) > 1:
        # from the sites of half of the outcomes: the same, where both come to rest
        half = core.fit(told.prior, X[: len(X) // 2], told.won[: len(X) // 2], of=told.of[: len(X) // 2])
        warm = core.fit(told.prior, X, told.won, of=told.of, start=half.sites)
        if warm.converged and half.sites is not None:
            _close(seen, "from earlier sites", found.belief, warm.belief, told.pool, told.pool)


def folded(seen: Seen, told: Story, rng: np.random.Generator) -> tuple[core.Belief | core.Mixture, core.Info | None]:
    """Outcomes one after the other: in pieces, one by one, or all at one call, to the last bit the same."""
    whole, info = core.observe_many(told.prior, told.X, told.won, of=told.of)
    pieces, parts = told.prior, np.sort(rng.integers(0, len(told.X) + 1, 3))
    for rows in np.split(np.arange(len(told.X)), parts):
        pieces, _ = core.observe_many(pieces, told.X[rows], told.won[rows], of=told.of[rows])
    _no_other(seen, "in pieces", told, whole, pieces)
    if len(told.X) <= 60:
        one = told.prior
        for x, won, of in zip(told.X, told.won, told.of, strict=True):
            one, _ = core.observe(one, x, won, of=of)
        _no_other(seen, "one by one", told, whole, one)
    return whole, info


def _no_other(
    seen: Seen, how: str, told: Story, whole: core.Belief | core.Mixture, other: core.Belief | core.Mixture
) -> None:
    """To the last bit, but for two things: weights of a mixture are sums that were normalised on the way; and weights
    for own effects stand in the order in which alternatives came, so that sums over them are added up in another order.
    """
    if isinstance(whole, core.Mixture) and isinstance(other, core.Mixture):
        seen.off(f"{how}: weights of a mixture", float(np.abs(whole.weights - other.weights).max()), 1e-9)
    if any(one.reading is not None and one.reading.own for _, one in members(whole)):
        p, q = core.predictive(whole, told.pool), core.predictive(other, told.pool)
        seen.off(f"{how}, own effects: chances", float(np.abs(p - q).max()), 1e-9)
        return
    pairs = zip(members(whole), members(other), strict=True)
    seen.must(all(same_belief(a, b) for (_, a), (_, b) in pairs), f"{how}, a history is another")


def models(seen: Seen, told: Story, found: core.Fit[core.Belief | core.Mixture], rng: np.random.Generator) -> None:
    """The same model written in another way has the same chances. A fit in one pass depends on the order in which
    alternatives are sorted, which changes here, so this is for fits that came to rest, and for Laplace's.
    """
    prior = told.prior
    if not isinstance(prior, core.Belief) or prior.method == "adf" or not found.converged:
        return
    ways = {"mirrored": _mirrored}
    if prior.reading is None:
        ways |= {"columns in another order": _permuted, "columns in other units": _rescaled}
    if prior.factor is not None and prior.reading is None:
        ways |= {"a column taken in two": _split}
    if prior.reading is not None and prior.reading.own and prior.factor is not None:
        ways = {"own effects as columns": _spelled_out}
    name = str(rng.choice(list(ways)))
    way = ways[name](told, rng)
    if way is None:
        return
    other_prior, X, pool, won = way
    other = core.fit(other_prior, X, won, of=told.of)
    # A variance that outcomes bring from s to about 1 is what is left of s, to one rounding of s: of the widest scores
    # (a variance of 1e16) nothing is, and nothing is compared.
    widest = float(prior.moments(told.pool)[1].max())
    if other.converged and widest * np.finfo(float).eps < CLOSE:
        _close(seen, name, found.belief, other.belief, told.pool, pool, flipped=name == "mirrored")


Way = tuple[core.Belief, Array, Array, Array]


def _mirrored(told: Story, _: np.random.Generator) -> Way:
    prior = told.prior
    assert isinstance(prior, core.Belief)
    other = replace(prior, mean=-prior.mean, link=core.LINKS[MIRROR[prior.link.name]])
    return other, told.X, told.pool, told.of - told.won


def _permuted(told: Story, rng: np.random.Generator) -> Way:
    prior, order = told.prior, rng.permutation(told.pool.shape[1])
    assert isinstance(prior, core.Belief)
    cov = prior.cov[np.ix_(order, order)] if prior.factor is not None else prior.spread[order]
    other = core.gaussian(prior.mean[order], cov, link=prior.link, method=prior.method)
    return other, told.X[:, order], told.pool[:, order], told.won


def _rescaled(told: Story, rng: np.random.Generator) -> Way:
    prior, unit = told.prior, 2.0 ** rng.integers(-20, 21, told.pool.shape[1])
    assert isinstance(prior, core.Belief)
    cov = prior.cov / np.outer(unit, unit) if prior.factor is not None else prior.spread / unit**2
    other = core.gaussian(prior.mean / unit, cov, link=prior.link, method=prior.method)
    return other, told.X * unit, told.pool * unit, told.won


def _split(told: Story, rng: np.random.Generator) -> Way:
    """Two columns alike, whose weights have half of the mean and half of the variance each."""
    prior, j, d = told.prior, int(rng.integers(told.pool.shape[1])), told.pool.shape[1]
    assert isinstance(prior, core.Belief)
    to = np.append(np.arange(d), j)
    half = np.where(to == j, 0.5, 1.0)
    cov = prior.cov[np.ix_(to, to)] * np.outer(half, half)
    more = 0.25 * prior.cov[j, j]  # w/2 + e and w/2 - e, independent where the variance of e is a quarter
    for a, b, sign in ((j, j, 1), (d, d, 1), (j, d, -1), (d, j, -1)):
        cov[a, b] += sign * more
    other = core.gaussian(prior.mean[to] * half, cov, link=prior.link, method=prior.method)
    return other, told.X[:, to], told.pool[:, to], told.won


def _spelled_out(told: Story, _: np.random.Generator) -> Way | None:
    """A column for each alternative, with the variance of its own effect."""
    prior = told.prior
    assert isinstance(prior, core.Belief)
    look = prior.reading
    assert look is not None
    distinct, each = np.unique(told.pool, axis=0, return_inverse=True)
    if len(np.unique(told.X, axis=0)) > 200:
        return None
    pool = np.c_[told.pool[:, look.columns], np.eye(len(distinct))[each.reshape(-1)]]
    cov = np.zeros((pool.shape[1],) * 2)
    f = len(look.columns)
    cov[:f, :f] = prior.cov
    cov[f:, f:] = look.own * np.eye(len(distinct))
    mean = np.append(prior.mean, np.zeros(len(distinct)))
    return core.gaussian(mean, cov, link=prior.link, method=prior.method), pool[told.which], pool, told.won


def _close(
    seen: Seen,
    name: str,
    one: core.Belief | core.Mixture,
    other: core.Belief | core.Mixture,
    pool: Array,
    other_pool: Array,
    *,
    flipped: bool = False,
) -> None:
    p, q = core.predictive(one, pool), core.predictive(other, other_pool)
    seen.off(f"same model, {name}: chances", float(np.abs(p - (1.0 - q if flipped else q)).max()), CLOSE)
