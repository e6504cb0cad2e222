"""Events whose digests are right and whose content is not: each is checked once, when it is read; an error names it.

The chain proves that an event is what was recorded, not that sureshot recorded it. What stands in the columns is
checked here, with the alternatives and the cases that the campaign knows; which event may follow which, in the fold
(:func:`sureshot.campaign.log.ledger.extended`); what was seen when a trial was asked, where that is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sureshot.errors import CorruptLog, SureshotError
from sureshot.schema import (
    ANYTHING,
    FLAG,
    LARGEST,
    SCALAR,
    TEXT,
    WORD,
    listed,
    maybe,
    named_values,
    number,
    one_of,
    record,
    row,
    whole,
    wrong,
)
from sureshot.storage import KINDS, Event, NewEvent
from sureshot.storage.fields import BIGGEST, read_document

if TYPE_CHECKING:
    from sureshot.campaign.model.pool import Pool
    from sureshot.space.features.design import Input

__all__ = ["in_event", "opening_payload", "refuse_unreadable", "refuse_unseen", "refuse_unsound"]

#: How many characters a moment has, and one of them.
_MOMENT = 27
_ANY_MOMENT = "2026-03-01T12:00:00.000000Z"
_CHANCE = number(least=0.0, most=1.0)
_ROW = whole(0)
_PROSPECT = record({}, {"alternative": _ROW, "probability": maybe(_CHANCE)})
_FROM = record({}, {"campaign": TEXT, "event": whole(0), "digest": TEXT, "root": TEXT, "trial": whole(1)})
_CAUTION = record({"check": WORD, "said": TEXT, "instead": TEXT})
#: What may be recorded with the event that opens a trial.
_OPENING = record(
    {},
    {
        "probability": _CHANCE,
        "interval": row(_CHANCE, _CHANCE),
        "value": number(),
        "score": number(),
        "now": _PROSPECT,
        "on_success": _PROSPECT,
        "on_failure": _PROSPECT,
        "runner_up": maybe(_ROW),
        "runner_up_score": maybe(number()),
        "tied": whole(1),
        "after": whole(0),
        "outcomes": whole(0),
        "pending": whole(0),
        "policy": record({"name": WORD}),
        "because": maybe(TEXT),
        "start": FLAG,
        "looked_at": maybe(whole(1)),
        "cautions": listed(_CAUTION),
        "levels": named_values(SCALAR),
        "import": record({"rows": whole(1)}),
        "request": record({"key": TEXT, "digest": TEXT}),
        "from": _FROM,
    },
)
#: What was seen in a trial that was asked: all of it, or nothing; its rules are those above.
_SEEN = record(
    {
        **dict.fromkeys(("probability", "interval", "value", "score", "runner_up", "runner_up_score"), ANYTHING),
        **dict.fromkeys(("tied", "outcomes", "pending"), ANYTHING),
        **dict.fromkeys(("now", "on_success", "on_failure"), record({"alternative": _ROW, "probability": ANYTHING})),
    }
)
_NOTE = record({}, {"from": _FROM, "simulated": record({"world": WORD, "seed": whole(0)})})


@contextmanager
def in_event(number: int) -> Iterator[None]:
    """Errors from within are about what is recorded in the event of that number."""
    try:
        yield
    except CorruptLog as error:
        raise (error if error.place and error.place[0].startswith("event ") else error.at(f"event {number}")) from error
    except SureshotError as error:
        place = (f"event {number}", *error.place)
        raise CorruptLog(error.sentence, field=error.field, value=error.value, place=place) from error


def opening_payload(number: int, text: str | None) -> dict[str, Any]:
    """What was recorded with the event that opened a trial, as a dict of your own."""
    if text is None:
        return {}
    with in_event(number):
        found = read_document(text)
        _OPENING(found, "payload")
        return found


def refuse_unseen(number: int, payload: Mapping[str, Any], rows: int) -> None:
    """Refuse the payload of a trial that was asked of so many alternatives, if not all is in it that was seen then."""
    with in_event(number):
        _SEEN(payload, "payload")
        for name in ("now", "on_success", "on_failure"):
            whole(0, rows - 1)(payload[name]["alternative"], f"payload.{name}.alternative")
        maybe(whole(0, rows - 1))(payload["runner_up"], "payload.runner_up")


def refuse_unsound(pool: Pool, events: Sequence[Event], *, trials: int) -> None:
    """Refuse events that can't have been recorded of these alternatives and cases, after so many trials."""
    rows, sound_case = len(pool.space), _sound_case(pool)
    for event in events:  # unpacked once: a hundred thousand in a fraction of a second
        n, at, kind, trial, alternative, context_json, successes, of, text, author, payload_json, _ = event
        opens = trial == trials + 1 and (kind == "told" or kind == "asked")
        trials += opens
        if not (
            type(at) is str
            and len(at) == _MOMENT
            and kind in KINDS
            and (trial is None or type(trial) is int)
            and (alternative is None or (opens and type(alternative) is int and 0 <= alternative < rows))
            and (context_json is None or (opens and type(context_json) is str))
            and (text is None or type(text) is str)
            and (author is None or type(author) is str)
            and (payload_json is None or type(payload_json) is str)
            and (of is None or (type(of) is int and type(successes) is int and 0 <= successes <= of <= BIGGEST and of))
            and (of is None) == (successes is None) == (kind != "told" and kind != "corrected")
            and _is_moment(at)
        ):
            with in_event(n):
                _refuse(event, rows)
        if opens:
            sound_case(context_json, n)
            if alternative is None:
                _sound_levels(pool, opening_payload(n, payload_json), n)
        elif payload_json is not None and trial is None:
            with in_event(n):
                _NOTE(read_document(payload_json), "payload")


