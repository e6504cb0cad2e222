"""What a campaign answers, as frozen values that a person can read: ``str()`` is a sentence, the fields are facts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sureshot.campaign.answers.wording import (
    chance,
    columns_passed_over,
    count,
    detailed,
    in_case,
    joined,
    narrowed,
    noted,
    percent,
    percents,
    points,
    sentence,
    turn,
    unturned,
)
from sureshot.space.tables.column import Value

__all__ = ["Advice", "Document", "Imported", "Prospect", "Recommendation", "Status", "Trial", "TrialRow", "Why"]

#: Below this chance of being best of all, a person is told how it can be the one to choose all the same.
UNLIKELY = 0.05


class Document:
    """Values that JSON can hold."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """All fields, for ``json.dumps``."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]


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
    id: str | None = None  # the name of its row, where a column names the rows; then that is its label ...
    details: str = ""  # ... and these are its levels

    @property
    def heading(self) -> str:
        """``Trial 1 of 30``; with history or withdrawn trials between, ``Trial 12 (3 of 30)``."""
        if self.budget is None:
            return f"Trial {self.number}"
        if self.number == self.position:
            return f"Trial {self.number} of {self.budget}"
        return f"Trial {self.number} ({self.position} of {self.budget})"

    @property
    def settings(self) -> list[str]:
        """``["power 14", "catalyst Co"]``; all in one where a level has a comma of its own."""
        parts = self.label.split(", ")
        return parts if len(parts) == len(self.levels) and self.id is None else [self.label]

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
        return f"{told}.{noted(self.cautions)}" if self.cautions else told


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation(Document):
    """What to choose."""

    alternative: int
    label: str
    levels: dict[str, Value]
    context: dict[str, Value] | None
    probability: float
    interval: tuple[float, float]  # 95 %
    chance_best: float  # that no other is truly better, by draws ...
    chance_error: float  # ... with this standard error
    successes: int  # of its own trials ...
    of: int  # ... of so many
    not_most_successful: str | None  # why it is not the one with most successes, or why though it only failed
    outcomes: int  # that this rests on
    cautions: tuple[str, ...] = ()  # what to beware of: a model that does not fit, a context outside its range
    shape: str | None = None  # what bends and what speaks for it; None while nothing is known
    id: str | None = None  # the name of its row, where a column names the rows; then that is its label ...
    details: str = ""  # ... and these are its levels

    @property
    def choice(self) -> str:
        """``Choose power 14, catalyst Co``, and in which case."""
        return f"Choose {detailed(self.label, self.details)}{in_case(self.context)}"

    @property
    def sureness(self) -> str:
        """How likely it succeeds, and that nothing is better; with a reason where that is unlikely."""
        told = (
            f"{percent(self.probability)} ({percents(*self.interval)}), best of all with chance "
            f"{chance(self.chance_best)}"
        )
        if self.chance_best >= UNLIKELY:
            return f"{told}."
        return (
            f"{told}: another is probably better, but which one is not known yet; of all, this one is likeliest to "
            "succeed."
        )

    def __str__(self) -> str:
        why = "" if self.not_most_successful is None else f" {self.not_most_successful}"
        bends = "" if self.shape is None else f" {sentence(self.shape)}"
        return f"{self.choice}: {self.sureness}{why}{bends}{noted(self.cautions)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice(Document):
    """Whether to go on. Gains are in success probability of the final choice."""

    go_on: bool
    words: str
    value_per_trial: float  # the largest KG(*): of repeating one alternative, per trial
    trials: int  # looked ahead: ten, or those left
    at_least: float  # what so many trials are expected to bring if all are spent on one alternative: KG_m
    up_to: float  # ... or so many times the value per trial; a mix of alternatives may lie above, never above `bound`
    bound: float  # perfect knowledge: no number of trials can bring more
    bound_error: float  # its Monte Carlo standard error
    cost: float | None  # of one trial, in success probability
    left: int | None  # trials left in the budget
    cautions: tuple[str, ...] = ()  # why the model does not fit, and what to do: then "stop" is never said

    def __str__(self) -> str:
        return self.words


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
    state: Literal["pending", "told", "withdrawn"]
    alternative: int | None
    label: str
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
    cautions: tuple[str, ...] = ()  # what to beware of: values outside the levels, the constraints, a context's range
    id: str | None = None  # the name of its row, where a column names the rows

    def __str__(self) -> str:
        marks = [f"corrected {self.corrections}x"] if self.corrections else []
        stands = ", ".join([self.outcome if self.state == "told" and self.outcome else self.state, *marks])
        told = f"Trial {self.trial}: {self.label}{in_case(self.context)}; {stands}"
        return f"{told}.{noted(self.cautions)}" if self.cautions else told


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Document):
    """What came of a table of outcomes."""

    recorded: int
    trials: tuple[int, int] | None  # the first and the last of them; None: nothing was recorded
    blank: int  # rows without an outcome (or pending), passed over
    repeated: int  # rows that an earlier import had recorded, passed over
    again: int = 0  # ... or, on purpose, recorded once more
    cautions: tuple[str, ...] = ()  # which rows lie beyond the levels or ranges
    columns: tuple[str, ...] = ()  # neither parameters nor outcomes, passed over
    outside: tuple[int, ...] = ()  # the trials with a number outside its levels

    @property
    def words(self) -> str:
        """What was recorded and what was not, in a sentence."""
        parts = [f"{count(self.recorded, 'outcome')} recorded"]
        if self.trials is not None:
            first, last = self.trials
            parts[0] += f" as trial {first}" if first == last else f" as trials {first} to {last}"
        if self.blank:
            parts.append(f"{count(self.blank, 'row')} without an outcome passed over")
        if self.repeated:
            parts.append(f"{count(self.repeated, 'row')} of an earlier import passed over")
        if self.again:
            parts.append(f"{self.again:,} of them had been recorded by an earlier import, and count twice")
        if self.columns:
            parts.append(columns_passed_over(self.columns))
        return f"{'; '.join(parts)}."

    def __str__(self) -> str:
        return f"{self.words}{noted(self.cautions)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Document):
    """How a campaign stands."""

    name: str
    alternatives: int
    parameters: int
    features: int
    objective: str
    budget: int | None
    used: int  # trials asked and not withdrawn
    pending: tuple[int, ...]  # trials without outcome
    told: int
    withdrawn: int
    successes: int
    of: int
    success: str
    failure: str
    events: int
    seed: int
    created_at: str
    viewed_at: int | None  # the event that a rewound view stops at
    notes: tuple[str, ...]  # about the campaign as a whole
    cautions: tuple[str, ...] = ()  # what to beware of: a model that does not fit, how it was made
    model: str = ""  # what the score of an alternative is made of: its shape, or its formula
    policy: dict[str, Any] = field(default_factory=dict)  # what chooses the trials: its name and parameters

    def __str__(self) -> str:
        used = count(self.used, "trial") if self.budget is None else f"{self.used} of {count(self.budget, 'trial')}"
        waiting = ""
        if self.pending:
            plural = "s" * (len(self.pending) > 1)
            waiting = f", waiting for the outcome{plural} of trial{plural} {joined(self.pending)}"
        told = (
            f"Campaign {self.name}: {count(self.alternatives, 'alternative')}, {count(self.parameters, 'parameter')}; "
            f"{used} used{waiting}; {self.successes} {self.success} of {self.of}"
        )
        return f"{told}.{noted(self.cautions)}" if self.cautions else told
