"""online-kg: a success now, and what its outcome is worth to the trials after it (paper, section 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np

from sureshot.core.lookahead import Lookahead
from sureshot.core.lookahead import knowledge_gradient as one_step
from sureshot.core.numerics.stable import Array
from sureshot.policies import checked
from sureshot.policies.policy import Abilities
from sureshot.policies.rules.kg import LookAhead
from sureshot.policies.situation import Situation

__all__ = ["OnlineKg"]


@dataclass(frozen=True)
class OnlineKg(LookAhead):
    """``p + tau·KG``, with ``tau`` the trials that will profit: those left, γ/(1 - γ) of a discount, or as given.

    For an online objective only: offline, a success on the way counts for nothing, and kg is the rule.
    """

    tau: float | None = None
    lookahead: Lookahead = "exact"
    name: ClassVar[str] = "online-kg"
    abilities: ClassVar[Abilities] = Abilities(offline=False, any_link=False)
    because: ClassVar[str] = "a success now and what its outcome is worth to later trials are together largest"

    def __post_init__(self) -> None:
        if self.tau is not None:
            checked.number(self, "tau", low=0.0)
        checked.choice(self, "lookahead", get_args(Lookahead))

    def values(self, now: Situation) -> Array:
        """A success now, and the worth of its outcome."""
        tau = now.tau if self.tau is None else self.tau
        one = one_step(now.belief, now.X, lookahead=self.lookahead, finals=now.finals)
        return np.asarray(now.probability + tau * one)
