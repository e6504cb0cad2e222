"""A recorded run once more, to look inside it: the value of every alternative and the belief, trial by trial.

Rows hold what was tried and what came of it. Truth and labels follow from the seed, beliefs from the outcomes, so
nothing else needs to be kept; that the recorded outcomes are the drawn ones is checked on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np

from sureshot.core import Belief, observe, predictive
from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.play.judge import recommend
from sureshot.lab.play.run import Staged

__all__ = ["Frame", "beliefs", "coordinates", "errors", "film"]


@dataclass(frozen=True, eq=False)
class Frame:
    """One panel of figures 1 and 2."""

    n: int  # the trial chosen here: 1, 2, ...
    values: Array  # (M,) the knowledge gradient of each alternative, by Algorithm 2, when it is chosen
    pick: int  # the alternative that is tried
    outcome: int
    decision: int  # the implementation decision if the budget ends with this trial: the largest m·x after its outcome


def coordinates(staged: Staged) -> Array:
    """The alternatives without the constant, (M, d)."""
    return np.asarray(staged.truth.X[0, :, 1:])


def beliefs(staged: Staged, picks: Sequence[int], outcomes: Sequence[int]) -> list[Belief]:
    """The paper's belief before the first trial and after each, ``len(picks) + 1`` of them."""
    fact = staged.truth
    X = fact.X[0]
    found = [cast(Belief, PAPER.make(X, intercept=fact.intercept))]
    for n, (pick, outcome) in enumerate(zip(picks, outcomes, strict=True)):
        drawn = int(staged.uniforms[pick, n] < fact.at(n)[0, pick])
        if drawn != outcome:
            raise InvalidInput(
                f"trial {n + 1} of the recorded run has outcome {outcome}, and this world and seed give {drawn}: "
                "the rows belong to another seed, world or version; make them again in an empty folder."
            )
        found.append(observe(found[-1], X[pick], int(outcome))[0])
    return found


def film(staged: Staged, picks: Sequence[int], outcomes: Sequence[int]) -> list[Frame]:
    """What Algorithm 2 saw and did at each trial."""
    X = staged.truth.X[0]
    frames = []
    for n, (before, after) in enumerate(pairwise(beliefs(staged, picks, outcomes))):
        values = knowledge_gradient(before, X, lookahead="update")
        frames.append(
            Frame(
                n=n + 1,
                values=values,
                pick=int(picks[n]),
                outcome=int(outcomes[n]),
                decision=int(recommend(after, X)[2].argmax()),
            )
        )
    return frames


def errors(staged: Staged, belief: Belief, n: int) -> Array:
    """``|predicted - true|`` for each alternative when ``n`` trials are done, (M,)."""
    return np.asarray(np.abs(predictive(belief, staged.truth.X[0]) - staged.truth.at(n)[0]))
