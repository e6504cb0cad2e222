"""What every storage admits and refuses, in the same words.

:func:`admit` is called inside the transaction. It numbers the events and the trials that they open, chains their
digests and refuses what contradicts the log: an outcome for a trial that nobody opened, a second outcome, an outcome
for a withdrawn trial, a correction of what was never told. All or nothing: one refused event refuses the whole append.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sureshot.errors import Conflict, OtherLog, OutOfDate, UnknownName, unknown_name
from sureshot.said import Call, Text
from sureshot.storage import fields
from sureshot.storage.chain import digests
from sureshot.storage.records import Event, NewEvent

__all__ = [
    "End",
    "TrialState",
    "admit",
    "name_taken",
    "no_campaign",
    "no_campaign_id",
    "other_history",
    "refuse_other_log",
    "refuse_out_of_date",
    "states_of",
]


class End(NamedTuple):
    """Where a campaign's log ends now."""

    number: int  # of the last event; 0: none
    trial: int  # the highest trial number; 0: none
    digest: str  # of the last event, or of the campaign


class TrialState(NamedTuple):
    """The events that decide what may still happen to a trial."""

    outcome: Event | None = None  # the last told or corrected
    withdrawn: Event | None = None


def states_of(trials: Iterable[int], events: Iterable[Event]) -> dict[int, TrialState]:
    """The state of each trial, from its events in order."""
    states = {trial: TrialState() for trial in trials}
    for event in events:
        if event.trial in states:
            states[event.trial] = _after(states[event.trial], event)
    return states


def admit(
    campaign: str,
    new: Sequence[NewEvent],
    end: End,
    past: Callable[[list[int]], Iterable[Event]] = lambda _: (),
    *,
    expected_last: int | None = None,
    expected_trials: int | None = None,
) -> tuple[Event, ...]:
    """The events as they are recorded: numbered from ``end`` on, stamped with the present unless they bring a moment.

    ``past`` gives all events of these trials so far, in order. An append that was decided on when the log ended with
    another event than ``expected_last``, or held another number of trials than ``expected_trials``, is refused.
    """
    refuse_out_of_date(campaign, expected_last, end.number)
    _refuse_new_trials(campaign, expected_trials, end.trial)
    named = sorted({event.trial for event in new if event.trial is not None and event.trial <= end.trial})
    current = states_of(named, past(named))
    last_trial, now = end.trial, fields.now()
    admitted: list[tuple[Any, ...]] = []
    for number, event in enumerate(new, start=end.number + 1):
        trial = event.trial
        if event.opens:
            trial = last_trial = last_trial + 1
            state = TrialState()
        elif trial is not None:
            state = _refuse_or(campaign, event, trial, current.get(trial), last_trial)
        columns = (
            number,
            event.at or now,
            event.kind,
            trial,
            event.alternative,
            event.context_json,
            event.successes,
            event.of,
            event.text,
            event.author,
            event.payload_json,
        )
        admitted.append(columns)
        if trial is not None:
            current[trial] = _after(state, Event._make((*columns, "")))
    return tuple(
        Event._make((*columns, digest)) for columns, digest in zip(admitted, digests(end.digest, admitted), strict=True)
    )


def refuse_out_of_date(campaign: str, expected_last: int | None, last: int) -> None:
    """Refuse what was decided on when the log ended with another event."""
    if expected_last is not None and expected_last != last:
        raise OutOfDate(
            f"{campaign} has moved on: this was decided after event {expected_last}, and the log now ends with "
            f"event {last}: read the events since and decide again."
        )


def refuse_other_log(campaign: str, number: int, expected: str | None, found: str | None) -> None:
    """Refuse who read another log: event ``number`` had the digest ``expected``, and now it has ``found``, or is gone.

    Of number 0, it is the digest that the campaign begins with.
    """
    if expected is not None and expected != found:
        what = f"event {number} as it was read is not in it" if number else "it begins otherwise"
        raise OtherLog(
            f"{campaign} has another log than the one that was read: {what} (an earlier state of the store was "
            "restored). Nothing was recorded",
            fix="open the campaign again, see what is in it, and decide again",
        )


def _refuse_new_trials(campaign: str, expected: int | None, trials: int) -> None:
    if expected is not None and expected != trials:
        raise OutOfDate(
            f"{campaign} has moved on: this was decided when it had {expected} trials, and now it has {trials}: read "
            "the events since and decide again."
        )


def _after(state: TrialState, event: Event) -> TrialState:
    """The state of a trial after one more of its events."""
    if event.kind in ("told", "corrected"):
        return TrialState(event, state.withdrawn)
    if event.kind == "withdrawn":
        return TrialState(state.outcome, event)
    return state


def _refuse_or(campaign: str, new: NewEvent, trial: int, state: TrialState | None, last_trial: int) -> TrialState:
    """The state of the trial if it admits the event, else the error that says why not and what to do."""
    if state is None:
        known = f"its trials are 1 to {last_trial}" if last_trial else "it has no trials yet"
        raise UnknownName(
            f"{campaign} has no trial {trial}: {known}. Get a new one with ",
            Call("ask"),
            ", or record an experiment that was never asked with ",
            Call("tell_new"),
            ".",
            field="trial",
            value=trial,
        )
    if new.kind == "noted":
        return state
    if state.withdrawn is not None:
        raise Conflict(
            f"trial {trial} of {campaign} was withdrawn{_by(state.withdrawn)}, so it can't be {new.kind}",
            fix=Text(
                "get a new trial with ",
                Call("ask"),
                ", or record the outcome as one that was never asked with ",
                Call("tell_new"),
            ),
            field="trial",
            value=trial,
        )
    if new.kind == "told" and state.outcome is not None:
        found = state.outcome
        raise Conflict(
            f"trial {trial} of {campaign} already has an outcome: {found.successes} of {found.of}, "
            f"{found.kind}{_by(found)}. If that is wrong, correct it with ",
            Call("correct", trial),
            ".",
            field="trial",
            value=trial,
        )
    if new.kind == "corrected" and state.outcome is None:
        fix = Text("give it with ", Call("tell", trial))
        raise Conflict(
            f"trial {trial} of {campaign} has no outcome to correct yet", field="trial", value=trial, fix=fix
        )
    return state


def _by(event: Event) -> str:
    by = f" by {event.author}" if event.author else ""
    return f"{by} at {event.at} (event {event.number})"


def name_taken(name: str) -> Conflict:
    """The error for a second campaign of one name."""
    return Conflict(
        f"there already is a campaign {name!r} in this store",
        field="name",
        value=name,
        fix="open it, or choose another name",
    )


def no_campaign(name: object, known: Iterable[str]) -> UnknownName:
    """The error for a name that no campaign has."""
    names = sorted(known)
    if not names:
        return UnknownName(
            f"unknown campaign {name!r}: this store holds no campaigns yet",
            value=name,
            fix=Text("make one with ", Call("Campaign.create")),
        )
    return unknown_name("campaign", name, names, field="name")


def no_campaign_id(campaign_id: object) -> UnknownName:
    """The error for an id that no campaign has."""
    return UnknownName(
        f"no campaign has the id {campaign_id!r} in this store: it may have been deleted. Look it up by its name."
    )


def other_history(number: int) -> Conflict:
    """The error for a snapshot that this log did not make."""
    return Conflict(f"the snapshot's digest is not that of event {number} in this log: read the events and fold again.")
