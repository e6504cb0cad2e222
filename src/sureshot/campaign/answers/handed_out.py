"""A trial that was asked: what is recorded with it, how it is handed out, and what it is for."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from sureshot.campaign.answers.fit.checks import Caution, kept_caution
from sureshot.campaign.answers.repeats import on_purpose, waiting
from sureshot.campaign.answers.trial import Prospect, Trial, Why
from sureshot.campaign.answers.wording import in_case, narrowed, percent, percents, points, turn, unturned
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.log.sound import refuse_unseen
from sureshot.campaign.model.spec import Spec
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import Decision, Outlook, written
from sureshot.said import Call

__all__ = ["number_of", "raised_when_asked", "seen", "trial", "trials", "why"]


def seen(decision: Decision, *, outcomes: int, pending: int, raised: Sequence[Caution]) -> dict[str, Any]:
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
        "cautions": [asdict(caution) for caution in raised],
    }


def raised_when_asked(name: str, ledger: Ledger) -> tuple[Caution, ...] | None:
    """What was wrong with the model of campaign ``name`` by the outcomes so far, as the last trial says that was asked;
    None if none says so that was asked since the last outcome.
    """
    last = next((entry for entry in reversed(ledger.trials.values()) if entry.asked), None)
    found = {} if last is None or last.opened < ledger.learned else last.payload
    kept = found.get("cautions") if found.get("after", ledger.learned) >= ledger.learned else None
    return None if kept is None else tuple(kept_caution(name, one) for one in kept)


def _kept(outlook: Outlook) -> dict[str, Any]:
    known = math.isfinite(outlook.probability)
    return {"alternative": outlook.alternative, "probability": outlook.probability if known else None}


def trials(campaign: str, spec: Spec, ledger: Ledger, numbers: Sequence[int]) -> tuple[Trial, ...]:
    """Trials that were handed out together: the first by its place among all, the others by theirs after it."""
    before = sum(e.asked and e.state != "withdrawn" for e in ledger.trials.values() if e.trial < numbers[0])
    return tuple(
        trial(campaign, spec, ledger, ledger.entry(number), position=before + i)
        for i, number in enumerate(numbers, start=1)
    )


def trial(campaign: str, spec: Spec, ledger: Ledger, entry: Entry, *, position: int) -> Trial:
    """A trial that was asked, as it was handed out."""
    seen, again = _seen(spec, entry), waiting(ledger, entry)
    return Trial(
        **_foreseen(spec, entry, seen),
        campaign=campaign,
        number=entry.trial,
        levels=spec.pool.levels(entry),
        id=spec.pool.name(entry),
        details=spec.pool.details(entry),
        position=position,
        budget=spec.budget,
        success=spec.words.success,
        alternatives=len(spec.pool.space),
        cautions=(*(kept_caution(campaign, one).text for one in seen.get("cautions", ())), *spec.pool.beyond(entry)),
        over=_over(spec),
        looked_at=seen.get("looked_at"),
        outcomes=seen["outcomes"],
        repeats=again,
        on_purpose=None if again is None else on_purpose(again, seen),
    )


def number_of(trial: Trial | int, campaign: str, names: Collection[str]) -> int:
    """The number of a trial, or of one that was asked of this campaign, under any of the names that it has had."""
    if isinstance(trial, Trial) and trial.campaign not in names:
        raise InvalidInput(
            f"trial {trial.number} was asked of campaign {trial.campaign!r}, and this is {campaign!r}: tell it there."
        )
    number = trial.number if isinstance(trial, Trial) else trial
    if isinstance(number, bool) or not isinstance(number, int | np.integer):
        raise InvalidInput("a trial must be what ", Call("ask"), " gave, or its number", field="trial", got=trial)
    return int(number)


def why(spec: Spec, ledger: Ledger, number: int | None) -> Why:
    """What a trial was for; without a number, the last one asked."""
    if number is None:
        own = [e for e in ledger.trials.values() if e.asked]
        if not own:
            raise UnknownName("no trial was asked yet: ask for one first.", field="trial")
        entry = own[-1]
    else:
        entry = ledger.entry(number)
    seen = _seen(spec, entry)
    found, second = _foreseen(spec, entry, seen), seen["runner_up"]
    runner_up = None if second is None else _prospect(spec, {"alternative": second, "probability": None})
    told = [
        f"Trial {entry.trial}, {found['label']}{in_case(entry.context)}: chance of {spec.words.success} "
        f"{percent(seen['probability'])} ({percents(*seen['interval'])}), value {points(seen['value'])}{_over(spec)}.",
        _changes(found["now"], found["on_success"], found["on_failure"], len(spec.pool.space)),
    ]
    told += _chosen(seen, len(spec.pool.space))
    if _all_tied(seen, len(spec.pool.space)):
        told.append("All alternatives were as good to try; this one was drawn.")
    elif seen["tied"] > 1 and not seen.get("start"):
        told.append(f"{seen['tied']} alternatives were as good to try; this one was drawn.")
    elif runner_up is not None and not seen.get("start"):
        told.append(f"The next best to try was {runner_up.label}.")
    return Why(
        **found,
        trial=entry.trial,
        runner_up=runner_up,
        runner_up_score=seen["runner_up_score"],
        score=seen["score"],
        tied=seen["tied"],
        outcomes=seen["outcomes"],
        pending=seen["pending"],
        words=" ".join(told),
    )


def _chosen(seen: dict[str, Any], alternatives: int) -> list[str]:
    """By which policy, and from how many: what trials have recorded since campaigns have a policy."""
    if "policy" not in seen:
        return []
    name = seen["policy"]["name"]
    if seen.get("start"):
        return [f"{name} begins with a few trials drawn at random, and this is one of them."]
    reason = seen.get("because")
    told = [f"{name} chose it: {reason}." if reason else f"{name} chose it."]
    if "teach" in (reason or ""):
        if points(seen["value"]) == points(0.0) == points(seen["score"]):
            told = [f"{name} chose it, though by what is known no trial is expected to teach anything now."]
        elif _all_tied(seen, alternatives):  # then it does not teach most
            told = [f"{name} chose it."]
    return told + ([narrowed(seen["looked_at"], alternatives)] if seen.get("looked_at") else [])


def _all_tied(seen: dict[str, Any], alternatives: int) -> bool:
    """Whether a trial of any alternative that was looked at would have been as good."""
    return not seen.get("start") and 1 < (seen.get("looked_at") or alternatives) <= seen["tied"]


def _over(spec: Spec) -> str:
    return " over the cases seen" if spec.value == "seen contexts" else ""


def _changes(now: Prospect, success: Prospect, failure: Prospect, alternatives: int) -> str:
    if success.alternative == failure.alternative == now.alternative:
        return unturned(now.label, alternatives)
    parts = [
        f"a {word} would {turn(then.alternative == now.alternative)} {then.label}"
        + (f" ({percent(then.probability)})" if then.probability is not None else "")
        for word, then in (("success", success), ("failure", failure))
    ]
    return f"Now we would choose {now.label} ({percent(now.probability or 0.0)}); {'; '.join(parts)}."


def _foreseen(spec: Spec, entry: Entry, seen: dict[str, Any]) -> dict[str, Any]:
    """The fields that a trial and its reason share."""
    return {
        "alternative": entry.alternative,
        "label": spec.pool.label(entry),
        "context": entry.context,
        "probability": seen["probability"],
        "interval": tuple(seen["interval"]),
        "value": seen["value"],
        **{key: _prospect(spec, seen[key]) for key in ("now", "on_success", "on_failure")},
    }


def _seen(spec: Spec, entry: Entry) -> dict[str, Any]:
    """What was predicted when a trial was asked."""
    seen = entry.payload
    if not entry.asked or entry.alternative is None or "probability" not in seen:
        came = "was asked by the campaign that this one is made from" if entry.asked else "was told without being asked"
        raise InvalidInput(f"trial {entry.trial} {came}: nothing was predicted for it.")
    refuse_unseen(entry.opened, seen, len(spec.pool.space))
    return seen


def _prospect(spec: Spec, kept: dict[str, Any]) -> Prospect:
    row = kept["alternative"]
    return Prospect(alternative=row, label=spec.pool.space.label(row), probability=kept["probability"])
