"""A choice, with what a person needs to hear about it."""

from __future__ import annotations

import numpy as np

from sureshot.campaign.shortlist import Rows
from sureshot.core import Belief, Mixture, interval, predictive
from sureshot.core.lookahead import outlook
from sureshot.core.stable import Array
from sureshot.policies import Decision, Outlook
from sureshot.policies.ties import tied

__all__ = ["announced", "outlooks"]


def announced(
    belief: Belief | Mixture, X: Array, rows: Rows, found: Array, at: int, value: float, compared: Rows
) -> Decision:
    """The choice of ``rows[at]`` by the scores ``found`` of these rows, with what a person needs to hear."""
    index = int(rows[at])
    low, high = interval(belief, X[index : index + 1])
    second = int(np.argmax(np.where(np.arange(len(rows)) == at, -np.inf, found))) if len(rows) > 1 else None
    now, success, failure = outlooks(belief, X, compared, index)
    return Decision(
        alternative=index,
        probability=float(predictive(belief, X[index : index + 1])[0]),
        interval=(float(low[0]), float(high[0])),
        value=value,
        score=float(found[at]),
        now=now,
        on_success=success,
        on_failure=failure,
        runner_up=None if second is None else int(rows[second]),
        runner_up_score=None if second is None else float(found[second]),
        tied=len(tied(found)),
    )


def outlooks(belief: Belief | Mixture, X: Array, compared: Rows, index: int) -> tuple[Outlook, Outlook, Outlook]:
    """What to go with now, after a success and after a failure, among ``compared``, which holds the alternative."""
    p = predictive(belief, X[compared])
    best = int(np.argmax(p))
    after = outlook(belief, X[compared], int(np.searchsorted(compared, index)))
    failure, success = (Outlook(int(compared[at]), chance) for at, chance in after)
    return Outlook(int(compared[best]), float(p[best])), success, failure
