"""A policy of one's own is asked for scores before a campaign is made with it: what fails there never begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from sureshot.campaign.model.pool import Pool
from sureshot.core import Belief, Mixture, observe
from sureshot.errors import InvalidInput, SureshotError
from sureshot.policies import Policy, Situation, situation
from sureshot.policies.policy import own_scores, quick_scores

__all__ = ["refuse_what_fails"]

#: How many alternatives it is asked about, at most: it takes no time, and nobody writes down so many scores by hand.
FEW = 37


def refuse_what_fails(policy: Policy, pool: Pool, belief: Belief | Mixture, **aim: Any) -> None:
    """Ask a policy that is not sureshot's own for scores, when nothing is known and after a few outcomes; ``aim`` is
    what a situation is told about it.
    """
    if type(policy).__module__.startswith("sureshot.policies."):
        return
    X = pool.matrix(_case(pool) if pool.contextual else None)[:FEW]
    cost = None if aim["cost"] is None else aim["cost"][:FEW]
    begin = situation(belief, X, contextual=pool.contextual, **{**aim, "cost": cost})
    starts, rng = policy.abilities.starts, np.random.default_rng(0)
    for now in [_after(begin, max(starts, 2))] if starts else [begin, _after(begin, 2)]:
        try:
            own_scores(policy, now, rng)
            quick_scores(policy, now, rng)
        except SureshotError:
            raise
        except Exception as error:
            raise InvalidInput(
                f"policy {policy.name!r} must give a score for each alternative of this campaign, got "
                f"{type(error).__name__}: {error}",
                field="policy",
                value=policy.name,
                fix="fix the policy (sureshot.testing.PolicyConformance says what it must stand), or choose another",
            ) from error


def _case(pool: Pool) -> dict[str, object]:
    """A context that may come."""
    known = pool.declared()
    declared = {name: known.get(name, (0.0,)) for name in pool.context_names}
    return {name: True if levels is bool else levels[0] for name, levels in declared.items()}


def _after(begin: Situation, trials: int) -> Situation:
    """The same after so many trials of one alternative after the other, a success and a failure by turns."""
    rows = begin.X[np.arange(trials) % len(begin.X)]
    outcomes, belief = [1 - at % 2 for at in range(trials)], begin.belief
    for row, outcome in zip(rows, outcomes, strict=True):
        belief, _ = observe(belief, row, outcome)
    return begin.after(rows, outcomes, belief)
