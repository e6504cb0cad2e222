"""The next trial, with what a person needs to hear about it: how likely it works, what it would teach, what else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.belief import Belief
from sureshot.core.lookahead import Finals, Lookahead, outlook
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.lookahead.pending import Outstanding, outstanding, refuse_many
from sureshot.core.mixture import Mixture
from sureshot.core.predictive import interval, predictive
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput, unknown_name
from sureshot.policies.objective import horizon, knowledge_gradient
from sureshot.policies.situation import Objective
from sureshot.policies.ties import choose, tied

__all__ = ["Decision", "Outlook", "decide", "decide_batch"]


@dataclass(frozen=True, slots=True)
class Outlook:
    """The alternative that would be gone with, and its success probability."""

    alternative: int
    probability: float


@dataclass(frozen=True, slots=True)
class Decision:
    """Which alternative to try next, and why. Alternatives are rows of the pool.

    ``now``, ``on_success`` and ``on_failure`` are about this pool (with a context: this case's own actions) and the
    outcomes known today, whatever the value was averaged over.
    """

    alternative: int
    probability: float  # that it succeeds
    interval: tuple[float, float]  # 95 % credible interval of its success probability
    value: float  # expected gain in the success probability of the final choice, exact if the link has probits
    score: float  # what the choice maximised: the value, per cost or with the success itself
    now: Outlook  # what we would go with today
    on_success: Outlook  # ... after a success of this trial
    on_failure: Outlook  # ... after a failure
    runner_up: int | None  # the next best alternative to try; None in a pool of one
    runner_up_score: float | None
    tied: int  # how many alternatives were as good, this one among them


def decide(
    belief: Belief | Mixture,
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    objective: Objective = "offline",
    tau: float | None = None,
    trials_left: int | None = None,
    discount: float | None = None,
    lookahead: Lookahead = "exact",
    finals: Finals | None = None,
    pending: ArrayLike | Outstanding | None = None,
    cost: ArrayLike | None = None,
) -> Decision:
    """The alternative with the largest knowledge gradient (offline) or ``p + tau·KG`` (online); ties fall at random.

    Online needs one of ``tau``, ``trials_left`` and ``discount``; costs are for the offline objective.

    >>> import numpy as np
    >>> from sureshot import core
    >>> X = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]])
    >>> belief, _ = core.observe(core.prior(2), X[2], 1)
    >>> decision = decide(belief, X, rng=np.random.default_rng(0))
    >>> decision.alternative, round(decision.value, 3), decision.on_failure.alternative
    (0, 0.017, 2)
    """
    rows = check.pool(X, "X", belief.d)
    ahead = _tau(objective, tau, trials_left, discount, cost)
    waiting = outstanding(belief, pending, rng=rng)
    values = knowledge_gradient(belief, rows, lookahead=lookahead, finals=finals, pending=waiting, cost=cost, rng=rng)
    probability = predictive(belief, rows)
    scores = values if ahead is None else probability + ahead * values
    unit = 1.0 if cost is None else float(np.min(cost))  # ties must not depend on the unit that costs are counted in
    return _described(belief, rows, scores, probability, unit, finals, waiting, rng)


def decide_batch(
    belief: Belief | Mixture,
    X: ArrayLike,
    q: int,
    *,
    rng: np.random.Generator,
    pending: ArrayLike | None = None,
    objective: Objective = "offline",
    tau: float | None = None,
    trials_left: int | None = None,
    discount: float | None = None,
    lookahead: Lookahead = "exact",
    finals: Finals | None = None,
    cost: ArrayLike | None = None,
) -> list[Decision]:
    """``q`` trials to run at once, chosen one after the other, each as if those before it were pending."""
    if isinstance(q, bool) or not isinstance(q, int | np.integer) or q < 1:
        raise InvalidInput(f"`q` must be a whole number of trials, at least 1, got q={q!r}.")
    rows = check.pool(X, "X", belief.d)
    waiting = outstanding(belief, pending, rng=rng)
    refuse_many(len(waiting.rows), int(q) - 1)
    chosen: list[Decision] = []
    for _ in range(q):
        decision = decide(
            belief,
            rows,
            rng=rng,
            objective=objective,
            tau=tau,
            trials_left=trials_left,
            discount=discount,
            lookahead=lookahead,
            finals=finals,
            pending=waiting,
            cost=cost,
        )
        chosen.append(decision)
        if len(chosen) < q:
            waiting = waiting.and_of(rows[decision.alternative], rng)
    return chosen


def _tau(
    objective: Objective,
    tau: float | None,
    trials_left: int | None,
    discount: float | None,
    cost: ArrayLike | None,
) -> float | None:
    """The horizon of an online objective; None offline."""
    if objective not in get_args(Objective):
        raise unknown_name("objective", objective, get_args(Objective))
    if objective == "online":
        if cost is not None:
            raise InvalidInput("`cost` is for the offline objective: online, successes and costs have no common unit.")
        return horizon(tau=tau, trials_left=trials_left, discount=discount)
    if (tau, trials_left, discount) != (None, None, None):
        raise InvalidInput("`tau`, `trials_left` and `discount` are for objective='online', got them offline.")
    return None


def _described(
    belief: Belief | Mixture,
    rows: Array,
    scores: Array,
    probability: Array,
    unit: float,
    finals: Finals | None,
    pending: Outstanding,
    rng: np.random.Generator,
) -> Decision:
    index = choose(scores * unit, rng)
    others = scores.copy()
    others[index] = -np.inf
    second = int(np.argmax(others)) if len(rows) > 1 else None
    low, high = interval(belief, rows[index : index + 1])
    value = knowledge_gradient(
        belief,
        rows[index : index + 1],
        lookahead=lookahead_of(belief),
        finals=or_pool(finals, rows),
        pending=pending,
        rng=rng,
    )
    after = outlook(belief, rows, index)
    best = int(np.argmax(probability))
    return Decision(
        alternative=index,
        probability=float(probability[index]),
        interval=(float(low[0]), float(high[0])),
        value=float(value[0]),
        score=float(scores[index]),
        now=Outlook(best, float(probability[best])),
        on_success=Outlook(*after[1]),
        on_failure=Outlook(*after[0]),
        runner_up=second,
        runner_up_score=None if second is None else float(scores[second]),
        tied=len(tied(scores * unit)),
    )
