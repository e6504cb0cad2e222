"""Trials whose outcomes are outstanding: the situations that they may lead to.

As :mod:`sureshot.core.lookahead.pending`, with the imagined outcomes kept beside the belief: a policy may look at what
was tried and what came of it.
"""

from __future__ import annotations

import numpy as np

from sureshot.core.learning.update import observe, observe_many
from sureshot.core.lookahead.pending import Outstanding, outstanding
from sureshot.policies.situation import Situation

__all__ = ["drawn", "failed", "followed"]


def followed(
    situation: Situation, rng: np.random.Generator, known: Outstanding | None = None
) -> list[tuple[float, Situation]]:
    """Each scenario of the outstanding outcomes, with its probability: all 2^k of them up to six trials, 64 beyond.
    ``known`` are these scenarios where they are known.
    """
    waiting = outstanding(situation.belief, situation.pending if known is None else known, rng=rng)
    if not len(waiting.rows):
        return [(1.0, situation)]
    return [(one.weight, situation.after(waiting.rows, one.outcomes, one.belief)) for one in waiting.scenarios]


def drawn(situation: Situation, rng: np.random.Generator) -> Situation:
    """One scenario of the outstanding outcomes, drawn one after the other from what is then believed."""
    waiting = situation.pending
    if waiting is None or not len(waiting):
        return situation
    belief, outcomes = situation.belief, []
    for x in waiting:
        after, info = observe(belief, x, 1)
        outcomes.append(int(rng.random() < np.exp(info.evidence)))
        belief = after if outcomes[-1] else observe(belief, x, 0)[0]
    return situation.after(waiting, outcomes, belief)


def failed(situation: Situation) -> Situation:
    """The scenario in which every outstanding trial fails."""
    waiting = situation.pending
    if waiting is None or not len(waiting):
        return situation
    none = np.zeros(len(waiting), dtype=np.int64)
    return situation.after(waiting, none.tolist(), observe_many(situation.belief, waiting, none)[0])
