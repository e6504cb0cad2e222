"""A campaign in a few lines, for a list of several: how far it is, what we would choose now, what waits."""

from __future__ import annotations

from dataclasses import dataclass

from sureshot.campaign.answers.recommend import Leading, nothing_known, to_choose
from sureshot.campaign.answers.status import Status
from sureshot.campaign.answers.wording import detailed, percent, percents, waiting
from sureshot.campaign.document import Document
from sureshot.campaign.model.spec import Spec

__all__ = ["InBrief", "in_brief"]

#: What stands for a choice where there is another in every case.
IN_EACH_CASE = "Which is best depends on the case."


@dataclass(frozen=True, slots=True, kw_only=True)
class InBrief(Document):
    """One campaign among several."""

    progress: str  # trials asked of the budget, what came of them
    choice: str  # what we would choose now, in a sentence
    known: bool  # whether outcomes speak for that choice
    waits: str  # trials without outcomes, in a sentence; empty: none
    used_up: bool  # the whole budget
    cautions: tuple[str, ...] = ()  # the model does not fit, or something in how it was made
    simulated: bool = False


def in_brief(spec: Spec, status: Status, lead: Leading | None, *, simulated: bool) -> InBrief:
    """The lines; without what leads where that needs a case."""
    known = lead is not None and lead.known != "nothing"
    if lead is None:
        choice = IN_EACH_CASE
    elif not known:
        choice = nothing_known(status.pending)
    else:
        space = spec.pool.space
        what = detailed(space.label(lead.at), space.details(lead.at))
        choice = f"{to_choose(what, lead.known)}: {percent(lead.probability)} ({percents(*lead.interval)})."
    return InBrief(
        progress=f"{status.progress}.",
        choice=choice,
        known=known,
        waits=waiting(status.pending),
        used_up=status.left == 0,
        cautions=status.cautions,
        simulated=simulated,
    )
