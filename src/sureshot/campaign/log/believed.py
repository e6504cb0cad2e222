"""The belief after the outcomes of a ledger: a pure fold, in blocks, and the snapshot that saves most of it.

A belief that learns by expectation propagation takes its first :data:`TOGETHER` outcomes all together, in whatever
order they came; later ones one after the other, by the members that these have left with any weight.

Outcomes are folded in blocks of a fixed size, so that a belief which goes on from a snapshot (always at the end of a
block) is the same to the last bit as one folded from the beginning. A snapshot says which inputs made it, as a SHA-256
over them; it is used only if the log still has exactly these: an outcome that was corrected or withdrawn since, a
changed specification or another version of this fold make it worthless, and it is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sureshot.campaign.log.ledger import Entry, counts
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import belief_from_dict, belief_to_dict
from sureshot.core import Belief, Mixture, fit, mixture, observe_many
from sureshot.core.beliefs.mixture import members
from sureshot.errors import SureshotError
from sureshot.schema import ANYTHING, TEXT, record, whole

__all__ = ["BLOCK", "Base", "fits", "folded", "snapshot_base", "snapshot_payload"]

#: Outcomes folded at once. Part of what a snapshot means: with another size, raise VERSION.
BLOCK = 512
#: Outcomes that are fitted together, a whole number of blocks: up to here their order does not matter.
TOGETHER = 2 * BLOCK
#: A member of a mixture that has less weight after so many outcomes is left out of what follows.
NEGLIGIBLE = 1e-6
#: Of the fold: a snapshot of another version is passed over.
VERSION = 3

_SNAPSHOT = record({"outcomes": whole(1), "inputs": TEXT, "belief": ANYTHING})


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """The belief after the first ``outcomes`` outcomes, a whole number of blocks."""

    outcomes: int
    belief: Belief | Mixture


def folded(pool: Pool, base: Base, counted: Sequence[Entry]) -> tuple[Base, Belief | Mixture]:
    """The belief after all outcomes, from one that holds after the first of them; and the last base on the way."""
    rest = counted[base.outcomes :]
    X, y, of = pool.features(rest), *counts(rest)
    belief, outcomes = base.belief, base.outcomes
    if not outcomes and fits(belief):
        first = slice(0, TOGETHER)
        fitted = fit(belief, X[first], y[first], of=of[first]).belief if len(rest) else belief
        if len(rest) < TOGETHER:
            return base, fitted
        belief, outcomes = _pruned(fitted), TOGETHER
    for start in range(outcomes - base.outcomes, len(rest) - BLOCK + 1, BLOCK):
        part = slice(start, start + BLOCK)
        belief, _ = observe_many(belief, X[part], y[part], of=of[part])
        outcomes += BLOCK
    last = slice(outcomes - base.outcomes, None)
    after, _ = observe_many(belief, X[last], y[last], of=of[last]) if len(y[last]) else (belief, None)
    return Base(outcomes, belief), after


def fits(belief: Belief | Mixture) -> bool:
    """Whether a belief takes a history as a whole."""
    return all(one.method == "ep" for _, one in members(belief))


def _pruned(belief: Belief | Mixture) -> Belief | Mixture:
    kept = [(weight, one) for weight, one in members(belief) if weight > NEGLIGIBLE]
    return mixture([one for _, one in kept], [weight for weight, _ in kept]) if len(kept) > 1 else kept[0][1]


def snapshot_payload(base: Base, counted: Sequence[Entry], spec_sha256: str) -> dict[str, Any]:
    """A base as it is kept."""
    return {
        "version": VERSION,
        "outcomes": base.outcomes,
        "inputs": _inputs(counted[: base.outcomes], spec_sha256),
        "belief": belief_to_dict(base.belief),
    }


def snapshot_base(payload: dict[str, Any], counted: Sequence[Entry], spec_sha256: str) -> Base | None:
    """The base that a snapshot holds, if the log still has exactly the inputs that made it. One that is not what
    :func:`snapshot_payload` gave is passed over: it is a cache.
    """
    if payload.get("version") != VERSION:
        return None
    try:
        _SNAPSHOT(payload, "snapshot")
        outcomes = payload["outcomes"]
        if outcomes > len(counted) or payload["inputs"] != _inputs(counted[:outcomes], spec_sha256):
            return None
        return Base(outcomes, belief_from_dict(payload["belief"]))
    except SureshotError:
        return None


def _inputs(counted: Sequence[Entry], spec_sha256: str) -> str:
    """SHA-256 of all that the fold takes in: the specification, and what was tried with what outcome, in order."""
    rows = [
        (e.trial, e.alternative, e.context_json, e.successes, e.of, e.payload_json if e.alternative is None else None)
        for e in counted
    ]
    return sha256(f"{spec_sha256}\n{BLOCK}\n{json.dumps(rows)}".encode()).hexdigest()
