"""From a ledger and a belief to what a person is told: pure functions behind the methods of a campaign."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sureshot.campaign.answers.advice import advised
from sureshot.campaign.answers.checks import Caution
from sureshot.campaign.answers.recommend import Draws, drawn, most_successful
from sureshot.campaign.answers.results import (
    Advice,
    Prospect,
    Recommendation,
    Status,
    Trial,
    TrialRow,
    Why,
)
from sureshot.campaign.answers.wording import in_case, narrowed, percent, percents, points, unturned
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.prior import belief_to_dict
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, interval, predictive
from sureshot.core.numerics.stable import Array
from sureshot.errors import CorruptLog, InvalidInput, UnknownName
from sureshot.policies import Decision, Outlook, Situation, written
from sureshot.space.tables.column import Value
from sureshot.storage import CampaignRecord, Event

__all__ = [
    "advice",
    "check_equal",
    "exported",
    "posterior",
    "predicted",
    "recommendation",
    "row",
    "rows",
    "status",
    "trial",
    "why",
]


def predicted(decision: Decision, *, outcomes: int, pending: int) -> dict[str, Any]:
    """What is recorded with a trial that is handed out: what was seen in it."""
    return {
        "probability": decision.probability,
        "interval": list(decision.interval),
        "value": decision.value,
        "score": decision.score,
        "now": _kept(decision.now),
        "on_success": _kept(decision.on_success),
        "on_failure": _kept(decision.on_failure),
        "runner_up": decision.runner_up,
        "runner_up_score": decision.runner_up_score,
        "tied": decision.tied,
        "outcomes": outcomes,
        "pending": pending,
        "policy": written(decision.policy),
        "because": decision.because,
        "start": decision.start,
        "looked_at": decision.looked_at,
    }


def _kept(outlook: Outlook) -> dict[str, Any]:
    known = math.isfinite(outlook.probability)
    return {"alternative": outlook.alternative, "probability": outlook.probability if known else None}


def trial(campaign: str, spec: Spec, entry: Entry, *, position: int) -> Trial:
    """A trial that was asked, as it was handed out."""
    seen, alternative = _seen(entry)
    low, high = seen["interval"]
    return Trial(
        campaign,
        entry.trial,
        alternative,
        spec.pool.label(alternative),
        spec.pool.space.row(alternative),
        _context(entry),
        seen["probability"],
        (low, high),
        seen["value"],
        _prospect(spec, seen["now"]),
        _prospect(spec, seen["on_success"]),
        _prospect(spec, seen["on_failure"]),
        position,
        spec.budget,
        spec.words.success,
        len(spec.pool.space),
        spec.pool.beyond(entry),
        _over(spec),
        seen.get("looked_at"),
    )


def recommendation(
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: dict[str, Value] | None,
    rng: np.random.Generator,
    *,
    raised: Sequence[Caution],
    shape: str | None,
) -> Recommendation:
    """The alternative with the largest success probability, how sure that is, what is wrong with the model (``raised``)
    and what bends (``shape``).
    """
    counted = ledger.counted()
    p = predictive(belief, X)
    at = int(np.argmax(p))
    draws = drawn(belief, X, at, rng)
    low, high = interval(belief, X[at : at + 1])
    own = [e for e in counted if e.alternative == at]
    return Recommendation(
        at,
        spec.pool.label(at),
        spec.pool.space.row(at),
        context,
        float(p[at]),
        (float(low[0]), float(high[0])),
        draws.chance_best,
        draws.chance_error,
        sum(e.successes or 0 for e in own),
        sum(e.of or 0 for e in own),
        _not_most_successful(spec, _alike(counted, context), at, p),
        len(counted),
        (*map(str, raised), *spec.pool.unusual(context)),
        shape,
    )


def _alike(counted: Sequence[Entry], context: dict[str, Value] | None) -> Sequence[Entry]:
    """The trials of the same case; all of them where there are no cases."""
    return counted if context is None else [entry for entry in counted if _context(entry) == context]


def _not_most_successful(spec: Spec, counted: Sequence[Entry], at: int, p: Array) -> str | None:
    top = most_successful(counted)
    if top is None or top[0] == at:
        return None
    other, won, tries = top
    own = [e for e in counted if e.alternative == at]
    mine, of = sum(e.successes or 0 for e in own), sum(e.of or 0 for e in own)
    if of and not mine:
        return _only_failed(spec, counted, at, of, p)
    if spec.pool.contextual or (mine == won and mine * tries == won * of):
        return None
    tried = f"{mine} of {of}" if of else "never tried"
    chance = "is hardly less" if _close(p, at, other) else f"is {percent(p[other])}, against {percent(p[at])} here"
    return (
        f"It is not the one with most successes: {spec.pool.label(other)} has {won} of {tries} (this one: {tried}), "
        f"but from all trials together the chance of that one {chance}."
    )


def _only_failed(spec: Spec, counted: Sequence[Entry], at: int, of: int, p: Array) -> str:
    """Why an alternative that never worked is recommended, while others did work."""
    worked = {e.alternative for e in counted if e.alternative is not None and e.successes}
    other = max(sorted(worked), key=lambda row: p[row])
    trials = [e for e in counted if e.alternative == other]
    won, tries = sum(e.successes or 0 for e in trials), sum(e.of or 0 for e in trials)
    failed = "its only try" if of == 1 else f"all {of} tries of its own"
    less = "hardly less" if _close(p, at, other) else percent(p[other])
    return (
        f"It failed in {failed}, but from all trials together its chance is {percent(p[at])}; of those that worked, "
        f"the best is {spec.pool.label(other)} ({won} of {tries}), whose chance is {less}."
    )


def _close(p: Array, at: int, other: int) -> bool:
    return bool(p[at] - p[other] < 0.005 or percent(p[at]) == percent(p[other]))


def advice(
    spec: Spec,
    ledger: Ledger,
    now: Situation,
    cost: float | None,
    rng: np.random.Generator,
    raised: Sequence[Caution] = (),
) -> Advice:
    """Whether to go on."""
    left = None if spec.budget is None else max(spec.budget - ledger.used(), 0)
    draws: Draws = drawn(now.belief, now.X, int(np.argmax(now.probability)), rng)
    return advised(now, draws, left=left, cost=cost, raised=raised)


def why(spec: Spec, ledger: Ledger, number: int | None) -> Why:
    """What a trial was for; without a number, the last one asked."""
    if number is None:
        own = [e for e in ledger.trials.values() if e.asked]
        if not own:
            raise UnknownName("no trial was asked yet: ask for one first.")
        entry = own[-1]
    else:
        entry = ledger.entry(number)
    seen, alternative = _seen(entry)
    low, high = seen["interval"]
    now, success, failure = (_prospect(spec, seen[k]) for k in ("now", "on_success", "on_failure"))
    second = seen["runner_up"]
    runner_up = None if second is None else Prospect(second, spec.pool.label(second), None)
    told = [
        f"Trial {entry.trial}, {spec.pool.label(alternative)}{in_case(_context(entry))}: chance of "
        f"{spec.words.success} {percent(seen['probability'])} ({percents(low, high)}), value "
        f"{points(seen['value'])}{_over(spec)}.",
        _changes(now, success, failure, len(spec.pool.space)),
    ]
    told += _chosen(seen, len(spec.pool.space))
    if seen["tied"] > 1 and not seen.get("start"):
        told.append(f"{seen['tied']} alternatives were as good to try; this one was drawn.")
    elif runner_up is not None and not seen.get("start"):
        told.append(f"The next best to try was {runner_up.label}.")
    return Why(
        entry.trial,
        alternative,
        spec.pool.label(alternative),
        seen["probability"],
        (low, high),
        seen["value"],
        now,
        success,
        failure,
        runner_up,
        seen["runner_up_score"],
        seen["score"],
        seen["tied"],
        seen["outcomes"],
        seen["pending"],
        " ".join(told),
        _context(entry),
    )


def _chosen(seen: dict[str, Any], alternatives: int) -> list[str]:
    """By which policy, and from how many: what trials have recorded since campaigns have a policy."""
    if "policy" not in seen:
        return []
    name = seen["policy"]["name"]
    if seen["start"]:
        return [f"{name} begins with a few trials drawn at random, and this is one of them."]
    reason = seen.get("because")
    told = [f"{name} chose it: {reason}." if reason else f"{name} chose it."]
    return told + ([narrowed(seen["looked_at"], alternatives)] if seen["looked_at"] else [])


def _over(spec: Spec) -> str:
    return " over the cases seen" if spec.value == "seen contexts" else ""


def _changes(now: Prospect, success: Prospect, failure: Prospect, alternatives: int) -> str:
    if success.alternative == failure.alternative == now.alternative:
        return unturned(now.label, alternatives)
    parts = [
        f"a {word} would {'keep us with' if then.alternative == now.alternative else 'turn us to'} {then.label}"
        + (f" ({percent(then.probability)})" if then.probability is not None else "")
        for word, then in (("success", success), ("failure", failure))
    ]
    return f"Now we would go with {now.label} ({percent(now.probability or 0.0)}); {'; '.join(parts)}."


def status(
    record: CampaignRecord, spec: Spec, ledger: Ledger, until: int | None, raised: Sequence[Caution] = ()
) -> Status:
    """How the campaign stands."""
    counted = ledger.counted()
    return Status(
        record.name,
        len(spec.pool.space),
        len(spec.pool.space.columns),
        spec.pool.design.width,
        spec.objective,
        spec.budget,
        ledger.used(),
        tuple(e.trial for e in ledger.pending()),
        len(counted),
        sum(e.state == "withdrawn" for e in ledger.trials.values()),
        sum(e.successes or 0 for e in counted),
        sum(e.of or 0 for e in counted),
        spec.words.success,
        spec.words.failure,
        ledger.last,
        record.seed,
        record.created_at,
        until,
        tuple(note.text for note in ledger.notes if note.trial is None),
        (*map(str, raised), *spec.pool.cautions),
        written(spec.policy),
    )


def rows(spec: Spec, ledger: Ledger) -> tuple[TrialRow, ...]:
    """All trials in order."""
    notes = _notes(ledger)
    return tuple(_row(spec, notes, entry) for entry in ledger.trials.values())


def row(spec: Spec, ledger: Ledger, entry: Entry) -> TrialRow:
    """One trial as it stands."""
    return _row(spec, _notes(ledger), entry)


def _notes(ledger: Ledger) -> dict[int, tuple[str, ...]]:
    """What was noted about each trial."""
    found: dict[int, tuple[str, ...]] = {}
    for note in ledger.notes:
        if note.trial is not None:
            found[note.trial] = (*found.get(note.trial, ()), note.text)
    return found


def _row(spec: Spec, notes: dict[int, tuple[str, ...]], entry: Entry) -> TrialRow:
    seen = json.loads(entry.payload_json or "{}")
    told = entry.successes is not None and entry.of is not None
    return TrialRow(
        entry.trial,
        entry.state,
        entry.alternative,
        spec.pool.label(entry.alternative, seen.get("levels")),
        _context(entry),
        spec.words.name(entry.successes or 0, entry.of or 1) if told else None,
        entry.successes,
        entry.of,
        entry.asked,
        seen.get("probability"),
        seen.get("value"),
        entry.opened_at,
        entry.opened_by,
        entry.told_at,
        entry.told_by,
        entry.corrections,
        notes.get(entry.trial, ()),
        spec.pool.beyond(entry),
    )


def posterior(record: CampaignRecord, spec: Spec, belief: Belief | Mixture, ledger: Ledger) -> dict[str, Any]:
    """What is believed, with the features that it is about."""
    return {
        "version": 1,
        "campaign": record.name,
        "events": ledger.last,
        "digest": ledger.digest,
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


def _seen(entry: Entry) -> tuple[dict[str, Any], int]:
    """What was predicted when a trial was asked."""
    seen = json.loads(entry.payload_json or "{}")
    if not entry.asked or entry.alternative is None or "probability" not in seen:
        came = "was asked by the campaign that this one is made from" if entry.asked else "was told without being asked"
        raise InvalidInput(f"trial {entry.trial} {came}: nothing was predicted for it.")
    return seen, entry.alternative


def _prospect(spec: Spec, kept: dict[str, Any]) -> Prospect:
    return Prospect(kept["alternative"], spec.pool.label(kept["alternative"]), kept["probability"])


def _context(entry: Entry) -> dict[str, Value] | None:
    return None if entry.context_json is None else json.loads(entry.context_json)
