"""The one door: a policy, a situation and a generator give the next trial, or several to run at once.

A campaign, the lab and a sheet all decide here, so what the lab measures is what a person gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core import check
from sureshot.core.beliefs.predictive import interval, predictive
from sureshot.core.lookahead import knowledge_gradient, knowledge_gradient_star, outlook
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.lookahead.pending import Outstanding, outstanding, refuse_many
from sureshot.core.lookahead.star import MOST_REPEATS
from sureshot.core.numerics.stable import Array
from sureshot.errors import whole_number
from sureshot.policies.narrow import narrowed
from sureshot.policies.policy import Policy, refuse_situation, scores
from sureshot.policies.registry import policy_of
from sureshot.policies.situation import Situation

__all__ = ["Decision", "Outlook", "choose", "decide", "tied", "trial_values"]

#: Scores this close to the best, beside its own size, count as equal: approximation and rounding can't tell them apart
#: (section 5.2). Beside its size, because scores have units: costs in cents make them a hundred times as small.
EPSILON = 1e-8


@dataclass(frozen=True, slots=True)
class Outlook:
    """The alternative that would be chosen in the end, and its success probability."""

    alternative: int
    probability: float


@dataclass(frozen=True)
class Decision:
    """Which alternative to try next, and why. Alternatives are rows of the situation's pool.

    The choice itself is stored; what a person is told about it is computed when it is read. ``now``, ``on_success`` and
    ``on_failure`` are about this pool (with a context: this case's own actions) and the outcomes known today, whatever
    the value was averaged over.
    """

    alternative: int
    score: float  # what the policy maximised
    runner_up: int | None  # the next best alternative to try; None if there was one to try
    runner_up_score: float | None
    tied: int  # how many alternatives were as good, this one among them
    policy: Policy
    start: bool  # whether it is one of the policy's random first trials
    looked_at: int | None  # how many alternatives of a huge pool the policy scored itself; None: all of them
    scores: Array = field(repr=False, compare=False)  # (M,) of all alternatives; of those not looked at, a quick guess
    situation: Situation = field(repr=False, compare=False)
    waiting: Outstanding | None = field(repr=False, compare=False)  # the scenarios of what is pending, where followed
    plausible: NDArray[np.intp] | None = field(repr=False, compare=False)  # of a huge pool, what may turn out best

    @cached_property
    def probability(self) -> float:
        """That it succeeds."""
        return float(predictive(self.situation.belief, self._row)[0])

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The 95 % credible interval of its success probability."""
        low, high = interval(self.situation.belief, self._row)
        return float(low[0]), float(high[0])

    @cached_property
    def value(self) -> float:
        """What a trial of it is expected to add to the success probability of the final choice: KG(*), the value of one
        trial or of several in a row, per trial; for the last trial, the exact knowledge gradient. For a link that has
        no exact look-ahead, the knowledge gradient by the belief's update.
        """
        now = self.situation
        if not self.start and (known := self.policy.value(now, self.score)) is not None:
            return known
        waiting = self.waiting or outstanding(now.belief, now.pending, rng=np.random.default_rng(0))
        return float(trial_values(now, self._row, waiting)[0])

    @property
    def because(self) -> str:
        """Why the policy chose it, in a few words."""
        return self.policy.reason(self.situation)

    @property
    def now(self) -> Outlook:
        """What would be chosen today."""
        return self._outlooks[0]

    @property
    def on_success(self) -> Outlook:
        """What would be chosen after a success of this trial."""
        return self._outlooks[1]

    @property
    def on_failure(self) -> Outlook:
        """What would be chosen after a failure of this trial."""
        return self._outlooks[2]

    @cached_property
    def _row(self) -> Array:
        return check.frozen(self.situation.X[self.alternative : self.alternative + 1])

    @cached_property
    def _outlooks(self) -> tuple[Outlook, Outlook, Outlook]:
        now = self.situation
        rows = np.arange(len(now.X)) if self.plausible is None else self.plausible
        best = int(rows[np.argmax(now.probability[rows])])
        some = now.X if self.plausible is None else now.X[rows]
        failure, success = outlook(now.belief, some, int(np.searchsorted(rows, self.alternative)))
        won, lost = (Outlook(int(rows[at]), chance) for at, chance in (success, failure))
        return Outlook(best, float(now.probability[best])), won, lost


def trial_values(now: Situation, rows: Array, waiting: Outstanding) -> Array:
    """What a trial of each of these rows, in the pool or not, is expected to add to the success probability of the
    final choice, averaged over how ``waiting`` trials may turn out: (n,). See :attr:`Decision.value`.
    """
    after, total = or_pool(now.finals, now.X), np.zeros(len(rows))
    for weight, belief, _ in waiting.scenarios:
        if lookahead_of(belief) == "exact":
            left = now.trials_ahead(MOST_REPEATS)
            found = knowledge_gradient_star(belief, rows, trials_left=left, finals=after).score
        else:
            found = knowledge_gradient(belief, rows, lookahead="update", finals=after)
        total += weight * found
    return total


def decide(
    policy: str | Mapping[str, Any] | Policy, situation: Situation, rng: np.random.Generator | int, q: int = 1
) -> list[Decision]:
    """``q`` trials to run at once, each chosen as if those before it were pending; ties fall at random.

    ``policy`` is a policy, its name, or its name and parameters (:func:`~sureshot.policies.policy_of`); ``rng`` a
    generator, or the seed of one.

    >>> from sureshot import core
    >>> from sureshot.policies import situation
    >>> X = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]])
    >>> belief, _ = core.observe(core.prior(2), X[2], 1)
    >>> (decision,) = decide("kg-exact", situation(belief, X, trials_left=1), 0)
    >>> decision.alternative, round(decision.value, 3), decision.on_failure.alternative
    (0, 0.017, 2)
    """
    q = whole_number("q", q, of="trials")
    rule = policy if isinstance(policy, Policy) else policy_of(policy)
    generator = np.random.default_rng(rng)
    pending = 0 if situation.pending is None else len(situation.pending)
    refuse_many(pending, q - 1)
    waiting = None if rule.randomised else outstanding(situation.belief, situation.pending, rng=generator)
    chosen = [_decided(rule, situation, waiting, generator)]
    while len(chosen) < q:
        row = situation.X[chosen[-1].alternative]
        situation = situation.asked(row)
        waiting = None if waiting is None else waiting.and_of(row, generator)
        chosen.append(_decided(rule, situation, waiting, generator))
    return chosen


def _decided(policy: Policy, situation: Situation, waiting: Outstanding | None, rng: np.random.Generator) -> Decision:
    """One trial; ``waiting`` are the scenarios of what is pending."""
    known = len(situation.outcomes) + (0 if situation.pending is None else len(situation.pending))
    start, few = known < policy.abilities.starts, None
    refuse_situation(policy, situation)
    if start:
        found = np.zeros(len(situation.X))
    else:
        few = narrowed(policy, situation, 1 if waiting is None else len(waiting.scenarios), rng)
        situation = situation if few is None else few.situation
        found = scores(policy, situation, rng, waiting=waiting)
    rows = np.arange(len(found)) if situation.candidates is None else situation.candidates
    own = found[rows]
    at = choose(own, rng)
    others = np.where(np.arange(len(rows)) == at, -np.inf, own)
    second = int(np.argmax(others)) if len(rows) > 1 else None
    if few is not None:
        found = np.minimum(few.quick, own.min())
        found[rows] = own
    return Decision(
        alternative=int(rows[at]),
        score=float(own[at]),
        runner_up=None if second is None else int(rows[second]),
        runner_up_score=None if second is None else float(own[second]),
        tied=len(tied(own)),
        policy=policy,
        start=start,
        looked_at=None if few is None else len(rows),
        scores=found,
        situation=situation,
        waiting=waiting,
        plausible=None if few is None else few.plausible,
    )


def tied(scores: Array) -> NDArray[np.intp]:
    """The rows whose score is as good as the best."""
    best = scores.max()
    return np.flatnonzero(scores >= best - EPSILON * abs(best))


def choose(scores: Array, rng: np.random.Generator) -> int:
    """One of the best, at random: under a symmetric prior all are tied, and "the first row" is no choice.

    >>> choose(np.array([0.1, 0.7, 0.7]), np.random.default_rng(1))
    1
    """
    best = tied(scores)
    return int(best[rng.integers(len(best))] if len(best) > 1 else best[0])
