"""What lies ahead if one goes on, and what it costs to stop: computed once, when a rule or a person asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.lookahead.perfect import PerfectKnowledge, perfect_knowledge
from sureshot.core.numerics.stable import Array
from sureshot.policies.narrow import compared_over, too_large
from sureshot.policies.rules.kg_star import of_most_promising
from sureshot.policies.situation import Situation

__all__ = ["AHEAD", "Ahead", "Gains"]

#: How many trials ahead one looks.
AHEAD = 10
#: How many alternatives, the most promising by a quick look, are looked at trial by trial.
COMPARED = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains:
    """What more trials are expected to add to the success probability of the final choice."""

    trials: int  # looked ahead: so many, or those left
    one: float  # what the best next trial adds by itself: the largest knowledge gradient
    value_per_trial: float  # the largest KG(*): of repeating one alternative, per trial
    worth: float  # the KG(*) of the trial that is most worth its price; where nothing has one, of the best
    price: float | None  # and that price, in success probability
    at_least: float  # what 1, 2, 4, 8, ... of them are expected to bring if spent on one alternative: the largest KG_m
    up_to: float  # so many times the value per trial, but no more than perfect knowledge; a mix may lie above


@dataclass(frozen=True, eq=False)
class Ahead:
    """The situation in which somebody may stop, and the alternative ``at`` that would then be chosen. What is pending
    is passed over: its outcomes come anyway. ``price`` is what a trial costs in success probability, each or all, where
    somebody said it.
    """

    now: Situation
    at: int
    rng: np.random.Generator = field(repr=False)
    trials: int = AHEAD
    price: Array | float | None = None

    @cached_property
    def perfect(self) -> PerfectKnowledge:
        """What perfect knowledge would change."""
        return perfect_knowledge(self.now.belief, self.now.X, self.at, self.rng)

    def at_price(self, price: Array | float) -> Ahead:
        """The same at another price."""
        return self._like(replace(self, price=price))

    def so_far(self, trials: int) -> Ahead:
        """The same with so many trials looked ahead."""
        return self._like(replace(self, trials=trials))

    def _like(self, other: Ahead) -> Ahead:
        """The other, with what perfect knowledge would change, which is the same and not drawn again."""
        other.__dict__["perfect"] = self.perfect
        return other

    @cached_property
    def gains(self) -> Gains:
        """What more trials are expected to add."""
        trials = self.now.trials_ahead(self.trials)
        ahead = replace(self.now, objective="offline", trials_left=trials, finals=None, pending=None)
        if too_large(ahead):
            ahead = compared_over(ahead)
        if lookahead_of(ahead.belief) == "update":
            values = knowledge_gradient(ahead.belief, ahead.X, lookahead="update", finals=ahead.finals)
            rows, scores = np.arange(len(values)), np.maximum(values, 0.0)
            one = each = several = float(scores.max())
        else:
            rows, star = of_most_promising(ahead, COMPARED)
            scores = star.score
            one, each, several = (float(values.max()) for values in (star.values[:, 0], scores, star.values))
        prices = None if self.price is None else np.broadcast_to(self.price, len(ahead.X))[rows]
        best = int(np.argmax(scores if prices is None else scores - prices))
        return Gains(
            trials=trials,
            one=one,
            value_per_trial=each,
            worth=float(scores[best]),
            price=None if prices is None else float(prices[best]),
            at_least=several,
            up_to=max(min(each * trials, self.perfect.evpi), several),
        )
