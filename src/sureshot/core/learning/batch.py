"""A whole history fitted together: what the campaign's belief is, whatever the order in which outcomes came.

Outcomes of the same alternative are counted together, which is exact, and alternatives are put in one order, so that a
history that was shuffled gives the same belief to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Generic, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, normalised
from sureshot.core.learning import propagation
from sureshot.core.learning.maximum import maximise
from sureshot.core.learning.propagation import LEAST_LEFT, TOLERANCE
from sureshot.core.learning.step import refuse_overflow
from sureshot.core.learning.update import observe_many
from sureshot.core.links import Link
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import code_of
from sureshot.core.rows import distinct, places
from sureshot.errors import InvalidInput

__all__ = ["MOST_SITES", "Fit", "Sites", "counted", "fit"]

#: Different alternatives in a history that expectation propagation fits; beyond, one pass of moment matching takes its
#: place. A sweep takes n·min(n, w)² steps: here about 0.1 s for 300 weights. One pass is nearly as good by then.
MOST_SITES = 1000

#: A fit whose last sweep still moved this much does not come to rest; one pass is better than where it happens to be.
UNSETTLED = 1e-3

#: Weights of a diagonal belief that is fitted with all correlations between them, which takes 8 bytes for each pair.
#: One of more weights drops them after each outcome, as it does when outcomes come one by one.
MOST_CORRELATED = 1024

AnyBelief = TypeVar("AnyBelief", bound=Belief | Mixture)


@dataclass(frozen=True, slots=True, eq=False)
class Sites:
    """Where a fit by expectation propagation came to rest, for the next fit to begin at."""

    rows: Array  # (n, d) the alternatives
    weights: int  # of the belief, beside those of own effects
    tau: Array  # (n,)
    nu: Array


@dataclass(frozen=True, slots=True, eq=False)
class Fit(Generic[AnyBelief]):
    """A fitted belief, and how it came about."""

    belief: AnyBelief
    evidence: float  # log probability of the outcomes under the prior, as the method has it
    sites: tuple[Sites, ...] | None  # one for each belief of a mixture; None where one of them was not fitted by EP
    sweeps: int  # the most that any belief took; 0 where none are made, 1 for a single pass
    converged: bool  # False where sweeps did not come to rest, or one pass took their place


def fit(
    prior: AnyBelief,
    X: ArrayLike,
    y: ArrayLike,
    *,
    of: ArrayLike | None = None,
    start: tuple[Sites, ...] | None = None,
) -> Fit[AnyBelief]:
    """The belief given all outcomes together, in any order, by the method of the prior.

    ``"ep"`` is expectation propagation (:mod:`sureshot.core.learning.propagation`), from ``start`` if the sites of an
    earlier fit of the same prior are handed in, ``"adf"`` one pass of moment matching, ``"laplace"`` Laplace's method
    about the maximum. The beliefs of a mixture are fitted each by itself and weighted by their evidence.

    >>> from sureshot import core
    >>> history = [[1, 0], [1, 1], [1, 2]], [0, 1, 1]
    >>> fit(core.prior(2), *history).belief.mean.round(3)
    array([0.015, 0.711])
    >>> found = fit(core.prior(2, method="ep"), *history)
    >>> found.belief.mean.round(3), round(found.evidence, 3)
    (array([0.055, 0.805]), -2.028)
    """
    rows = check.features(X, "X", prior.d)
    told = counted(rows, *check.counts(y, of, len(rows)))
    if isinstance(prior, Belief):
        return cast(Fit[AnyBelief], _fit(prior, *told, start[0] if start else None))
    beliefs = cast(Mixture, prior).beliefs
    begin: tuple[Sites | None, ...] = start or (None,) * len(beliefs)
    if len(begin) != len(beliefs):
        raise InvalidInput(f"`start` must hold sites of {len(beliefs)} beliefs, as the prior has, got {len(begin)}.")
    fits = [_fit(belief, *told, sites) for belief, sites in zip(beliefs, begin, strict=True)]
    log_weights = cast(Mixture, prior).log_weights + np.array([one.evidence for one in fits])
    evidence = float(np.logaddexp.reduce(log_weights))
    sites = tuple(one.sites[0] for one in fits if one.sites)
    mixed = Mixture(tuple(one.belief for one in fits), normalised(log_weights))
    together = Fit(
        mixed,
        evidence,
        sites if len(sites) == len(fits) else None,
        max(one.sweeps for one in fits),
        all(one.converged for one in fits),
    )
    return cast(Fit[AnyBelief], together)


def counted(rows: Array, won: Array, lost: Array) -> tuple[Array, Array, Array]:
    """The different alternatives in one order, and the successes and failures of each."""
    first, which = distinct(rows)
    different = rows[first] + 0.0  # no -0.0
    order = np.lexsort(different.T[::-1])
    won, lost = (np.asarray(np.bincount(which, one, len(first))[order], float) for one in (won, lost))
    return check.frozen(different[order]), won, lost


def _fit(prior: Belief, X: Array, won: Array, lost: Array, start: Sites | None) -> Fit[Belief]:
    prior = prior.knowing(X)
    if prior.method == "laplace":
        belief, evidence = maximise(prior, X, won, lost)
        return Fit(belief, evidence, None, 0, True)
    if prior.factor is not None and prior.method == "ep" and len(X) <= MOST_SITES:
        return _propagated(prior, X, won, lost, start)
    if prior.factor is not None or len(prior.mean) > MOST_CORRELATED:
        return _one_pass(prior, X, won, lost)
    found = _fit(replace(prior, factor=np.eye(len(prior.mean))), X, won, lost, start)
    return replace(found, belief=_uncorrelated(found.belief))


def _uncorrelated(belief: Belief) -> Belief:
    """The same means and variances, as all that a diagonal belief keeps."""
    assert belief.factor is not None
    return replace(belief, spread=check.frozen(belief.spread @ belief.factor**2), factor=None)


def _one_pass(prior: Belief, X: Array, won: Array, lost: Array) -> Fit[Belief]:
    belief, info = observe_many(prior, X, won, of=won + lost)
    return Fit(belief, float(info.evidence.sum()), None, 1, prior.method == "adf")


def _propagated(prior: Belief, X: Array, won: Array, lost: Array, start: Sites | None) -> Fit[Belief]:
    rows, extra = prior.read(X)
    rows = np.ascontiguousarray(rows)
    sites = _begin(prior, X, start)
    code = code_of(prior.link)
    how: ModuleType = propagation
    link: Link | int = prior.link
    if code is not None:
        from sureshot.core.learning.compiled import propagation as how  # Numba is loaded here, where it is first used

        link = code
    mean, spread = prior.mean.copy(), prior.spread.copy()
    factor = np.array(prior.factor)
    with np.errstate(over="ignore", invalid="ignore"):
        base = rows @ mean
        root = how.rooted(spread, factor, rows)
        size = np.einsum("ij,ij->i", root, root)
        refuse_overflow(base, size + extra, in_order=False)
        # a site that may be all but the whole precision of its score would stay as it is, however many outcomes came
        # since (LEAST_LEFT): that one begins anew
        stuck = sites.tau * size > 0.5 / LEAST_LEFT
        sites.tau[stuck] = sites.nu[stuck] = 0.0
    if not len(X):
        found = 0.0, 0, 0.0
    else:
        found = how.propagate(link, base, root, extra, won, lost, sites.tau, sites.nu)
        how.absorb(mean, spread, factor, np.zeros(len(X)), rows, sites.tau, sites.nu)
    evidence, sweeps, change = found
    if not change < UNSETTLED:
        return replace(_one_pass(prior, X, won, lost), sweeps=int(sweeps))
    for array in (mean, spread, factor, sites.tau, sites.nu):
        array.flags.writeable = False
    belief = replace(prior, mean=mean, spread=spread, factor=factor)
    return Fit(belief, float(evidence), (sites,), int(sweeps), bool(change <= TOLERANCE))


def _begin(prior: Belief, X: Array, start: Sites | None) -> Sites:
    """Sites to begin at: those of ``start`` for the alternatives that it knows, none for others."""
    features = len(prior.mean) if prior.reading is None else len(prior.reading.columns)
    tau, nu = np.zeros(len(X)), np.zeros(len(X))
    if start is not None:
        if start.rows.shape[1] != prior.d or start.weights != features:
            raise InvalidInput("`start` must come from a fit of the same prior, got sites of another: leave it out.")
        at = places(start.rows, X)
        known = np.flatnonzero(at >= 0)
        tau[known], nu[known] = start.tau[at[known]], start.nu[at[known]]
    return Sites(check.frozen(X), features, tau, nu)
