"""What a campaign answers, as frozen values that a person can read: ``str()`` is a sentence, the fields are facts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sureshot.space.column import Value

__all__ = ["Advice", "Prospect", "Recommendation", "Status", "Trial", "TrialRow", "Why", "percent", "points"]


def percent(p: float) -> str:
    """A probability as a person reads it.

    >>> percent(0.5), percent(0.004), percent(0.9996)
    ('50 %', '0.4 %', '99.96 %')
    """
    return f"{_digits(p)} %"


def percents(low: float, high: float) -> str:
    """The ends of an interval of probabilities.

    >>> percents(0.0612, 0.938)
    '6-94 %'
    """
    return f"{_digits(low)}-{_digits(high)} %"


def points(gain: float) -> str:
    """A difference of probabilities in percentage points.

    >>> points(0.071), points(0.00012)
    ('+7.1 points', '+0.012 points')
    """
    size = abs(100.0 * gain)
    digits = 1 if size >= 0.1 or size < 0.0005 else 3
    return f"{100.0 * gain:+.{digits}f} points"


def _digits(p: float) -> str:
    edge = min(p, 1.0 - p)
    text = f"{100.0 * p:.{0 if edge >= 0.01 else 1 if edge >= 0.001 else 2}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class _Document:
    """Values that JSON can hold."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """All fields, for ``json.dumps``."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]


@dataclass(frozen=True, slots=True)
class Prospect(_Document):
    """An alternative that would be gone with, and its success probability."""

    alternative: int
    label: str
    probability: float | None  # None: what leads there cannot happen


@dataclass(frozen=True, slots=True)
class Trial(_Document):
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

    @property
    def heading(self) -> str:
        """``Trial 1 of 30``; with history or withdrawn trials between, ``Trial 12 (3 of 30)``."""
        if self.budget is None:
            return f"Trial {self.number}"
        if self.number == self.position:
            return f"Trial {self.number} of {self.budget}"
        return f"Trial {self.number} ({self.position} of {self.budget})"

    def __str__(self) -> str:
        return (
            f"{self.heading}: {self.label}; chance of {self.success} {percent(self.probability)} "
            f"({percents(*self.interval)}); value of this trial {points(self.value)}"
        )


@dataclass(frozen=True, slots=True)
class Recommendation(_Document):
    """What to go with."""

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
    not_most_successful: str | None  # why it is not the alternative with most successes, when that is another
    outcomes: int  # that this rests on

    def __str__(self) -> str:
        first = (
            f"Go with {self.label}: {percent(self.probability)} ({percents(*self.interval)}), "
            f"best of all with chance {percent(self.chance_best)}."
        )
        return first if self.not_most_successful is None else f"{first} {self.not_most_successful}"


@dataclass(frozen=True, slots=True)
class Advice(_Document):
    """Whether to go on. Gains are in success probability of the final choice."""

    go_on: bool
    words: str
    value_per_trial: float  # the largest KG(*): of repeating one alternative, per trial
    trials: int  # looked ahead: ten, or those left
    at_least: float  # what so many trials are expected to bring if all are spent on one alternative: KG_m
    up_to: (
        float  # ... or so many times the value per trial; a plan that mixes alternatives may lie above, never `bound`
    )
    bound: float  # perfect knowledge: no number of trials can bring more
    bound_error: float  # its Monte Carlo standard error
    cost: float | None  # of one trial, in success probability
    left: int | None  # trials left in the budget

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Why(_Document):
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

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class TrialRow(_Document):
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

    def __str__(self) -> str:
        marks = [f"corrected {self.corrections}x"] if self.corrections else []
        return ": ".join([f"Trial {self.trial}", self.label]) + "; " + ", ".join([self.outcome or self.state, *marks])


@dataclass(frozen=True, slots=True)
class Status(_Document):
    """How a campaign stands."""

    name: str
    alternatives: int
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

    def __str__(self) -> str:
        budget = f" of {self.budget}" if self.budget is not None else ""
        waiting = f", waiting for {', '.join(map(str, self.pending))}" if self.pending else ""
        return (
            f"Campaign {self.name}: {self.alternatives:,} alternatives, {self.features} features; {self.used}{budget} "
            f"trials used{waiting}; {self.successes} {self.success} of {self.of}"
        )
