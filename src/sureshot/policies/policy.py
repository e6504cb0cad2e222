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

from sureshot.core.stable import Array
from sureshot.errors import InvalidInput
from sureshot.policies.outstanding import drawn, followed
from sureshot.policies.situation import Situation
from sureshot.policies.ties import choose

__all__ = ["Abilities", "Policy", "pick", "scores"]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a policy can do. Everything is expected, except to weigh costs; what is missing is refused by name."""

    offline: bool = True
    online: bool = True
    contextual: bool = True
    pending: bool = True
    cost: bool = False
    starts: int = 0  # random trials that it needs before its own first choice; they count as trials
    kg: bool = False  # its offline scores are knowledge gradients: the lab records the largest


class Policy(ABC):
    """One rule for choosing the next trial; subclasses are frozen dataclasses of their parameters.

    ``randomised`` says that the choice itself is a draw (Thompson sampling), rather than the best by a number that is
    computed or estimated. What is outstanding is then drawn too, once; for other policies scores are averaged over it.
    """

    name: ClassVar[str]
    abilities: ClassVar[Abilities] = Abilities()
    randomised: ClassVar[bool] = False

    @abstractmethod
    def scores(self, situation: Situation, rng: np.random.Generator) -> Array:
        """How much each alternative is worth trying next, (M,): the largest is chosen, ties fall at random.

        ``situation.pending`` is dealt with by the caller: here nothing is outstanding.
        """


def scores(policy: Policy, situation: Situation, rng: np.random.Generator) -> Array:
    """The scores of a policy, (M,): checked against its abilities, and averaged over what is outstanding.

    A randomised policy is asked once, as if one way that the outstanding outcomes may turn out, drawn by its
    probability, had happened: an average of scores of different draws would be a draw of nothing.
    """
    _refuse_what_it_cannot(policy, situation)
    if policy.randomised:
        return policy.scores(drawn(situation, rng), rng)
    ways = followed(situation, rng)
    if len(ways) == 1:
        return policy.scores(ways[0][1], rng)
    total = np.zeros(len(situation.X))
    for weight, then in ways:
        total += weight * policy.scores(then, rng)
    return total


def pick(policy: Policy, situation: Situation, rng: np.random.Generator) -> int:
    """The alternative to try next, a row of ``situation.X``.

    >>> from sureshot import core
    >>> from sureshot.policies import get_policy, situation
    >>> now = situation(core.prior(2), [[1.0, -1.0], [1.0, 0.0], [1.0, 2.0]])
    >>> pick(get_policy("kg"), now, np.random.default_rng(0))
    2
    """
    return choose(scores(policy, situation, rng), rng)


def _refuse_what_it_cannot(policy: Policy, situation: Situation) -> None:
    able = policy.abilities
    asked = {
        situation.objective: getattr(able, situation.objective),
        "contextual": able.contextual or not situation.contextual,
        "pending": able.pending or situation.pending is None or not len(situation.pending),
        "cost": able.cost or situation.cost is None,
    }
    missing = [name for name, fine in asked.items() if not fine]
    if missing:
        words = {
            "offline": "an offline objective",
            "online": "an online objective",
            "contextual": "contexts",
            "pending": "pending trials",
            "cost": "costs",
        }
        raise InvalidInput(
            f"policy {policy.name!r} can't deal with {' and '.join(words[m] for m in missing)}: "
            "choose another policy ('kg-exact' deals with everything) or leave that out."
        )
