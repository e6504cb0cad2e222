"""How a campaign stands, and all its trials in order."""

from __future__ import annotations

from collections.abc import Sequence

from sureshot.campaign.answers.checks import Caution
from sureshot.campaign.answers.results import Status, TrialRow
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.spec import Spec
from sureshot.storage import CampaignRecord

__all__ = ["row", "rows", "status"]


def status(
    record: CampaignRecord, spec: Spec, ledger: Ledger, until: int | None, raised: Sequence[Caution] = ()
) -> Status:
    """How the campaign stands."""
    counted = ledger.counted()
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
        successes=sum(e.successes or 0 for e in counted),
        of=sum(e.of or 0 for e in counted),
        success=spec.words.success,
        failure=spec.words.failure,
        events=ledger.last,
        seed=record.seed,
        created_at=record.created_at,
        viewed_at=until,
        notes=tuple(ledger.notes.get(None, ())),
        cautions=(*map(str, raised), *_gone(spec), *spec.pool.cautions),
        model=spec.pool.model,
        policy=dict(spec.written_policy),
    )


def _gone(spec: Spec) -> tuple[str, ...]:
    """What decides in the place of a policy that is no more."""
    if spec.gone_policy is None:
        return ()
    return (f"the policy {spec.gone_policy}, which this campaign was made with, is gone: {spec.policy.name} decides",)


def rows(spec: Spec, ledger: Ledger) -> tuple[TrialRow, ...]:
    """All trials in order."""
    return tuple(row(spec, ledger, entry) for entry in ledger.trials.values())


def row(spec: Spec, ledger: Ledger, entry: Entry) -> TrialRow:
    """One trial as it stands."""
    seen = entry.payload
    told = entry.successes is not None and entry.of is not None
    return TrialRow(
        trial=entry.trial,
        state=entry.state,
        alternative=entry.alternative,
        label=spec.pool.label(entry),
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
        cautions=spec.pool.beyond(entry),
        id=spec.pool.name(entry),
    )
