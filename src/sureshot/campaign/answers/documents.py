"""A campaign as JSON: what it believes, for another campaign to begin with, and all that was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.origin import root
from sureshot.campaign.model.earlier import POSTERIOR
from sureshot.campaign.model.prior import belief_to_dict
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture
from sureshot.errors import CorruptLog
from sureshot.storage import CampaignRecord, Event

__all__ = ["check_equal", "exported", "posterior"]


def posterior(
    record: CampaignRecord, spec: Spec, belief: Belief | Mixture, ledger: Ledger, events: Sequence[Event]
) -> dict[str, Any]:
    """What is believed, with the features that it is about and the roots of the outcomes that it rests on."""
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
        "belief": belief_to_dict(belief),
    }


def exported(record: CampaignRecord, events: Sequence[Event]) -> dict[str, Any]:
    """The whole campaign as JSON."""
    listed = []
    for event in events:
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


def check_equal(fresh: Belief | Mixture, used: Belief | Mixture) -> None:
    """Refuse a belief in use that is not, to the last bit, what the log gives."""
    if belief_to_dict(fresh) != belief_to_dict(used):
        raise CorruptLog("the belief in use is not what the log gives: delete the row of this campaign in `snapshot`.")
