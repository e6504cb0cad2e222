"""How a campaign stands, and each of its trials."""

from __future__ import annotations

from collections.abc import Sequence

from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.results import Status, TrialRow
from sureshot.campaign.log.ledger import Entry, Ledger, totals
from sureshot.campaign.model.spec import Spec
from sureshot.policies import default_policy, policy_of, written
from sureshot.storage import CampaignRecord

__all__ = ["row", "status"]

#: The model where nobody names one.
USUAL = "shape auto"


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
        archived_at=record.archived_at,
    )


def _chosen(spec: Spec) -> tuple[str, ...]:
    """What of the model and the policy is not what a campaign has where nobody says anything."""
    model = () if spec.pool.model == USUAL else (spec.pool.model,)
    policy = dict(spec.written_policy)
    if policy == written(policy_of(default_policy(grid=spec.pool.space.is_grid))):
        return model
    return (*model, f"policy {policy['name']}")


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
