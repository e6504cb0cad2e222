"""The stopping rules: what is still to be gained against what is enough, or against what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core.beliefs.predictive import chance_quantiles
from sureshot.core.numerics import special
from sureshot.policies import checked
from sureshot.policies.stopping.ahead import Ahead
from sureshot.policies.stopping.rule import StoppingRule

__all__ = ["GoodEnough", "LittleGain", "LittleRegret", "NotWorthIt", "Sure", "Worked"]


#: What a trial costs where nobody says it, in chance of success: a fifth of a point.
USUAL = 0.002


@dataclass(frozen=True)
class LittleGain(StoppingRule):
    """The next ten trials, or those that are left, are expected to add less than ``least`` to the chance of the final
    choice. This is what :meth:`~sureshot.campaign.Campaign.advice` goes by where trials have no cost.
    """

    least: float = 0.01
    name: ClassVar[str] = "little-gain"
    because: ClassVar[str] = "the next trials are expected to add too little"

    def __post_init__(self) -> None:
        checked.number(self, "least", low=0.0, high=1.0)

    def stops(self, ahead: Ahead) -> bool:
        """Whether the most that they are expected to add is less."""
        return ahead.gains.up_to < self.least


@dataclass(frozen=True)
class NotWorthIt(StoppingRule):
    """No next trial is expected to add what it costs, in chance of the final choice: by KG(*), so that a trial that
    teaches something only together with others counts for its share. What advice goes by where trials have a cost.

    The cost is what a campaign says of each trial; ``cost`` where it says nothing, or in its place.
    """

    cost: float | None = None
    name: ClassVar[str] = "not-worth-it"
    because: ClassVar[str] = "no next trial is expected to add what it costs"

    def __post_init__(self) -> None:
        if self.cost is not None:
            checked.number(self, "cost", low=0.0, high=1.0)

    def beyond_knowing(self, ahead: Ahead) -> bool:
        """Whether even perfect knowledge would add less than any trial costs: then nothing else need be computed."""
        seen, price = ahead.perfect, self._priced(ahead).price
        return price is not None and seen.evpi + 2.0 * seen.evpi_error < float(np.min(price))

    def stops(self, ahead: Ahead) -> bool:
        """Whether perfect knowledge, or every next trial, adds less."""
        if self.beyond_knowing(ahead):
            return True
        gains = self._priced(ahead).gains
        return gains.price is not None and gains.worth < gains.price

    def _priced(self, ahead: Ahead) -> Ahead:
        if self.cost is not None:
            return ahead.at_price(self.cost)
        return ahead.at_price(USUAL) if ahead.price is None else ahead


@dataclass(frozen=True)
class LittleRegret(StoppingRule):
    """The expected opportunity cost of stopping is below ``most``: the best of all, whichever it is, is expected to be
    better by less.
    """

    most: float = 0.01
    name: ClassVar[str] = "little-regret"
    because: ClassVar[str] = "hardly anything better can be left"

    def __post_init__(self) -> None:
        checked.number(self, "most", low=0.0, high=1.0)

    def stops(self, ahead: Ahead) -> bool:
        """Whether perfect knowledge would add less."""
        return ahead.perfect.evpi < self.most


@dataclass(frozen=True)
class Sure(StoppingRule):
    """What would be chosen is the best of all with at least this ``chance``."""

    chance: float = 0.9
    name: ClassVar[str] = "sure"
    because: ClassVar[str] = "the choice is very likely the best of all"

    def __post_init__(self) -> None:
        checked.number(self, "chance", low=0.0, high=1.0)

    def stops(self, ahead: Ahead) -> bool:
        """Whether it is as likely."""
        return ahead.perfect.chance_best >= self.chance


@dataclass(frozen=True)
class GoodEnough(StoppingRule):
    """What would be chosen works with at least this ``chance``, and that is as certain as ``certainty``."""

    chance: float = 0.9
    certainty: float = 0.9
    name: ClassVar[str] = "good-enough"
    because: ClassVar[str] = "the choice is good enough"

    def __post_init__(self) -> None:
        checked.number(self, "chance", low=0.0, high=1.0)
        checked.number(self, "certainty", low=0.5, high=0.9999)

    def stops(self, ahead: Ahead) -> bool:
        """Whether the quantile of its chance is as high."""
        row, end = ahead.now.X[ahead.at : ahead.at + 1], float(special.ndtri(self.certainty))
        ((least,),) = chance_quantiles(ahead.now.belief, row, np.array([-end]))
        return float(least) >= self.chance


@dataclass(frozen=True)
class Worked(StoppingRule):
    """What would be chosen worked this many ``times`` more often than it failed: what people do without a model."""

    times: int = 3
    name: ClassVar[str] = "worked"
    because: ClassVar[str] = "the choice has worked often enough"

    def __post_init__(self) -> None:
        checked.whole(self, "times", low=1)

    def stops(self, ahead: Ahead) -> bool:
        """Whether its own trials say so."""
        won, tries = (int(counted[ahead.at]) for counted in ahead.now.counts)
        return 2 * won - tries >= self.times
