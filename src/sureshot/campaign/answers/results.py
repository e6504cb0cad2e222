"""What a campaign answers, as frozen values that a person can read: ``str()`` is a sentence, the fields are facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sureshot.campaign.answers.wording import (
    added,
    chance,
    columns_passed_over,
    count,
    detailed,
    expected,
    in_case,
    joined,
    narrowed,
    noted,
    percent,
    percents,
    points,
    sentence,
    succeeded,
    turn,
    unturned,
    when,
)
from sureshot.said import Call, Text
from sureshot.space.tables.column import Value

__all__ = [
    "Advice",
    "Document",
    "Imported",
    "Known",
    "Prospect",
    "Recommendation",
    "Status",
    "Trial",
    "TrialRow",
    "Why",
    "nothing_known",
    "to_choose",
]

#: Below this chance of being best of all, a person is told how it can be the one to choose all the same.
UNLIKELY = 0.05
#: If the best of all is expected to be better by less than this, it hardly matters which one it is.
HARDLY = 0.01

#: What counts, as a person says it.
AIMS = {"offline": "for the best final choice", "online": "for the most successes on the way"}

#: What a recommendation rests on: no outcome at all, what an earlier campaign learned, outcomes of which none was a
#: success, or outcomes.
Known = Literal["nothing", "earlier campaign", "only failures", "outcomes"]


def nothing_known(pending: Sequence[int]) -> Text:
    """That nothing is known yet, and what to do, where these trials are pending."""
    if not pending:
        return Text("Nothing is known yet: no trial has an outcome. Begin with ", Call("ask"), ".")
    first = pending[0]
    waits = f"Nothing is known yet: trial {first} is waiting for its outcome. Tell it with "
    return Text(waits, Call("tell", first), ".")


def to_choose(what: str, known: Known) -> str:
    """What to choose, or what is likeliest while nothing has worked.

    >>> to_choose("power 14", "outcomes"), to_choose("power 14", "only failures")
    ('Choose power 14', 'Nothing has worked yet. The likeliest to work is power 14')
    """
    return f"Nothing has worked yet. The likeliest to work is {what}" if known == "only failures" else f"Choose {what}"


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
    effects: tuple[str, ...] = ()  # what else is known of the parameters: the clearest, see Campaign.effects
    known: Known = "outcomes"  # what this rests on; with "nothing", one alternative is as good as another
    pending: tuple[int, ...] = ()  # trials whose outcomes are still to come
    better_by: float = 0.0  # what the best of all, whichever it is, is expected to be better by
    id: str | None = None  # the name of its row, where a column names the rows; then that is its label ...
    details: str = ""  # ... and these are its levels

    @property
    def unknown(self) -> str | None:
        """That nothing is known yet, and what to do; None where something is."""
        return nothing_known(self.pending) if self.known == "nothing" else None

    @property
    def choice(self) -> str:
        """``Choose power 14, catalyst Co``, and in which case; what is likeliest, while nothing has worked."""
        return to_choose(f"{detailed(self.label, self.details)}{in_case(self.context)}", self.known)

    @property
    def sureness(self) -> str:
        """How likely it succeeds, and that nothing is better; with a reason where that is unlikely."""
        told = (
            f"{percent(self.probability)} ({percents(*self.interval)}), best of all with chance "
            f"{chance(self.chance_best)}"
        )
        if self.chance_best >= UNLIKELY:
            return f"{told}."
        if self.better_by < HARDLY:
            return f"{told}: another is probably better, but hardly ({added(self.better_by, self.better_by)})."
        return (
            f"{told}: another is probably better, but which one is not known yet; of all, this one is likeliest to "
            "succeed."
        )

    @property
    def seen(self) -> str:
        """What bends, what helps and what hardly matters, as sentences; empty while nothing is known."""
        return " ".join(sentence(one) for one in ((self.shape,) if self.shape else ()) + self.effects)

    def __str__(self) -> str:
        if self.unknown is not None:
            return f"{self.unknown}{noted(self.cautions)}"
        why = "" if self.not_most_successful is None else f" {self.not_most_successful}"
        seen = f" {self.seen}" if self.seen else ""
        return f"{self.choice}: {self.sureness}{why}{seen}{noted(self.cautions)}"

    def _repr_html_(self) -> str:
        from sureshot.campaign.pictures.cards import recommendation_card

        return recommendation_card(self)


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
    chosen: tuple[str, ...] = ()  # what of model and policy is not the default, in words
    archived_at: str | None = None  # since when it is left out of lists; None: it is in use

    @property
    def left(self) -> int | None:
        """Trials of the budget that may still be asked; None where there is none."""
        return None if self.budget is None else max(self.budget - self.used, 0)

    @property
    def about(self) -> str:
        """What the campaign is, with what was chosen for it: what is as always is left out."""
        made = [count(self.alternatives, "alternative"), count(self.parameters, "parameter"), AIMS[self.objective]]
        return f"Campaign {self.name}: {', '.join([*made, *self.chosen])}"

    @property
    def progress(self) -> str:
        """How many trials were asked, and what came of them."""
        over = 0 if self.budget is None else self.used - self.budget
        asked = count(self.used, "trial") if self.budget is None else f"{self.used} of {count(self.budget, 'trial')}"
        if over > 0:
            asked = f"{count(self.used, 'trial')} asked, {over} beyond the budget of {self.budget}"
        else:
            asked = f"{asked} asked"
        waiting = f", {len(self.pending)} pending" if self.pending else ""
        gone = f", {self.withdrawn} withdrawn" if self.withdrawn else ""
        tries = "try" if self.of == 1 else "tries"
        came = f"{succeeded(self.success, self.successes, self.of)} {tries}" if self.of else "no outcome yet"
        return f"{asked}{waiting}{gone}; {came}"

    @property
    def details(self) -> tuple[str, ...]:
        """What else is recorded of it: for those who want to know how it works."""
        given = " ".join(f"{name}={value}" for name, value in self.policy.items() if name != "name")
        return (
            f"model {self.model}, {count(self.features, 'feature')}",
            f"policy {' '.join(part for part in (str(self.policy.get('name', '')), given) if part)}, "
            f"objective {self.objective}, seed {self.seed}",
            f"made {when(self.created_at)}, {count(self.events, 'event')}",
        )

    def __str__(self) -> str:
        told = f"{self.about}; {self.progress}"
        if self.pending:
            plural = "s" * (len(self.pending) > 1)
            told += f"; waiting for the outcome{plural} of trial{plural} {joined(self.pending)}"
        return f"{told}.{noted(self.cautions)}" if self.cautions else told
