"""What speaks against the model of a campaign, as far as it is known: looked for once after each outcome."""

from __future__ import annotations

from sureshot.campaign.answers.fit.checks import Caution, cautions
from sureshot.campaign.answers.recommend import likeliest
from sureshot.campaign.log.log import Log
from sureshot.core import predictive
from sureshot.core.numerics.stable import Array

__all__ = ["Doubts"]


class Doubts:
    """What is wrong with the model after the outcomes in a log, for each case that was asked about."""

    def __init__(self, log: Log) -> None:
        self._log, self._after = log, 0
        self._found: dict[int | None, tuple[Caution, ...]] = {}  # by what would be chosen

    def raised(self, X: Array | None) -> tuple[Caution, ...]:
        """What is wrong where these alternatives can be chosen; without them, only what is wrong in every case."""
        ledger = self._log.ledger
        if self._after != ledger.learned:
            self._after, self._found = ledger.learned, {}
        if not ledger.order:
            return ()
        belief = self._log.believed()
        at = None if X is None else likeliest(predictive(belief, X), ledger.counted())
        if at not in self._found:
            self._found[at] = cautions(self._log.record.name, self._log.spec, ledger, belief, at)
        return self._found[at]

    def take_over(self, other: Doubts) -> None:
        """Have what another view of the same campaign found, if it is of a later event."""
        if other._after > self._after:
            self._after, self._found = other._after, dict(other._found)
