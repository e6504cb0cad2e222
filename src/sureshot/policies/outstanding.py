"""Trials whose outcomes are outstanding: the situations that they may lead to.

As :mod:`sureshot.core.lookahead.pending`, with the imagined outcomes kept beside the belief: a policy may look at what
was tried and what came of it.
"""

from __future__ import annotations

import numpy as np

from sureshot.core.belief import Belief
from sureshot.core.lookahead.pending import EXACT, MOST_PENDING, SAMPLED
from sureshot.core.mixture import Mixture
from sureshot.core.update import observe
from sureshot.errors import InvalidInput
from sureshot.policies.situation import Situation

__all__ = ["drawn", "followed"]


def followed(situation: Situation, rng: np.random.Generator) -> list[tuple[float, Situation]]:
    """Each way that the outstanding outcomes may turn out, with its probability: all 2^k of them up to six trials, 64
    draws beyond.
    """
    waiting = situation.pending
    if waiting is None or not len(waiting):
        return [(1.0, situation)]
    if len(waiting) > MOST_PENDING:
        raise InvalidInput(
            f"at most {MOST_PENDING} trials may be pending, got {len(waiting)}: tell or withdraw some of them first."
        )
    if len(waiting) > EXACT:
        return [(1.0 / SAMPLED, drawn(situation, rng)) for _ in range(SAMPLED)]
    ways: list[tuple[float, Belief | Mixture, tuple[int, ...]]] = [(1.0, situation.belief, ())]
    for x in waiting:
        grown = []
        for weight, belief, outcomes in ways:
            for y in (1, 0):
                after, info = observe(belief, x, y)
                grown.append((weight * float(np.exp(info.evidence)), after, (*outcomes, y)))
        ways = grown
    total = sum(weight for weight, _, _ in ways)
    return [(weight / total, situation.after(waiting, outcomes, belief)) for weight, belief, outcomes in ways]


def drawn(situation: Situation, rng: np.random.Generator) -> Situation:
    """One way that the outstanding outcomes may turn out, drawn one after the other from what is then believed."""
    waiting = situation.pending
    if waiting is None or not len(waiting):
        return situation
    belief, outcomes = situation.belief, []
    for x in waiting:
        after, info = observe(belief, x, 1)
        outcomes.append(int(rng.random() < np.exp(info.evidence)))
        belief = after if outcomes[-1] else observe(belief, x, 0)[0]
    return situation.after(waiting, outcomes, belief)
