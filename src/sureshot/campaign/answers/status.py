"""How a campaign stands, and each of its trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.trial import TrialRow
from sureshot.campaign.answers.wording import count, joined, noted, succeeded, when
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Entry, Ledger, totals
from sureshot.campaign.model.spec import Spec
from sureshot.policies import default_policy, policy_of, written
from sureshot.storage import CampaignRecord

__all__ = ["AIMS", "Status", "row", "status"]

#: The model where nobody names one.
USUAL = "shape auto"
#: What counts, as a person says it.
AIMS = {"offline": "for the best final choice", "online": "for the most successes on the way"}


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
    stopping: dict[str, Any] | None = None  # the stopping rule: its name and parameters
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
        stops = "" if self.stopping is None else f", stopping rule {_in_a_line(self.stopping)}"
        return (
            f"model {self.model}",
            f"policy {_in_a_line(self.policy)}{stops}, objective {self.objective}, seed {self.seed}",
            f"made {when(self.created_at)}, {count(self.events, 'event')}",
        )

    def __str__(self) -> str:
        told = f"{self.about}; {self.progress}"
        if self.pending:
            plural = "s" * (len(self.pending) > 1)
            told += f"; waiting for the outcome{plural} of trial{plural} {joined(self.pending)}"
        return f"{told}.{noted(self.cautions)}" if self.cautions else told


def _in_a_line(rule: Mapping[str, Any]) -> str:
    return " ".join([str(rule.get("name", "")), *(f"{key}={one}" for key, one in rule.items() if key != "name")])


def status(
    record: CampaignRecord, spec: Spec, ledger: Ledger, until: int | None, raised: Sequence[Caution] = ()
) -> Status:
    """How the campaign stands."""
    counted = ledger.counted()
    won, of = totals(counted)
    return Status(
        name=record.name,
        alternatives=len(spec.pool.space),
        parameters=len(spec.pool.space.columns),
        features=spec.pool.design.width,
        objective=spec.objective,
        budget=spec.budget,
        used=ledger.used(),
        pending=tuple(e.trial for e in ledger.pending()),
        told=len(counted),
        withdrawn=sum(e.state == "withdrawn" for e in ledger.trials.values()),
        successes=won,
        of=of,
        success=spec.words.success,
        failure=spec.words.failure,
        events=ledger.last,
        seed=record.seed,
        created_at=record.created_at,
        viewed_at=until,
        notes=tuple(ledger.notes.get(None, ())),
        cautions=(*(one.text for one in raised), *_gone(spec), *spec.pool.cautions),
        model=spec.pool.model,
        policy=dict(spec.written_policy),
        chosen=_chosen(spec),
        stopping=None if spec.written_stopping is None else dict(spec.written_stopping),
        archived_at=record.archived_at,
    )


def _chosen(spec: Spec) -> tuple[str, ...]:
    """What of the model, the policy and the end is not what a campaign has where nobody says anything."""
    policy, stopping = dict(spec.written_policy), spec.written_stopping
    found = [] if spec.pool.model == USUAL else [spec.pool.model]
    if policy != written(policy_of(default_policy(grid=spec.pool.space.is_grid))):
        found.append(f"policy {policy['name']}")
    return (*found, *([] if stopping is None else [f"stopping rule {_in_a_line(stopping)}"]))


def _gone(spec: Spec) -> tuple[str, ...]:
    """What decides in the place of a policy that is no more."""
    if spec.gone_policy is None:
        return ()
    return (f"the policy {spec.gone_policy}, which this campaign was made with, is gone: {spec.policy.name} decides",)


def row(spec: Spec, ledger: Ledger, entry: Entry) -> TrialRow:
    """One trial as it stands."""
    seen = entry.payload
    told = entry.successes is not None and entry.of is not None
    return TrialRow(
        trial=entry.trial,
        state=entry.state,
        alternative=entry.alternative,
        label=spec.pool.label(entry),
        levels=spec.pool.levels(entry),
        context=entry.context,
        outcome=spec.words.name(entry.successes or 0, entry.of or 1) if told else None,
        successes=entry.successes,
        of=entry.of,
        asked=entry.asked,
        probability=seen.get("probability"),
        value=seen.get("value"),
        opened_at=entry.opened_at,
        opened_by=entry.opened_by,
        told_at=entry.told_at,
        told_by=entry.told_by,
        corrections=entry.corrections,
        notes=tuple(ledger.notes.get(entry.trial, ())),
        opened_event=entry.opened,
        told_event=entry.outcome or None,
        withdrawn_event=entry.withdrawn or None,
        cautions=spec.pool.beyond(entry),
        id=spec.pool.name(entry),
    )
