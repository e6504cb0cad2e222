"""What a trial of each alternative is worth.

It is :attr:`sureshot.policies.decision.Decision.value`, which ``ask`` shows: KG(*) for the trials left, averaged over
how pending trials may turn out. It compares a candidate with all that may be chosen in the end, so values of all of a
large pool would take minutes: beyond :data:`PAIRS` they are computed for some, and the others have none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.settings import Settings
from sureshot.core.lookahead.finals import or_pool
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.lookahead.pending import MOST_PENDING, outstanding
from sureshot.core.numerics.stable import Array
from sureshot.policies import Situation
from sureshot.policies.decision import trial_values
from sureshot.policies.narrow import CANDIDATES, compared_over, plausible, too_large
from sureshot.policies.rules.kg_star import TOGETHER, one_or_several

__all__ = ["PAIRS", "values_of"]

#: Pairs of a candidate and what it is compared with (in each scenario of what is pending) that values are computed for:
#: a person waits five to ten seconds. All of 2,200 alternatives, or 500 of 10,000.
PAIRS = 5_000_000


def values_of(now: Situation, rows: Array, asked: Settings, rng: np.random.Generator, *, ranked: bool) -> Array:
    """What a trial of each is worth, NaN where that is not computed."""
    found = np.full(len(rows), np.nan)
    if now.pending is not None and len(now.pending) > MOST_PENDING:
        return found
    waiting = outstanding(now.belief, now.pending, rng=rng)
    compared = now
    if too_large(now, len(waiting.scenarios)):  # as for a decision
        own = asked.rows[asked.rows >= 0]
        compared = compared_over(now, np.union1d(plausible(now), own if len(own) <= CANDIDATES else []).astype(np.intp))
    pairs = len(or_pool(compared.finals, compared.X).rows) * len(waiting.scenarios)
    at = _looked_at(now, asked, max(PAIRS // pairs, 1), ranked=ranked)
    found[at] = trial_values(compared, rows[at], waiting)
    return found


def _looked_at(now: Situation, asked: Settings, most: int, *, ranked: bool) -> NDArray[np.intp]:
    """Whose values are computed: all, or of a whole pool that is too large, the likeliest to succeed and those that a
    quick look finds most worth a trial, half and half; of what was asked about, the first.
    """
    n = len(asked.rows)
    if n <= most or not ranked or n < len(now.X) or lookahead_of(now.belief) != "exact":
        return np.arange(min(n, most))
    quick = one_or_several(compared_over(replace(now, pending=None)), *TOGETHER)[asked.rows]
    first = np.arange((most + 1) // 2)
    others = np.argsort(-quick[len(first) :], kind="stable")[: most - len(first)] + len(first)
    return np.concatenate([first, others])
