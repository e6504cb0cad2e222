"""What a policy is told when the next trial of a campaign is chosen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture
from sureshot.core.numerics.stable import Array
from sureshot.policies import Situation
from sureshot.space.tables.column import Value

__all__ = ["situation_of"]


def situation_of(
    spec: Spec, ledger: Ledger, belief: Belief | Mixture, X: Array, context: Mapping[str, Value] | None
) -> Situation:
    """The campaign as it stands, with its alternatives ``X`` in the (checked) ``context``."""
    told, waiting = ledger.counted(), ledger.pending()
    seen = spec.pool.seen(ledger.trials.values(), context) if context and spec.value == "seen contexts" else None
    return Situation(
        belief=belief,
        X=X,
        rows=spec.pool.features(told),
        outcomes=np.array([entry.successes for entry in told], dtype=np.int64),
        of=np.array([entry.of for entry in told], dtype=np.int64),
        objective=spec.objective,
        trials_left=None if spec.budget is None else max(spec.budget - ledger.used(), 1),
        discount=spec.discount,
        finals=seen,
        pending=spec.pool.features(waiting) if waiting else None,
        cost=spec.costs,
        contextual=spec.pool.contextual,
    )
