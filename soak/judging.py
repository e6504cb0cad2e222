"""What must hold after a fault, whatever it was: looked at in a store that is opened anew, by this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing

from soak.doors.calls import Answer, Call, whole
from sureshot import Campaign
from sureshot.campaign.examined import looked_into
from sureshot.storage import Event, Storage, doctor, noted

__all__ = ["JUDGE", "OTHER", "Opened", "Wrong", "advises", "agrees", "goes_on", "looks_sound", "seen", "standing"]

Opened = Callable[[], Storage]
#: Who records what belongs to no call: somebody else, and the judge.
OTHER, JUDGE = "other", "judge"


class Wrong(Exception):
    """What was promised does not hold."""


def seen(opened: Opened, name: str) -> tuple[Event, ...] | None:
    """The log of a campaign, which is proved, has no gap, and gives the belief in use when it is replayed elsewhere;
    None: there is no such campaign.
    """
    with closing(opened()) as store:
        if name not in [one.name for one in store.campaigns()]:
            return None
        campaign = Campaign.open(name, store)
        campaign.verify()
        events = store.events(campaign.number)
        if [one.number for one in events] != list(range(1, len(events) + 1)):
            raise Wrong(f"events are numbered {[one.number for one in events]}")
        again = Campaign.import_export(campaign.export(), storage=":memory:")
        if again.posterior()["belief"] != campaign.posterior()["belief"]:
            raise Wrong("a replay gives another belief")
        return events


def standing(
    call: Call, before: Sequence[str], events: Sequence[Event] | None, others: Sequence[str] = ()
) -> tuple[Event, ...] | None:
    """What the call recorded, whole; None: nothing. ``before`` are the digests of what was there; ``others`` is what
    somebody else noted meanwhile and was acknowledged. Anything between whole and nothing is wrong.
    """
    if call.kind == "create":
        if events:
            raise Wrong(f"a campaign was made with {len(events)} events")
        return None if events is None else ()
    if events is None:
        raise Wrong("the campaign is gone")
    if [one.digest for one in events[: len(before)]] != list(before):
        raise Wrong(f"of {len(before)} events before, {len(events)} are there, or they are others")
    new = events[len(before) :]
    theirs = Counter(one.text for one in new if one.author == OTHER)
    if lost := [text for text in others if theirs[text] != 1]:
        raise Wrong(f"somebody else was told that {lost} are recorded, and there is {dict(theirs)}")
    if doubled := [text for text, times in theirs.items() if times > 1]:
        raise Wrong(f"{doubled} are there more than once")
    mine = tuple(one for one in new if one.author not in (OTHER, JUDGE))
    if mine and (said := whole(call, mine)):
        raise Wrong(f"half or doubled: {said}")
    return mine or None


def agrees(answer: Answer, mine: Sequence[Event] | None) -> None:
    """What was answered is what is there."""
    if answer.broken:
        raise Wrong(f"no clean answer: {answer.broken}")
    if answer.ok and mine is None:
        raise Wrong("acknowledged, and not there")
    if not answer.ok and not answer.gone and not advises(answer.words):
        raise Wrong(f"it does not say what to do: {answer.kind}: {answer.words}")
    if not answer.ok and mine is not None and "othing was " in answer.words:
        raise Wrong(f"recorded, and it says {answer.words}")
    if answer.ok and mine and answer.found is not None and answer.found != [one.trial for one in mine]:
        raise Wrong(f"answered trials {answer.found}, recorded {[one.trial for one in mine]}")


def advises(words: str) -> bool:
    """Whether an error is a sentence that says what to do."""
    bare = "Traceback" in words or "can't be used: " in words  # what a driver said, and no more
    return bool(words) and not bare and words.endswith((".", "?")) and (": " in words or ". " in words)


def goes_on(opened: Opened, name: str) -> None:
    """One more note is recorded, and is the last event."""
    with closing(opened()) as store:
        number = store.campaign(name).id
        last = store.events(number)
        [note] = store.append(number, [noted("and on", author=JUDGE)])
        if note.number != len(last) + 1 or store.events(number)[-1] != note:
            raise Wrong("one more note is not the last event")


def looks_sound(url: str) -> None:
    """A doctor finds nothing that is damaged."""
    found = doctor(url, deeper=looked_into)
    if not found.sound:
        raise Wrong(f"the doctor finds {[str(one) for one in found.findings if one.kind == 'damage']}")
