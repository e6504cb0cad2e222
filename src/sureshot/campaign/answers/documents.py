"""A campaign as JSON: what it believes, for another campaign to begin with, and all that was recorded."""

from __future__ import annotations

from typing import Any

from sureshot.campaign.log.log import Log
from sureshot.campaign.log.origin import root
from sureshot.campaign.model.earlier import POSTERIOR
from sureshot.campaign.model.prior import belief_to_dict

__all__ = ["exported", "posterior"]


def posterior(log: Log) -> dict[str, Any]:
    """What is believed, with the features that it is about and the roots of the outcomes that it rests on."""
    record, spec, events, ledger = log.record, log.spec, log.events(), log.ledger
    own = (root(record, events),) if ledger.counted() else ()
    return {
        "version": POSTERIOR,
        "campaign": record.name,
        "events": ledger.last,
        "digest": ledger.digest,
        "roots": list(dict.fromkeys((*own, *spec.prior_roots))),
        "link": spec.link,
        "contexts": list(spec.pool.context_names) if spec.pool.contextual else None,
        "columns": list(spec.pool.design.columns),
        "design": spec.pool.design.to_dict(),
        "belief": belief_to_dict(log.believed()),
    }


def exported(log: Log) -> dict[str, Any]:
    """The whole campaign as JSON."""
    record, listed = log.record, []
    for event in log.events():
        one = {k: v for k, v in event._asdict().items() if not k.endswith("_json")}
        listed.append({**one, "context": event.context, "payload": event.payload})
    return {
        "version": 1,
        "name": record.name,
        "created_at": record.created_at,
        "seed": record.seed,
        "spec": record.spec,
        "digest": record.digest,
        "events": listed,
    }
