"""What the list says of each campaign, kept until something is recorded in it or it is renamed.

The list itself tells how far each campaign is, so one that is known need not be opened. Those that are not known are
looked at one after another, for a second or two: whoever looks at the list is not kept waiting for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

from sureshot.campaign.answers.in_brief import InBrief
from sureshot.errors import SureshotError
from sureshot.storage import CampaignSummary
from sureshot.web.opened import Opened
from sureshot.web.words import on_the_page

__all__ = ["Brief", "Briefs"]

#: Campaigns that are remembered, and seconds after which no other is opened for a list.
MOST, SECONDS = 2_000, 2.0


class Brief(NamedTuple):
    """One line of the list, what the campaign says, or why it can't be opened; neither where there was no time."""

    line: CampaignSummary
    found: InBrief | None = None
    broken: str = ""
    units: tuple[str, ...] = ()  # of its parameters


class Briefs:
    """The campaigns of a store in brief."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._known: OrderedDict[int, Brief] = OrderedDict()

    def of(self, lines: Sequence[CampaignSummary], *, seconds: float | None = None) -> list[Brief]:
        """Each of these in brief."""
        until = monotonic() + (SECONDS if seconds is None else seconds)
        return [self._kept(line) or (self._looked_at(line) if monotonic() < until else Brief(line)) for line in lines]

    def _kept(self, line: CampaignSummary) -> Brief | None:
        known = self._known.get(line.id)
        if known is None or (known.line.last_number, known.line.name) != (line.last_number, line.name):
            return None
        return known._replace(line=line)

    def _looked_at(self, line: CampaignSummary) -> Brief:
        try:
            brief = self._opened.soon(line, "in brief", lambda held: held.campaign.in_brief())
            units = () if brief is None else self._opened.spec(line).pool.units.values()
        except SureshotError as error:  # one that is broken does not hide the others
            return Brief(line, broken=error.said(on_the_page))
        if brief is None:  # it is being worked out
            return Brief(line)
        found = Brief(line, brief, units=tuple(units))
        self._known[line.id] = found
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return found
