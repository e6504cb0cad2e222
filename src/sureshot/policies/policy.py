"""What a policy is: scores for the alternatives, from what is known when the next trial is chosen.

A policy is one small file: a formula as a plain function, and a frozen class that gathers its arguments. It sees a
:class:`~sureshot.policies.Situation` and nothing else, so the same policy serves a real campaign and a simulated one,
and can't peek at a truth. What it can't do it declares in its ``abilities``; asking for that is a clear error before
anything is computed. :class:`sureshot.testing.PolicyConformance` says whether a policy of your own is sound.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture
from sureshot.core.learning.update import observe, observe_many
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.lookahead.pending import Outstanding, outstanding
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.policies.situation import Objective, Situation

__all__ = ["Abilities", "Policy", "own_scores", "quick_scores", "refuse_situation", "refuse_what_it_cannot", "scores"]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a policy can do. Everything is expected, except to weigh costs; what is missing is refused by name."""

    offline: bool = True
    online: bool = True
    contextual: bool = True
    pending: bool = True
    cost: bool = False
    any_link: bool = True  # also a link without a mixture of probits, for which there is no exact look-ahead
    starts: int = 0  # random trials that it needs before its own first choice; they count as trials
    kg: bool = False  # its offline scores are knowledge gradients: the lab records the largest


class Policy(ABC):
    """One rule for choosing the next trial; subclasses are frozen dataclasses of their parameters.

    ``randomised`` says that the choice itself is a draw (Thompson sampling), rather than the best by a number that is
    computed or estimated. What is outstanding is then drawn too, once; for other policies scores are averaged over it.
    ``because`` tells a person in a few words why the chosen alternative is the one to try.
    """

    called: ClassVar[str] = "policy"
    name: ClassVar[str]
    abilities: ClassVar[Abilities] = Abilities()
    randomised: ClassVar[bool] = False
    because: ClassVar[str] = "it has the highest score"

    @abstractmethod
    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """How much each alternative is worth trying next, (M,): the largest is chosen, ties fall at random.

        ``situation.pending`` is dealt with by the caller: here nothing is outstanding. Where ``situation.candidates``
        names some rows, one of these is chosen, and the scores of the others don't matter.
        """

    def reason(self, situation: Situation) -> str:
        """Why the alternative chosen in this situation is the one to try; ``because``, unless it depends on it."""
        return self.because

    def takes_for_failed(self, situation: Situation) -> bool:
        """Whether what is outstanding counts as failed here, rather than as whatever it may be."""
        return False

    def value(self, situation: Situation, score: float) -> float | None:
        """What a trial with this score is expected to add to the final choice, where the score says it (as
        :attr:`~sureshot.policies.Decision.value` has it): then nobody works it out again. None: it says something else.
        """
        return None

    def quick(self, situation: Situation, rng: np.random.Generator) -> Array | None:
        """A cheap stand-in for the scores, (M,), by which a huge pool is narrowed to a few candidates; None: the scores
        themselves are quick, and nothing is narrowed.
        """
        return None


def scores(
    policy: Policy, situation: Situation, rng: np.random.Generator, *, waiting: Outstanding | None = None
) -> Array:
    """The scores of a policy, (M,): checked against its abilities, and averaged over what is outstanding.

    A randomised policy is asked once, in one scenario of the outstanding outcomes, drawn by its probability: an average
    of scores of different draws would be a draw of nothing. ``waiting`` are the scenarios, where they are known.
    """
    refuse_situation(policy, situation)
    if situation.pending is None:
        return own_scores(policy, situation, rng)
    if policy.takes_for_failed(situation):
        return own_scores(policy, _failed(situation, situation.pending), rng)
    if policy.randomised:
        return own_scores(policy, _drawn(situation, situation.pending, rng), rng)
    ahead = waiting or outstanding(situation.belief, situation.pending, rng=rng)
    total = np.zeros(len(situation.X))
    for one in ahead.scenarios:
        total += one.weight * own_scores(policy, situation.after(ahead.rows, one.outcomes, one.belief), rng)
    return total


def _failed(situation: Situation, pending: Array) -> Situation:
    """The scenario in which every outstanding trial fails."""
    none = [0] * len(pending)
    return situation.after(pending, none, observe_many(situation.belief, pending, none)[0])


def _drawn(situation: Situation, pending: Array, rng: np.random.Generator) -> Situation:
    """One scenario of the outstanding outcomes, drawn one after the other from what is then believed."""
    belief, outcomes = situation.belief, []
    for x in pending:
        after, info = observe(belief, x, 1)
        outcomes.append(int(rng.random() < np.exp(info.evidence)))
        belief = after if outcomes[-1] else observe(belief, x, 0)[0]
    return situation.after(pending, outcomes, belief)


def own_scores(policy: Policy, situation: Situation, rng: np.random.Generator) -> Array:
    """What the policy itself says where nothing is outstanding, if it is one finite number for each alternative."""
    return _numbers(policy, "score", policy.scores(situation, rng), situation)


def quick_scores(policy: Policy, situation: Situation, rng: np.random.Generator) -> Array | None:
    """Its quick stand-ins for the scores, checked likewise; None if it has none."""
    found = policy.quick(situation, rng)
    return None if found is None else _numbers(policy, "quick score", found, situation)


def _numbers(policy: Policy, what: str, found: object, situation: Situation) -> Array:
    size, rows = len(situation.X), situation.candidates
    try:
        own = np.asarray(found, dtype=float)
        came = f"numbers of shape {own.shape}"
    except (TypeError, ValueError):
        own, came = np.empty(0), repr(found)
    if own.shape == (size,):
        wrong = np.flatnonzero(~np.isfinite(own if rows is None else own[rows]))  # those of others don't matter
        if not len(wrong):
            return own
        at = wrong[0] if rows is None else rows[wrong[0]]
        came = f"{own[at]} for alternative {at}"
    raise InvalidInput(
        f"policy {policy.name!r} must give one finite {what} for each of {size} alternatives, got {came}",
        field="policy",
        value=policy.name,
        fix="fix the policy, or choose another",
    )


def refuse_situation(policy: Policy, situation: Situation) -> None:
    """Refuse a situation that a policy declares it can't deal with."""
    refuse_what_it_cannot(
        policy,
        situation.belief,
        objective=situation.objective,
        contextual=situation.contextual,
        cost=situation.cost is not None,
        pending=situation.pending is not None,
    )


def refuse_what_it_cannot(
    policy: Policy,
    belief: Belief | Mixture,
    *,
    objective: Objective,
    contextual: bool = False,
    cost: bool = False,
    pending: bool = False,
) -> None:
    """The same from its parts: a campaign is refused when it is made, not when it is first asked."""
    able = policy.abilities
    if pending and not able.pending:
        raise InvalidInput(
            f"policy {policy.name!r} can't deal with pending trials",
            field="policy",
            value=policy.name,
            fix="ask for one trial at a time, and tell its outcome or withdraw it before you ask for the next",
        )
    asked = {
        f"an {objective} objective": getattr(able, objective),
        "contexts": able.contextual or not contextual,
        "costs": able.cost or not cost,
        "a link without a mixture of probits": able.any_link or lookahead_of(belief) == "exact",
    }
    missing = [words for words, fine in asked.items() if not fine]
    if missing:
        raise InvalidInput(
            f"policy {policy.name!r} can't deal with {' and '.join(missing)}",
            field="policy",
            value=policy.name,
            fix="choose another policy ('kg' deals with everything) or leave that out",
        )
