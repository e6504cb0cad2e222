"""Campaigns side by side: which model the outcomes speak for, how well each predicted them, what each would choose."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sureshot.campaign.answers.fit.forecast import Forecast, forecast, share_so_far
from sureshot.campaign.answers.recommend import Recommendation
from sureshot.campaign.answers.wording import count, percent, percents, times
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Ledger, tally
from sureshot.campaign.model.spec import Spec
from sureshot.errors import InvalidInput

__all__ = ["Compared", "Comparison", "Progress", "Side", "compared", "refuse_few"]

#: How strongly outcomes speak for a model that makes them so many times likelier (Kass and Raftery 1995, section 3.2).
STRENGTHS = ((150.0, "very strongly"), (20.0, "strongly"), (3.0, "moderately"))

#: The largest number whose exponential is one.
_LARGEST_LOG = 700.0

#: Called with the name of the campaign, the outcomes predicted so far, and how many there are.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Document):
    """One campaign of a comparison."""

    name: str
    model: str  # its shape or formula
    prior: str
    link: str
    policy: str
    outcomes: int
    log_evidence: float | None  # None: there are no outcomes, or not the same as elsewhere
    likelier: float | None  # the outcomes, than under the campaign that they speak for least: so many times
    forecast: Forecast | None  # of each outcome from those before it; None before the first
    choice: str | None  # what it would choose now; None: that depends on the case
    probability: float | None
    interval: tuple[float, float] | None  # 95 %

    @property
    def chosen(self) -> str:
        """What it would choose, with chance and interval."""
        if self.choice is None or self.probability is None or self.interval is None:
            return "depends on the case"
        return f"{self.choice}: {percent(self.probability)} ({percents(*self.interval)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Document):
    """Campaigns side by side. ``str()`` is what the outcomes say."""

    campaigns: tuple[Compared, ...]
    comparable: bool  # whether they have the same alternatives and outcomes, so that evidence can be compared
    words: str
    share: Forecast | None  # of one who looks at nothing but the share of successes so far, for the first campaign

    def __str__(self) -> str:
        return self.words


class Side(NamedTuple):
    """A campaign as it stands, to be compared."""

    name: str
    spec: Spec
    ledger: Ledger
    best: Recommendation | None  # None: that depends on the case


def refuse_few(names: Sequence[str]) -> None:
    """Refuse fewer than two campaigns, or one of them twice."""
    if len(names) < 2:
        raise InvalidInput(f"at least two campaigns must be compared, got only {names[0]!r}: name another.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput(f"the campaigns to compare must have different names, got {twice!r} twice: leave one out.")


def compared(sides: Sequence[Side], progress: Progress | None = None) -> Comparison:
    """Two campaigns or more, side by side."""
    from sureshot.viz.progress import notebook_bar  # no other answer needs pictures

    differ = _difference(sides)
    found = []
    for side in sides:
        step = notebook_bar(f"outcomes of {side.name}") if progress is None else partial(progress, side.name)
        found.append(forecast(side.spec, side.ledger.counted(), step))
    least = min((one[1] for one in found if one is not None), default=0.0)
    rows = [_row(side, one, None if differ else least) for side, one in zip(sides, found, strict=True)]
    return Comparison(
        campaigns=tuple(rows),
        comparable=differ is None,
        words=differ or _verdict(rows),
        share=share_so_far(sides[0].ledger.counted()),
    )


def _row(side: Side, found: tuple[Forecast, float] | None, least: float | None) -> Compared:
    """A campaign's row; ``least`` is the smallest evidence of all, None where they can't be compared."""
    best = side.best
    return Compared(
        name=side.name,
        model=side.spec.pool.model,
        prior=side.spec.prior_given,
        link=side.spec.link,
        policy=str(side.spec.written_policy["name"]),
        outcomes=len(side.ledger.counted()),
        log_evidence=None if found is None or least is None else found[1],
        likelier=None if found is None or least is None else _ratio(found[1], least),
        forecast=None if found is None else found[0],
        choice=None if best is None else best.label,
        probability=None if best is None else best.probability,
        interval=None if best is None else best.interval,
    )


def _ratio(more: float, less: float) -> float:
    """How many times likelier, where these are logs."""
    return math.exp(min(more - less, _LARGEST_LOG))


def _verdict(rows: Sequence[Compared]) -> str:
    """Which model the outcomes speak for, and how strongly."""
    ranked = sorted((row for row in rows if row.log_evidence is not None), key=lambda row: -(row.log_evidence or 0.0))
    if not ranked:
        return "There are no outcomes yet, so nothing speaks for one of them."
    first, second = ranked[:2]
    factor = _ratio(first.log_evidence or 0.0, second.log_evidence or 0.0)
    next_best = second.name if len(ranked) == 2 else f"the next, {second.name}"
    strength = next((word for least, word in STRENGTHS if factor >= least), None)
    if strength is None:
        if times(factor) == "1.0 times":
            return f"The outcomes speak for neither {first.name} nor {second.name}: they are as likely under both."
        return (
            f"The outcomes hardly tell {first.name} from {next_best}: they are {times(factor)} likelier under "
            f"{first.name}, which may be chance."
        )
    return (
        f"The outcomes speak {strength} for {first.name}: they are {times(factor)} likelier under it than under "
        f"{next_best}."
    )


def _difference(sides: Sequence[Side]) -> str | None:
    """Why the evidence of these campaigns can't be compared; None where it can."""
    first, before = sides[0], _tally(sides[0].ledger)
    for side in sides[1:]:
        if side.spec.pool.space.content_hash != first.spec.pool.space.content_hash:
            return (
                f"Evidence can't be compared: {side.name} has other alternatives than {first.name}. How well each "
                "predicted its own outcomes can."
            )
        tally = _tally(side.ledger)
        if tally != before:
            extra = sum(of for _, of in tally.values()) - sum(of for _, of in before.values())
            more, less = (side.name, first.name) if extra >= 0 else (first.name, side.name)
            has = f"{count(abs(extra), 'more outcome')} than" if extra else "other outcomes than"
            return (
                f"Evidence can't be compared: {more} has {has} {less}. How well each predicted its own outcomes can. "
                f"To judge the model of {less} by the outcomes of {more}, make a campaign from {more} with that model."
            )
    return None


def _tally(ledger: Ledger) -> dict[tuple[int | str, str], tuple[int, int]]:
    """Successes and tries of each alternative in each case, however they were told."""
    return tally(((entry.tried, json.dumps(entry.context, sort_keys=True)), entry) for entry in ledger.counted())
