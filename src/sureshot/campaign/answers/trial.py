"""A trial as a person reads it: handed out, as it stands in the history, and what it was for."""

from __future__ import annotations

from dataclasses import dataclass, field

from sureshot.campaign.answers.wording import (
    detailed,
    expected,
    in_case,
    narrowed,
    noted,
    percent,
    percents,
    points,
    turn,
    unturned,
)
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import State
from sureshot.space.tables.column import Value

__all__ = ["Prospect", "Trial", "TrialRow", "Why"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect(Document):
    """An alternative that would be chosen, and its success probability."""

    alternative: int
    label: str
    probability: float | None  # None: what leads there cannot happen


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial(Document):
    """A trial that was handed out: what to try, how likely it works, what it would teach."""

    campaign: str
    number: int
    alternative: int  # row of the pool
    label: str
    levels: dict[str, Value]
    context: dict[str, Value] | None
    probability: float
    interval: tuple[float, float]  # 95 %
    value: float  # expected gain in the success probability of the final choice
    now: Prospect
    on_success: Prospect
    on_failure: Prospect
    position: int  # how many trials of the budget are used, this one among them
    budget: int | None
    success: str  # the campaign's word for it
    alternatives: int  # how many there are to choose from
    cautions: tuple[str, ...] = ()  # what to beware of: a context outside its range
    over: str = ""  # " over the cases seen" where the value is averaged over them
    looked_at: int | None = None  # how many alternatives of a huge pool were compared in full; None: all
    outcomes: int = 0  # known when it was asked
    repeats: int | None = None  # the trial of the same alternative that is still waiting for its outcome
    on_purpose: str | None = None  # that it repeats it, and why
    id: str | None = None  # the name of its row, where a column names the rows; then that is its label ...
    details: str = ""  # ... and these are its levels

    @property
    def heading(self) -> str:
        """``Trial 1 of 30``; with history or withdrawn trials between, ``Trial 12 (3 of 30)``."""
        if self.budget is None:
            return f"Trial {self.number}"
        if self.position > self.budget:
            return f"Trial {self.number} (beyond the budget of {self.budget})"
        if self.number == self.position:
            return f"Trial {self.number} of {self.budget}"
        return f"Trial {self.number} ({self.position} of {self.budget})"

    @property
    def settings(self) -> list[str]:
        """``["power 14", "catalyst Co"]``; all in one where a level has a comma of its own."""
        parts = self.label.split(", ")
        return parts if len(parts) == len(self.levels) and self.id is None else [self.label]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """``[("power", "14 W"), ("catalyst", "Co")]``; empty where a level has a comma or the row a name."""
        parts = self.settings
        if len(parts) != len(self.levels) or self.id is not None:
            return []
        return [(name, part.removeprefix(name).strip()) for name, part in zip(self.levels, parts, strict=True)]

    @property
    def expectation(self) -> str:
        """How likely it works, in runs of a hundred: ``We expect it to work in 71 of 100 runs (48 to 88).``"""
        return expected(self.probability, *self.interval)

    @property
    def changes(self) -> str:
        """What each outcome would do to the choice, in one sentence."""
        now, won, lost = self.now, self.on_success, self.on_failure
        if won.alternative == lost.alternative == now.alternative:
            return unturned(now.label, self.alternatives)
        failure = lost.label if lost.alternative != won.alternative else "the same"
        success = f"{turn(won.alternative == now.alternative)} {won.label}"
        if won.alternative == self.alternative != now.alternative:
            success = f"make {' / '.join(self.settings)} the one to choose"
        return f"A success would {success}; a failure would {turn(lost.alternative == now.alternative)} {failure}."

    def __str__(self) -> str:
        told = (
            f"{self.heading}: {detailed(self.label, self.details)}{in_case(self.context)}; chance of {self.success} "
            f"{percent(self.probability)} ({percents(*self.interval)}); value of this trial "
            f"{points(self.value)}{self.over}"
        )
        if self.looked_at:
            told = f"{told}. {narrowed(self.looked_at, self.alternatives).removesuffix('.')}"
        if self.on_purpose:
            told = f"{told}. {self.on_purpose.removesuffix('.')}"
        return f"{told}.{noted(self.cautions)}" if self.cautions else told

    def _repr_html_(self) -> str:
        from sureshot.campaign.pictures.cards import trial_card

        return trial_card(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Document):
    """What a trial was for, as it was seen when it was asked."""

    trial: int
    alternative: int
    label: str
    probability: float
    interval: tuple[float, float]
    value: float
    now: Prospect
    on_success: Prospect
    on_failure: Prospect
    runner_up: Prospect | None  # with the score, not the probability, in `runner_up_score`
    runner_up_score: float | None
    score: float
    tied: int  # alternatives that were as good to try, this one among them
    outcomes: int  # known when it was asked
    pending: int  # other trials without outcome then
    words: str = field(repr=False)
    context: dict[str, Value] | None = None

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRow(Document):
    """One trial in the history."""

    trial: int
    state: State
    alternative: int | None
    label: str
    levels: dict[str, Value]
    context: dict[str, Value] | None
    outcome: str | None  # in the campaign's words
    successes: int | None
    of: int | None
    asked: bool
    probability: float | None  # predicted when it was asked
    value: float | None
    opened_at: str
    opened_by: str | None
    told_at: str | None
    told_by: str | None
    corrections: int
    notes: tuple[str, ...]
    opened_event: int  # the number of the event that opened it, as `rewind` takes it ...
    told_event: int | None  # ... that has the outcome that counts ...
    withdrawn_event: int | None  # ... and that took it out
    cautions: tuple[str, ...] = ()  # what to beware of: values outside the levels, the constraints, a context's range
    id: str | None = None  # the name of its row, where a column names the rows

    def __str__(self) -> str:
        marks = ["corrected" if self.corrections == 1 else f"corrected {self.corrections} times"][: self.corrections]
        stands = ", ".join([self.outcome if self.state == "told" and self.outcome else self.state, *marks])
        told = f"Trial {self.trial}: {self.label}{in_case(self.context)}; {stands}"
        return f"{told}.{noted(self.cautions)}" if self.cautions else told