def refuse_unreadable(pool: Pool, new: Sequence[NewEvent], *, trials: int) -> None:
    """Refuse to record what no one could read again, before it is recorded: a log is never mended afterwards."""
    trials = max([trials, *(event.trial for event in new if event.trial is not None)])
    recorded, opened = list[Event](), trials
    for n, event in enumerate(new, start=1):
        opened += event.opens
        columns = [getattr(event, name) for name in Event._fields[2:-1]]
        one = Event._make((n, event.at or _ANY_MOMENT, *columns, ""))._replace(
            trial=opened if event.opens else event.trial
        )
        if event.opens:
            opening_payload(n, one.payload_json)
        recorded.append(one)
    refuse_unsound(pool, recorded, trials=trials)


def _is_moment(at: str) -> bool:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return at[-1] == "Z"


def _refuse(event: Event, rows: int) -> None:
    """Say what of an event is wrong."""
    if not isinstance(event.at, str) or len(event.at) != _MOMENT or not _is_moment(event.at):
        raise wrong("at", "must be a moment such as 2026-03-01T12:00:00.000000Z", event.at)
    one_of(KINDS)(event.kind, "kind")
    maybe(whole(1))(event.trial, "trial")
    maybe(whole(0, rows - 1))(event.alternative, "alternative")
    for name in ("context_json", "text", "author", "payload_json"):
        maybe(TEXT)(getattr(event, name), name.removesuffix("_json"))
    if event.kind in ("told", "corrected"):
        whole(1, BIGGEST)(event.of, "of")
        whole(0, event.of)(event.successes, "successes")
    for name in ("of", "successes", "alternative", "context_json"):
        if getattr(event, name) is not None:
            rule = f"must be null in an event of kind {event.kind!r} that opens no trial"
            raise wrong(name.removesuffix("_json"), rule, getattr(event, name))


def _sound_case(pool: Pool) -> Callable[[str | None, int], None]:
    """A check of the case of an event, which looks at each different case once."""
    fine: set[str | None] = set() if pool.contextual else {None}
    inputs = pool.design.context_inputs

    def check(text: str | None, number: int) -> None:
        if text in fine:
            return
        with in_event(number):
            if text is None:
                raise wrong("context", f"must say {', '.join(one.name for one in inputs)}", text)
            found = read_document(text)
            if not pool.contextual:
                raise wrong("context", "must be null, since this campaign has no contexts", found)
            named_values(SCALAR)(found, "context")
            if not (set(found) <= set(pool.context_names) and all(_fits(one, found.get(one.name)) for one in inputs)):
                pool.checked(found)  # as it is said of a case that a person gives
            fine.add(text)

    return check


def _sound_levels(pool: Pool, opening: Mapping[str, Any], number: int) -> None:
    """Refuse levels of an alternative beside the pool that the design can't read."""
    with in_event(number):
        levels = opening.get("levels")
        if levels is None:
            raise wrong("alternative", "must be a row of the pool, or the payload must have its levels", None)
        if not all(_fits(one, levels.get(one.name)) for one in pool.design.action.inputs):
            pool.design.action.matrix([dict(levels)])


def _fits(one: Input, value: object) -> bool:
    """Whether a value is plainly one of a column."""
    if one.kind == "number":
        return (type(value) is float or type(value) is int) and -LARGEST <= value <= LARGEST
    if one.kind == "boolean":
        return type(value) is bool
    return type(value) is str and (not one.levels or value in one.levels)
