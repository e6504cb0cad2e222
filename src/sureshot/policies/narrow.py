"""What is compared: of a huge pool, which alternatives get a policy's own scores, and which the final choice is
compared over; of many contexts, the latest.

A look-ahead compares every alternative with every other, in every scenario of what is pending. Up to 10,000
alternatives with nothing pending (7,000 with one trial pending, 2,500 with four or more) it does just that. Beyond, the
final choice is compared over the alternatives that may turn out best: those likeliest to succeed, and those whose
scores may be highest. Against these few a quick stand-in for the policy's scores
(:meth:`sureshot.policies.Policy.quick`) ranks all alternatives, and the best of that ranking are the candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.mixture import members
from sureshot.core.lookahead import finals
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct
from sureshot.policies.policy import Policy, own_scores, quick_scores
from sureshot.policies.situation import Situation

__all__ = [
    "CANDIDATES",
    "IN_SCENARIOS",
    "PAIRS",
    "Narrowed",
    "compared_over",
    "narrowed",
    "plausible",
    "seen_contexts",
    "too_large",
]

#: Pairs of an alternative and a final choice, in all scenarios of what is pending together, up to which nothing is
#: narrowed: 10,000 alternatives with nothing pending.
PAIRS = 10_000**2
#: Beyond: how many alternatives get scores of the policy's own, and how many of these in every scenario of what is
#: pending ...
CANDIDATES, IN_SCENARIOS = 256, 64
#: ... and over how many the final choice is compared: so many whose scores may be highest ...
FINALISTS = 500
#: ... and so many of the likeliest to succeed.
LIKELIEST = 100
#: "May be highest": the mean of the score, and so many standard deviations.
HIGH = 1.96
#: Contexts that a value is averaged over, at most: the latest ...
MOST_CONTEXTS = 100
#: ... and alternatives in all of them, at most: a person waits.
MOST_ROWS = 5_000

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Narrowed:
    """What is left of a huge pool."""

    situation: Situation  # with a few candidates and a few finals
    quick: Array  # (M,) stand-ins for the scores of all alternatives
    plausible: NDArray[np.intp]  # the rows that may turn out best


def narrowed(policy: Policy, situation: Situation, scenarios: int, rng: np.random.Generator) -> Narrowed | None:
    """The situation with a few candidates; None where nothing needs to be narrowed."""
    rows = np.arange(len(situation.X)) if situation.candidates is None else situation.candidates
    if len(rows) <= CANDIDATES or not too_large(situation, scenarios):
        return None
    likely = plausible(situation)
    few = compared_over(situation, likely)
    quick = quick_scores(policy, replace(few, candidates=None, pending=None), rng)
    if quick is None:
        return None
    chosen = _best(quick, rows, situation.X, CANDIDATES, rng)
    every = np.union1d(likely, chosen)
    few = replace(compared_over(situation, every), candidates=chosen)
    if scenarios > 1:
        own = own_scores(policy, replace(few, pending=None), rng)
        few = replace(few, candidates=_best(own, chosen, situation.X, IN_SCENARIOS, rng))
    return Narrowed(few, quick, every)


def too_large(situation: Situation, scenarios: int = 1) -> bool:
    """Whether there are too many pairs of alternatives and final choices to compare them all."""
    return len(situation.X) * len(or_pool(situation.finals, situation.X).rows) * scenarios > PAIRS


def compared_over(situation: Situation, rows: NDArray[np.intp] | None = None) -> Situation:
    """The situation with the final choice from these rows, or from those that may turn out best. What is compared over
    contexts stays as it is.
    """
    after = or_pool(situation.finals, situation.X)
    if after.rows is not situation.X:
        return situation
    some = plausible(situation) if rows is None else rows
    return replace(situation, finals=finals([situation.X[some]], d=situation.belief.d))


def plausible(situation: Situation) -> NDArray[np.intp]:
    """The rows of the alternatives that may turn out best."""
    X = situation.X
    if len(X) <= FINALISTS + LIKELIEST:
        return np.arange(len(X))
    each = [(weight, *one.moments(X)) for weight, one in members(situation.belief)]
    mean = sum((weight * mu for weight, mu, _ in each), np.zeros(len(X)))
    variance = sum((weight * (s + (mu - mean) ** 2) for weight, mu, s in each), np.zeros(len(X)))
    return np.union1d(_top(mean + HIGH * np.sqrt(variance), FINALISTS), _top(situation.probability, LIKELIEST))


def _top(values: Array, size: int) -> NDArray[np.intp]:
    """The rows of the largest values, in no order."""
    return np.argpartition(-values, size - 1)[:size]


def _best(scores: Array, rows: NDArray[np.intp], X: Array, size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The ``size`` best of the ``rows`` by these scores: equals in random order, and with each of them its copies."""
    order = rng.permutation(rows)
    order = order[np.argsort(-scores[order], kind="stable")]
    _, copies = distinct(X)
    first = np.sort(np.unique(copies[order], return_index=True)[1])[:size]
    return np.asarray(rows[np.isin(copies[rows], copies[order[first]])])


def seen_contexts(arrived: Sequence[Key], size: int) -> Counter[Key]:
    """Which contexts the value of a trial is averaged over, and how often each of them came: the latest that
    ``arrived``, the last of which is the present one; each has ``size`` alternatives. What is learned now serves cases
    to come, and those are likeliest to be like the cases seen.

    >>> seen_contexts(["A", "B", "A"], 3)
    Counter({'A': 2, 'B': 1})
    """
    return Counter(arrived[-max(1, min(MOST_CONTEXTS, MOST_ROWS // size)) :])
