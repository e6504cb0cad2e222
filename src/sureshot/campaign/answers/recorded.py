"""What one event recorded: what a person is told after they pressed a button, in the words of the history."""

from __future__ import annotations

from dataclasses import dataclass

from sureshot.campaign.answers.events import event_rows
from sureshot.campaign.answers.status import row
from sureshot.campaign.answers.trial import TrialRow
from sureshot.campaign.answers.wording import in_case
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.model.spec import Spec
from sureshot.errors import UnknownName
from sureshot.storage import Event

__all__ = ["Recorded", "recorded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(Document):
    """What an event recorded."""

    event: int
    kind: str  # asked, told, corrected, withdrawn or noted
    words: str
    row: TrialRow | None  # the trial that it is about, as it stands now; None: about the campaign
    text: str | None  # the note that came with it
    is_last: bool  # nothing was recorded since, by nobody

    def __str__(self) -> str:
        return self.words


def recorded(spec: Spec, ledger: Ledger, number: int, events: tuple[Event, ...]) -> Recorded:
    """What the event of that number recorded; ``events`` are those from it on."""
    if not events or events[0].number != number:
        raise UnknownName(
            f"no event has the number {number}: the last one is {ledger.last}.", field="event", value=number
        )
    happened = event_rows(spec, ledger, events[:1])[0]
    about = None if happened.trial is None else row(spec, ledger, ledger.entry(happened.trial))
    tried = "" if about is None else f"{about.label}{in_case(about.context)}"
    told = f"{happened.words[:1].lower()}{happened.words[1:]}"
    return Recorded(
        event=number,
        kind=happened.kind,
        words=f"Recorded: {told}{f' ({tried})' if tried and tried not in told else ''}.",
        row=about,
        text=happened.text,
        is_last=number == ledger.last,
    )
