"""What the shell offers when Tab is pressed: campaigns, trials, outcome words, policies and other choices.

Nothing here may fail, be slow or make a store: where something is missing, nothing is offered. So a campaign is read
from its store without its model.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import typer

from sureshot.cli.screen.visible import visible

if TYPE_CHECKING:
    from sureshot.storage import CampaignRecord, Event

__all__ = ["campaigns", "choices", "outcomes", "policies", "tell_words", "told_trials", "trials"]

#: A word, and what it stands for.
Offer = tuple[str, str]
#: What an event leaves a trial as; a note leaves it as it is.
_LEFT = {"asked": "pending", "told": "told", "corrected": "told", "withdrawn": "withdrawn"}
Offering = Callable[[typer.Context, str], list[Offer]]


def _never_failing(offer: Callable[[typer.Context], Iterable[Offer]]) -> Offering:
    @wraps(offer)
    def found(ctx: typer.Context, incomplete: str) -> list[Offer]:
        try:
            offered = [(word, about) for word, about in offer(ctx) if word.startswith(incomplete)]
            return [(_in_the_line(word), about) for word, about in offered if visible(word) == word]
        except Exception:  # whatever is wrong, the command itself says it better
            return []

    found.__annotations__ = {"ctx": typer.Context, "incomplete": str}
    del found.__wrapped__  # Typer looks at the signature
    return found


def _in_the_line(word: str) -> str:
    """A word as it must stand in the line: bash puts in what it is offered, where other shells quote it themselves."""
    bash = os.environ.get("_SURESHOT_COMPLETE", "").endswith("bash")
    return re.sub(r"(?=[^\w.,:/@%+=-])", r"\\", word) if bash else word


@_never_failing
def campaigns(ctx: typer.Context) -> Iterator[Offer]:
    """The campaigns of the store."""
    with _store(ctx) as store:
        for one in store.campaigns():
            yield one.name, f"{one.last_number} events"


@_never_failing
def trials(ctx: typer.Context) -> list[Offer]:
    """The trials of the campaign, those that wait for their outcomes first, then the latest first."""
    return _trials(_events(ctx)[1])


@_never_failing
def told_trials(ctx: typer.Context) -> list[Offer]:
    """The trials of the campaign, those with outcomes first: for what is about outcomes."""
    found = _trials(_events(ctx)[1])
    return sorted(found, key=lambda one: one[1] == "pending")


@_never_failing
def outcomes(ctx: typer.Context) -> list[Offer]:
    """The two words of the campaign."""
    return _outcomes(_events(ctx)[0])


@_never_failing
def tell_words(ctx: typer.Context) -> list[Offer]:
    """What ``tell`` takes: first a trial, unless one is told that was never asked, then an outcome."""
    record, events = _events(ctx)
    typed = list(ctx.params.get("words") or ())
    return _trials(events) if not typed and not ctx.params.get("at") else _outcomes(record)


@_never_failing
def policies(_: typer.Context) -> list[Offer]:
    """The names of all policies."""
    from sureshot.policies import POLICIES

    return [("auto", "what measured best"), *((name, "") for name in sorted(POLICIES))]


def choices(words: tuple[str, ...]) -> Offering:
    """What an option may be, if it is one of a few words."""
    return _never_failing(lambda _: [(word, "") for word in words])


@contextmanager
def _store(ctx: typer.Context) -> Iterator[Any]:
    from sureshot.storage import open_storage

    given = ctx.params.get("storage") or os.environ.get("SURESHOT_STORAGE")
    with closing(open_storage(given, create=False)) as store:
        yield store


def _events(ctx: typer.Context) -> tuple[CampaignRecord, tuple[Event, ...]]:
    """The campaign that is named, or the only one, with its events."""
    with _store(ctx) as store:
        name = ctx.params.get("campaign") or os.environ.get("SURESHOT_CAMPAIGN")
        if name is None:
            (only,) = store.campaigns()
            name = only.name
        record = store.campaign(name)
        return record, tuple(store.events(record.id))


def _trials(events: Iterable[Event]) -> list[Offer]:
    """Trials as the last event about each leaves it: without the ledger, which would load NumPy."""
    state = {one.trial: _LEFT[one.kind] for one in events if one.trial is not None and one.kind in _LEFT}
    found = sorted(state, key=lambda trial: (state[trial] != "pending", trial if state[trial] == "pending" else -trial))
    return [(str(trial), state[trial]) for trial in found]


def _outcomes(record: CampaignRecord) -> list[Offer]:
    return [(record.spec[word], word) for word in ("success", "failure")]
