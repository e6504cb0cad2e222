"""What the processes of ``test_processes.py`` do: run as ``python -m tests.storage.racers <what> <url> ...``.

Each prints one JSON line for each thing that the store acknowledged, at once.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing

from sureshot.errors import Conflict, OutOfDate, UnknownName
from sureshot.storage import Storage, asked, noted, open_storage, told


def say(**words: object) -> None:
    print(json.dumps(words), flush=True)  # noqa: T201


def tell_every_trial(store: Storage, name: str, author: str) -> None:
    """Note, then try to tell, each pending trial: all racers want the same ones."""
    campaign = store.campaign(name)
    pending = [e.trial for e in store.events(campaign.id) if e.kind == "asked" and e.trial]
    for trial in pending:
        [note] = store.append(campaign.id, [noted("trying", trial=trial, author=author)])
        say(number=note.number, digest=note.digest)
        try:
            [outcome] = store.append(campaign.id, [told(trial, 1, author=author)])
            say(number=outcome.number, digest=outcome.digest, won=trial)
        except Conflict as error:
            say(lost=trial) if "already has an outcome" in str(error) else say(wrong=str(error))


def ask_the_next(store: Storage, name: str, author: str) -> None:
    """Hand out alternatives 0, 1, 2 ... up to 24 in turn, none twice, with everybody else doing so too."""
    campaign = store.campaign(name)
    events = store.events(campaign.id)
    while True:
        following = sum(e.kind == "asked" for e in events)
        if following == 25:
            return
        try:
            [mine] = store.append(campaign.id, [asked(following, author=author)], expected_last=len(events))
            say(number=mine.number, digest=mine.digest, alternative=following)
            events += (mine,)
        except OutOfDate:
            events += store.events(campaign.id, after=len(events))


def write_for_ever(store: Storage, name: str, author: str) -> None:
    """Ask and tell until killed."""
    campaign = store.campaign(name)
    while True:
        for event in store.append(campaign.id, [asked(1, author=author), noted("running", author=author)]):
            say(number=event.number, digest=event.digest)


def write_until_deleted(store: Storage, name: str, author: str) -> None:
    """Ask and tell until somebody deletes the campaign."""
    campaign = store.campaign(name)
    try:
        write_for_ever(store, name, author)
    except UnknownName as error:
        say(gone=str(error), id=campaign.id)


def create(store: Storage, name: str, author: str) -> None:
    """Create a campaign whose name the others want too."""
    try:
        store.create_campaign(name, {"by": author}, seed=0)
        say(created=author)
    except Conflict:
        say(found=author)


def race(store: Storage, name: str, author: str) -> None:
    """All of it, one after the other: the store has no tables when the racers begin."""
    create(store, name, author)
    ask_the_next(store, name, author)
    tell_every_trial(store, name, author)


TASKS = {task.__name__: task for task in (create, race, write_for_ever, write_until_deleted)}

if __name__ == "__main__":
    what, url, name, author = sys.argv[1:]
    sys.stdin.readline()  # all begin together
    with closing(open_storage(url)) as store:
        TASKS[what](store, name, author)
