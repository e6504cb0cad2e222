"""Narrowing a huge pool: which alternatives get a policy's own scores, and which the final choice is compared over.

A look-ahead compares every alternative with every other, in every scenario of what is pending. Up to 10,000
alternatives with nothing pending it does just that. Beyond, the final choice is compared over the alternatives that may
turn out best: those likeliest to succeed, and those whose scores may be highest. Against these few a quick stand-in for
the policy's scores (:meth:`sureshot.policies.Policy.quick`) ranks all alternatives, and the best of that ranking are
the candidates.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sureshot.core.lookahead import finals
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.lookahead.pool import distinct
from sureshot.core.stable import Array
from sureshot.policies.policy import Policy
from sureshot.policies.situation import Situation
from sureshot.policies.ucb import upper_bound

__all__ = ["CANDIDATES", "FINALISTS", "PAIRS", "few_finals", "narrowed", "plausible"]

#: Pairs of an alternative and a final choice, in all scenarios, up to which nothing is narrowed: 10,000 alternatives
#: with nothing pending, 1,250 with six trials pending. About a second.
PAIRS = 10_000**2
#: Beyond: how many alternatives get scores of the policy's own ...
CANDIDATES = 64
#: ... and over how many the final choice is compared: so many whose scores may be highest ...
FINALISTS = 500
#: ... and so many of the likeliest to succeed.
LIKELIEST = 100
#: "May be highest": the score's quantile at so many standard deviations of a normal variable.
HIGH = 1.96


def narrowed(
    policy: Policy, situation: Situation, scenarios: int, rng: np.random.Generator
) -> tuple[Situation, Array | None]:
    """The situation with a few candidates and finals, and the quick scores of all alternatives, (M,); or the situation
    as it is, and None, where nothing needs to be narrowed.
    """
    open_rows = np.arange(len(situation.X)) if situation.candidates is None else situation.candidates
    few = few_finals(situation, scenarios)
    if few is situation or len(open_rows) <= CANDIDATES:
        return situation, None
    quick = policy.quick(replace(few, candidates=None, pending=None), rng)
    if quick is None:
        return situation, None
    chosen = _best(quick, open_rows, situation.X, rng)
    return replace(few_finals(situation, scenarios, chosen), candidates=chosen), quick


def few_finals(situation: Situation, scenarios: int = 1, also: NDArray[np.intp] | tuple[()] = ()) -> Situation:
    """The situation as it is where not too much is to be compared; else with the final choice from the alternatives
    that may turn out best, and from those in ``also``. What other contexts are compared over stays.
    """
    after = or_pool(situation.finals, situation.X)
    if len(situation.X) * len(after.rows) * scenarios <= PAIRS:
        return situation
    if after.rows is not situation.X:
        return replace(situation, finals=after)
    rows = np.union1d(plausible(situation), also).astype(np.intp)
    return replace(situation, finals=finals([situation.X[rows]], d=situation.belief.d))


def plausible(situation: Situation) -> NDArray[np.intp]:
    """The rows of the alternatives that may turn out best."""
    if len(situation.X) <= FINALISTS + LIKELIEST:
        return np.arange(len(situation.X))
    high = upper_bound(situation.belief, situation.X, HIGH)
    return np.union1d(_top(high, FINALISTS), _top(situation.probability, LIKELIEST))


def _top(values: Array, size: int) -> NDArray[np.intp]:
    """The rows of the largest values, in no order."""
    return np.argpartition(-values, size - 1)[:size]


def _best(quick: Array, rows: NDArray[np.intp], X: Array, rng: np.random.Generator) -> NDArray[np.intp]:
    """Those of the ``rows`` with the best quick scores: equals in random order, and with each of them its copies."""
    order = rng.permutation(rows)
    order = order[np.argsort(-quick[order], kind="stable")]
    _, copies = distinct(X)
    first = np.sort(np.unique(copies[order], return_index=True)[1])[:CANDIDATES]
    return np.asarray(rows[np.isin(copies[rows], copies[order[first]])])
